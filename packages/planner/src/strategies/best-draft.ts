// The draft of a boundary: all groups measured, of units that are scaled to a norm where they can be; or,
// where only the largest groups are looked at, these chosen first.

import { divide, numberNear, rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { isTopBetter, type TopGroups } from "../aggregates/choose-top.ts"
import type { Draft, DraftOptions } from "./draft.ts"
import { ReleaseDraft } from "./plan-release.ts"
import { scaledDraft, type ScaledOptions } from "./scaled-draft.ts"
import type { Allowance } from "../loss/share-out.ts"

export { findTops } from "../keys/find-top.ts"
export { noteSelection } from "../keys/note-selection.ts"

/** Drafts a boundary in the way with the smaller errors. */
export function bestDraft(
  boundary: Boundary,
  options: Omit<ConstructorParameters<typeof ReleaseDraft>[1], "top"> & ScaledOptions,
  wish: Pick<DraftOptions, "allowance" | "confidence" | "deltaForNoise"> & {
    readonly top: TopGroups | undefined
  },
): Draft {
  const bounded = new ReleaseDraft(boundary, options)
  const { top, allowance, confidence, deltaForNoise } = wish
  // What copies hold is bounded already.
  const canScale = !bounded.readsCopies && !isBetterInSteps(alone(bounded, { ...allowance, deltaForNoise }))
  const plain = (canScale ? scaledDraft(boundary, options) : undefined) ?? bounded
  if (top === undefined || !bounded.hasMoreThan(top.k) || bounded.hasPossible) return plain
  const chosen = new ReleaseDraft(boundary, { ...options, top })
  return isTopBetter(alone(chosen, allowance), alone(plain, allowance), confidence) ? chosen : plain
}

// Whether numbers of a pure account have Gaussian noise at a delta, where an L1 norm is for Laplace noise; or
// Laplace noise of a few steps, which would be larger in fractions of a step.
function isBetterInSteps({ measurements }: Release): boolean {
  return measurements
    .map(specOf)
    .some((spec) =>
      spec.kind === "laplace"
        ? numberNear(spec.scale) < scaleLeast
        : spec.kind === "gaussian" && spec.epsilon !== undefined,
    )
}

const scaleLeast = 4

// What a draft would be if it had the whole loss.
function alone(draft: Draft, allowance: Allowance): Release {
  return draft.finish(allowance, divide(allowance.amount, rational(BigInt(draft.parts))))
}
