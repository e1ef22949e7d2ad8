// Several answers to the same question made into one: the mean with weights in inverse proportion to the
// variances.

import { fail } from "../../errors/errors.ts"
import { checkEstimate, type Estimate } from "../estimates/estimate.ts"
import { combinedLaw, componentOf, type JointEstimate } from "../estimates/joint.ts"
import { imposeEqualities } from "./least-squares.ts"

/**
 * Merges independent answers to the same question.
 *
 * Guarantee: the best linear unbiased estimate; its variance 1 / sum(1 / variance) is below each of theirs.
 * Bias: none. Intervals: exact for continuous Gaussian noise or a single answer, approximate otherwise.
 * An answer without noise settles it; two such that differ are refused, since at least one is wrong.
 * Needs: the answers' noise is independent; their variances are right, or bounds.
 * Proof: of two answers, weights in inverse proportion to their variances give the least variance (the
 * derivative in the weight is 0 there); merged pairs are merged on, which gives the same weights as all at
 * once.
 * Numerics: doubles.
 * Source: Aitken 1935 (generalised least squares).
 */
export function mergeEstimates(estimates: readonly Estimate[]): Estimate {
  const [first, ...others] = estimates.map((estimate, index) => checkEstimate(estimate, `estimate ${index}`))
  if (first === undefined) return fail("parameter/empty", { name: "estimates" })
  const merged = others.reduce<Moments>((one, other) => mergeMoments(one, other, "the answers"), first)
  const decisive = merged.variance === 0 ? [] : estimates
  return {
    ...merged,
    ...combinedLaw(
      decisive,
      decisive.map(() => 1),
    ),
  }
}

/**
 * Merges answers to the same question whose noise is shared, by generalized least squares.
 *
 * What is promised, bias and intervals: as mergeEstimates, with the covariance in place of the variances.
 * Weights may be negative where answers are strongly correlated.
 */
export function mergeJoint(joint: JointEstimate): Estimate {
  if (joint.values.length === 0) return fail("parameter/empty", { name: "values" })
  const equal = joint.values.slice(1).map((_, index) => ({
    coefficients: joint.values.map((__, place) => (place === 0 ? 1 : place === index + 1 ? -1 : 0)),
    bound: 0,
    name: `answers 0 and ${index + 1} are the same`,
  }))
  return componentOf(imposeEqualities(joint, equal), 0)
}

/** A value and its variance; Infinity means that nothing is known. */
export interface Moments {
  readonly value: number
  readonly variance: number
}

/** Exact values may differ by this share before they count as contradicting each other. */
const agreement = 1e-9

/** The better of two independent sources, combined. `what` names them in an error. */
export function mergeMoments(a: Moments, b: Moments, what: string): Moments {
  if (b.variance === Infinity) return { value: a.value, variance: a.variance }
  if (a.variance === Infinity) return { value: b.value, variance: b.variance }
  const total = a.variance + b.variance
  if (total === 0) {
    const scale = Math.max(1, Math.abs(a.value), Math.abs(b.value))
    if (Math.abs(a.value - b.value) > agreement * scale) fail("postprocess/conflict", { what })
    return { value: a.value, variance: 0 }
  }
  const share = a.variance / total
  return { value: a.value + share * (b.value - a.value), variance: share * b.variance }
}
