// Arithmetic on released values with the noise carried along: sums, differences and multiples by public
// numbers. All of it is linear, so variances are exact and nothing is biased. Quotients are in rates.ts.

import { allFinite, checkLength, finite } from "./check.ts"
import { checkEstimate, type Estimate } from "./estimate.ts"
import { checkJoint, combinedLaw, varianceOfCombination, type JointEstimate } from "./joint.ts"
import { at, dot } from "./vector.ts"

/**
 * The sum of independent estimates. Unbiased, exact variance; intervals exact for continuous Gaussian noise
 * or a single noisy term, approximate otherwise.
 */
export function addEstimates(estimates: readonly Estimate[]): Estimate {
  return combineEstimates(
    estimates,
    estimates.map(() => 1),
  )
}

/**
 * The first less the second, if they are independent. Unbiased, exact variance; intervals as
 * addEstimates.
 */
export function subtractEstimates(from: Estimate, what: Estimate): Estimate {
  return combineEstimates([from, what], [1, -1])
}

/** A public multiple. Unbiased; the law is kept, so an exact interval stays exact. */
export function scaleEstimate(estimate: Estimate, factor: number): Estimate {
  return combineEstimates([estimate], [factor])
}

/** A public number added. Unbiased; the law is kept, so an exact interval stays exact. */
export function shiftEstimate(estimate: Estimate, by: number): Estimate {
  checkEstimate(estimate, "estimate")
  return { ...estimate, value: estimate.value + finite(by, "by") }
}

/** Any linear combination of independent estimates. Unbiased, exact variance; intervals as addEstimates. */
export function combineEstimates(estimates: readonly Estimate[], coefficients: readonly number[]): Estimate {
  estimates.forEach((estimate, index) => checkEstimate(estimate, `estimate ${index}`))
  checkLength(coefficients, { name: "coefficients", expected: estimates.length })
  allFinite(coefficients, "coefficient")
  return {
    value: dot(
      coefficients,
      estimates.map(({ value }) => value),
    ),
    variance: estimates.reduce(
      (sum, { variance }, index) => sum + variance * at(coefficients, index) ** 2,
      0,
    ),
    ...combinedLaw(estimates, coefficients),
  }
}

/**
 * Any linear combination of values that share noise. Unbiased, exact variance (the covariance is used);
 * intervals exact for jointly normal noise, approximate otherwise.
 */
export function combineJoint(joint: JointEstimate, coefficients: readonly number[]): Estimate {
  checkJoint(joint)
  checkLength(coefficients, { name: "coefficients", expected: joint.values.length })
  allFinite(coefficients, "coefficient")
  const isOneTerm = coefficients.filter((factor) => factor !== 0).length <= 1
  return {
    value: dot(coefficients, joint.values),
    variance: varianceOfCombination(joint, coefficients),
    law: joint.law === "laplace" && !isOneTerm ? "other" : joint.law,
  }
}
