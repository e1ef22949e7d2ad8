// How good a model of points is: how far they lie from their mean, and how far from where the model puts
// them, as sums over units.

import type { ColumnSpec } from "../columns/columns.ts"
import { coordinatesOf } from "../columns/points.ts"
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
  /** Writes what is left of a point. Of what is exact it depends on this point alone. */
  readonly left: (point: Float64Array, into: Float64Array) => void
}

/** What is told: two sums, or what is left in each coordinate too. */
export type SpreadDetail = "all" | "by coordinate"

/** The grid of a unit's part: two or three shares of at most 1. */
export function spreadGrid(features: readonly ColumnSpec[], detail: SpreadDetail): VectorGrid {
  if (detail === "all") return vectorGrid(Math.SQRT2, 2)
  return vectorGrid(Math.sqrt(3), 2 + coordinatesOf(features).length)
}

/** Points that lie further off than this, squared, count as if they lay there: a column is about 1 wide. */
function mostOf(features: readonly ColumnSpec[]): number {
  return features.length
}

/**
 * What each unit adds: how far its point is from the mean and from where the model puts it, squared, as
 * shares of the most that counts; then the latter coordinate by coordinate, if that is told.
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
  of: { readonly features: readonly ColumnSpec[]; readonly point: Float64Array; readonly by: PlacedBy },
): void {
  const { features, point, by } = of
  const left = new Float64Array(point.length)
  by.left(point, left)
  const most = mostOf(features)
  const total = point.reduce((sum, value, at) => sum + (value - (by.mean[at] ?? 0)) ** 2, 0)
  const rest = left.reduce((sum, value) => sum + value * value, 0)
  const unit = new Float64Array(grid.dimension)
  unit[0] = Math.min(1, total / most)
  unit[1] = Math.min(1, rest / most)
  const each = grid.dimension === 2 + point.length ? left : new Float64Array(0)
  for (const [at, value] of each.entries()) unit[2 + at] = (value * value) / Math.max(most, rest)
  addBounded(into, unit, grid)
}

/** No share is further off: so large an error says that it is not known. */
const shareErrorMax = 0.5

/** What noisy sums say, where the noise of each has this deviation in steps. */
export function readSpread(
  grid: VectorGrid,
  noisy: readonly bigint[],
  of: { readonly features: readonly ColumnSpec[]; readonly deviation: number; readonly people: number },
): {
  readonly quality: SpreadQuality
  /** Of each coordinate: the deviation that is left, if it was told. */
  readonly left: readonly number[]
} {
  const { features, deviation, people } = of
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
    left: each.map((sum) => Math.sqrt(Math.max(0, (sum * mostOf(features)) / Math.max(1, people)))),
  }
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
