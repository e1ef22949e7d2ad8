// Aggregates over released rows that take several columns: standardised rates, log-rank tests and hazard
// ratios. Rows with a NULL among the numbers do not count.

import { numberNear } from "@dosimeter/core/exact"
import {
  hazardRatio,
  logRankTest,
  weightedRate,
  type LogRank,
  type NoisyNumbers,
  type SampledEstimate,
} from "@dosimeter/core/post"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import type { EstimateAggregate } from "@dosimeter/proof/algebra/rel"
import { nullConstant } from "../values/doubles.ts"
import { constantOf, sampledSpread } from "./estimate-cell.ts"
import { noisyNumbersOf, summedNumbers } from "./noisy-inputs.ts"
import { notFollowed } from "../cells/bounding-of-cell.ts"
import { vague } from "../cells/spread.ts"
import { cellOf, publicCell, type Cell, type CellState } from "../cells/table.ts"

/** More groups times bins than this have no test: it would take too long. */
const cellsMax = 4000
const groupsMax = 20

/** The aggregate of some rows, each with the cells of its arguments. */
export function estimateAggregate(name: EstimateAggregate, rows: readonly (readonly Cell[])[]): Cell {
  switch (name) {
    case "standardised-rate":
      return standardisedRate(rows)
    case "log-rank":
      return logRank(rows, ({ chiSquare }) => chiSquare)
    case "log-rank-p":
      return logRank(rows, ({ pValue }) => pValue)
    case "hazard-ratio":
      return ratioOfHazards(rows)
    default:
      return name satisfies never
  }
}

/** Below the threshold only if all numbers are, as for sums. */
export function jointState(cells: readonly Cell[]): CellState {
  return cells.length > 0 && cells.every(({ state }) => state === "below-threshold")
    ? "below-threshold"
    : "released"
}

/** Of events, people, weight and per. */
function standardisedRate(rows: readonly (readonly Cell[])[]): Cell {
  const strata = rows.filter((row) => row.slice(0, 3).every(isNumber))
  const counts = [
    ...strata.flatMap(([events]) => events ?? []),
    ...strata.flatMap(([, people]) => people ?? []),
  ]
  const weightCells = strata.flatMap(([, , weight]) => weight ?? [])
  const weights = weightCells.map(nearOf)
  const state = jointState(counts)
  const spread = counts.some((cell) => cell.spread !== undefined) ? vague : undefined
  const per = nearOf(strata[0]?.[3] ?? publicCell(nullConstant))
  const isUsable = weights.every((weight) => weight >= 0) && weights.some((weight) => weight > 0) && per > 0
  if (!isUsable) return cellOf(nullConstant, spread, state)
  const numbers = noisyNumbersOf(counts)
  const known = numbers ?? { values: counts.map(nearOf), varianceOf: () => ({ normal: 0, laplace: 0 }) }
  const estimate = (miss: number): SampledEstimate => {
    const { value, low, high } = weightedRate({ numbers: known, weights }, miss)
    return { value: value === undefined ? undefined : value * per, low: low * per, high: high * per }
  }
  const isVague = numbers === undefined || weightCells.some((cell) => cell.spread !== undefined)
  return cellOf(
    constantOf(estimate(0.05).value),
    isVague ? vague : sampledSpread(estimate, notFollowed(counts)),
    state,
  )
}

function isNumber({ value }: Cell): boolean {
  return value.kind === "number"
}

function nearOf({ value }: Cell): number {
  return value.kind === "number" ? numberNear(value.value) : Number.NaN
}

/** A test of the released table has no interval: what noise does to it is in its variance. */
function logRank(rows: readonly (readonly Cell[])[], read: (test: LogRank) => number): Cell {
  const { numbers, groups, counts } = histogramOf(rows)
  const test = numbers === undefined ? undefined : logRankTest(numbers, groups)
  const value = test === undefined ? nullConstant : constantOf(read(test))
  return cellOf(value, undefined, jointState(counts))
}

/** Of the second of two groups over the first, in the order of their values. */
function ratioOfHazards(rows: readonly (readonly Cell[])[]): Cell {
  const { numbers, groups, counts } = histogramOf(rows)
  const state = jointState(counts)
  if (numbers === undefined) return cellOf(nullConstant, counts.length > 0 ? vague : undefined, state)
  if (groups !== 2) return cellOf(nullConstant, undefined, state)
  const estimate = (miss: number): SampledEstimate => hazardRatio(numbers, miss)
  return cellOf(constantOf(estimate(0.05).value), sampledSpread(estimate, notFollowed(counts)), state)
}

interface Histogram {
  /** Group by group: events by bins, then those last seen; undefined if they cannot be followed. */
  readonly numbers: NoisyNumbers | undefined
  readonly groups: number
  readonly counts: readonly Cell[]
}

/** Of events, those last seen, bin and group. */
function histogramOf(rows: readonly (readonly Cell[])[]): Histogram {
  const used = rows.filter((row) => row.slice(0, 2).every(isNumber) && row[2]?.value.kind !== "null")
  const counts = used.flatMap((row) => row.slice(0, 2))
  const bins = distinct(used.flatMap(([, , bin]) => bin ?? []))
  const groups = distinct(used.flatMap(([, , , group]) => group ?? []))
  const isSmall = groups.size <= groupsMax && groups.size * bins.size <= cellsMax
  const numbers = isSmall ? noisyNumbersOf(counts) : undefined
  if (numbers === undefined) return { numbers, groups: groups.size, counts }
  const slots: number[][] = Array.from({ length: 2 * groups.size * bins.size }, () => [])
  for (const [index, [, , bin, group]] of used.entries()) {
    const place = bins.get(constantKey(bin?.value ?? nullConstant)) ?? 0
    const from = 2 * bins.size * (groups.get(constantKey(group?.value ?? nullConstant)) ?? 0)
    slots[from + place]?.push(2 * index)
    slots[from + bins.size + place]?.push(2 * index + 1)
  }
  return { numbers: summedNumbers(numbers, slots), groups: groups.size, counts }
}

/** The different values in their order, each with its place. */
function distinct(cells: readonly Cell[]): ReadonlyMap<string, number> {
  const values = new Map(cells.map(({ value }) => [constantKey(value), value]))
  const sorted = [...values].toSorted(([, a], [, b]) =>
    a.kind === "null" || b.kind === "null"
      ? Number(a.kind === "null") - Number(b.kind === "null")
      : compareConstants(a, b),
  )
  return new Map(sorted.map(([key], index) => [key, index]))
}
