// Released values made to meet linear equalities and inequalities, moved as little as possible in the norm
// that their variances define. The workhorse behind partial orders, and the way out where no special form
// fits.

import { checkLength, checkLimit, allFinite, finite, weightsOf } from "../estimates/check.ts"
import { checkJoint, denseMax, type JointEstimate } from "../estimates/joint.ts"
import { nearestToOrigin, type Halfspace, type NearestPoint } from "./nearest-point.ts"
import { at, dot, dotSize } from "../estimates/vector.ts"
import { whiteningOf, type Whitening } from "./whitening.ts"

/** coefficients . x compared with a bound. */
export interface LinearConstraint {
  readonly coefficients: readonly number[]
  readonly bound: number
  /** What errors call it; its position otherwise. */
  readonly name?: string
}

/** What the values must meet. All of it is public: constraints may not come from the data. */
export interface LinearConstraints {
  /** coefficients . x = bound. */
  readonly equal?: readonly LinearConstraint[]
  /** coefficients . x <= bound. */
  readonly atMost?: readonly LinearConstraint[]
}

/** The nearest values that meet the constraints. */
export interface ConstrainedValues {
  readonly values: readonly number[]
  /** Positions in `atMost` of the constraints that hold the result: the bias comes from these. */
  readonly active: readonly number[]
  /** The weighted sum of squared changes. */
  readonly distance: number
}

/** At most this many constraints: each costs a comparison in every step. */
const constraintsMax = 5000

/**
 * Minimises sum w_i (x_i - y_i)^2 subject to equalities and inequalities. Weights are inverse variances;
 * without them all values count alike.
 *
 * Guarantee: the result is feasible and certified nearest; if the exact values meet the constraints, its
 * weighted squared error is never larger than before, for every draw of the noise.
 * Bias: equalities add none; an inequality that is active (see `active`) pulls toward the feasible side.
 * Intervals: none follow in closed form. Those of the values before are still valid; cut them to the
 * constraints.
 * Needs: constraints are public; weights are positive (checked).
 * Proof: the result is the projection onto a convex set in the norm of the weights, and a projection brings
 * no point further from one inside the set. nearestToOrigin checks that what it returns is the nearest point.
 * Numerics: doubles; the check of nearestToOrigin states its tolerance.
 * Source: Boyd and Vandenberghe 2004, section 8.1 (projection onto a convex set).
 */
export function leastSquares(
  problem: LinearConstraints & { readonly values: readonly number[]; readonly weights?: readonly number[] },
): ConstrainedValues {
  const weights = weightsOf(problem.weights, problem.values.length)
  const variances = weights.map((weight) => 1 / weight)
  const covariance = { kind: "diagonal", variances } as const
  return leastSquaresOf({ values: problem.values, covariance, law: "other" }, problem)
}

/** As `leastSquares`, in the norm of a covariance: for values that share noise. Public values do not move. */
export function leastSquaresOf(joint: JointEstimate, constraints: LinearConstraints): ConstrainedValues {
  const { values, nearest } = solve(joint, constraints)
  const { equal = [] } = constraints
  return {
    values,
    active: nearest.active
      .map((index) => index - equal.length)
      .filter((index) => index >= 0)
      .toSorted((a, b) => a - b),
    distance: dot(nearest.point, nearest.point),
  }
}

/**
 * Makes values meet equalities, with their new covariance: the best linear unbiased estimate.
 *
 * Guarantee: x = y + C A' (A C A')^-1 (b - A y) and covariance C - C A' (A C A')^-1 A C; no variance grows.
 * Bias: none, if the exact values meet the equalities.
 * Intervals: exact for jointly normal noise (the law is kept); approximate otherwise.
 * Needs: equalities are public; the covariance is that of the noise.
 * Proof: with C = F F' and F' A' = Q R this is y + F Q R'^-1 (b - A y) and F (I - Q Q') F', which is what is
 * computed: an equality that follows from the others is left out instead of making a matrix singular. I - Q
 * Q' is a projection, so no variance grows.
 * Numerics: doubles; what is left of a direction is worked out against an orthonormal basis.
 * Source: Aitken 1935 (generalised least squares); the way it is computed is shown above.
 */
export function imposeEqualities(joint: JointEstimate, equal: readonly LinearConstraint[]): JointEstimate {
  const { values, nearest, whitening } = solve(joint, { equal })
  // Row i of F (I - Q Q') F': what is left of value i's own direction, compared with every other.
  const left = values.map((_, index) => nearest.basis.split(whitening.pull(unit(index, values.length))).rest)
  const rows = left.map((row) => left.map((other) => dot(row, other)))
  const law = joint.law === "laplace" ? "other" : joint.law
  return { values, covariance: { kind: "dense", rows }, law }
}

interface Solved {
  readonly values: readonly number[]
  readonly nearest: NearestPoint
  readonly whitening: Whitening
}

function solve(joint: JointEstimate, { equal = [], atMost = [] }: LinearConstraints): Solved {
  checkJoint(joint)
  checkLimit(joint.values.length, { name: "the number of values", limit: denseMax })
  checkLimit(equal.length + atMost.length, { name: "the number of constraints", limit: constraintsMax })
  const whitening = whiteningOf(joint)
  const rows = [
    ...equal.map((row, index) => halfspace(joint, whitening, { row, name: row.name ?? `equality ${index}` })),
    ...atMost.map((row, index) =>
      opposite(halfspace(joint, whitening, { row, name: row.name ?? `inequality ${index}` })),
    ),
  ]
  const nearest = nearestToOrigin(rows, whitening.size)
  const step = whitening.push(nearest.point)
  return { values: joint.values.map((value, index) => value + at(step, index)), nearest, whitening }
}

function halfspace(
  { values }: JointEstimate,
  whitening: Whitening,
  by: { readonly row: LinearConstraint; readonly name: string },
): Halfspace {
  const { coefficients, bound } = by.row
  checkLength(coefficients, { name: `the coefficients of ${by.name}`, expected: values.length })
  allFinite(coefficients, `${by.name}, coefficient`)
  finite(bound, `the bound of ${by.name}`)
  return {
    kind: "equal",
    normal: whitening.pull(coefficients),
    bound: bound - dot(coefficients, values),
    size: Math.abs(bound) + dotSize(coefficients, values),
    reach: whitening.reach(coefficients),
    name: by.name,
  }
}

/** normal . s <= bound, written as at-least. */
function opposite(row: Halfspace): Halfspace {
  return { ...row, kind: "at-least", normal: row.normal.map((entry) => -entry), bound: -row.bound }
}

function unit(index: number, size: number): number[] {
  return Array.from({ length: size }, (_, place) => (place === index ? 1 : 0))
}
