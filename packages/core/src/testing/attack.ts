// Attacks a mechanism with the loss that its own spec states, and a broken version of it with the same claim.

import { gdpToDelta } from "../accounting/conversions/gaussian-delta.ts"
import { numberUp } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import { one } from "../exact/rational.ts"
import { lossIn, type MechanismSpec } from "../mechanisms/mechanism.ts"
import type { Loss } from "../privacy/loss.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { checkPrivacy, expectViolation } from "./check-privacy.ts"
import type { Outcome } from "./learn-events.ts"

/** A claim that can be attacked: a Gaussian one at epsilon 1. */
function claimOf(loss: Loss): { epsilon: number; delta: number } {
  switch (loss.measure) {
    case "pure":
      return { epsilon: numberUp(loss.epsilon), delta: 0 }
    case "approx":
      return { epsilon: numberUp(loss.epsilon), delta: numberUp(loss.delta) }
    case "gdp":
      return { epsilon: 1, delta: numberUp(gdpToDelta(sqrtUp(loss.muSquared), one)) + numberUp(loss.delta) }
    case "zcdp":
      throw new Error("not attacked directly")
    default:
      return loss satisfies never
  }
}

/** What is attacked, and how. */
export interface Attack<Spec extends MechanismSpec> {
  readonly spec: Spec
  readonly measure: "pure" | "approx" | "gdp"
  readonly on: readonly [(spec: Spec, rng: RandomBits) => Outcome, (spec: Spec, rng: RandomBits) => Outcome]
  /** The same spec with something wrong; attacked with the loss of the right one. */
  readonly broken: Spec
  readonly draws?: number
}

/** Throws when the mechanism breaks its loss, or when the attack does not notice the broken one. */
export function attack<Spec extends MechanismSpec>(name: string, how: Attack<Spec>): void {
  const { spec, broken, on, draws = 40_000 } = how
  const claim = { ...claimOf(lossIn(spec, how.measure)), draws }
  const against = (used: Spec) => ({
    name,
    onD: (rng: RandomBits) => on[0](used, rng),
    onNeighbour: (rng: RandomBits) => on[1](used, rng),
    ...claim,
  })
  checkPrivacy(against(spec))
  expectViolation(against(broken))
}
