// How quantiles are drawn, and how the loss is split between the values and their intervals.

import { divide, exactly, multiply, rational, square, type Rational } from "@dosimeter/core/exact"
import {
  countedEnds,
  quantiles,
  quantilesOfRho,
  rankVariances,
  type Neighbours,
  type QuantilesSpec,
} from "@dosimeter/core/mechanisms"
import { epsilonOfDraws, type Allowance } from "../loss/share-out.ts"

/** A histogram whose quantiles are drawn; with a miss, intervals too. */
export interface QuantileHistogram {
  readonly fractions: readonly Rational[]
  readonly cells: bigint
  /** In how many histograms a unit has rows, and how many in each. */
  readonly groups: bigint
  readonly rows: bigint
  /** What a row of full weight counts, where rows are weighed. */
  readonly full?: bigint | undefined
  readonly miss: Rational | undefined
}

/**
 * Quantiles of each group. Intervals have drawn ends, or ends that are proven by counts: whichever are aimed
 * at fewer rows from the quantile, which the cells, the quantiles and the loss decide.
 */
export function chooseQuantiles(
  { fractions, cells, groups, rows, full, miss }: QuantileHistogram,
  { neighbours }: { readonly neighbours: Neighbours },
  allowance: Allowance,
  amount: Rational,
): QuantilesSpec {
  const weights = full === undefined ? {} : { full }
  const bounds = { rowsPerUnit: rows, groupsPerUnit: groups, ...weights }
  const histogram = { quantiles: fractions, cells, ...bounds, neighbours }
  if (miss === undefined) return valuesWithin(histogram, allowance, amount)
  const drawn = withDrawnEnds(histogram, { allowance, amount, miss })
  const counted = withCountedEnds(histogram, { allowance, amount, miss })
  const farthest = (shifts: readonly bigint[] = []): bigint => shifts.reduce((a, b) => (a > b ? a : b), 0n)
  return farthest(counted.counted?.shifts) < farthest(drawn.ends?.shifts) ? counted : drawn
}

type Histogram = Omit<Parameters<typeof quantiles>[0], "epsilon" | "groupsPerUnit"> & {
  readonly groupsPerUnit: bigint
}

interface Share {
  readonly allowance: Allowance
  readonly amount: Rational
  readonly miss: Rational
}

/**
 * Half of the loss is for the values and half for the ends: an interval is then twice as wide as if it had
 * all of the loss, and a value's error still far inside it.
 */
function withDrawnEnds(histogram: Histogram, { allowance, amount, miss }: Share): QuantilesSpec {
  const half = divide(amount, rational(2n))
  const count = histogram.groupsPerUnit * 2n * BigInt(histogram.quantiles.length)
  const ends = { epsilon: epsilonOfDraws(allowance, half, count), miss }
  return valuesWithin({ ...histogram, ends }, allowance, half)
}

/** Values, ends and counts, in fortieths of the loss: near the shares that make value and interval best. */
const shares = {
  pure: { values: 28n, ends: 7n, counts: 5n },
  squares: { values: 24n, ends: 8n, counts: 8n },
} as const

function withCountedEnds(histogram: Histogram, { allowance, amount, miss }: Share): QuantilesSpec {
  const { accounting } = allowance
  const share = shares[accounting === "pure" ? "pure" : "squares"]
  const part = (fortieths: bigint): Rational => multiply(amount, rational(fortieths, 40n))
  const spec = valuesWithin(histogram, allowance, part(share.values))
  const variances = rankVariances(spec.quantiles, spec.tree)
  const [ends, counts] = [part(share.ends), part(share.counts)]
  const spend =
    accounting === "pure"
      ? ({ kind: "pure", ends, counts } as const)
      : accounting === "zcdp"
        ? ({ kind: "rho", ends, counts } as const)
        : ({ kind: "rho", ends: rhoOfDraws(ends), counts: divide(counts, rational(2n)) } as const)
  return { ...spec, counted: countedEnds({ ...spec, variances }, { spend, miss }) }
}

/** Values that cost at most so much. */
function valuesWithin(
  histogram: Omit<Parameters<typeof quantiles>[0], "epsilon">,
  { accounting }: Allowance,
  amount: Rational,
): QuantilesSpec {
  switch (accounting) {
    case "pure":
      return quantiles({ ...histogram, epsilon: amount })
    case "zcdp":
      return quantilesOfRho({ ...histogram, rho: amount })
    case "gdp":
      return quantilesOfRho({ ...histogram, rho: rhoOfDraws(amount) })
    default:
      return accounting satisfies never
  }
}

/** The rho at which draws cost at most so much mu squared: a draw's mu is below 0.6267 epsilon. */
function rhoOfDraws(muSquared: Rational): Rational {
  return divide(muSquared, multiply(rational(8n), square(exactly("0.6267", "slope"))))
}
