// Counts that cannot be negative, measured in many groups at once. What is surely there stays as it was
// measured; what may be nothing but noise is lowered together until no number is negative, so that the sum
// stays what was measured.

import { assert } from "../../errors/assert.ts"

/** A noisy whole number whose exact value is not negative. */
export interface NoisyWhole {
  readonly value: bigint
  /** The variance of its noise, up to a factor that all have in common; above 0. */
  readonly variance: bigint
  /** Noise alone does not explain it: it stays as it is. Only for values above 0. */
  readonly isSure: boolean
}

/**
 * Whole numbers from 0 in place of noisy ones.
 *
 * Guarantee: no result is negative, and a sure number is its own result. The others add up to what they added
 *   up to before, or to 0 if that was negative: then all of them are 0. Among all such whole numbers theirs
 *   are within one of the nearest real ones, by the sum of squares over variances.
 * Bias: none of sure numbers. Of the others small ones are raised on average and large ones lowered, by as
 *   much; their sum is raised only where it was negative.
 * Intervals: those of the noise stay valid.
 * Needs: variances above 0, sure numbers above 0 (checked).
 * Proof: sure numbers are returned. With T the sum of the others, or 0, nearestWithTotal gives whole numbers
 *   from 0 that add up to T; for T = 0 that is 0 for each.
 * Numerics: integers.
 * Source: nearestWithTotal; which numbers move is as in Base-Cut (cutBelowNoise).
 */
export function wholeFromZero(numbers: readonly NoisyWhole[]): readonly bigint[] {
  for (const { value, variance, isSure } of numbers) {
    assert(
      variance > 0n && (!isSure || value > 0n),
      "a noisy number has a variance, and a sure one is above 0",
    )
  }
  const others = numbers.filter(({ isSure }) => !isSure)
  const total = others.reduce((sum, { value }) => sum + value, 0n)
  const nearest = nearestWithTotal(others, total > 0n ? total : 0n)
  let next = 0
  return numbers.map(({ value, isSure }) => {
    if (isSure) return value
    const found = nearest[next] ?? 0n
    next += 1
    return found
  })
}

/**
 * Whole numbers from 0 with a total, nearest to some values by the sum of squares over variances.
 *
 * Guarantee: none is negative, they add up to the total, and each is the nearest real solution rounded down
 *   or up. If the values are such numbers already, they are returned as they are.
 * Needs: variances above 0; a total from 0; values, unless the total is 0.
 * Proof: by Karush, Kuhn and Tucker the real solution is x = max(0, y - t v) for one number t. A value is
 *   above 0 as long as t < y / v; with these quotients in falling order the positive ones come first, and t =
 *   (sum of y - total) / (sum of v) over them, as soon as the next quotient is no longer above t. With V =
 *   the sum of v, every x is a fraction of V. Rounded down they miss less than one for each that is not
 *   whole; so many, those with the largest rests, are rounded up instead.
 * Numerics: integers.
 * Source: Wang et al. 2020, "Locally differentially private frequency estimation with consistency", Norm-Sub.
 */
export function nearestWithTotal(
  values: readonly Pick<NoisyWhole, "value" | "variance">[],
  total: bigint,
): readonly bigint[] {
  const falling = values.toSorted((a, b) => sign(b.value * a.variance - a.value * b.variance))
  let [room, excess] = [0n, -total]
  for (const { value, variance } of falling) {
    if (room > 0n && value * room <= excess * variance) break
    room += variance
    excess += value
  }
  const parts = values.map(({ value, variance }, index) => {
    const above = value * room - excess * variance
    const share = above > 0n ? above : 0n
    return { index, floor: room === 0n ? 0n : share / room, rest: room === 0n ? 0n : share % room }
  })
  const missing = Number(total - parts.reduce((sum, { floor }) => sum + floor, 0n))
  const raised = new Set(
    parts
      .filter(({ rest }) => rest > 0n)
      .toSorted((a, b) => sign(b.rest - a.rest) || a.index - b.index)
      .slice(0, missing)
      .map(({ index }) => index),
  )
  return parts.map(({ index, floor }) => (raised.has(index) ? floor + 1n : floor))
}

function sign(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0
}
