// The quantiles of each group: a cell for each, and the cells between which it lies; as values.

import { assert } from "@dosimeter/core/errors"
import { add, multiply, rational, type Rational } from "@dosimeter/core/exact"
import {
  hasEnds,
  releaseCountedEnds,
  releaseQuantileEnds,
  releaseQuantiles,
  type QuantileInterval,
} from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Choice, ChoiceMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { Region } from "@dosimeter/proof/algebra/released"
import type { DrawnChoice } from "./drawn.ts"

/** A quantile, and where it lies if that was paid for. */
interface DrawnQuantile {
  readonly value: Constant
  readonly region?: Region
}

/**
 * Draws the quantiles of each group.
 *
 * Guarantee: the loss is lossOf(spec).
 * Needs: as releaseTables; a histogram for each group, a count for each cell.
 * Proof: by quantilesOf, once for each group.
 * Numerics: values of cells are exact.
 * Source: the mechanisms of core.
 */
export function drawQuantiles(
  { choice }: ChoiceMeasurement<"quantiles">,
  histograms: Iterable<readonly bigint[]>,
  rng: RandomBits,
): DrawnChoice {
  const groups = Array.from(histograms, (histogram) => quantilesOf(choice, histogram, rng))
  return { cells: (part) => groups.map((cells) => cells[part] ?? missing()) }
}

function missing(): never {
  assert(false, "every quantile has a cell in every group")
}

/**
 * Draws the quantiles of a histogram, and the ends of their intervals if the plan pays for them.
 *
 * Guarantee: the loss is lossOf(spec).
 * Needs: the histogram is that of the extract which verify/ proved the spec for.
 * Proof: each of core's release functions is called once at most, with the plan's own spec.
 * Numerics: values of cells are exact.
 * Source: the mechanisms of core.
 */
function quantilesOf(
  choice: Choice<"quantiles">,
  histogram: readonly bigint[],
  rng: RandomBits,
): readonly DrawnQuantile[] {
  const { spec, from, width, cellValue } = choice
  const at = (place: Rational): Rational => add(from, multiply(place, width))
  const half = rational(cellValue === "middle" ? 1n : 0n, 2n)
  const drawn = releaseQuantiles(spec, histogram, rng)
  const points = drawn.map((cell) => at(add(rational(BigInt(cell)), half)))
  const values = points.map((value): DrawnQuantile => ({ value: { kind: "number", value } }))
  const found = drawEnds(spec, { histogram, drawn }, rng)
  if (found === undefined) return values
  const { ends, miss } = found
  // A cell of values on a grid holds its start and nothing else.
  const last = cellValue === "middle" ? 1n : 0n
  const event = {}
  return values.map((cell, which) => {
    const { lower = 0, upper = histogram.length - 1 } = ends[which] ?? {}
    const low = at(rational(BigInt(lower)))
    const high = at(rational(BigInt(upper) + last))
    const most = at(rational(spec.cells - 1n + last))
    return { ...cell, region: { low, high, miss, least: from, most, event } }
  })
}

/** The ends of intervals by the way that the plan pays for, if it does, and how often they may fail. */
function drawEnds(
  spec: Choice<"quantiles">["spec"],
  cells: { readonly histogram: readonly bigint[]; readonly drawn: readonly number[] },
  rng: RandomBits,
): { readonly ends: readonly QuantileInterval[]; readonly miss: Rational } | undefined {
  if (hasEnds(spec)) {
    return { ends: releaseQuantileEnds(spec, cells.histogram, rng), miss: spec.ends.miss }
  }
  const { counted } = spec
  if (counted === undefined) return undefined
  return { ends: releaseCountedEnds({ ...spec, counted }, cells, rng), miss: counted.miss }
}
