// Rows as points: a number becomes one from -1 to 1, a category 0 or 1 for each value that it may have. What
// is missing stands in the middle, or in no category.

import { fail } from "../errors.ts"
import { categoryOf, checkFeatures, scaled, type ColumnSpec, type Examples } from "./columns.ts"

/** One coordinate of the points: a number, or whether a column holds a category. */
export interface Coordinate {
  /** The place of its column. */
  readonly column: number
  readonly category?: number
}

/** The coordinates that columns become. Of two categories the second is enough. */
export function coordinatesOf(features: readonly ColumnSpec[]): readonly Coordinate[] {
  return features.flatMap((feature, column): readonly Coordinate[] => {
    if (feature.kind === "number") return [{ column }]
    if (feature.categories === 2) return [{ column, category: 1 }]
    return Array.from({ length: feature.categories }, (_, category) => ({ column, category }))
  })
}

/** How many coordinates columns become, whatever they claim: nothing is made of that size. */
export function coordinateCount(features: readonly ColumnSpec[]): number {
  return features.reduce(
    (sum, feature) => sum + (feature.kind === "number" || feature.categories === 2 ? 1 : feature.categories),
    0,
  )
}

/**
 * The points of all rows, one after the other.
 *
 * Guarantee: a point is a function of its row and of what is declared. Its coordinates lie between the ends
 *   of endsOf, and the square of its length is at most the number of columns.
 * Needs: features that checkPoints has passed.
 * Proof: a number is clamped to -1 and 1, so its square is at most 1. A category gives one coordinate of 1
 *   and zeros, or a half where one of two is missing.
 * Numerics: doubles; the ends are exact.
 * Source: none.
 */
export function pointsOf(
  features: readonly ColumnSpec[],
  data: Pick<Examples, "rows" | "features">,
): Float64Array {
  const coordinates = coordinatesOf(features)
  const width = coordinates.length
  const points = new Float64Array(data.rows * width)
  for (const [place, { column, category = 0 }] of coordinates.entries()) {
    const feature = features[column]
    const values = data.features[column]
    if (feature === undefined) continue
    for (let row = 0; row < data.rows; row += 1) {
      points[row * width + place] = placed(values?.[row] ?? Number.NaN, feature, category)
    }
  }
  return points
}

function placed(value: number, feature: ColumnSpec, category: number): number {
  if (feature.kind === "number") return scaled(value, feature)
  const own = categoryOf(value, feature)
  if (own === undefined) return feature.categories === 2 ? 0.5 : 0
  return own === category ? 1 : 0
}

/** Where the coordinates of a column begin and end. */
export function endsOf(feature: ColumnSpec | undefined): { readonly low: number; readonly high: number } {
  return feature?.kind === "category" ? { low: 0, high: 1 } : { low: -1, high: 1 }
}

/** A coordinate in the units of its column: a number in its range, or the share of a category. */
export function unscaled(value: number, feature: ColumnSpec | undefined): number {
  if (feature?.kind !== "number") return value
  const { low, high } = feature
  // Halved first: twice a range may be more than a double holds.
  return low + (high - low) * ((value + 1) / 2)
}

/** Refuses what is no set of columns, or more coordinates than a learner has room for. */
export function checkPoints(features: readonly ColumnSpec[], most: number): void {
  checkFeatures(features)
  const got = coordinateCount(features)
  if (got > most)
    fail("model/bad-setting", {
      name: "the number of features, one for each listed value,",
      got: `${got}`,
      range: `a whole number from 1 to ${most}`,
    })
}
