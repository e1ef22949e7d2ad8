// Risks, rates and comparisons as cells. Their intervals hold the value of the population that the data are a
// sample of: they count the noise and the sample, so numbers without noise have them too.

import { numberNear } from "@dosimeter/core/exact"
import {
  differenceOfRatios,
  publicNumbers,
  ratioOfRatios,
  sampledRatio,
  type NoisyNumbers,
  type SampledEstimate,
} from "@dosimeter/core/post"
import { estimateMax } from "@dosimeter/proof/functions/estimates"
import type { EstimateName } from "@dosimeter/proof/functions/function-name"
import { floatConstant, nullConstant } from "../values/doubles.ts"
import { noisyNumbersOf } from "./noisy-inputs.ts"
import { notFollowed } from "../cells/bounding-of-cell.ts"
import { anything, isEmpty, unionOf, type Range } from "../cells/range.ts"
import { sliceOf, vague, type RegionSpread, type Spread } from "../cells/spread.ts"
import { cellOf, stateOf, type Cell } from "../cells/table.ts"

/** Below this there is no bound: the doubles behind a quantile are not good enough. */
const missMin = 1e-12
const most = numberNear(estimateMax)
/** Values do not depend on it; any miss will do. */
const someMiss = 0.05

/** The cell of an estimate, from those of its arguments. */
export function estimateCell(name: EstimateName, cells: readonly Cell[]): Cell {
  const state = stateOf(cells)
  const isNoisy = cells.some(({ spread }) => spread !== undefined)
  if (cells.some(({ value }) => value.kind !== "number")) {
    return cellOf(nullConstant, isNoisy ? vague : undefined, state)
  }
  const { inputs, factor } = scaledInputs(name, cells)
  const estimate = (numbers: NoisyNumbers, miss: number): SampledEstimate =>
    scaled(estimateOf(name, numbers, miss), factor)
  const numbers = noisyNumbersOf(inputs)
  const { value } = estimate(numbers ?? publicNumbers(inputs.map(nearOf)), someMiss)
  const spread =
    numbers === undefined
      ? wideSpread(inputs, estimate)
      : sampledSpread((miss) => estimate(numbers, miss), notFollowed(inputs))
  return cellOf(constantOf(value), spread, state)
}

/**
 * The spread of an estimate: its interval at every miss. What is left out of the numbers behind it is not
 * followed.
 */
export function sampledSpread(
  estimateAt: (miss: number) => SampledEstimate,
  bounding: Pick<RegionSpread, "leftOut">,
): RegionSpread {
  return {
    kind: "region",
    event: {},
    rangeAt: (miss) => {
      if (miss < missMin) return anything
      const { low, high } = estimateAt(miss)
      return { low, high, mayBeNull: false }
    },
    ...bounding,
  }
}

/** An estimate as a value; NULL where there is none, or none that makes sense. */
export function constantOf(value: number | undefined): Cell["value"] {
  return value === undefined || Math.abs(value) > most ? nullConstant : floatConstant(value)
}

/** The last argument of RATE_PER is a factor, and no number with an error of its own. */
function scaledInputs(
  name: EstimateName,
  cells: readonly Cell[],
): { readonly inputs: readonly Cell[]; readonly factor: number } {
  const per = name === "rate-per" ? cells[2] : undefined
  return per === undefined ? { inputs: cells, factor: 1 } : { inputs: cells.slice(0, 2), factor: nearOf(per) }
}

function nearOf({ value }: Cell): number {
  return value.kind === "number" ? numberNear(value.value) : Number.NaN
}

function scaled({ value, low, high }: SampledEstimate, factor: number): SampledEstimate {
  return { value: value === undefined ? undefined : value * factor, low: low * factor, high: high * factor }
}

function estimateOf(name: EstimateName, numbers: NoisyNumbers, miss: number): SampledEstimate {
  switch (name) {
    case "rate-per":
      return sampledRatio(numbers, "poisson", miss)
    case "risk":
      return sampledRatio(numbers, "binomial", miss)
    case "risk-ratio":
      return ratioOfRatios(numbers, "binomial", miss)
    case "risk-difference":
      return differenceOfRatios(numbers, "binomial", miss)
    case "rate-ratio":
      return ratioOfRatios(numbers, "poisson", miss)
    case "rate-difference":
      return differenceOfRatios(numbers, "poisson", miss)
    case "odds-ratio":
      return ratioOfRatios(numbers, "odds", miss)
    case "row-of":
      return { value: undefined, low: -Infinity, high: Infinity }
    default:
      return name satisfies never
  }
}

/**
 * Of numbers that are no sums of draws (such as GREATEST(n, 0)) only ranges are known. The sample is an event
 * of its own, beside theirs; while neither fails, the interval of one of the corners holds the value, since
 * its ends rise or fall with each number.
 */
function wideSpread(
  cells: readonly Cell[],
  estimate: (numbers: NoisyNumbers, miss: number) => SampledEstimate,
): Spread {
  const sample: RegionSpread = {
    kind: "region",
    event: {},
    rangeAt: (miss) => ({ low: miss, high: miss, mayBeNull: false }),
  }
  return {
    kind: "derived",
    inputs: sliceOf([...cells, cellOf(nullConstant, sample, "released")]),
    combine: (ranges) => {
      const miss = ranges.at(-1)?.low ?? 0
      const inputs = ranges.slice(0, -1)
      if (miss < missMin || inputs.some((range) => isEmpty(range) || !isBounded(range))) return anything
      return unionOf(
        cornersOf(inputs).map((corner) => {
          const { value, low, high } = estimate(publicNumbers(corner), miss)
          return { low, high, mayBeNull: value === undefined }
        }),
      )
    },
  }
}

function isBounded({ low, high }: Range): boolean {
  return Number.isFinite(low) && Number.isFinite(high)
}

function cornersOf(ranges: readonly Range[]): readonly (readonly number[])[] {
  return ranges.reduce<readonly (readonly number[])[]>(
    (corners, { low, high }) =>
      corners.flatMap((corner) => [
        [...corner, low],
        [...corner, high],
      ]),
    [[]],
  )
}
