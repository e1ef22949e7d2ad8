// The draft of a boundary: all groups measured, or, where only the largest are looked at, these chosen first;
// keys and counts apart or from one number.

import { divide, rational, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { isTopBetter, type TopGroups } from "../aggregates/choose-top.ts"
import { countsOrKeys, type KeysDraft, type KeysWish } from "./one-number.ts"
import { ReleaseDraft } from "./plan-release.ts"
import type { Allowance } from "../loss/share-out.ts"

export { findTops } from "../keys/find-top.ts"
export { noteSelection } from "../keys/note-selection.ts"

/** What is looked at when a boundary is drafted. */
export interface DraftWish extends Omit<KeysWish, "weight"> {
  readonly top: TopGroups | undefined
  readonly confidence: Rational
  /** How much the errors of the aggregates matter. */
  readonly weights: readonly number[]
}

/** Drafts a boundary in the way with the smaller errors. */
export function bestDraft(
  boundary: Boundary,
  options: Omit<ConstructorParameters<typeof ReleaseDraft>[1], "top" | "keysBy">,
  wish: DraftWish,
): KeysDraft {
  const plain = plainDraft(boundary, options, wish)
  const { top, allowance, confidence } = wish
  if (top === undefined || !plain.draft.hasMoreThan(top.k) || plain.draft.hasPossible) return plain
  const chosen = new ReleaseDraft(boundary, { ...options, top })
  const isBetter = isTopBetter(alone(chosen, allowance), alone(plain.draft, allowance), confidence)
  return isBetter ? { draft: chosen, notes: [] } : plain
}

function plainDraft(
  boundary: Boundary,
  options: Parameters<typeof bestDraft>[1],
  wish: DraftWish,
): KeysDraft {
  const draft = new ReleaseDraft(boundary, options)
  if (!draft.mayCountRows) return { draft, notes: [] }
  const joined = new ReleaseDraft(boundary, { ...options, keysBy: "rows" })
  return countsOrKeys(draft, joined, { ...wish, weight: Math.max(...wish.weights) })
}

// What a draft would be if it had the whole loss.
function alone(draft: ReleaseDraft, allowance: Allowance): Release {
  return draft.finish(allowance, divide(allowance.amount, rational(BigInt(draft.parts))))
}
