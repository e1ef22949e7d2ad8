// Proves a finished plan again, from nothing but the plan and the catalog: that every table which will be
// read is bounded for each unit, that every mechanism covers what one unit can change, that the charge is the
// sum of the losses, and that post-processing sees released and public rows only. Planner and binder need not
// be trusted.

import { one, subtract } from "@dosimeter/core/exact"
import { pathFacts } from "../units/path-facts.ts"
import type { PreparedTable } from "../units/prepared-table.ts"
import { reject } from "../units/reject.ts"
import { workLimitsOf } from "../work/work-limits.ts"
import type { Catalog } from "../catalog/catalog.ts"
import type { ConsentUse, KeyFact, ReleasePlan } from "../algebra/release-plan.ts"
import { checkColumns } from "./check-columns.ts"
import { checkCharge } from "./check-charge.ts"
import { checkConsent } from "./check-consent.ts"
import { checkData } from "./check-data.ts"
import { checkDomains } from "./check-domains.ts"
import { checkMechanisms } from "./check-mechanisms.ts"
import { checkPost } from "./check-post.ts"
import { checkTables } from "./check-tables.ts"
import { checkWork } from "./check-work.ts"
import { checkPrepared } from "./check-prepared.ts"
import { isSameCatalog } from "./same-catalog.ts"

/** A plan that `verify` has proven: nobody else can make one, and nobody can change it. */
export type VerifiedPlan = ProvenPlan

/**
 * The same plan, proven and unchangeable from now on; or `bug/plan-rejected`.
 *
 * Guarantee: whoever computes the extracts on a dataset, releases them by the plan's mechanisms and shows
 *   what post-processing makes of the result loses no more than plan.charge to any unit. What a unit can
 *   make a database do is bounded by public numbers (checkWork).
 * Needs: the catalog describes the data: units, hops and the keys in plan.reliesOn (checked when a dataset is
 *   registered); extracts are printed by print/, which reads columns inside their domains; the prepared
 *   copies that the plan names were made of this data by prepare/ (the engine compares their manifest).
 * Proof: each extract changes by no more than its mechanisms' sensitivity (proveExtract, checkMechanisms;
 *   where people are asked first, checkConsent), so each mechanism loses no more than lossOf(spec). Extracts
 *   depend on the data alone, not on each other's answers; losses in one measure add up to the charge.
 *   Post-processing reads `released` leaves and public tables only. What is proven is what is returned, and
 *   all of it was looked at: a plan is frozen first, and rejected where it has kinds or fields that no check
 *   knows, or fractions not in lowest terms (checkData).
 * Numerics: exact.
 * Source: Dwork and Roth 2014, section 3 (composition, post-processing); Wilson and others 2020 (bounding).
 */
export function verify(
  proposed: ReleasePlan,
  catalog: Catalog,
  prepared: readonly PreparedTable[] = [],
): VerifiedPlan {
  const plan = { ...proposed }
  checkData(plan, catalog)
  if (plan.neighbours !== catalog.neighbours) reject("the neighbours are not the catalog's")
  for (const copy of prepared) checkPrepared(copy, catalog)
  const facts: KeyFact[] = []
  for (const { rel } of plan.releases.flatMap(({ extracts }) => extracts)) {
    checkColumns(rel)
    checkDomains(rel)
  }
  for (const release of checkConsent(plan, catalog)) {
    const copies = prepared.filter(({ label }) => release.prepared.includes(label))
    for (const { rel } of release.extracts) {
      checkTables(rel, catalog, copies)
      checkWork(rel, workLimitsOf(catalog))
      facts.push(...pathFacts(rel))
    }
    facts.push(...checkMechanisms(release, plan.neighbours, subtract(one, plan.confidence)))
  }
  checkFacts(facts, plan.reliesOn)
  checkCharge(plan)
  checkPost(plan.post, plan, catalog)
  if (plan.post.columns.length !== plan.outputNames.length) reject("a column of the answer without a name")
  return new ProvenPlan(plan, catalog)
}

/** Whether a value was made by `verify`, whatever its type says. */
export function isVerified(value: object): value is VerifiedPlan {
  return ProvenPlan.isOne(value)
}

/**
 * Whether a plan was proven for the tables that a catalog describes, under the same decisions of people.
 *
 * Guarantee: what verify has proven of the plan is true of a dataset that the catalog describes.
 * Needs: as verify.
 * Proof: the facts that a proof reads (dataset, unit, neighbours, limit of work, tables with their paths,
 *   units and keys, consent) are those of the catalog that the plan was proven with (isSameCatalog), which
 *   was frozen before it was looked at.
 * Numerics: none.
 * Source: none.
 */
export function isProvenFor(plan: VerifiedPlan, catalog: Catalog): boolean {
  return isSameCatalog(ProvenPlan.catalogOf(plan), catalog)
}

/** The catalog that a plan was proven with. */
export function provenCatalog(plan: VerifiedPlan): Catalog {
  return ProvenPlan.catalogOf(plan)
}

// The class stays in this file, so that only `verify` makes an instance, and its private field is in no copy:
// `{ ...plan }` is a ReleasePlan and no VerifiedPlan, for the compiler and when it runs.
class ProvenPlan implements ReleasePlan {
  declare readonly dataset: ReleasePlan["dataset"]
  declare readonly unitName: ReleasePlan["unitName"]
  declare readonly neighbours: ReleasePlan["neighbours"]
  declare readonly releases: ReleasePlan["releases"]
  declare readonly post: ReleasePlan["post"]
  declare readonly outputNames: ReleasePlan["outputNames"]
  declare readonly charge: ReleasePlan["charge"]
  declare readonly confidence: ReleasePlan["confidence"]
  declare readonly shownFrom?: bigint
  declare readonly raw?: true
  declare readonly notes: ReleasePlan["notes"]
  declare readonly reliesOn: ReleasePlan["reliesOn"]
  declare readonly consent?: ConsentUse
  readonly #catalog: Catalog

  constructor(plan: ReleasePlan, catalog: Catalog) {
    Object.assign(this, plan)
    this.#catalog = catalog
    Object.freeze(this)
  }

  static isOne(value: object): value is ProvenPlan {
    return #catalog in value
  }

  static catalogOf(plan: ProvenPlan): Catalog {
    return plan.#catalog
  }
}

function checkFacts(used: readonly KeyFact[], stated: readonly KeyFact[]): void {
  const names = new Set(stated.map(showFact))
  for (const fact of used) if (!names.has(showFact(fact))) reject(`it relies on the key ${showFact(fact)}`)
}

const showFact = ({ table, columns }: KeyFact): string => `${table}(${columns.join(", ")})`
