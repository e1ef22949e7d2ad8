// The draft of a boundary: all groups measured, of units that are scaled to a norm where they can be; or,
// where only the largest groups are looked at, these chosen first; keys and counts apart or from one number.

import { divide, numberNear, rational, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { isTopBetter, type TopGroups } from "../aggregates/choose-top.ts"
import { clampedDraft } from "./clamped-draft.ts"
import type { Draft } from "./draft.ts"
import { countsOrKeys, type KeysDraft, type KeysWish } from "./one-number.ts"
import { ReleaseDraft } from "./plan-release.ts"
import { scaledDraft, type ScaledOptions } from "./scaled-draft.ts"
import type { Allowance } from "../loss/share-out.ts"

export { findTops } from "../keys/find-top.ts"
export { noteSelection } from "../keys/note-selection.ts"

/** What is looked at when a boundary is drafted. */
export interface DraftWish extends Omit<KeysWish, "weight"> {
  readonly top: TopGroups | undefined
  readonly confidence: Rational
  /** What Gaussian noise may be charged in a pure account; zero if none may be. */
  readonly deltaForNoise: Rational
  /** How much the errors of the aggregates matter. */
  readonly weights: readonly number[]
}

/** Drafts a boundary in the way with the smaller errors. */
export function bestDraft(
  boundary: Boundary,
  options: Omit<ConstructorParameters<typeof ReleaseDraft>[1], "top" | "keysBy"> & ScaledOptions,
  wish: DraftWish,
): KeysDraft {
  const bounded = new ReleaseDraft(boundary, options)
  const plain = plainDraft(boundary, { bounded, options, wish })
  const { top, allowance, confidence } = wish
  // What is chosen first is of rows and groups within the bounds.
  if (learns(options) && plain.draft.subject !== undefined) return plain
  if (top === undefined || !bounded.hasMoreThan(top.k) || bounded.hasPossible) return plain
  const chosen = new ReleaseDraft(boundary, { ...options, top })
  const isBetter = isTopBetter(alone(chosen, allowance), alone(plain.draft, allowance), confidence)
  return isBetter ? { draft: chosen, notes: [] } : plain
}

function learns({ learnsNorm, learnt }: ScaledOptions): boolean {
  return learnsNorm === true || learnt !== undefined
}

interface PlainDraft {
  readonly bounded: ReleaseDraft
  readonly options: Parameters<typeof bestDraft>[1]
  readonly wish: DraftWish
}

function plainDraft(boundary: Boundary, plain: PlainDraft): KeysDraft {
  const { bounded, options, wish } = plain
  const scaled = draftOfSums(boundary, plain)
  if (bounded.givesKeyCounts) return countedApart(scaled) ?? { draft: bounded, notes: [] }
  if (!bounded.mayCountRows) return scaled ?? { draft: bounded, notes: [] }
  // To drop nothing is worth more than less noise (one-number-errors.node.test.ts).
  if (scaled !== undefined && wish.keys !== "counts")
    return { draft: scaled.draft, notes: [...scaled.notes, apartNote] }
  const joined = new ReleaseDraft(boundary, { ...options, keysBy: "rows" })
  if (scaled !== undefined) return { draft: joined, notes: [joinedNote] }
  return countsOrKeys(bounded, joined, { ...wish, weight: Math.max(...wish.weights) })
}

// Counts that keys would have given, of all groups of a unit: a threshold is proven for units that weigh
// alike in all of their groups, and for no more groups of a unit than it says, which no norm is about.
function countedApart(scaled: KeysDraft | undefined): KeysDraft | undefined {
  return scaled === undefined ? undefined : { draft: scaled.draft, notes: [...scaled.notes, peopleNote] }
}

const apartNote =
  "keys and counts are bought apart; from one noisy number (keys: counts) rows and groups beyond the bounds would be dropped"
const peopleNote =
  "keys and counts are bought apart; from one noisy number (keys: counts) groups beyond the bounds would be dropped"
const joinedNote =
  "keys and counts come from one noisy number; bought apart (keys: more), nothing would be dropped: rows would be scaled"

// The draft over totals of units: clamped in one group, or scaled in all of them; undefined where rows and
// groups are dropped.
function draftOfSums(boundary: Boundary, { bounded, options, wish }: PlainDraft): KeysDraft | undefined {
  const { allowance, deltaForNoise } = wish
  // Keys that give the number of units do so for the groups that count, which are few of a unit's.
  if (bounded.givesKeyCounts && (!learns(options) || wish.keys === "counts")) return undefined
  // Copies of rows hold what is bounded already, and are read where there is no copy of pairs.
  const onPairs = bounded.readsCopies
  const isMeasured = boundary.aggregates.length > 0 && bounded.parts > 0
  const least = learns(options) ? learntLeast : scaleLeast
  const canScale = isMeasured && !isBetterInSteps(alone(bounded, { ...allowance, deltaForNoise }), least)
  const scaled = canScale ? scaledDraft(boundary, { ...options, onPairs }) : undefined
  if (scaled !== undefined)
    return { draft: scaled, notes: options.learnt === undefined ? [] : [options.learnt.note] }
  const clamped = onPairs ? clampedDraft(boundary, options) : undefined
  return clamped === undefined ? undefined : { draft: clamped, notes: [] }
}

// Whether numbers of a pure account have Gaussian noise at a delta, where an L1 norm is for Laplace noise; or
// Laplace noise of a few steps, which would be larger in fractions of a step.
function isBetterInSteps({ measurements }: Release, least: number): boolean {
  return measurements
    .map(specOf)
    .some((spec) =>
      spec.kind === "laplace"
        ? numberNear(spec.scale) < least
        : spec.kind === "gaussian" && spec.epsilon !== undefined,
    )
}

const scaleLeast = 4
/**
 * Where a norm is learnt, more is at stake than fractions of a step. Just above one row's noise at
 * epsilon 1.
 */
const learntLeast = 1.01

// What a draft would be if it had the whole loss.
function alone(draft: Draft, allowance: Allowance): Release {
  return draft.finish(allowance, divide(allowance.amount, rational(BigInt(draft.parts))))
}
