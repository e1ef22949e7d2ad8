// From a requirement to an epsilon for the Laplace mechanism: the least that satisfies an analyst, the
// greatest that satisfies a board. Analysts' are rounded up and boards' down, and each is verified in exact
// arithmetic.

import { exponentOf } from "../exact/dyadic.ts"
import { lnDown } from "../exact/log.ts"
import { add, divide, floor, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import {
  epsilonForDeviation,
  epsilonForExceeding,
  epsilonForMeanAtLeast,
  epsilonForMeanAtMost,
  epsilonForWithin,
  type SolveFor,
} from "./laplace-law.ts"
import type { AccuracyRequirement, PrivacyRequirement } from "./requirements.ts"
import { decimalDown } from "./short-decimal.ts"

/** The least epsilon that satisfies an analyst. */
export function leastEpsilon(requirement: AccuracyRequirement<Rational>, solve: SolveFor): Rational {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return epsilonForMeanAtMost({ ...solve, mean: requirement.error })
    case "deviation-at-most":
      return epsilonForDeviation({ ...solve, deviation: requirement.deviation })
    case "within":
    case "interval-at-most":
      return epsilonForWithin({
        ...solve,
        radius: radiusOf(requirement),
        miss: subtract(one, requirement.confidence),
      })
    default:
      return requirement satisfies never
  }
}

/** The greatest epsilon that satisfies a board. */
export function greatestEpsilon(requirement: PrivacyRequirement<Rational>, solve: SolveFor): Rational {
  switch (requirement.kind) {
    case "epsilon-at-most":
      return requirement.epsilon
    case "mean-noise-at-least":
      return epsilonForMeanAtLeast({ ...solve, mean: requirement.noise })
    case "noise-exceeds":
      return epsilonForExceeding({
        ...solve,
        radius: floor(requirement.size),
        probability: requirement.probability,
      })
    case "posterior-at-most": {
      // Odds rise by e^epsilon at most, whatever the mechanism.
      const odds = (p: Rational): Rational => divide(p, subtract(one, p))
      return logDown(divide(odds(requirement.posterior), odds(requirement.prior)), solve)
    }
    case "odds-at-most":
      return logDown(requirement.factor, solve)
    case "advantage-at-most": {
      // (e^epsilon - 1) / (e^epsilon + 1) <= advantage.
      const { advantage } = requirement
      return logDown(divide(add(one, advantage), subtract(one, advantage)), solve)
    }
    default:
      return requirement satisfies never
  }
}

/** The noise is an integer: within 5.5 is within 5, and an interval of width 11 reaches 5 to each side. */
export function radiusOf(
  requirement: Extract<AccuracyRequirement<Rational>, { readonly confidence: Rational }>,
): bigint {
  return requirement.kind === "within"
    ? floor(requirement.within)
    : floor(multiply(requirement.width, rational(1n, 2n)))
}

/** ln of a ratio above 1, as a short decimal. */
function logDown(ratio: Rational, { digits }: SolveFor): Rational {
  const bits = 96 + Math.max(0, -exponentOf(subtract(ratio, one)))
  return decimalDown(lnDown(ratio, bits), digits)
}
