// From a bound statement and what is asked of it to the plan of its answer.

import {
  compare,
  divide,
  rational,
  showParameter,
  subtract,
  type MechanismSpec,
  type Rational,
} from "@dosimeter/core"
import { extractFacts } from "../analyze/extract-facts.ts"
import { distinctFacts } from "../analyze/path-facts.ts"
import type { PreparedTable } from "../analyze/prepared-table.ts"
import type { Catalog } from "../catalog/catalog.ts"
import type { Ask, Terms } from "../catalog/terms.ts"
import { fail } from "../errors.ts"
import { ColumnIds } from "../ir/make.ts"
import type { Boundary, Rel } from "../ir/rel.ts"
import type { Release, ReleasePlan } from "../ir/release-plan.ts"
import { inputsOf } from "../ir/walk.ts"
import { findTops, noteSelection } from "./best-draft.ts"
import { draftsOf } from "./drafts.ts"
import { keyLists } from "./key-lists.ts"
import { boundariesOf, replaceBoundaries } from "./replace-boundaries.ts"
import { allowanceOf, chargeOf, shareOf, type AllowanceShare } from "./share-out.ts"
import { columnWeights, measureWeights, partsOfLoss, showWeights } from "./weigh.ts"

/** A statement after bind. */
export interface BoundStatement {
  readonly rel: Rel
  readonly outputNames: readonly string[]
  readonly notes: readonly string[]
}

/** What a plan is made for. */
export interface PlanOptions {
  readonly catalog: Catalog
  readonly terms: Terms
  readonly ask: Ask
  /** The copies that may be read in place of tables. */
  readonly prepared?: readonly PreparedTable[]
  /** Which share of the allowance is for this statement; all of it if it is left out. */
  readonly share?: AllowanceShare
}

/** The plan of a statement. */
export function plan(
  statement: BoundStatement,
  { catalog, terms, ask, prepared = [], share }: PlanOptions,
): ReleasePlan {
  const wanted = within(terms, ask)
  const { unitName, neighbours } = catalog
  const ids = new ColumnIds(lastColumn(statement.rel))
  const boundaries = boundariesOf(statement.rel)
  const { accounting } = terms.budget
  const { confidence } = terms.question
  const asked = allowanceOf(accounting, {
    epsilon: wanted.epsilon,
    delta: terms.question.delta,
    // A share of an allowance is added to others, which may select keys.
    selectsKeys: share !== undefined || boundaries.some(selectsKeys),
  })
  const allowance = shareOf(asked, share)
  const placed = draftsOf(boundaries, {
    wanted: { ...wanted, unitName },
    neighbours,
    accounting,
    ids,
    prepared,
    quantileMiss: quantileMissOf(boundaries, terms, ask),
    nonNegative: ask.nonNegative === true,
    tops: findTops(statement.rel),
    allowance,
    confidence,
  })
  const drafts = placed.map(({ draft }) => draft)
  const weights = columnWeights(statement.rel, statement.outputNames, ask.weights ?? {})
  const weighed = placed.map(({ draft, answers }) => {
    const each = answers.map((boundary) => measureWeights(boundary, weights))
    return draft.partWeights(
      each[0]?.map((_, index) => Math.max(...each.map((one) => one[index] ?? 1))) ?? [],
    )
  })
  const parts = [...partsOfLoss(weighed.flat(), allowance.amount, accounting)]
  const selections = BigInt(Math.max(drafts.filter(({ selectsKeys }) => selectsKeys).length, 1))
  const each = { ...allowance, deltaForKeys: divide(allowance.deltaForKeys, rational(selections)) }
  const releases = drafts.map((draft) => draft.finish(each, parts.splice(0, draft.parts)))
  const post = replaceBoundaries(statement.rel, (boundary) =>
    placed.map(({ rowsOf }, release) => rowsOf(boundary, release)).find((rows) => rows !== undefined),
  )
  const extracts = releases.flatMap((release) => release.extracts)
  const facts = extracts.flatMap(({ rel, keys }) => extractFacts(rel, keys))
  return {
    dataset: catalog.dataset,
    unitName,
    neighbours,
    releases,
    post,
    outputNames: statement.outputNames,
    charge: chargeOf(releases.flatMap(specsOf), allowance),
    confidence,
    ...(terms.shownFrom === undefined ? {} : { shownFrom: terms.shownFrom }),
    notes: [...statement.notes, ...weighedNotes(ask.weights), ...noteSelection(post, releases)],
    reliesOn: distinctFacts(facts),
  }
}

function weighedNotes(weights: Ask["weights"]): readonly string[] {
  return weights === undefined
    ? []
    : [`the loss is shared out by weight: ${showWeights(weights)}, all else 1`]
}

function selectsKeys(boundary: Boundary): boolean {
  return boundary.keys.length > 0 && keyLists(boundary) === undefined
}

/** Every mechanism of a release. */
export function specsOf({ keys, measures }: Release): readonly MechanismSpec[] {
  const specs = measures.flatMap((measure) => ("spec" in measure ? [measure.spec] : []))
  return keys.kind === "private" || keys.kind === "top" ? [keys.spec, ...specs] : specs
}

/** What is asked for, or the owner's defaults; refused beyond the owner's limits. */
export function within(
  terms: Terms,
  ask: Ask,
): { epsilon: Rational; groupsPerUnit: bigint; rowsPerGroup: bigint } {
  const { question, bounding } = terms
  const epsilon = ask.epsilon ?? question.epsilonDefault
  const groupsPerUnit = ask.groupsPerUnit ?? bounding.groupsPerUnit
  const rowsPerGroup = ask.rowsPerGroup ?? bounding.rowsPerGroup
  if (epsilon.numerator <= 0n || groupsPerUnit <= 0n || rowsPerGroup <= 0n) {
    fail("ask/not-positive", { name: epsilon.numerator <= 0n ? "epsilon" : "a contribution bound" })
  }
  const limits = [
    ["epsilon", epsilon, question.epsilonMax],
    ["groups_per_unit", rational(groupsPerUnit), rational(bounding.groupsPerUnitMax)],
    ["rows_per_group", rational(rowsPerGroup), rational(bounding.rowsPerGroupMax)],
  ] as const
  for (const [name, got, limit] of limits) {
    if (compare(got, limit) <= 0) continue
    fail("ask/too-large", { name, got: showParameter(got), limit: showParameter(limit) })
  }
  return { epsilon, groupsPerUnit, rowsPerGroup }
}

/**
 * How often an interval of quantiles may fail: so seldom that a function of two measures still has an
 * interval, where there are two.
 */
function quantileMissOf(boundaries: readonly Boundary[], terms: Terms, ask: Ask): Rational | undefined {
  if (ask.quantileIntervals === false) return undefined
  const measures = boundaries.reduce((sum, boundary) => sum + boundary.measures.length, 0)
  return divide(subtract(rational(1n), terms.question.confidence), rational(measures > 1 ? 2n : 1n))
}

/** The largest number of a column in a relation. */
export function lastColumn(rel: Rel): number {
  const own = rel.columns.reduce((most, { id }) => Math.max(most, id), 0)
  return inputsOf(rel).reduce((most, input) => Math.max(most, lastColumn(input)), own)
}
