// The door for losses: whoever made one, its amounts are looked at before anything is said about it.

import { atLeastZero, deltaOf } from "../exact/decimal.ts"
import { zero, type Rational } from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"

/** Refuses a loss with a negative amount or a delta outside [0, 1). */
export function checkLoss(loss: Loss): void {
  switch (loss.measure) {
    case "pure":
    case "approx":
      atLeastZero(loss.epsilon, "the loss's epsilon")
      break
    case "zcdp":
      atLeastZero(loss.rho, "the loss's rho")
      break
    case "gdp":
      atLeastZero(loss.muSquared, "the loss's mu squared")
      break
    default:
      loss satisfies never
  }
  deltaOf(ownDelta(loss), "the loss's delta")
}

/** The delta that a loss itself states; 0 for a pure one. */
export function ownDelta(loss: Loss): Rational {
  return loss.measure === "pure" ? zero : loss.delta
}
