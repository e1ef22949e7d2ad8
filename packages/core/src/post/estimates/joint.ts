// Several released values whose noise may be shared: a vector with its covariance. Values released one by one
// have a diagonal covariance; what a projection or a difference makes of them has a dense one.

import { fail } from "../../errors/errors.ts"
import { allFinite, checkLength, checkLimit, notNegative, position } from "./check.ts"
import { checkEstimate, type Estimate, type NoiseLaw } from "./estimate.ts"
import { at, dot } from "./vector.ts"

/** The covariance of the noise: independent values, or a symmetric matrix by rows. */
export type Covariance =
  | { readonly kind: "diagonal"; readonly variances: readonly number[] }
  | { readonly kind: "dense"; readonly rows: readonly (readonly number[])[] }

/**
 * Released values with joint noise of mean 0. `gaussian` means jointly normal, `laplace`
 * independent Laplace.
 */
export interface JointEstimate {
  readonly values: readonly number[]
  readonly covariance: Covariance
  readonly law: NoiseLaw
}

/** A dense covariance has at most this many rows: its factorisation takes the cube of that. */
export const denseMax = 1000

/** Joins values that were released independently of each other. */
export function jointOf(estimates: readonly Estimate[]): JointEstimate {
  estimates.forEach((estimate, index) => checkEstimate(estimate, `estimate ${index}`))
  return {
    values: estimates.map(({ value }) => value),
    covariance: { kind: "diagonal", variances: estimates.map(({ variance }) => variance) },
    law: sharedLaw(estimates),
  }
}

/** One of the values, with its own variance. Its law is the joint one's. */
export function componentOf(joint: JointEstimate, index: number): Estimate {
  position(index, { name: "index", count: joint.values.length })
  return { value: at(joint.values, index), variance: covarianceAt(joint, index, index), law: joint.law }
}

/** The covariance of the noise in two of the values. */
export function covarianceAt({ covariance }: JointEstimate, row: number, column: number): number {
  if (covariance.kind === "dense") return at(covariance.rows[row] ?? [], column)
  return row === column ? at(covariance.variances, row) : 0
}

/**
 * The law of a linear combination of independent estimates. Normal noise stays normal; a single noisy term
 * stays what it is. Everything else is "other", the sum of two values on a grid included: it is only nearly
 * normal.
 */
export function combinedLaw(
  estimates: readonly Estimate[],
  coefficients: readonly number[],
): { readonly law: NoiseLaw; readonly grid?: number } {
  const noisy = estimates
    .map((estimate, index) => ({ ...estimate, factor: Math.abs(at(coefficients, index)) }))
    .filter(({ variance, factor }) => variance > 0 && factor > 0)
  const [only] = noisy
  if (only === undefined) return { law: "gaussian" }
  if (noisy.length > 1) return { law: isNormal(noisy) ? "gaussian" : "other" }
  return only.grid === undefined ? { law: only.law } : { law: only.law, grid: only.grid * only.factor }
}

/** The law that several estimates have together after a projection that mixes them. */
export function mixedLaw(estimates: readonly Estimate[]): NoiseLaw {
  return isNormal(estimates.filter(({ variance }) => variance > 0)) ? "gaussian" : "other"
}

/** Checks lengths, finiteness, symmetry, and that no covariance exceeds what its two variances allow. */
export function checkJoint(joint: JointEstimate): JointEstimate {
  const { values, covariance } = joint
  allFinite(values, "value")
  if (covariance.kind === "diagonal") {
    checkLength(covariance.variances, { name: "variances", expected: values.length })
    covariance.variances.forEach((variance, index) => notNegative(variance, `variance ${index}`))
    return joint
  }
  if (joint.law === "laplace") {
    fail("postprocess/not-a-covariance", { what: "Laplace noise is independent, so give its variances" })
  }
  checkLimit(values.length, { name: "the dense covariance", limit: denseMax })
  checkLength(covariance.rows, { name: "the covariance", expected: values.length })
  for (const [index, row] of covariance.rows.entries()) {
    checkLength(row, { name: `row ${index} of the covariance`, expected: values.length })
    allFinite(row, `row ${index} of the covariance, entry`)
    notNegative(at(row, index), `variance ${index}`)
  }
  for (const [index, row] of covariance.rows.entries()) checkRow(joint, row, index)
  return joint
}

/** The variance of a linear combination: a' Covariance a. */
export function varianceOfCombination(joint: JointEstimate, coefficients: readonly number[]): number {
  const { covariance } = joint
  if (covariance.kind === "diagonal") {
    return dot(
      covariance.variances,
      coefficients.map((factor) => factor * factor),
    )
  }
  const sum = dot(
    coefficients,
    covariance.rows.map((row) => dot(row, coefficients)),
  )
  const size = coefficients.reduce((total, factor, index) => {
    return total + Math.abs(factor) * Math.sqrt(covarianceAt(joint, index, index))
  }, 0)
  if (sum < -1e-9 * size * size)
    fail("postprocess/not-a-covariance", { what: "a combination has variance below 0" })
  return Math.max(0, sum)
}

function checkRow(joint: JointEstimate, row: readonly number[], index: number): void {
  for (let column = 0; column < index; column += 1) {
    const pair = `(${index}, ${column})`
    const entry = at(row, column)
    const [own, other] = [covarianceAt(joint, index, index), covarianceAt(joint, column, column)]
    // Projections leave variances that are 0 but for rounding; the larger of the two sets the scale of that.
    const slack = 1e-9 * Math.max(own, other)
    if (Math.abs(entry - covarianceAt(joint, column, index)) > slack) {
      fail("postprocess/not-a-covariance", { what: `entry ${pair} and its mirror image differ` })
    }
    if (Math.abs(entry) > Math.sqrt(own * other) + slack) {
      fail("postprocess/not-a-covariance", { what: `entry ${pair} exceeds what its variances allow` })
    }
  }
}

function sharedLaw(estimates: readonly Estimate[]): NoiseLaw {
  const noisy = estimates.filter(({ variance }) => variance > 0)
  if (isNormal(noisy)) return "gaussian"
  return noisy.every(({ law, grid }) => law === "laplace" && grid === undefined) ? "laplace" : "other"
}

function isNormal(estimates: readonly Estimate[]): boolean {
  return estimates.every(({ law, grid }) => law === "gaussian" && grid === undefined)
}
