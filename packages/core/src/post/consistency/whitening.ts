// Turns least squares with any covariance into plain Euclidean geometry. With Covariance = F F', every vector
// that the noise can explain is y + F s, and the weighted distance from y is the length of s.

import { fail } from "../../errors/errors.ts"
import type { JointEstimate } from "../estimates/joint.ts"
import { at, dot, dotSize } from "../estimates/vector.ts"

/** A factor F of a covariance, as the two products that are needed of it. */
export interface Whitening {
  /** How many independent directions the noise has. */
  readonly size: number
  /** F' a: a linear form on values becomes one on s. */
  readonly pull: (form: readonly number[]) => Float64Array
  /** The sum of |a_i| times the standard deviation of value i: the length of F' a before anything cancels. */
  readonly reach: (form: readonly number[]) => number
  /** F s: a step in s becomes one in the values. */
  readonly push: (step: ArrayLike<number>) => number[]
}

/** Factors the covariance of `joint`, which may be singular; refuses what is no covariance. */
export function whiteningOf({ values, covariance }: JointEstimate): Whitening {
  const variances =
    covariance.kind === "diagonal"
      ? covariance.variances
      : covariance.rows.map((row, index) => at(row, index))
  const deviations = variances.map(Math.sqrt)
  const reach = (form: readonly number[]): number => dotSize(form, deviations)
  if (covariance.kind === "diagonal") {
    return {
      size: values.length,
      reach,
      pull: (form) => Float64Array.from(form, (entry, index) => entry * at(deviations, index)),
      push: (step) => deviations.map((deviation, index) => deviation * at(step, index)),
    }
  }
  const columns = factorColumns(covariance.rows, deviations)
  return {
    size: columns.length,
    reach,
    pull: (form) => Float64Array.from(columns, (column) => dot(form, column)),
    push: (step) =>
      values.map((_, row) => columns.reduce((sum, column, k) => sum + at(column, row) * at(step, k), 0)),
  }
}

/** A direction with less than this share of its own variance left is rounding, not noise. */
const rankTolerance = 1e-12

/**
 * Pivoted Cholesky on the correlations, so that the scales of the values do not matter: take the value with
 * the most variance left, split off all that it explains of the others, and stop when nothing is left. Of a
 * covariance nothing is left off the diagonal either; otherwise the matrix is refused.
 */
function factorColumns(rows: readonly (readonly number[])[], deviations: readonly number[]): Float64Array[] {
  const scaleOf = (row: number, column: number): number => at(deviations, row) * at(deviations, column)
  const rest = rows.map((row, index) =>
    Float64Array.from(row, (entry, column) =>
      scaleOf(index, column) === 0 ? 0 : entry / scaleOf(index, column),
    ),
  )
  const columns: Float64Array[] = []
  for (;;) {
    const pivot = largestDiagonal(rest)
    const pivotRow = rest[pivot]
    const left = pivotRow === undefined ? 0 : at(pivotRow, pivot)
    if (pivotRow === undefined || left <= rankTolerance * rows.length) break
    const column = pivotRow.map((entry) => entry / Math.sqrt(left))
    for (const [index, row] of rest.entries()) {
      for (let j = 0; j < row.length; j += 1) row[j] = at(row, j) - at(column, index) * at(column, j)
    }
    columns.push(column.map((entry, index) => entry * at(deviations, index)))
  }
  const leftover = rest.reduce((most, row) => row.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0)
  if (leftover > 1e-7) fail("postprocess/not-a-covariance", { what: "some combination has variance below 0" })
  return columns
}

function largestDiagonal(rest: readonly Float64Array[]): number {
  let best = 0
  for (const [index, row] of rest.entries()) {
    if (at(row, index) > at(rest[best] ?? row, best)) best = index
  }
  return best
}
