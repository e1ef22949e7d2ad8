// The quantiles of one group: a cell for each, and the cells between which it lies; as values.

import { add, hasEnds, multiply, rational, releaseQuantileEnds, releaseQuantiles } from "@dosimeter/core"
import type { RandomBits, Rational } from "@dosimeter/core"
import type { Constant, QuantilesPlan, Region } from "@dosimeter/sql"

/** A quantile, and where it lies if that was paid for. */
export interface DrawnQuantile {
  readonly value: Constant
  readonly region?: Region
}

/**
 * Draws the quantiles of a histogram, and the ends of their intervals if the plan pays for them.
 *
 * Guarantee: the loss is lossOf(plan.spec).
 * Needs: the histogram is that of the extract which verify/ proved the spec for.
 * Proof: each of core's two release functions is called once with the plan's own spec.
 * Numerics: values of cells are exact.
 * Source: the mechanisms of core.
 */
export function drawQuantiles(
  plan: QuantilesPlan,
  histogram: readonly bigint[],
  rng: RandomBits,
): readonly DrawnQuantile[] {
  const { spec, from, width, cellValue } = plan
  const at = (place: Rational): Rational => add(from, multiply(place, width))
  const half = rational(cellValue === "middle" ? 1n : 0n, 2n)
  const points = releaseQuantiles(spec, histogram, rng).map((cell) => at(add(rational(BigInt(cell)), half)))
  const values = points.map((value): DrawnQuantile => ({ value: { kind: "number", value } }))
  if (!hasEnds(spec)) return values
  // A cell of values on a grid holds its start and nothing else.
  const last = cellValue === "middle" ? 1n : 0n
  const event = {}
  const ends = releaseQuantileEnds(spec, histogram, rng)
  return values.map((cell, which) => {
    const { lower = 0, upper = histogram.length - 1 } = ends[which] ?? {}
    const low = at(rational(BigInt(lower)))
    const high = at(rational(BigInt(upper) + last))
    const most = at(rational(spec.cells - 1n + last))
    return { ...cell, region: { low, high, miss: spec.ends.miss, least: from, most, event } }
  })
}
