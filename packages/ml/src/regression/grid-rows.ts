// Rows centred, stretched and put onto a grid of integers, once before a fit. Then a gradient is a sum of
// integer residuals times integer features, and its length is bounded by two integers: no float decides.

import { assert } from "@dosimeter/core/errors"
import type { Rows } from "./rows.ts"

/** How features are moved before a fit: (x - centre) * stretch. Released or public numbers only. */
export interface Centring {
  readonly centre: Float64Array
  readonly stretch: Float64Array
}

/** Rows on the grid. */
export interface GridRows {
  readonly rows: Rows
  /** Numbers of a row, the intercept first. */
  readonly width: number
  /** Row by row, in steps of 1 / featureSteps. */
  readonly values: Int16Array
  /** For each row a whole number that is at least the length of its values. */
  readonly reach: Float64Array
}

/** Steps of the grid for one unit of a feature. */
export const featureSteps = 4096

/** The largest 16-bit integer: what a feature is moved to if it lies beyond. */
const valueMax = 32_767

/**
 * Puts rows onto the grid.
 *
 * Guarantee: every value is a whole number, and the sum of squares of a row's values is at most its reach
 *   squared.
 * Needs: fewer than 2^21 numbers a row (checked here).
 * Proof: an Int16Array holds whole numbers whatever is written into it, and squares are of what it holds. A
 *   sum of fewer than 2^21 squares of numbers up to 2^15 is below 2^53, so exact; the reach is raised until
 *   its square, exact for the same reason, is no less.
 * Numerics: centring and rounding happen before; they move a row and never its bound.
 * Source: none.
 */
export function gridRows(rows: Rows, { centre, stretch }: Centring): GridRows {
  const inner = rows.shape.features.length
  const width = inner + 1
  assert(width < 2 ** 21, "squares of a row add up exactly")
  const values = new Int16Array(rows.count * width)
  const reach = new Float64Array(rows.count)
  for (let row = 0; row < rows.count; row += 1) {
    const start = row * width
    values[start] = featureSteps
    for (let at = 0; at < inner; at += 1) {
      const moved = ((rows.features[row * inner + at] ?? 0) - (centre[at] ?? 0)) * (stretch[at] ?? 1)
      const steps = Math.round(moved * featureSteps)
      values[start + at + 1] = Math.min(valueMax, Math.max(-valueMax, steps))
    }
    let square = 0
    for (let at = start; at < start + width; at += 1) square += (values[at] ?? 0) ** 2
    let length = Math.ceil(Math.sqrt(square))
    while (length * length < square) length += 1
    reach[row] = length
  }
  return { rows, width, values, reach }
}

/** Writes the linear predictors of a row, one for each output. */
export function predict(out: Float64Array, grid: GridRows, weights: Float64Array, row: number): void {
  const { values, width } = grid
  const start = row * width
  for (let output = 0; output < out.length; output += 1) {
    const first = output * width
    let predictor = 0
    for (let at = 0; at < width; at += 1) predictor += (weights[first + at] ?? 0) * (values[start + at] ?? 0)
    out[output] = predictor / featureSteps
  }
}
