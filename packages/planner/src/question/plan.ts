// From a bound statement and what is asked of it to the plan of its answer.

import { divide, rational, zero } from "@dosimeter/core/exact"
import type { MechanismSpec } from "@dosimeter/core/mechanisms"
import { distinctExtractFacts } from "@dosimeter/proof/units/extract-facts"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Ask, Terms } from "@dosimeter/proof/catalog/terms"
import { columnIdsAfter } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { findTops, noteSelection } from "../strategies/best-draft.ts"
import type { PlacedDraft } from "../strategies/draft.ts"
import { draftsOf, selectsKeys } from "../strategies/drafts.ts"
import type { LearntNorm } from "../strategies/scaled-vector.ts"
import { boundariesOf, replaceBoundaries } from "./replace-boundaries.ts"
import { allowanceOf, chargeOf, shareOf, type Allowance, type AllowanceShare } from "../loss/share-out.ts"
import { quantileMissOf, resolveAsk } from "../loss/resolve-ask.ts"
import {
  columnWeights,
  aggregateWeights,
  partsOfLoss,
  showWeights,
  type ColumnWeights,
} from "../loss/weigh.ts"

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
  /** Norms that ladders told, by the place of their boundary in the statement. */
  readonly norms?: ReadonlyMap<number, LearntNorm>
  /** Whether norms are yet to be learnt: whatever can be scaled is scaled then, and nothing is dropped. */
  readonly learnsNorm?: true
}

/** The drafts of a statement's releases, and what they may lose. */
interface Drafted {
  readonly placed: readonly PlacedDraft[]
  readonly weights: ColumnWeights
  readonly allowance: Allowance
  /** Whether delta pays for Gaussian noise. */
  readonly isForNoise: boolean
}

function drafted(
  statement: BoundStatement,
  { catalog, terms, ask, prepared = [], share, norms, learnsNorm }: PlanOptions,
): Drafted {
  const wanted = resolveAsk(terms, ask)
  const { unitName, neighbours } = catalog
  const boundaries = boundariesOf(statement.rel)
  const { accounting } = terms.budget
  const asked = allowanceOf(terms.budget, {
    epsilon: wanted.epsilon,
    delta: terms.question.delta,
    keysDelta: ask.keysDelta,
    selectsKeys: share?.selectsKeys ?? boundaries.some(selectsKeys),
  })
  const allowance = shareOf(asked, share)
  // In a pure account without key selection delta pays for Gaussian noise, unless the allowance is shared
  // with other statements.
  const isForNoise = accounting === "pure" && share === undefined && !boundaries.some(selectsKeys)
  const weights = columnWeights(statement.rel, statement.outputNames, ask.weights ?? {})
  const { rowsPerUnit } = terms.bounding
  const placed = draftsOf(boundaries, {
    wanted: { ...wanted, unitName },
    neighbours,
    accounting,
    ids: columnIdsAfter(statement.rel),
    prepared,
    quantileMiss: quantileMissOf(boundaries, terms, ask),
    nonNegative: ask.nonNegative === true,
    tops: ask.largest === "measured" ? new Map() : findTops(statement.rel),
    deltaForNoise: isForNoise ? allowance.deltaForKeys : zero,
    keys: ask.keys,
    weights,
    allowance,
    confidence: terms.question.confidence,
    norms: byBoundary(boundaries, norms),
    ...(rowsPerUnit === undefined ? {} : { rowsPerUnit }),
    ...(learnsNorm === undefined ? {} : { learnsNorm }),
  })
  return { placed, weights, allowance, isForNoise }
}

function byBoundary(
  boundaries: readonly Boundary[],
  norms: PlanOptions["norms"],
): ReadonlyMap<Boundary, LearntNorm> {
  const entries = boundaries.map((boundary, place) => [boundary, norms?.get(place)] as const)
  return new Map(entries.flatMap(([boundary, norm]) => (norm === undefined ? [] : [[boundary, norm]])))
}

/** A release of a statement whose units are scaled. */
export interface ScaledRelease {
  /** The place of its boundary in the statement. */
  readonly boundary: number
  /** Its own place among the releases of the plan. */
  readonly release: number
  readonly subject: NonNullable<PlacedDraft["draft"]["subject"]>
}

/** The releases of a statement's plan whose units are scaled, or would be to a norm that is learnt. */
export function scaledReleases(statement: BoundStatement, options: PlanOptions): readonly ScaledRelease[] {
  const boundaries = boundariesOf(statement.rel)
  return drafted(statement, { ...options, learnsNorm: true }).placed.flatMap(
    ({ draft: { subject }, answers }, release) => {
      const boundary = answers.map((one) => boundaries.indexOf(one))[0]
      return subject === undefined || boundary === undefined ? [] : [{ boundary, release, subject }]
    },
  )
}

/** The plan of a statement. */
export function plan(statement: BoundStatement, options: PlanOptions): ReleasePlan {
  const { catalog, terms, ask } = options
  const { unitName, neighbours } = catalog
  const { accounting } = terms.budget
  const { placed, weights, allowance, isForNoise } = drafted(statement, options)
  const drafts = placed.map(({ draft }) => draft)
  const weighed = placed.flatMap((one) => partWeights(one, weights))
  const parts = [...partsOfLoss(weighed, allowance.amount, accounting)]
  const selections = BigInt(Math.max(drafts.filter(({ selectsKeys }) => selectsKeys).length, 1))
  const noises = rational(BigInt(Math.max(parts.length, 1)))
  const each = {
    ...allowance,
    deltaForKeys: divide(allowance.deltaForKeys, rational(selections)),
    deltaForNoise: isForNoise ? divide(allowance.deltaForKeys, noises) : zero,
  }
  const releases = drafts.map((draft) => draft.finish(each, parts.splice(0, draft.parts)))
  const post = replaceBoundaries(statement.rel, (boundary) =>
    placed.map(({ rowsOf }, release) => rowsOf(boundary, release)).find((rows) => rows !== undefined),
  )
  const extracts = releases.flatMap((release) => release.extracts)
  return {
    dataset: catalog.dataset,
    unitName,
    neighbours,
    releases,
    post,
    outputNames: statement.outputNames,
    charge: chargeOf(releases.flatMap(specsOf), allowance),
    confidence: terms.question.confidence,
    ...(terms.shownFrom === undefined ? {} : { shownFrom: terms.shownFrom }),
    ...(isRaw(terms, ask) ? { raw: true } : {}),
    notes: [...statement.notes, ...draftedNotes(ask, placed), ...noteSelection(post, releases)],
    reliesOn: distinctExtractFacts(extracts),
  }
}

// The weights of a draft's parts: an aggregate that several boundaries share has the largest of theirs.
function partWeights({ draft, answers }: PlacedDraft, weights: ColumnWeights): readonly number[] {
  const each = answers.map((boundary) => aggregateWeights(boundary, weights))
  return draft.partWeights(each[0]?.map((_, index) => Math.max(...each.map((one) => one[index] ?? 1))) ?? [])
}

/** Whether numbers are shown as they were measured: as the question says, or the owner. */
function isRaw(terms: Terms, { nonNegative }: Ask): boolean {
  return nonNegative === undefined ? terms.raw === true : !nonNegative
}

// How the loss is shared out, and which of two ways was taken.
function draftedNotes({ weights }: Ask, placed: readonly PlacedDraft[]): readonly string[] {
  const shared = weights === undefined ? [] : [`${sharedOut}: ${showWeights(weights)}, all else 1`]
  return [...shared, ...placed.flatMap(({ notes = [] }) => notes)]
}

const sharedOut = "the loss is shared out by weight"

/** Every mechanism of a release. */
export function specsOf({ keys, measurements }: Release): readonly MechanismSpec[] {
  const specs = measurements.map(specOf)
  return keys.kind === "private" || keys.kind === "top" ? [keys.spec, ...specs] : specs
}
