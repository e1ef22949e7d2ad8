// The epsilon at which error and loss together cost the least, when somebody has put a price on both.

import { exactly, positive, type Numeric } from "../exact/decimal.ts"
import { numberNear, numberUp } from "../exact/dyadic.ts"
import { rational, type Rational } from "../exact/rational.ts"
import { laplace, type LaplaceSpec } from "../mechanisms/additive/laplace.ts"
import { l1Of, type Sensitivity } from "../privacy/sensitivity.ts"
import { meanNoise, solveFalling } from "./laplace-law.ts"
import { practical } from "./requirements.ts"

/** What a loss costs: price * epsilon, or price * (e^epsilon - 1), the growth of an attacker's odds. */
export interface PrivacyCost {
  readonly kind: "linear" | "odds"
  readonly price: Numeric
}

/** The cheapest epsilon, and what it costs. */
export interface BestEpsilon {
  readonly epsilon: Rational
  readonly spec: LaplaceSpec
  /** The mean size of the noise. */
  readonly expectedError: number
  readonly errorPart: number
  readonly privacyPart: number
  readonly total: number
}

/**
 * The epsilon of the Laplace mechanism that minimises errorCost * E|noise| + the cost of the loss (4 digits).
 *
 * E|noise| = 1 / sinh(epsilon / L1) and both costs are convex in epsilon, so the sum has one minimum: the
 * zero of its slope, which is found in doubles. Where L1 is large it is sqrt(errorCost L1 / price) for a
 * linear cost.
 */
export function bestEpsilon(options: {
  readonly sensitivity: Sensitivity
  readonly errorCost: Numeric
  readonly privacyCost: PrivacyCost
}): BestEpsilon {
  const { sensitivity, privacyCost } = options
  const l1 = numberUp(practical(rational(l1Of(sensitivity)), "the sensitivity"))
  const errorCost = numberUp(practical(positive(options.errorCost, "error cost"), "error cost"))
  const price = numberUp(practical(positive(privacyCost.price, "privacy cost"), "privacy cost"))
  const isOdds = privacyCost.kind === "odds"
  // The slope is negative below the minimum: compare the logarithms of its two parts.
  const solution = solveFalling((x) => {
    const rise = Math.log(price) + (isOdds ? x : 0)
    return Math.log(errorCost / l1) + logSlope(x / l1) - rise
  })
  const epsilon = exactly(solution.toPrecision(4), "epsilon")
  const chosen = numberNear(epsilon)
  const expectedError = meanNoise(chosen / l1)
  const errorPart = errorCost * expectedError
  const privacyPart = price * (isOdds ? Math.expm1(chosen) : chosen)
  return {
    epsilon,
    spec: laplace({ sensitivity, epsilon }),
    expectedError,
    errorPart,
    privacyPart,
    total: errorPart + privacyPart,
  }
}

/** ln of the slope of -1/sinh, cosh(x) / sinh(x)^2, in a form that neither overflows nor cancels. */
function logSlope(x: number): number {
  return Math.LN2 - x + Math.log1p(Math.exp(-2 * x)) - 2 * Math.log(-Math.expm1(-2 * x))
}
