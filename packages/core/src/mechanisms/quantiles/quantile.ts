// Quantiles from a histogram on a public grid, by the exponential mechanism: one, or several at once by
// recursion. The result is the index of a grid cell; what value it stands for is public.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { lnUp } from "../../exact/log.ts"
import {
  ceil,
  compare,
  divide,
  multiply,
  rational,
  subtract,
  one,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { sampleSoftmax } from "../../noise/argmax.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { countedEndsLoss, type CountedEnds } from "./counted-ends.ts"
import type { RankError } from "../shared/error.ts"
import { lossesSum, pureLossesSum, rangeLosses, type PureLosses } from "../shared/pure-losses.ts"
import { drawsOf, mostOnAWay, quantileTree, type QuantileTree, type WayLimit } from "./quantile-tree.ts"

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
  /**
   * Where rows are weighed: what a row of full weight counts in a histogram, whose counts are then in units
   * of 1 / full rows. Left out where every row counts 1.
   */
  readonly full?: bigint
  /**
   * How many histograms, each released by this spec, differ between neighbours; 1 where there is only one.
   * Where a unit is replaced, those of either unit count. Where rows are weighed, more may differ, if what a
   * unit has in all of them is no more than so many times rowsPerUnit.
   */
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
  /** The draws on one histogram, each with its pure loss; a single quantile has one. */
  readonly tree: QuantileTree
  /** For intervals: a lower and an upper end of each quantile are drawn too (quantile-ends.ts). */
  readonly ends?: QuantileEnds
  /** For intervals of several: ends are drawn from the values outward, and counted (counted-ends.ts). */
  readonly counted?: CountedEnds
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

interface QuantilesOptions {
  readonly quantiles: readonly Numeric[]
  readonly cells: Numeric
  readonly rowsPerUnit: Numeric
  readonly full?: Numeric
  readonly groupsPerUnit?: Numeric
  readonly neighbours: Neighbours
  readonly ends?: { readonly epsilon: Numeric; readonly miss: Numeric }
}

/**
 * Quantiles for a total pure loss epsilon, split over the draws that a row takes part in (quantile-tree.ts)
 * and evenly over the groups of a unit. Ends of intervals have a pure loss of their own beside it, split
 * evenly. Without `groupsPerUnit` the spec is for one histogram.
 */
export function quantiles(options: QuantilesOptions & { readonly epsilon: Numeric }): QuantilesSpec {
  return quantilesWithin(options, "sum", positive(options.epsilon, "epsilon"))
}

/** Quantiles for a total zCDP loss rho, split likewise; ends of intervals have a pure loss beside it. */
export function quantilesOfRho(options: QuantilesOptions & { readonly rho: Numeric }): QuantilesSpec {
  return quantilesWithin(options, "squares", multiply(rational(8n), positive(options.rho, "rho")))
}

function quantilesWithin(options: QuantilesOptions, kind: WayLimit["kind"], amount: Rational): QuantilesSpec {
  const wanted = options.quantiles.map((q) => betweenZeroAndOne(q, "a quantile")).sort(compare)
  if (wanted.length === 0) fail("parameter/empty", { name: "quantiles" })
  const cells = wholeNumber(options.cells, "cells", 0n)
  if (cells === 0n) fail("parameter/empty", { name: "cells" })
  const groupsPerUnit = wholeNumber(options.groupsPerUnit ?? 1n, "groups per unit")
  const spec: QuantilesSpec = {
    kind: "quantiles",
    quantiles: wanted,
    cells,
    slots: wanted.length === 1 ? 1n : slotsOf(cells),
    rowsPerUnit: wholeNumber(options.rowsPerUnit, "rows per unit"),
    ...(options.full === undefined ? {} : { full: wholeNumber(options.full, "full weight") }),
    neighbours: options.neighbours,
    groupsPerUnit,
    tree: quantileTree(wanted, { kind, amount: divide(amount, rational(groupsPerUnit)) }),
  }
  if (options.ends === undefined) return spec
  const share = rational(2n * BigInt(wanted.length) * groupsPerUnit)
  const epsilonPerEnd = divide(positive(options.ends.epsilon, "epsilon of the ends"), share)
  const miss = betweenZeroAndOne(options.ends.miss, "miss")
  const shifts = wanted.map((quantile) => endShift(spec, { epsilonPerEnd, miss }, quantile))
  return { ...spec, ends: { epsilonPerEnd, miss, shifts } }
}

/**
 * Draws a cell for each quantile, from the exact number of rows in each cell, in units of 1 / full rows.
 *
 * Guarantee: the loss, of all histograms that are released by the spec together, is quantilesLoss(spec).
 * Needs: a unit has at most rowsPerUnit rows in each histogram, and at most groupsPerUnit times as many in
 *   all of them (those of both units count there, where one is replaced): the caller.
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
  // In units of 1 / (full slots) rows: each row is spread evenly over the slots of its cell.
  const rows = slots === 1 ? histogram : histogram.flatMap((count) => Array<bigint>(slots).fill(count))
  const chosen = new Map<number, number>()
  recurse(spec, { tree: spec.tree, from: zero, to: one, rows, first: 0 }, { chosen, rng })
  let cell = 0
  return spec.quantiles.map((_, which) => {
    const slot = chosen.get(which)
    // What is asked for twice is drawn once.
    if (slot !== undefined) cell = Math.floor(slot / slots)
    return cell
  })
}

/**
 * What the quantiles and the ends of their intervals lose.
 *
 * Guarantee: for each of a unit's groups, the greatest sum on a way of the tree from its root to a leaf: of
 *   epsilon, of epsilon^2 / 8 in zCDP; beside them, for each end, epsilonPerEnd and epsilonPerEnd^2 / 8;
 *   or what countedEndsLoss says.
 * Needs: as releaseQuantiles and releaseQuantileEnds or releaseCountedEnds.
 * Proof: a draw is an exponential mechanism; its two parts share no row, and costs are convex in epsilon and
 *   0 at 0, so what both parts cost is no more than the costlier one would on all rows: quantile.proof.md.
 * Numerics: exact; counts in units of 1 / (full slots) rows, rates divided by full slots.
 * Source: as releaseQuantiles; McSherry and Talwar 2007; Cesar and Rogers 2021.
 */
export function quantilesLoss(spec: QuantilesSpec): Losses {
  const { groupsPerUnit, tree } = spec
  const times = (loss: Rational): Rational => multiply(rational(groupsPerUnit), loss)
  const costs = new Map(drawsOf(tree).map((draw) => [draw, drawsLoss(draw.epsilon, 1n)]))
  const most = (costOf: (losses: PureLosses) => Rational): Rational =>
    times(mostOnAWay(tree, (draw) => costOf(costs.get(draw) ?? drawsLoss(draw.epsilon, 1n))))
  const points: PureLosses = {
    pure: { measure: "pure", epsilon: most(({ pure }) => pure.epsilon) },
    zcdp: { measure: "zcdp", rho: most(({ zcdp }) => zcdp.rho), delta: zero },
    gdp: { measure: "gdp", muSquared: most(({ gdp }) => gdp.muSquared), delta: zero },
  }
  const { ends, counted } = spec
  const drawn =
    ends === undefined
      ? points
      : pureLossesSum(
          points,
          drawsLoss(ends.epsilonPerEnd, groupsPerUnit * 2n * BigInt(spec.quantiles.length)),
        )
  return counted === undefined ? drawn : lossesSum(drawn, countedEndsLoss({ ...spec, counted }))
}

function drawsLoss(epsilon: Rational, count: bigint): PureLosses {
  return rangeLosses(epsilon, count)
}

/**
 * With probability at least 1 - miss, each quantile's rank is within this many rows: for one draw,
 * ln(m cells slots / miss) / rate in units of the score, over b. Draws on one way add up, but for the rows
 * that share a slot with a quantile drawn before (a cell of E rows: E / slots a draw), which no bound from
 * the spec alone can know.
 */
export function quantilesError(spec: QuantilesSpec, miss: Rational): RankError {
  const count = BigInt(spec.quantiles.length)
  const log = lnUp(divide(rational(count * spec.cells * spec.slots), miss))
  const [only] = spec.quantiles
  // In the recursion quantiles are relative to their part, and may lie anywhere: near 0 or 1 is the worst.
  const quantile = count === 1n && only !== undefined ? only : one
  const steps = rational(quantile.denominator * spec.slots * fullOf(spec))
  const ofDraw = ({ epsilon }: QuantileTree): Rational =>
    divide(log, multiply(rateOf(spec, quantile, epsilon), steps))
  return { kind: "rank", units: ceil(mostOnAWay(spec.tree, ofDraw)) }
}

/**
 * How many rows to either side of a quantile the ends of its interval must be aimed at: see
 * releaseQuantileEnds.
 */
export function endShift(
  spec: Pick<QuantilesSpec, "cells" | "quantiles" | "neighbours" | "rowsPerUnit" | "full">,
  ends: Pick<QuantileEnds, "epsilonPerEnd" | "miss">,
  quantile: Rational,
): bigint {
  if (spec.cells === 1n) return 1n
  const miss = divide(ends.miss, rational(2n * BigInt(spec.quantiles.length)))
  const odds = multiply(rational(spec.cells - 1n), divide(subtract(one, miss), miss))
  const perRow = multiply(endRate(spec, ends, quantile), rational(quantile.denominator * fullOf(spec)))
  const rows = ceil(divide(lnUp(odds), perRow))
  return rows < 0n ? 1n : rows + 1n
}

/** The rate of an end: of a single draw on the whole histogram. What a row changes is as in quantilesLoss. */
export function endRate(
  spec: Pick<QuantilesSpec, "neighbours" | "rowsPerUnit" | "full">,
  { epsilonPerEnd }: Pick<QuantileEnds, "epsilonPerEnd">,
  { numerator: a, denominator: b }: Rational,
): Rational {
  const change = spec.neighbours === "add-or-remove" ? (a > b - a ? a : b - a) : b
  return divide(epsilonPerEnd, rational(2n * change * spec.rowsPerUnit * fullOf(spec)))
}

/** What a row of full weight counts. */
export function fullOf({ full }: Pick<QuantilesSpec, "full">): bigint {
  return full ?? 1n
}

/** A part of the histogram, between two quantiles that were drawn, and the draws in it. */
interface Part {
  readonly tree: QuantileTree
  readonly from: Rational
  readonly to: Rational
  readonly rows: readonly bigint[]
  readonly first: number
}

function recurse(
  spec: QuantilesSpec,
  { tree, from, to, rows, first }: Part,
  into: { readonly chosen: Map<number, number>; readonly rng: RandomBits },
): void {
  const wanted = spec.quantiles[tree.which]
  assert(wanted !== undefined, "a draw is one of the quantiles")
  const quantile = divide(subtract(wanted, from), subtract(to, from))
  const scores = rankScores(rows, quantile)
  const slot = sampleSoftmax({ scores }, rateOf(spec, quantile, tree.epsilon), into.rng)
  into.chosen.set(tree.which, first + slot)
  const { below, above } = tree
  if (below !== undefined) {
    recurse(spec, { tree: below, from, to: wanted, rows: rows.slice(0, slot + 1), first }, into)
  }
  if (above === undefined) return
  // The slot itself stays a candidate above, but its rows are counted below only: none is in both parts.
  const rest = rows.slice(slot).map((count, i) => (i === 0 ? 0n : count))
  recurse(spec, { tree: above, from: wanted, to, rows: rest, first: first + slot }, into)
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

function rateOf(spec: QuantilesSpec, quantile: Rational, epsilon: Rational): Rational {
  const { numerator: a, denominator: b } = quantile
  const moved = a > b - a ? a : b - a
  const change = spec.neighbours === "add-or-remove" ? moved : spec.quantiles.length > 1 ? 2n * moved : b
  return divide(epsilon, rational(2n * change * spec.rowsPerUnit * spec.slots * fullOf(spec)))
}

function slotsOf(cells: bigint): bigint {
  const most = candidatesMax / cells
  return most < 1n ? 1n : most < slotsMax ? most : slotsMax
}
