// Tables of rounds: asked for, and as shares that a model is fitted to.

import { coarserPlaces, sumInto } from "./cell-places.ts"
import type { NoisyShares } from "./fit-model.ts"
import type { NoisyTable, TableRequest } from "./rounds.ts"
import { tableOfRows, type CodedRows } from "./sample-rows.ts"

/** All pairs of some attributes. */
export function allPairs(ones: readonly number[]): readonly (readonly number[])[] {
  return ones.flatMap((a) => ones.filter((b) => b > a).map((b) => [a, b]))
}

/** Requests of some tables that share a loss evenly. */
export function shared(
  sets: readonly (readonly number[])[],
  share: number,
  groups: readonly (readonly number[])[],
): readonly TableRequest[] {
  return sets.map((attributes) => ({
    attributes,
    groups: attributes.map((one) => groups[one] ?? []),
    share: share / sets.length,
  }))
}

/** The number of rows, as far as tables tell it: each of k cells tells it with k times its variance. */
export function totalOf(tables: readonly NoisyTable[]): number {
  let [sum, weights] = [0, 0]
  for (const { counts, variance } of tables) {
    const weight = 1 / (counts.length * variance)
    sum += weight * counts.reduce((total, count) => total + count, 0)
    weights += weight
  }
  return weights === 0 ? 0 : sum / weights
}

/** The noisy table of a column as shares of the groups of a model. */
export function columnShares(
  { attributes, counts, variance }: NoisyTable,
  close: readonly (readonly number[])[],
  rows: number,
): NoisyShares {
  const own = close[attributes[0] ?? 0] ?? []
  const size = Math.max(0, ...own) + 1
  const [shares, variances] = [new Float64Array(size), new Float64Array(size)]
  for (const [value, group] of own.entries()) {
    shares[group] = (shares[group] ?? 0) + (counts[value] ?? 0) / rows
    variances[group] = (variances[group] ?? 0) + variance / rows ** 2
  }
  return { attributes, shares, variances }
}

/**
 * How far trial rows are from a rough table: the sum of absolute differences as a share of all rows, less
 * what noise makes of it.
 */
export function differenceToRough(
  trial: CodedRows,
  sizes: readonly number[],
  table: NoisyTable & { readonly rows: number },
): number {
  const { attributes, counts, variance, rows } = table
  const length = trial[0]?.length ?? 1
  const own = sumInto(
    tableOfRows(trial, sizes, attributes),
    coarserPlaces(attributes, sizes, table),
    new Float64Array(counts.length),
  )
  let sum = 0
  for (const [cell, count] of counts.entries()) sum += Math.abs(count / rows - (own[cell] ?? 0) / length)
  return sum - (counts.length * Math.sqrt((variance * 2) / Math.PI)) / rows
}
