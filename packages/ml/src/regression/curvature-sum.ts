// The curvature of a regression over all units, as exact integers: how well the data determine each
// coefficient. For a linear model it is the matrix of products of features.

import { assert } from "@dosimeter/core/errors"
import { meansOf, slopeAt } from "./families.ts"
import { featureSteps, predict, type GridRows } from "./grid-rows.ts"
import { sumOfUnits, type UnitVectors } from "./unit-vectors.ts"

/** The length that no unit's curvature exceeds, in steps of the grid. */
export const curvatureBound = 2 ** 36

/** Features are coarser here by this factor, so that squares of their lengths leave room for slopes. */
const coarser = 64
const steps = featureSteps / coarser

/** How many numbers the curvature of a model has: upper triangles, for each pair of outputs. */
export function curvatureLength(width: number, outputs: number): number {
  return ((outputs * (outputs + 1)) / 2) * ((width * (width + 1)) / 2)
}

/** How many steps of the grid a curvature of 1 has, where curvatures are clipped to this length. */
export function curvatureSteps(clip: number): number {
  return curvatureBound / clip
}

/**
 * The sum over units of slope times x x', for each pair of outputs, each unit's clipped to `clip` in length.
 *
 * Guarantee: a unit that comes or goes changes the result by a vector of whole numbers whose length is at
 *   most curvatureBound, whatever its rows hold.
 * Needs: `weights` depend on released and public values only; no unit's rows are in two units.
 * Proof: the upper triangle of x x' has length at most |x|^2, so a row with whole slopes h, one for each
 *   pair, adds a vector of length at most |h| |x|^2 <= l q with whole numbers l >= |h| and q >= |x|^2. The
 *   sum of l q over the unit's rows is compared with the bound; q >= steps^2 = 2^12 makes l <= 2^24, so
 *   squares are exact where the comparison passes, as in gradient-sum.proof.md. Every number added, and
 *   every partial sum of the unit, is at most that bound, so WholeSums is exact.
 * Numerics: slopes are doubles, cut to whole numbers; sums and the comparison are exact.
 * Source: none.
 */
export function curvatureSum(grid: GridRows, weights: Float64Array, clip: number): bigint[] {
  return sumOfUnits(curvatureVectors(grid, weights, clip), grid.rows.starts.length - 1, curvatureBound)
}

/** The same, unit by unit. */
export function curvatureVectors(grid: GridRows, weights: Float64Array, clip: number): UnitVectors {
  const { rows, width } = grid
  const outputs = weights.length / width
  assert(Number.isInteger(outputs), "weights are whole predictors")
  assert(clip > 0 && Number.isFinite(clip), "a curvature is clipped to a positive length")
  const slopes = new Slopes(grid, weights, clip)
  return {
    length: curvatureLength(width, outputs),
    add: (unit, into) => {
      const [from, to] = [rows.starts[unit] ?? 0, rows.starts[unit + 1] ?? 0]
      if (!slopes.read(from, to)) return
      for (let row = from; row < to; row += 1) slopes.addRow(into, row, row - from)
    },
  }
}

class Slopes {
  readonly #grid: GridRows
  readonly #weights: Float64Array
  readonly #outputs: number
  readonly #pairs: number
  readonly #scale: number
  readonly #means: Float64Array
  readonly #row: Float64Array
  #whole: Float64Array

  constructor(grid: GridRows, weights: Float64Array, clip: number) {
    this.#grid = grid
    this.#weights = weights
    this.#outputs = weights.length / grid.width
    this.#pairs = (this.#outputs * (this.#outputs + 1)) / 2
    this.#scale = curvatureSteps(clip) / (steps * steps)
    this.#means = new Float64Array(this.#outputs)
    this.#row = new Float64Array(grid.width)
    this.#whole = new Float64Array(this.#pairs)
  }

  /** Whether the unit adds anything; if so, its slopes are ready. */
  read(from: number, to: number): boolean {
    const needed = (to - from) * this.#pairs
    if (this.#whole.length < needed) this.#whole = new Float64Array(2 * needed)
    let length = 0
    for (let row = from; row < to; row += 1) length += this.#fill(row, (row - from) * this.#pairs)
    if (!Number.isFinite(length)) return false
    const shrink = length > curvatureBound ? curvatureBound / length : 1
    let size = 0
    for (let row = from; row < to; row += 1) {
      let square = 0
      const start = (row - from) * this.#pairs
      for (let at = start; at < start + this.#pairs; at += 1) {
        const whole = Math.trunc((this.#whole[at] ?? 0) * shrink)
        this.#whole[at] = whole
        square += whole * whole
      }
      let most = Math.ceil(Math.sqrt(square))
      while (most * most < square) most += 1
      size += most * this.#squareOf(row)
    }
    return size <= curvatureBound
  }

  addRow(sum: Float64Array, row: number, place: number): void {
    const { width } = this.#grid
    this.#squareOf(row)
    let at = 0
    for (let pair = 0; pair < this.#pairs; pair += 1) {
      const slope = this.#whole[place * this.#pairs + pair] ?? 0
      for (let a = 0; a < width; a += 1) {
        const left = slope * (this.#row[a] ?? 0)
        for (let b = a; b < width; b += 1) {
          sum[at] = (sum[at] ?? 0) + left * (this.#row[b] ?? 0)
          at += 1
        }
      }
    }
  }

  /** The coarse values of a row, and the sum of their squares. */
  #squareOf(row: number): number {
    const { values, width } = this.#grid
    let square = 0
    for (let at = 0; at < width; at += 1) {
      const value = Math.round((values[row * width + at] ?? 0) / coarser)
      this.#row[at] = value
      square += value * value
    }
    return square
  }

  #fill(row: number, start: number): number {
    const { rows } = this.#grid
    const { family } = rows.shape
    predict(this.#means, this.#grid, this.#weights, row)
    meansOf(family, this.#means)
    const isKnown = !Number.isNaN(rows.targets[row] ?? Number.NaN)
    let at = start
    let square = 0
    for (let a = 0; a < this.#outputs; a += 1) {
      for (let b = a; b < this.#outputs; b += 1) {
        const slope = isKnown ? slopeAt(family, this.#means, a, b) * this.#scale : 0
        this.#whole[at] = slope
        square += slope * slope
        at += 1
      }
    }
    return Math.sqrt(square) * this.#squareOf(row)
  }
}
