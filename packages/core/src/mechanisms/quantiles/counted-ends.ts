// Intervals of several quantiles: from each value that was drawn an end is drawn to either side, a fixed
// number of rows away; then the rows between all ends are counted, with noise, and an end that the counts
// prove to lie beyond the quantile is one. What holds is decided by the counts alone.

import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, type Numeric } from "../../exact/decimal.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { sqrtDown } from "../../exact/log.ts"
import { ceil, divide, multiply, rational, type Rational } from "../../exact/rational.ts"
import { sampleSoftmax } from "../../noise/argmax.ts"
import { sampleDiscreteLaplace } from "../../noise/discrete-laplace.ts"
import { sampleRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { grain, marginOf, provenEnds, type RowsNoise, type CountedRows } from "./proven-ends.ts"
import { lossesSum, pureLosses, rangeLosses } from "../shared/pure-losses.ts"

/** How ends are drawn and counted. */
export interface CountedEnds {
  /** The pure loss of each end of one histogram; a row is used for two of them at most. */
  readonly epsilonPerEnd: Rational
  /** On the number of rows between two ends, in units of 1 / (grain full) rows. */
  readonly noise: RowsNoise
  /** The most probability that an interval does not hold its quantile, all of them together. */
  readonly miss: Rational
  /** How many rows from the value of each quantile its ends are aimed at: this decides widths only. */
  readonly shifts: readonly bigint[]
}

/** What is known of the histograms. */
export interface CountedHistogram {
  readonly quantiles: readonly Rational[]
  readonly cells: bigint
  readonly rowsPerUnit: bigint
  /** What a row of full weight counts, where rows are weighed. */
  readonly full?: bigint
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
}

/** What ends and counts may lose, all histograms together: pure losses, or zCDP losses. */
export interface CountedSpend {
  readonly kind: "pure" | "rho"
  readonly ends: Numeric
  readonly counts: Numeric
}

/**
 * Ends that keep to their losses, split evenly over the groups of a unit. They are aimed as far away as a
 * count can be off, and three times the deviation of a value (`variances`, of rankVariances) and of its end;
 * four times for the outermost, which no other end can stand in for.
 */
export function countedEnds(
  histogram: CountedHistogram & { readonly variances: readonly number[] },
  { spend, miss }: { readonly spend: CountedSpend; readonly miss: Numeric },
): CountedEnds {
  const { rowsPerUnit, groupsPerUnit, quantiles, variances } = histogram
  const groups = rational(groupsPerUnit)
  const ends = divide(positive(spend.ends, "loss of the ends"), groups)
  const counts = divide(positive(spend.counts, "loss of the counts"), groups)
  const row = grain * fullOf(histogram)
  const change = rational(row * rowsPerUnit * sidesOf(histogram))
  const squared = rational(row * row * rowsPerUnit * rowsPerUnit * sidesOf(histogram))
  const isPure = spend.kind === "pure"
  const epsilonPerEnd = isPure ? divide(ends, rational(2n)) : sqrtDown(multiply(rational(4n), ends))
  const noise: RowsNoise = isPure
    ? { law: "laplace", scale: divide(change, counts) }
    : { law: "gaussian", variance: divide(squared, multiply(rational(2n), counts)) }
  const fails = betweenZeroAndOne(miss, "miss")
  const rows = Number(rowsPerUnit * sidesOf(histogram))
  const end = 8 / numberNear(epsilonPerEnd) ** 2
  const shifts = quantiles.map((quantile, which) => {
    const bins = { below: 2 * which + 1, above: 2 * (quantiles.length - which) }
    const margin = marginOf(noise, { ...bins, quantile }, eachMiss(quantiles, fails))
    const times = which === 0 || which === quantiles.length - 1 ? 4 : 3
    const spread = BigInt(Math.ceil(times * rows * Math.sqrt((variances[which] ?? 0) + end)))
    return ceil(divide(margin, rational(row))) + spread + 2n
  })
  return { epsilonPerEnd, noise, miss: fails, shifts }
}

/** The cells between which a quantile lies: from the first of `lower` to the last of `upper`. */
export interface CountedInterval {
  readonly lower: number
  readonly upper: number
}

/**
 * Draws and counts the ends of the interval of each quantile, given the cells that were drawn for them.
 *
 * Guarantee: the loss, of all histograms that are released by the spec together and beside that of the drawn
 *   cells, is countedEndsLoss. On every histogram with rows, all intervals hold their quantiles but with
 *   probability ends.miss: wherever the value is put between the rows next to rank q n.
 * Needs: a unit has at most rowsPerUnit rows in each histogram, and at most groupsPerUnit times as many in
 *   all of them; `drawn` are released, one cell for each quantile, not falling (the caller).
 * Proof: loss: see countedEndsLoss. Coverage: provenEnds.
 * Numerics: scores, counts and noise are integers; draws are exact.
 * Source: McSherry and Talwar 2007 for the ends; disjoint counts: Dwork, McSherry, Nissim, Smith 2006.
 */
export function releaseCountedEnds(
  spec: CountedHistogram & { readonly counted: CountedEnds },
  { histogram, drawn }: { readonly histogram: readonly bigint[]; readonly drawn: readonly number[] },
  rng: RandomBits,
): readonly CountedInterval[] {
  if (BigInt(histogram.length) !== spec.cells) {
    fail("parameter/length", { name: "the histogram", got: `${histogram.length}`, expected: `${spec.cells}` })
  }
  const { counted, quantiles } = spec
  const last = histogram.length - 1
  const ends = drawEnds(spec, { histogram, drawn }, rng)
  const cuts = [...new Set(ends.flatMap(({ lower, upper }) => [lower, upper + 1]))]
    .filter((cut) => cut > 0 && cut <= last)
    .toSorted((a, b) => a - b)
  const rows = countBetween(histogram, cuts).map((count) => grain * count + drawNoise(counted.noise, rng))
  const row = grain * fullOf(spec)
  const measured: CountedRows = { cuts, rows, row, cells: histogram.length, noise: counted.noise }
  return provenEnds(measured, { quantiles, ends, missEach: eachMiss(quantiles, counted.miss) })
}

/** The ends themselves, before anything is known of them; for each quantile the lower one is drawn first. */
export function drawEnds(
  spec: CountedHistogram & { readonly counted: CountedEnds },
  { histogram, drawn }: { readonly histogram: readonly bigint[]; readonly drawn: readonly number[] },
  rng: RandomBits,
): readonly CountedInterval[] {
  const last = histogram.length - 1
  return drawn.map((cell, which) => {
    const rows = spec.counted.shifts[which] ?? fail("parameter/empty", { name: "shifts" })
    const [before, after] = [drawn[which - 1], drawn[which + 1]]
    const downward = rowsOutward(histogram.slice(before ?? 0, cell + 1).toReversed(), before !== undefined)
    const lower = cell - drawOutward(spec, { outward: downward, rows }, rng)
    const upward = rowsOutward(histogram.slice(cell, (after ?? last) + 1), after !== undefined)
    return { lower, upper: cell + drawOutward(spec, { outward: upward, rows }, rng) }
  })
}

/**
 * What ends and counts lose.
 *
 * Guarantee: for each of a unit's groups: two draws of epsilonPerEnd, and the noise of the counts.
 * Needs: as releaseCountedEnds.
 * Proof: ends are drawn in disjoint gaps between the drawn cells, two a gap, and costs are convex, so all of
 *   them cost no more than two draws; counts are of disjoint cells: counted-ends.proof.md.
 * Numerics: exact, but for pureToZcdp, pureToGdp and rangeToGdp, which round up.
 * Source: as releaseCountedEnds; Bun and Steinke 2016; Dong, Roth, Su 2022.
 */
export function countedEndsLoss(spec: CountedHistogram & { readonly counted: CountedEnds }): Losses {
  const { counted, groupsPerUnit } = spec
  const { epsilonPerEnd: epsilon, noise } = counted
  const ends = rangeLosses(epsilon, 2n * groupsPerUnit)
  if (noise.law === "gaussian") {
    const zero = rational(0n)
    const muSquared = countsMuSquared(spec, noise.variance)
    const rho = divide(muSquared, rational(2n))
    return lossesSum(ends, {
      zcdp: { measure: "zcdp", rho, delta: zero },
      gdp: { measure: "gdp", muSquared, delta: zero },
    })
  }
  return lossesSum(ends, pureLosses(countsEpsilon(spec, noise.scale), { count: groupsPerUnit }))
}

/** The pure loss of the counts of one group, where their noise is Laplace noise of this scale. */
export function countsEpsilon(spec: CountedHistogram, scale: Rational): Rational {
  return divide(rational(grain * fullOf(spec) * spec.rowsPerUnit * sidesOf(spec)), scale)
}

/** Mu squared of the counts of all groups, where their noise is Gaussian. */
export function countsMuSquared(spec: CountedHistogram, variance: Rational): Rational {
  const { rowsPerUnit, groupsPerUnit } = spec
  const row = grain * fullOf(spec)
  const squared = row * row * rowsPerUnit * rowsPerUnit * sidesOf(spec)
  return divide(rational(groupsPerUnit * squared), variance)
}

/** A unit's rows come or go; where it is replaced, both. */
function sidesOf({ neighbours }: Pick<CountedHistogram, "neighbours">): bigint {
  return neighbours === "add-or-remove" ? 1n : 2n
}

/** What a row counts, before it is counted in finer units. */
function fullOf({ full }: Pick<CountedHistogram, "full">): bigint {
  return full ?? 1n
}

/** Each quantile has two ends. */
function eachMiss(quantiles: readonly Rational[], miss: Rational): Rational {
  return divide(miss, rational(2n * BigInt(quantiles.length)))
}

/** The rows of each cell from a drawn one outward: none of its own, nor of the next drawn one. */
function rowsOutward(cells: readonly bigint[], endsAtDrawn: boolean): readonly bigint[] {
  return cells.map((count, place) =>
    place === 0 || (endsAtDrawn && place === cells.length - 1) ? 0n : count,
  )
}

/** How many cells outward the end is. */
function drawOutward(
  spec: CountedHistogram & { readonly counted: CountedEnds },
  { outward, rows }: { readonly outward: readonly bigint[]; readonly rows: bigint },
  rng: RandomBits,
): number {
  const full = fullOf(spec)
  const aimed = rows * full
  let passed = 0n
  const scores = outward.map((count, place) => {
    const beyond = passed - aimed
    passed += count
    // The last one covers all ranks that are farther.
    const short = place === outward.length - 1 ? 0n : aimed - passed
    const miss = beyond > short ? beyond : short
    return miss > 0n ? -miss : 0n
  })
  const rate = divide(spec.counted.epsilonPerEnd, rational(2n * sidesOf(spec) * spec.rowsPerUnit * full))
  return sampleSoftmax({ scores }, rate, rng)
}

/** The rows before the first cut, between each two, and from the last on. */
function countBetween(histogram: readonly bigint[], cuts: readonly number[]): readonly bigint[] {
  return [0, ...cuts].map((from, place) =>
    histogram.slice(from, cuts[place] ?? histogram.length).reduce((sum, count) => sum + count, 0n),
  )
}

function drawNoise(noise: RowsNoise, rng: RandomBits): bigint {
  return noise.law === "laplace"
    ? sampleDiscreteLaplace(noise.scale, rng)
    : sampleRoundedGaussian(noise.variance, rng)
}
