// Rows as points: numbers from -1 to 1 for columns of numbers. What is missing stands in the middle.

import { fail } from "../errors.ts"
import { checkFeatures, scaled, type Examples, type NumberColumn } from "./columns.ts"

/** The points of all rows, one after the other. */
export function pointsOf(
  features: readonly NumberColumn[],
  data: Pick<Examples, "rows" | "features">,
): Float64Array {
  const points = new Float64Array(data.rows * features.length)
  for (const [place, feature] of features.entries()) {
    const values = data.features[place]
    for (let row = 0; row < data.rows; row += 1) {
      points[row * features.length + place] = scaled(values?.[row] ?? NaN, feature)
    }
  }
  return points
}

/** A number from -1 to 1 back in its range. */
export function unscaled(value: number, { low, high }: NumberColumn): number {
  return low + ((high - low) * (value + 1)) / 2
}

/** Refuses what is no set of ranges, or more of them than a learner has room for. */
export function checkPoints(features: readonly NumberColumn[], most: number): void {
  checkFeatures(features)
  if (features.length > most)
    fail("model/bad-setting", {
      name: "the number of features",
      got: `${features.length}`,
      range: `a whole number from 1 to ${most}`,
    })
}
