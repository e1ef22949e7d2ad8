// From SQL text to a proven plan. Reads no data, runs anywhere.

import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { bind, type Bound, type BindOptions } from "@dosimeter/language/bind/bind"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Ask, Terms } from "@dosimeter/proof/catalog/terms"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { parse } from "@dosimeter/language/parse/parse"
import { applyConsent } from "./question/apply-consent.ts"
import { boundWork } from "./question/bound-work.ts"
import { leaveOutEmpty } from "./question/leave-out-empty.ts"
import type { PlanOptions, ScaledRelease } from "./question/plan.ts"
import { planAsked, scaledInAsked } from "./question/plan-asked.ts"
import { meaningsOf, type Meaning } from "@dosimeter/answers/reuse/meaning"
import { verify, type VerifiedPlan } from "@dosimeter/proof/verify/verify"

/** What a question is compiled against. */
export interface CompileOptions {
  readonly grammar: Grammar
  readonly catalog: Catalog
  readonly terms: Terms
  /**
   * What the analyst wants to spend and how people are bounded; the owner's defaults where nothing is said.
   */
  readonly ask?: Ask
  /** The values of $1, $2, ... */
  readonly parameters?: readonly Constant[]
  /** Prepared copies that may be read: made of the version of the data that the question is about. */
  readonly prepared?: readonly PreparedTable[]
  /** Bounds that were learnt, by the place of their aggregate in the SQL. */
  readonly ranges?: NonNullable<BindOptions["ranges"]>
  /** Norms that ladders told, by the place of their boundary in the statement. */
  readonly norms?: NonNullable<PlanOptions["norms"]>
  /** Whether norms are yet to be learnt: whatever can be scaled is scaled then, and nothing is dropped. */
  readonly learnsNorm?: true
}

/** A proven plan, and what it measures. */
export interface Planned {
  readonly plan: VerifiedPlan
  /** What each release measures, so that it can be held against earlier ones. */
  readonly meanings: readonly (Meaning | undefined)[]
}

/** A compiled question. */
export interface Compiled extends Planned {
  /** Whether EXPLAIN stood before it: then nothing is to be run. Asked here, and nowhere else. */
  readonly isExplain: boolean
}

/**
 * Compiles one statement, or throws a DosimeterError that says what cannot be proven and what to
 * write.
 */
export function compile(sql: string, options: CompileOptions): Compiled {
  const { grammar, catalog, parameters = [], ranges } = options
  const statement = parse(sql, grammar)
  const bound = bind(statement.query, { catalog, parameters, ...(ranges === undefined ? {} : { ranges }) })
  return { isExplain: statement.kind === "explain", ...planned(bound, options) }
}

/** A statement without parameters, bound in what it makes of names and of one unit's rows. */
export function boundStatement(sql: string, { grammar, catalog }: CompileOptions): Bound {
  return leaveOutEmpty(boundWork(bind(parse(sql, grammar).query, { catalog, parameters: [] }), catalog))
}

/** The proven plan of a bound statement. */
export function planned(bound: Bound, options: CompileOptions): Planned {
  return plannedAsBound(leaveOutEmpty(boundWork(bound, options.catalog)), options)
}

/** The releases of a statement's plan whose units are scaled, or would be to a norm that is learnt. */
export function scaledIn(sql: string, options: CompileOptions): readonly ScaledRelease[] {
  const { grammar, catalog, parameters = [], terms, ask = {}, prepared = [], ranges } = options
  const bound = bind(parse(sql, grammar).query, {
    catalog,
    parameters,
    ...(ranges === undefined ? {} : { ranges }),
  })
  return scaledInAsked(leaveOutEmpty(boundWork(bound, catalog)), { catalog, terms, ask, prepared })
}

/** The proven plan of a statement whose work is bounded already. */
export function plannedAsBound(bound: Bound, options: CompileOptions): Planned {
  const { catalog, terms, ask = {}, prepared = [], norms, ranges, learnsNorm } = options
  const { plan: proposed, boundaries } = planAsked(bound, {
    catalog,
    terms,
    ask,
    prepared,
    ...(norms === undefined ? {} : { norms }),
    ...(learnsNorm === undefined ? {} : { learnsNorm }),
  })
  const meanings = meaningsOf(boundaries, proposed.releases)
  const told = ranges === undefined || ranges.size === 0 ? proposed : withCutValues(proposed)
  return { plan: verify(applyConsent(told, catalog), catalog, prepared), meanings }
}

// Bounds that were learnt are not declared by anybody: what they cut off is left out of the answer.
function withCutValues(plan: ReleasePlan): ReleasePlan {
  const releases = plan.releases.map((release) => ({
    ...release,
    bounds: { ...release.bounds, cutsValues: true as const },
  }))
  return { ...plan, releases }
}
