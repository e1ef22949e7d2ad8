// From columns to what a network reads: one number for each column of numbers, and one for each category, in
// whole steps. Missing values are the middle of a range, or no category.

import { categoryOf, checkFeatures, scaled, type ColumnSpec, type Examples } from "../columns/columns.ts"
import type { NetworkData } from "./layers.ts"
import { inputSteps } from "./network.ts"

/** How many inputs some columns need. */
export function inputCount(features: readonly ColumnSpec[]): number {
  checkFeatures(features)
  return features.reduce((sum, feature) => sum + (feature.kind === "category" ? feature.categories : 1), 0)
}

/** Rows as a network reads them: a function of each row and of what is declared. */
export function networkData(
  features: readonly ColumnSpec[],
  target: ColumnSpec,
  data: Examples,
): NetworkData {
  const width = inputCount(features)
  const inputs = new Int16Array(data.rows * width)
  let from = 0
  for (const [place, feature] of features.entries()) {
    const values = data.features[place] ?? new Float64Array(data.rows).fill(NaN)
    for (let row = 0; row < data.rows; row += 1) {
      const value = values[row] ?? NaN
      if (feature.kind === "number") {
        inputs[row * width + from] = Math.round(scaled(value, feature) * inputSteps)
      } else {
        const category = categoryOf(value, feature)
        if (category !== undefined) inputs[row * width + from + category] = inputSteps
      }
    }
    from += feature.kind === "category" ? feature.categories : 1
  }
  const targets = data.target.map((value) => {
    if (target.kind === "category") return categoryOf(value, target) ?? NaN
    return Number.isNaN(value) ? NaN : scaled(value, target)
  })
  return { rows: data.rows, inputs, targets }
}

/** Images of bytes as a network reads them: 0 to 255 become 0 to 1. */
export function imageData(images: Uint8Array, labels: Uint8Array): NetworkData {
  const inputs = Int16Array.from(images, (byte) => byte + (byte >> 7))
  return { rows: labels.length, inputs, targets: Float64Array.from(labels) }
}
