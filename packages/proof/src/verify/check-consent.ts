// Consent: proves of every extract of a plan that only consenting units are read, then strips that condition,
// so that the rest of the plan is proven as if the other units did not exist.

import { reject } from "../units/reject.ts"
import { ownershipOf } from "../units/track-unit.ts"
import type { Catalog, ConsentFacts } from "../catalog/catalog.ts"
import type { Expr } from "../algebra/expr.ts"
import type { Mark, Rel } from "../algebra/rel.ts"
import type { Extract, Release, ReleasePlan } from "../algebra/release-plan.ts"
import { equalColumns, isCall } from "../algebra/walk.ts"

/**
 * The releases without their conditions on consent; rejected if an extract has none where the catalog demands
 * it.
 *
 * Guarantee: on every dataset D and every relation C of unit ids, each extract E gives what its stripped form
 *   gives on the rows of D whose units are in C (`required`), or are not in C (`opt-out`).
 * Needs: columns were checked (checkColumns); the engine fills the relation with the ids of the decisions
 *   that hold, and names them in `version` and `purposes`.
 * Proof: rows are unit-local, so dropping a unit's rows from a relation is the relation of a dataset without
 *   this unit: check-consent.proof.md.
 * Numerics: none.
 * Source: this file; for stability of unit-local steps see units/track-unit.ts.
 */
export function checkConsent(plan: ReleasePlan, { consent, tables }: Catalog): readonly Release[] {
  if (consent === undefined) {
    return plan.consent === undefined ? plan.releases : reject("it claims a consent that nobody asked for")
  }
  const { mode, purposes, version, table } = consent
  const said = plan.consent
  const isSaid = said?.mode === mode && said.version === version && isSameList(said.purposes, purposes)
  if (!isSaid) return reject("it was made under other decisions")
  const { unit, columns } = table
  const isPlain = unit.kind === "path" && unit.hops.length === 0 && unit.column === columns[0]?.name
  if (!isPlain || columns.length !== 1 || tables.includes(table)) return reject("consent is kept elsewhere")
  return plan.releases.map((release) => ({
    ...release,
    extracts: release.extracts.map((extract) => stripped(extract, consent)),
  }))
}

function stripped(extract: Extract, consent: ConsentFacts): Extract {
  const { rel } = extract
  if (rel.kind !== "aggregate") return reject("an extract does not add up units")
  const { input } = rel
  if (input.kind !== "filter" || input.input.kind !== "mark") return reject("people are not asked")
  const mark = input.input
  if (!isAsked(input.condition, mark, consent)) return reject("people are not asked")
  checkMark(mark, consent)
  return { ...extract, rel: { ...rel, input: mark.left } }
}

// The mark itself for `required`, its negation for `opt-out`.
function isAsked(condition: Expr, mark: Mark, { mode }: ConsentFacts): boolean {
  const listed = mark.columns.at(-1)?.id
  const isMark = (expr: Expr | undefined): boolean => expr?.kind === "column" && expr.id === listed
  if (mode === "required") return isMark(condition)
  return isCall(condition, "not") && condition.args.length === 1 && isMark(condition.args[0])
}

// Whether the unit of a row is in the relation, and nothing else.
function checkMark({ left, right, condition }: Mark, { table }: ConsentFacts): void {
  if (right.kind !== "scan" || right.table !== table) return reject("another table is asked for consent")
  const [source, ...sources] = right.sources
  const [id, ...ids] = right.columns
  if (source !== table.columns[0] || sources.length + ids.length > 0) reject("consent has other columns")
  const [pair, ...pairs] = equalColumns(condition)
  const isOne = condition !== undefined && isCall(condition, "equal") && pairs.length === 0
  const owned = unitsOf(left)
  const isUnit = pair !== undefined && owned.has(pair[0]) && pair[1] === id?.id
  if (!isOne || !isUnit) reject("consent is looked up by something else than the unit")
}

function unitsOf(rel: Rel): ReadonlySet<number> {
  const owner = ownershipOf(rel)
  return owner.kind === "private" ? owner.units : new Set()
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}
