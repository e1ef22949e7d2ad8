// Vectors of doubles, such as a unit's gradient, clipped to a length and put onto a grid of integers: sums
// are exact, and what one unit adds is bounded by a comparison of integers, not by an analysis of floats.

import { assert } from "@dosimeter/core/errors"
import { normSensitivity, type Neighbours, type Sensitivity } from "@dosimeter/core/mechanisms"

/** How a unit's vector is clipped and rounded. */
export interface VectorGrid {
  /** The greatest length of a vector, in its own units. */
  readonly clip: number
  /** The same in steps of the grid: the length that no rounded vector exceeds. */
  readonly bound: number
  /** How many numbers a vector has. */
  readonly dimension: number
}

/** Squares of bounds stay exact in doubles. */
const boundMax = 2 ** 26

/** A grid of so many steps for vectors clipped to a length; 2^22 steps unless said. */
export function vectorGrid(clip: number, dimension: number, bound = 2 ** 22): VectorGrid {
  assert(clip > 0 && Number.isFinite(clip), "a vector is clipped to a positive length")
  assert(Number.isSafeInteger(dimension) && dimension >= 1, "a vector has numbers")
  assert(Number.isSafeInteger(bound) && bound <= boundMax, "the square of a bound is exact")
  assert(bound * bound > 4 * dimension, "a grid is finer than a vector's length over the root of its numbers")
  return { clip, bound, dimension }
}

/** The size of one step of the grid, in units of the vector. */
export function stepOf({ clip, bound, dimension }: VectorGrid): number {
  // Rounding to nearest may lengthen a vector by half the root of its dimension: room for that is left.
  return clip / (bound - Math.ceil(Math.sqrt(dimension) / 2) - 1)
}

/**
 * Adds a unit's vector to a sum, clipped to the grid's length and rounded to whole steps.
 *
 * Guarantee: `sum` changes by a vector of integers whose length is at most grid.bound, whatever `vector`
 *   holds.
 * Needs: the vector of a unit depends on that unit and on released values only; each unit is added once;
 *   fewer than 2^53 / grid.bound of them.
 * Proof: every number that is added is the result of Math.round and finite, so an integer. The vector is
 *   added only if the sum of its squares, in doubles, is at most bound^2 <= 2^52: adding squares of integers
 *   is exact up to 2^53, and rounding is monotone, so a sum that was ever larger than bound^2 stays larger.
 *   NaN and infinities fail the comparison, and the unit then adds nothing.
 * Numerics: clipping and scaling are rounded as doubles are, before the comparison: they move a vector a
 *   little and never past it.
 * Source: none; the guarantee is the comparison itself.
 */
export function addBounded(sum: Float64Array, vector: Float64Array, grid: VectorGrid): void {
  assert(sum.length === grid.dimension && vector.length === grid.dimension, "vectors fit their grid")
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  const shrink = length > grid.clip ? grid.clip / length : 1
  const steps = shrink / stepOf(grid)
  let rounded = 0
  for (let at = 0; at < vector.length; at += 1) {
    const whole = Math.round((vector[at] ?? 0) * steps)
    rounded += whole * whole
  }
  if (!(rounded <= grid.bound * grid.bound)) return
  for (let at = 0; at < vector.length; at += 1) {
    sum[at] = (sum[at] ?? 0) + Math.round((vector[at] ?? 0) * steps)
  }
}

/** What one unit can change in a sum of bounded vectors. */
export function vectorSensitivity(grid: Pick<VectorGrid, "bound">, neighbours: Neighbours): Sensitivity {
  return normSensitivity({ norm: "l2", bound: BigInt(grid.bound), isSigned: true, neighbours })
}
