// What is measured before the first round: how many rows there are, and where the features lie. Centred
// features let a fit move faster at the same noise.

import type { GaussianSpec } from "@dosimeter/core/mechanisms"
import { addBounded, stepOf, vectorGrid, type VectorGrid } from "../grid/bounded-vector.ts"
import type { Centring } from "./grid-rows.ts"
import type { Rows } from "./rows.ts"
import type { ModelShape, Ranged } from "./shape.ts"
import { sumOfUnits, type UnitVectors } from "./unit-vectors.ts"

/** What a first look says, in units of the model. */
export interface FirstLook {
  /** How many rows, at least 1. */
  readonly rows: number
  readonly centring: Centring
  /** The mean of a row's squared length after centring, the intercept included. */
  readonly meanSquare: number
  /** The mean and the standard deviation of the target. */
  readonly meanTarget: number
  readonly targetDeviation: number
}

/** Whether a feature is 0 or 1, so that its square is itself. */
function isFlag({ low, high }: Ranged): boolean {
  return low === 0 && high === 1
}

/** The weights of the number of rows and of the target beside a feature, which weighs 1. */
function weightsOf({ features }: ModelShape): { readonly rows: number; readonly target: number } {
  const squares = features.filter((feature) => !isFlag(feature)).length
  const all = features.length + squares
  return { rows: Math.sqrt(all / 2), target: Math.sqrt(all) / 2 }
}

/** Each unit adds, for its rows: 1, the target and its square, features, and squares of what is no flag. */
export function firstLookGrid(shape: ModelShape): VectorGrid {
  const { features, rowsPerUnit } = shape
  const squares = features.filter((feature) => !isFlag(feature)).length
  const { rows, target } = weightsOf(shape)
  const most = Math.sqrt(rows ** 2 + 2 * target ** 2 + features.length + squares)
  return vectorGrid(rowsPerUnit * most, 3 + features.length + squares)
}

/** The exact sums of a first look, in steps of its grid; each unit's part is bounded by addBounded. */
export function firstLookSum(rows: Rows): bigint[] {
  return sumOfUnits(firstLookVectors(rows), rows.starts.length - 1, firstLookGrid(rows.shape).bound)
}

/** The same, unit by unit. */
export function firstLookVectors(rows: Rows): UnitVectors {
  const { shape, starts } = rows
  const grid = firstLookGrid(shape)
  const unit = new Float64Array(grid.dimension)
  const weights = weightsOf(shape)
  const most = targetMost(shape)
  const isSquared = shape.features.map((feature) => !isFlag(feature))
  return {
    length: grid.dimension,
    add: (at, into) => {
      unit.fill(0)
      for (let row = starts[at] ?? 0; row < (starts[at + 1] ?? 0); row += 1) {
        const target = (rows.targets[row] ?? Number.NaN) / most
        if (Number.isNaN(target)) continue
        unit[0] = (unit[0] ?? 0) + weights.rows
        unit[1] = (unit[1] ?? 0) + weights.target * target
        unit[2] = (unit[2] ?? 0) + weights.target * target * target
        addFeatures(unit, rows, row, isSquared)
      }
      addBounded(into, unit, grid)
    },
  }
}

function addFeatures(
  unit: Float64Array,
  { features }: Rows,
  row: number,
  isSquared: readonly boolean[],
): void {
  const width = isSquared.length
  let square = 3 + width
  for (let at = 0; at < width; at += 1) {
    const value = features[row * width + at] ?? 0
    unit[3 + at] = (unit[3 + at] ?? 0) + value
    if (isSquared[at] !== true) continue
    unit[square] = (unit[square] ?? 0) + value * value
    square += 1
  }
}

/** The most that a target is, on the scale of the model. */
function targetMost({ family, target }: ModelShape): number {
  return family === "linear" ? 1 : Math.max(Math.abs(target.high), Math.abs(target.low), 1)
}

/** The most that a feature is stretched: a narrow one gets at most so much more weight. */
const stretchMax = 4
/** Features whose deviation is at least this are left as wide as they are. */
const usualDeviation = 0.5

/** What noisy sums say: post-processing, with the noise's own size in mind. */
export function readFirstLook(
  shape: ModelShape,
  noisy: readonly bigint[],
  { variance }: Pick<GaussianSpec, "variance">,
): FirstLook {
  const step = stepOf(firstLookGrid(shape))
  const weights = weightsOf(shape)
  const [count = 0, target = 0, targetSquare = 0, ...moments] = noisy.map((value) => Number(value) * step)
  const rows = Math.max(1, count / weights.rows)
  const noise = (Math.sqrt(Number(variance.numerator) / Number(variance.denominator)) * step) / rows
  const width = shape.features.length
  const centre = new Float64Array(width)
  const stretch = new Float64Array(width)
  let meanSquare = 1
  let squareAt = width
  for (const [at, feature] of shape.features.entries()) {
    const found = within(-1, (moments[at] ?? 0) / rows, 1)
    // A mean that noise could have made is taken for less.
    const mean = found * Math.max(0, 1 - (noise / Math.max(Math.abs(found), 1e-9)) ** 2)
    const square = isFlag(feature) ? Math.max(0, mean) : within(0, (moments[squareAt] ?? 0) / rows, 1)
    if (!isFlag(feature)) squareAt += 1
    const squaredDeviation = Math.max(square - mean * mean, 0)
    // What noise may hide counts as there: a feature is not stretched on the strength of noise.
    const by = within(1, usualDeviation / Math.sqrt(Math.min(1, squaredDeviation + 2 * noise)), stretchMax)
    centre[at] = mean
    stretch[at] = by
    meanSquare += squaredDeviation * by * by
  }
  const most = targetMost(shape)
  const meanTarget = within(-1, target / (weights.target * rows), 1)
  const meanSquareTarget = targetSquare / (weights.target * rows) + noise / weights.target
  const targetDeviation = Math.sqrt(within(1e-4, meanSquareTarget - meanTarget ** 2, 1))
  return {
    rows,
    centring: { centre, stretch },
    meanSquare,
    meanTarget: meanTarget * most,
    targetDeviation: targetDeviation * most,
  }
}

function within(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
