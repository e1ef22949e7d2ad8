// The draft of a boundary: all groups measured, of units that are scaled to a norm where they can be; or,
// where only the largest groups are looked at, these chosen first.

import { divide, rational, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { isTopBetter, type TopGroups } from "../aggregates/choose-top.ts"
import type { Draft } from "./draft.ts"
import { ReleaseDraft } from "./plan-release.ts"
import { scaledDraft, type ScaledOptions } from "./scaled-draft.ts"
import type { Allowance } from "../loss/share-out.ts"

export { findTops } from "../keys/find-top.ts"
export { noteSelection } from "../keys/note-selection.ts"

/** Drafts a boundary in the way with the smaller errors. */
export function bestDraft(
  boundary: Boundary,
  options: Omit<ConstructorParameters<typeof ReleaseDraft>[1], "top"> & ScaledOptions,
  wish: { readonly top: TopGroups | undefined; readonly allowance: Allowance; readonly confidence: Rational },
): Draft {
  const bounded = new ReleaseDraft(boundary, options)
  // What copies hold is bounded already.
  const plain = bounded.readsCopies ? bounded : (scaledDraft(boundary, options) ?? bounded)
  const { top, allowance, confidence } = wish
  if (top === undefined || !bounded.hasMoreThan(top.k) || bounded.hasPossible) return plain
  const chosen = new ReleaseDraft(boundary, { ...options, top })
  return isTopBetter(alone(chosen, allowance), alone(plain, allowance), confidence) ? chosen : plain
}

// What a draft would be if it had the whole loss.
function alone(draft: Draft, allowance: Allowance): Release {
  return draft.finish(allowance, divide(allowance.amount, rational(BigInt(draft.parts))))
}
