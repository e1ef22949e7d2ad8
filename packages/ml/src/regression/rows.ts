// The rows that a model is fitted to, in memory: features and targets on the scale of the model, and whose
// each row is. They are exact, so whoever has read them keeps them in a Secret.

import { assert } from "@dosimeter/core/errors"
import { scaledFeature, scaledTarget, type ModelShape } from "./shape.ts"

/** Rows in the order of their units. */
export interface Rows {
  readonly shape: ModelShape
  readonly count: number
  /** Row by row, without the intercept. */
  readonly features: Float64Array
  /** One for each row; NaN where the target is not known, and the row then says nothing. */
  readonly targets: Float64Array
  /** Where each unit's rows begin, and at the end `count`. */
  readonly starts: Uint32Array
}

/** One row as it was read: its features and its target, in the order of the shape. */
export interface RowValues {
  readonly features: ArrayLike<number>
  readonly target: number
}

/** Rows by unit, moved into the ranges that were declared. */
export function rowsOf(shape: ModelShape, units: readonly (readonly RowValues[])[]): Rows {
  const width = shape.features.length
  const count = units.reduce((sum, rows) => sum + rows.length, 0)
  const features = new Float64Array(count * width)
  const targets = new Float64Array(count)
  const starts = new Uint32Array(units.length + 1)
  let row = 0
  for (const [unit, rows] of units.entries()) {
    starts[unit] = row
    for (const { features: values, target } of rows) {
      assert(values.length === width, "a row has a value for every feature")
      for (const [at, range] of shape.features.entries()) {
        features[row * width + at] = scaledFeature(range, values[at] ?? Number.NaN)
      }
      targets[row] = Number.isNaN(target) ? Number.NaN : scaledTarget(shape, target)
      row += 1
    }
  }
  starts[units.length] = count
  return { shape, count, features, targets, starts }
}
