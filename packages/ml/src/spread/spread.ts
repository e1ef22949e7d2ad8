// How good a model of points is: how far they lie from their mean, and how far from where the model puts
// them, as sums over units.

import type { ColumnSpec } from "../columns/columns.ts"
import { coordinatesOf, endsOf } from "../columns/points.ts"
import { addBounded, stepOf, vectorGrid, type VectorGrid } from "../grid/bounded-vector.ts"

/** The share of the variance that a model holds, from noisy sums. */
export interface SpreadQuality {
  readonly kind: "spread"
  readonly share: number
  /** By noise alone: a standard deviation. */
  readonly shareError: number
}

/** What a model makes of a point: what is left between the two, coordinate by coordinate. */
export interface PlacedBy {
  /** About where all points lie, from noisy sums. */
  readonly mean: ArrayLike<number>
  /** How far from there they can be (farthest). */
  readonly most: number
  /** Writes what is left of a point. Of what is exact it depends on this point alone. */
  readonly left: (point: Float64Array, into: Float64Array) => void
}

/** What is told beside the two sums: how many people there are, or what is left in each coordinate. */
export type SpreadDetail = "people" | "by coordinate"

/** What a person counts, beside shares of at most 1: enough to be counted well, and little to pay for. */
const countWeight = 0.5

/** The grid of a unit's part: two shares of at most 1, and a count or a third share. */
export function spreadGrid(features: readonly ColumnSpec[], detail: SpreadDetail): VectorGrid {
  if (detail === "people") return vectorGrid(Math.sqrt(2 + countWeight ** 2), 3)
  return vectorGrid(Math.sqrt(3), 2 + coordinatesOf(features).length)
}

/**
 * How far a point can be from a mean, squared: the most that counts, so that no distance from it is cut off.
 * A mean that noise has put outside of the ends counts as the nearest end.
 */
export function farthest(features: readonly ColumnSpec[], mean: ArrayLike<number>): number {
  const squares = new Float64Array(features.length)
  const categories = new Float64Array(features.length)
  for (const [at, { column }] of coordinatesOf(features).entries()) {
    const feature = features[column]
    const { low, high } = endsOf(feature)
    const own = Math.min(high, Math.max(low, mean[at] ?? 0))
    if (feature?.kind === "category" && feature.categories > 2) {
      // One of its coordinates is 1, or none where it is missing.
      squares[column] = (squares[column] ?? 0) + own ** 2
      categories[column] = Math.max(categories[column] ?? 0, 1 - 2 * own)
    } else squares[column] = Math.max(own - low, high - own) ** 2
  }
  return squares.reduce((sum, square, column) => sum + square + (categories[column] ?? 0), 0)
}

/**
 * What each unit adds: how far its point is from the mean and from where the model puts it, squared, as
 * shares of the most that counts; then a count, or the latter coordinate by coordinate.
 *
 * Guarantee: what is added are whole numbers whose length is at most that of the grid. Of what is exact they
 *   depend on the unit's row alone.
 * Needs: points of pointsOf, one for each unit; placed by what was released.
 * Proof: the point of a unit is a function of its row; addBounded clips, rounds and compares its vector by
 *   itself.
 * Numerics: as addBounded.
 * Source: none.
 */
export function addSpread(
  into: Float64Array,
  grid: VectorGrid,
  of: {
    readonly detail: SpreadDetail
    readonly point: Float64Array
    readonly by: PlacedBy
  },
): void {
  const { detail, point, by } = of
  const left = new Float64Array(point.length)
  by.left(point, left)
  const { most } = by
  const total = point.reduce((sum, value, at) => sum + (value - (by.mean[at] ?? 0)) ** 2, 0)
  const rest = left.reduce((sum, value) => sum + value * value, 0)
  const unit = new Float64Array(grid.dimension)
  unit[0] = Math.min(1, total / most)
  unit[1] = Math.min(1, rest / most)
  if (detail === "people") unit[2] = countWeight
  else for (const [at, value] of left.entries()) unit[2 + at] = (value * value) / Math.max(most, rest)
  addBounded(into, unit, grid)
}

/** No share is further off: so large an error says that it is not known. */
const shareErrorMax = 0.5

/** What noisy sums say, where the noise of each has this deviation in steps. */
export function readSpread(
  grid: VectorGrid,
  noisy: readonly bigint[],
  deviation: number,
): {
  readonly quality: SpreadQuality
  /** Where people were counted: how many there are. */
  readonly people: number
  /** Where it was told by coordinate: what is left in each, as sums of shares of the most that counts. */
  readonly left: readonly number[]
} {
  const step = stepOf(grid)
  const [total = 0, rest = 0, ...each] = noisy.map((value) => Number(value) * step)
  const noise = deviation * step
  const part = rest / Math.max(total, noise)
  return {
    quality: {
      kind: "spread",
      share: Math.min(1, Math.max(0, 1 - part)),
      shareError: Math.min(shareErrorMax, (noise * Math.hypot(1, part)) / Math.max(total, noise)),
    },
    people: (each[0] ?? 0) / countWeight,
    left: each,
  }
}

/** The deviation that is left in each coordinate. */
export function deviationsLeft(
  left: readonly number[],
  { most, people }: { readonly most: number; readonly people: number },
): readonly number[] {
  return left.map((sum) => Math.sqrt(Math.max(0, (sum * most) / Math.max(1, people))))
}

/**
 * The error that noise will give the share, about, with so many rows: if numbers spread over half of their
 * range, and half of the variance is held.
 */
export function expectedShareError(grid: VectorGrid, deviation: number, rows: number): number {
  return Math.min(shareErrorMax, (deviation * stepOf(grid) * Math.hypot(1, 0.5)) / (usualSpread * rows))
}

/** The variance of a number that spreads over half of its range. */
const usualSpread = 0.25
