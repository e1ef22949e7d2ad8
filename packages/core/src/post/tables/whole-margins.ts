// A table of counts as people expect it: whole numbers, none negative, whose margins still add up. From the
// total downward, each number is shared out among its parts. In integers, so that it cannot fail.

import { floorDivide } from "../../exact/rational.ts"
import { marginOfCells } from "./margin-cells.ts"

/**
 * Turns estimates of all cells, row-major in steps of 2^-bits, into whole numbers from 0. The total is
 * rounded; then the sums by the first attribute become the nearest numbers from 0 with this total, rounded so
 * that they keep it; then those by the first two within each of these; and so on.
 *
 * Guarantee: whole numbers, none negative, and one for each cell. The total moves by at most 1/2, unless it
 *   was negative.
 * Bias: small cells are raised and large ones lowered, by as much.
 * Intervals: those of the estimates stay valid.
 * Needs: there is a cell for each combination, and each attribute has a value.
 * Proof: attribute by attribute, shareOut gives the parts of each number whole numbers from 0 that add up to
 *   it; after the last attribute these are the cells. The total is rounded to the nearest whole number.
 * Numerics: integers.
 * Source: shareOut.
 */
export function wholeCells(
  sizes: readonly bigint[],
  cells: readonly bigint[],
  bits: number,
): readonly bigint[] {
  const scale = 1n << BigInt(bits)
  const total = floorDivide(2n * cells.reduce((sum, cell) => sum + cell, 0n) + scale, 2n * scale)
  let whole: readonly bigint[] = [total > 0n ? total : 0n]
  for (const axis of sizes.keys()) {
    const margin = marginOfCells(sizes, cells, [...sizes.keys()].slice(0, axis + 1))
    const size = Number(sizes[axis] ?? 1n)
    whole = whole.flatMap((parent, place) =>
      shareOut(margin.slice(place * size, (place + 1) * size), parent, scale),
    )
  }
  return whole
}

/**
 * Whole numbers from 0 with this total, nearest to some values, which are in steps of 1 / scale.
 *
 * The nearest values from 0 with this total are max(0, value - t): with the k largest above t, t is their sum
 * less the total, over k. All are fractions of k * scale; those with the largest remainders are rounded up.
 */
export function shareOut(values: readonly bigint[], total: bigint, scale: bigint): readonly bigint[] {
  const falling = values.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))
  let [count, excess] = [0n, -total * scale]
  for (const value of falling) {
    if (count > 0n && value * (count + 1n) <= excess + value) break
    count += 1n
    excess += value
  }
  const whole = count * scale
  const parts = values.map((value, index) => {
    const above = count * value - excess
    const share = above > 0n ? above : 0n
    return { index, floor: share / whole, rest: share % whole }
  })
  const missing = total - parts.reduce((sum, { floor }) => sum + floor, 0n)
  const up = parts
    .toSorted((a, b) => (a.rest > b.rest ? -1 : a.rest < b.rest ? 1 : a.index - b.index))
    .slice(0, Number(missing))
  const raised = new Set(up.map(({ index }) => index))
  return parts.map(({ index, floor }) => (raised.has(index) ? floor + 1n : floor))
}
