// The gradient of a regression over all units, as exact integers: what a round of training measures.

import { assert } from "@dosimeter/core/errors"
import { meansOf, targetAt } from "./families.ts"
import { featureSteps, predict, type GridRows } from "./grid-rows.ts"
import { sumOfUnits, type UnitVectors } from "./unit-vectors.ts"

/** The length that no unit's gradient exceeds, in steps of the grid. */
export const gradientBound = 2 ** 30

/** How many steps of the grid a gradient of 1 has, where gradients are clipped to this length. */
export function gradientSteps(clip: number): number {
  return gradientBound / clip
}

/**
 * The sum over units of their gradients of the loss, each clipped to `clip`, in steps of the grid.
 *
 * Guarantee: a unit that comes or goes changes the result by a vector of whole numbers whose length is at
 *   most gradientBound, whatever its rows hold.
 * Needs: `weights` depend on released and public values only; no unit's rows are in two units.
 * Proof: gradient-sum.proof.md.
 * Numerics: residuals are doubles, cut to whole numbers; sums and the comparison with the bound are exact.
 * Source: none; clipping is that of Abadi et al. 2016, by unit.
 */
export function gradientSum(grid: GridRows, weights: Float64Array, clip: number): bigint[] {
  return sumOfUnits(gradientVectors(grid, weights, clip), grid.rows.starts.length - 1, gradientBound)
}

/** The same, unit by unit. */
export function gradientVectors(grid: GridRows, weights: Float64Array, clip: number): UnitVectors {
  const { rows, width } = grid
  const outputs = weights.length / width
  assert(Number.isInteger(outputs), "weights are whole predictors")
  assert(clip > 0 && Number.isFinite(clip), "a gradient is clipped to a positive length")
  const residuals = new Residuals(grid, weights, clip)
  return {
    length: weights.length,
    add: (unit, into) => {
      const [from, to] = [rows.starts[unit] ?? 0, rows.starts[unit + 1] ?? 0]
      const whole = residuals.ofUnit(from, to)
      if (whole !== undefined) addTo(into, grid, { from, to, whole })
    },
  }
}

/** Adds residual times features of a unit's rows: exact, since each product and sum is below 2^53. */
function addTo(
  sum: Float64Array,
  { values, width }: GridRows,
  { from, to, whole }: { readonly from: number; readonly to: number; readonly whole: Float64Array },
): void {
  const outputs = sum.length / width
  for (let row = from; row < to; row += 1) {
    for (let output = 0; output < outputs; output += 1) {
      const residual = whole[(row - from) * outputs + output] ?? 0
      if (residual === 0) continue
      const start = row * width
      const target = output * width
      for (let at = 0; at < width; at += 1) {
        sum[target + at] = (sum[target + at] ?? 0) + residual * (values[start + at] ?? 0)
      }
    }
  }
}

/** A unit's residuals as whole numbers, small enough that its gradient keeps the bound. */
class Residuals {
  readonly #grid: GridRows
  readonly #weights: Float64Array
  readonly #outputs: number
  /** Whole steps of a residual of 1. */
  readonly #steps: number
  readonly #means: Float64Array
  #whole: Float64Array

  constructor(grid: GridRows, weights: Float64Array, clip: number) {
    this.#grid = grid
    this.#weights = weights
    this.#outputs = weights.length / grid.width
    this.#steps = gradientSteps(clip) / featureSteps
    this.#means = new Float64Array(this.#outputs)
    this.#whole = new Float64Array(this.#outputs)
  }

  /** Undefined where the unit adds nothing. */
  ofUnit(from: number, to: number): Float64Array | undefined {
    const needed = (to - from) * this.#outputs
    if (this.#whole.length < needed) this.#whole = new Float64Array(2 * needed)
    const whole = this.#whole
    let length = 0
    for (let row = from; row < to; row += 1) length += this.#fill(row, (row - from) * this.#outputs)
    // Not `>`: NaN adds nothing.
    if (!Number.isFinite(length)) return undefined
    if (length > gradientBound) {
      const shrink = this.#roomOf(from, to) / length
      for (let at = 0; at < needed; at += 1) whole[at] = (whole[at] ?? 0) * shrink
    }
    let size = 0
    for (let row = from; row < to; row += 1) size += this.#cut(row, (row - from) * this.#outputs)
    return size <= gradientBound ? whole : undefined
  }

  /** The bound, less what rounding up the length of each row may add: so that no unit is left out for it. */
  #roomOf(from: number, to: number): number {
    let reach = 0
    for (let row = from; row < to; row += 1) reach += this.#grid.reach[row] ?? 0
    return Math.max(0, gradientBound - reach)
  }

  /** Writes a row's residuals, in steps; returns the length of its gradient, about. */
  #fill(row: number, start: number): number {
    const { reach, rows } = this.#grid
    const { family } = rows.shape
    predict(this.#means, this.#grid, this.#weights, row)
    meansOf(family, this.#means)
    const target = rows.targets[row] ?? Number.NaN
    let square = 0
    for (let output = 0; output < this.#outputs; output += 1) {
      const residual = ((this.#means[output] ?? 0) - targetAt(family, target, output)) * this.#steps
      const known = Number.isNaN(target) ? 0 : residual
      this.#whole[start + output] = known
      square += known * known
    }
    return Math.sqrt(square) * (reach[row] ?? 0)
  }

  /** Cuts a row's residuals to whole numbers; returns a whole number that is no less than its length. */
  #cut(row: number, start: number): number {
    let square = 0
    for (let at = start; at < start + this.#outputs; at += 1) {
      const whole = Math.trunc(this.#whole[at] ?? 0)
      this.#whole[at] = whole
      square += whole * whole
    }
    let length = Math.ceil(Math.sqrt(square))
    while (length * length < square) length += 1
    return length * (this.#grid.reach[row] ?? 0)
  }
}
