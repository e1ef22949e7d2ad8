// The draft of a boundary: all groups measured, or, where only the largest are looked at, these chosen first.

import { divide, rational, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { isTopBetter, type TopGroups } from "../aggregates/choose-top.ts"
import { ReleaseDraft } from "./plan-release.ts"
import type { Allowance } from "../loss/share-out.ts"

export { findTops } from "../keys/find-top.ts"
export { noteSelection } from "../keys/note-selection.ts"

/** Drafts a boundary in the way with the smaller errors. */
export function bestDraft(
  boundary: Boundary,
  options: Omit<ConstructorParameters<typeof ReleaseDraft>[1], "top">,
  wish: { readonly top: TopGroups | undefined; readonly allowance: Allowance; readonly confidence: Rational },
): ReleaseDraft {
  const plain = new ReleaseDraft(boundary, options)
  const { top, allowance, confidence } = wish
  if (top === undefined || !plain.hasMoreThan(top.k) || plain.hasPossible) return plain
  const chosen = new ReleaseDraft(boundary, { ...options, top })
  return isTopBetter(alone(chosen, allowance), alone(plain, allowance), confidence) ? chosen : plain
}

// What a draft would be if it had the whole loss.
function alone(draft: ReleaseDraft, allowance: Allowance): Release {
  return draft.finish(allowance, divide(allowance.amount, rational(BigInt(draft.parts))))
}
