// Where batches of noise go, and what happens to a draw that does not fit.

import { assert } from "../errors/assert.ts"

/** Integers as doubles (any law) or as 32-bit integers (laws of scale up to 2^24). */
export type NoiseArray = Float64Array | Int32Array

/**
 * A draw that its array cannot hold. The array then holds the nearest value it can, and the exact draw stands
 * here; the chance is below e^-120 a draw within the scales that `fill` functions accept.
 */
export interface Spill {
  readonly index: number
  readonly value: bigint
}

/** The largest scale whose draws fit a 32-bit integer but for a chance of about e^-128. */
export const int32ScaleMax = 2 ** 24
/** The largest scale whose draws are exact in a double but for a chance of about e^-128. */
export const float64ScaleMax = 2 ** 46

/** Stores an exact draw, or the nearest value that fits; returns the spill in the latter case. */
export function storeDraw(out: NoiseArray, index: number, value: number | bigint): Spill | undefined {
  const limit = out instanceof Int32Array ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER
  if (typeof value === "number" && Math.abs(value) <= limit) {
    out[index] = value
    return undefined
  }
  const exact = BigInt(value)
  const clamped = exact > BigInt(limit) ? limit : exact < -BigInt(limit) ? -limit : Number(exact)
  out[index] = clamped
  return BigInt(clamped) === exact ? undefined : { index, value: exact }
}

/** Checks that an array can hold draws of this scale. */
export function assertArrayFits(out: NoiseArray, scale: number): void {
  const limit = out instanceof Int32Array ? int32ScaleMax : float64ScaleMax
  assert(scale <= limit, "the scale of a batch fits its array (2^24 for Int32Array, 2^46 for Float64Array)")
}
