// Quantiles from a histogram on a public grid, by the exponential mechanism: one, or several at once by
// recursion. The result is the index of a grid cell; what value it stands for is public.

import { fail } from "../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { lnUp } from "../exact/log.ts"
import { ceil, compare, divide, multiply, rational, subtract, one, type Rational } from "../exact/rational.ts"
import { sampleSoftmax } from "../noise/argmax.ts"
import type { Neighbours } from "../privacy/unit.ts"
import type { RandomBits } from "../random/random-bits.ts"
import type { RankError } from "./error.ts"
import { pureLosses, pureLossesSum, type PureLosses } from "./pure-losses.ts"
import { boundedRangeRho } from "./selection.ts"

/** One or several quantiles of a histogram of `cells` cells. */
export interface QuantilesSpec {
  readonly kind: "quantiles"
  /** Growing, each in (0, 1). */
  readonly quantiles: readonly Rational[]
  readonly cells: bigint
  /**
   * How many equal slots each cell is cut into while drawing; 1 for a single quantile. A draw splits the rows
   * at a slot, so rows that share a cell need not all fall on one side of it.
   */
  readonly slots: bigint
  /** The most rows that one unit has in a histogram. */
  readonly rowsPerUnit: bigint
  /** In how many histograms, each released by this spec, one unit has rows; 1 where there is only one. */
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
  /** The pure loss of each level of the recursion of one histogram; a single quantile has one level. */
  readonly epsilonPerLevel: Rational
  /** For intervals: a lower and an upper end of each quantile are drawn too (quantile-ends.ts). */
  readonly ends?: QuantileEnds
}

/** How the ends of intervals are drawn. */
export interface QuantileEnds {
  /** The pure loss of each end of one histogram; there are two for each quantile. */
  readonly epsilonPerEnd: Rational
  /** The most probability that an interval does not hold its quantile, all of them together. */
  readonly miss: Rational
  /** How many rows from each quantile its ends are aimed at: what the miss needs. */
  readonly shifts: readonly bigint[]
}

/** The most candidates that cells are cut into, for time, and the most slots of a cell. */
const candidatesMax = 65536n
const slotsMax = 64n

/**
 * Quantiles for a total pure loss epsilon, split evenly over the levels of the recursion and the groups of a
 * unit. Ends of intervals have a pure loss of their own beside it, split evenly too. Without `groupsPerUnit`
 * the spec is for one histogram.
 */
export function quantiles(options: {
  readonly quantiles: readonly Numeric[]
  readonly cells: Numeric
  readonly rowsPerUnit: Numeric
  readonly groupsPerUnit?: Numeric
  readonly neighbours: Neighbours
  readonly epsilon: Numeric
  readonly ends?: { readonly epsilon: Numeric; readonly miss: Numeric }
}): QuantilesSpec {
  const wanted = options.quantiles.map((q) => betweenZeroAndOne(q, "a quantile")).sort(compare)
  if (wanted.length === 0) fail("parameter/empty", { name: "quantiles" })
  const cells = wholeNumber(options.cells, "cells", 0n)
  if (cells === 0n) fail("parameter/empty", { name: "cells" })
  const groupsPerUnit = wholeNumber(options.groupsPerUnit ?? 1n, "groups per unit")
  const draws = rational(BigInt(levelsOf(wanted.length)) * groupsPerUnit)
  const spec: QuantilesSpec = {
    kind: "quantiles",
    quantiles: wanted,
    cells,
    slots: wanted.length === 1 ? 1n : slotsOf(cells),
    rowsPerUnit: wholeNumber(options.rowsPerUnit, "rows per unit"),
    neighbours: options.neighbours,
    groupsPerUnit,
    epsilonPerLevel: divide(positive(options.epsilon, "epsilon"), draws),
  }
  if (options.ends === undefined) return spec
  const share = rational(2n * BigInt(wanted.length) * groupsPerUnit)
  const epsilonPerEnd = divide(positive(options.ends.epsilon, "epsilon of the ends"), share)
  const miss = betweenZeroAndOne(options.ends.miss, "miss")
  const shifts = wanted.map((quantile) => endShift(spec, { epsilonPerEnd, miss }, quantile))
  return { ...spec, ends: { epsilonPerEnd, miss, shifts } }
}

/**
 * Draws a cell for each quantile, from the exact number of rows in each cell.
 *
 * Guarantee: the loss, of all histograms that are released by the spec together, is quantilesLoss(spec).
 * Needs: a unit has rows in at most groupsPerUnit histograms, at most rowsPerUnit in each (the caller).
 * Proof: see quantilesLoss.
 * Numerics: scores are integers; draws are exact.
 * Source: Smith 2011 for one; Kaplan, Schnapp, Stemmer 2022, algorithm 1, for several.
 */
export function releaseQuantiles(
  spec: QuantilesSpec,
  histogram: readonly bigint[],
  rng: RandomBits,
): number[] {
  if (BigInt(histogram.length) !== spec.cells) {
    fail("parameter/length", { name: "the histogram", got: `${histogram.length}`, expected: `${spec.cells}` })
  }
  const slots = Number(spec.slots)
  // In units of 1 / slots rows: each row is spread evenly over the slots of its cell.
  const rows = slots === 1 ? histogram : histogram.flatMap((count) => Array<bigint>(slots).fill(count))
  const chosen = recurse(spec, { quantiles: spec.quantiles, rows, first: 0 }, rng)
  return chosen.map((slot) => Math.floor(slot / slots))
}

/**
 * What the quantiles and the ends of their intervals lose.
 *
 * Guarantee: for each of a unit's groups, pure levels * epsilonPerLevel and zCDP levels * epsilonPerLevel^2 /
 *   8; beside them, for each end, epsilonPerEnd and epsilonPerEnd^2 / 8.
 * Needs: as releaseQuantiles and releaseQuantileEnds.
 * Proof: the score of a cell for quantile a/b is minus max(0, (b-a) L - a (E+G), a G - (b-a)(L+E)), with L,
 *   E, G the rows below, in and above it: how far, times b, a/b lies outside the ranks that the cell covers.
 *   Adding a row changes it by at most S = max(a, b-a); replacing one, by at most b <= 2 S. A draw at rate
 *   epsilon / (2 C rows) is an exponential mechanism of loss epsilon, and of range epsilon, if a row changes
 *   scores by at most C (selectionLoss). The draws of one level work on disjoint slots, given the draws
 *   before. A row is spread over the slots of its cell, so a share f_i of it is in part i, the shares add up
 *   to 1, and the scores of part i change by at most f_i S: the losses of a level add up to at most epsilon,
 *   and squares of a split are no more than the square of the whole; nor is mu^2, which is convex in epsilon
 *   and 0 at 0 (with t = mu/2 its slope is 8 t Phi(t) (1 - Phi(t)) / phi(t), and t (1 - Phi(t)) / phi(t)
 *   grows because (1 - Phi(t)) / phi(t) > t / (1 + t^2), Gordon 1941). Added or removed: C = S. Replaced: C =
 *   b for a single draw; with several, a row's shares leave some parts and enter others, S a row each: C = 2
 *   S covers both. Ends: releaseQuantileEnds draws each at its own loss. Histograms that
 *   have none of the unit's rows, or the same ones, cost nothing; all the rest composes.
 * Numerics: exact; counts in units of 1 / slots, rates divided by slots.
 * Source: as releaseQuantiles; McSherry and Talwar 2007; Cesar and Rogers 2021.
 */
export function quantilesLoss(spec: QuantilesSpec): PureLosses {
  const { groupsPerUnit } = spec
  const points = drawsLoss(spec.epsilonPerLevel, groupsPerUnit * BigInt(levelsOfQuantiles(spec)))
  if (spec.ends === undefined) return points
  const ends = drawsLoss(spec.ends.epsilonPerEnd, groupsPerUnit * 2n * BigInt(spec.quantiles.length))
  return pureLossesSum(points, ends)
}

function drawsLoss(epsilon: Rational, count: bigint): PureLosses {
  return pureLosses(epsilon, { count, rho: boundedRangeRho(epsilon) })
}

/**
 * With probability at least 1 - miss, each quantile's rank is within this many rows: for one draw,
 * ln(m cells slots / miss) / rate in units of the score, over b. Several levels add up, but for the rows that
 * share a slot with a quantile drawn before (a cell of E rows: E / slots a level), which no bound from the
 * spec alone can know.
 */
export function quantilesError(spec: QuantilesSpec, miss: Rational): RankError {
  const count = BigInt(spec.quantiles.length)
  const levels = BigInt(levelsOf(spec.quantiles.length))
  const log = lnUp(divide(rational(count * spec.cells * spec.slots), miss))
  const [only] = spec.quantiles
  // In the recursion quantiles are relative to their part, and may lie anywhere: near 0 or 1 is the worst.
  const quantile = count === 1n && only !== undefined ? only : one
  const steps = rational(quantile.denominator * spec.slots)
  const perLevel = divide(log, multiply(rateOf(spec, quantile), steps))
  return { kind: "rank", units: ceil(multiply(rational(levels), perLevel)) }
}

/**
 * How many rows to either side of a quantile the ends of its interval must be aimed at: see
 * releaseQuantileEnds.
 */
export function endShift(
  spec: Pick<QuantilesSpec, "cells" | "quantiles" | "neighbours" | "rowsPerUnit">,
  ends: Pick<QuantileEnds, "epsilonPerEnd" | "miss">,
  quantile: Rational,
): bigint {
  if (spec.cells === 1n) return 1n
  const miss = divide(ends.miss, rational(2n * BigInt(spec.quantiles.length)))
  const odds = multiply(rational(spec.cells - 1n), divide(subtract(one, miss), miss))
  const perRow = multiply(endRate(spec, ends, quantile), rational(quantile.denominator))
  const rows = ceil(divide(lnUp(odds), perRow))
  return rows < 0n ? 1n : rows + 1n
}

/** The rate of an end: of a single draw on the whole histogram. What a row changes is as in quantilesLoss. */
export function endRate(
  { neighbours, rowsPerUnit }: Pick<QuantilesSpec, "neighbours" | "rowsPerUnit">,
  { epsilonPerEnd }: Pick<QuantileEnds, "epsilonPerEnd">,
  { numerator: a, denominator: b }: Rational,
): Rational {
  const change = neighbours === "add-or-remove" ? (a > b - a ? a : b - a) : b
  return divide(epsilonPerEnd, rational(2n * change * rowsPerUnit))
}

/** A part of the histogram, and the quantiles that lie in it, relative to it. */
interface Part {
  readonly quantiles: readonly Rational[]
  readonly rows: readonly bigint[]
  /** The index of its first slot in the whole. */
  readonly first: number
}

function recurse(spec: QuantilesSpec, part: Part, rng: RandomBits): number[] {
  const middle = part.quantiles.length >> 1
  const quantile = part.quantiles[middle]
  if (quantile === undefined) return []
  const slot = sampleSoftmax({ scores: rankScores(part.rows, quantile) }, rateOf(spec, quantile), rng)
  const below: Part = {
    quantiles: part.quantiles.slice(0, middle).map((q) => divide(q, quantile)),
    rows: part.rows.slice(0, slot + 1),
    first: part.first,
  }
  // The slot itself stays a candidate above, but its rows are counted below only: none is used twice a level.
  const above: Part = {
    quantiles: part.quantiles
      .slice(middle + 1)
      .map((q) => divide(subtract(q, quantile), subtract(one, quantile))),
    rows: part.rows.slice(slot).map((count, i) => (i === 0 ? 0n : count)),
    first: part.first + slot,
  }
  return [...recurse(spec, below, rng), part.first + slot, ...recurse(spec, above, rng)]
}

/** Minus how far, times b, the quantile a/b lies outside the ranks that each slot covers. */
function rankScores(rows: readonly bigint[], quantile: Rational): bigint[] {
  const { numerator: a, denominator: b } = quantile
  const total = rows.reduce((sum, count) => sum + count, 0n)
  let below = 0n
  return rows.map((count) => {
    const above = total - below - count
    const short = (b - a) * below - a * (count + above)
    const over = a * above - (b - a) * (below + count)
    below += count
    const miss = short > over ? short : over
    return miss > 0n ? -miss : 0n
  })
}

function rateOf(spec: QuantilesSpec, quantile: Rational): Rational {
  const { numerator: a, denominator: b } = quantile
  const moved = a > b - a ? a : b - a
  const change = spec.neighbours === "add-or-remove" ? moved : spec.quantiles.length > 1 ? 2n * moved : b
  return divide(spec.epsilonPerLevel, rational(2n * change * spec.rowsPerUnit * spec.slots))
}

function slotsOf(cells: bigint): bigint {
  const most = candidatesMax / cells
  return most < 1n ? 1n : most < slotsMax ? most : slotsMax
}

/** How many levels the recursion of a spec has. */
export function levelsOfQuantiles(spec: QuantilesSpec): number {
  return levelsOf(spec.quantiles.length)
}

/** How many draws a row takes part in: the depth of a balanced tree of this many quantiles. */
function levelsOf(count: number): number {
  return 32 - Math.clz32(count)
}
