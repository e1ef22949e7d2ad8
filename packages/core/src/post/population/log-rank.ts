// The log-rank test of two or more groups, from one histogram of (group, time bin, event or not). Noise makes
// differences look larger than they are, so its variance is added to that of the test.

import { logNormalTail } from "../../exact/normal-doubles.ts"
import { checkLength, checkLimit } from "../estimates/check.ts"
import { totalVariance, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { at, dot } from "../estimates/vector.ts"

/** The result of a log-rank test. */
export interface LogRank {
  readonly chiSquare: number
  /** One less than the groups. */
  readonly freedom: number
  readonly pValue: number
  /** How many bins were used: up to the first where a group's number at risk drowns in the noise. */
  readonly bins: number
}

/** The most groups of a log-rank test. */
export const logRankGroupsMax = 20
/** The most bins of a log-rank test. */
export const logRankBinsMax = 2000
/** A number at risk that is nearer to 0 than this many standard deviations of its noise is not used. */
export const clearance = 3

/**
 * The log-rank test.
 *
 * `numbers` holds, for each group after the other, the events of all bins in the order of time, then those
 * who were last seen in each bin. For a group, observed less expected events are U = sum of (d - n D / N),
 * with d of n in the group and D of N in all. The statistic is U' V^-1 U with all groups but the last, and V
 * the hypergeometric variance plus that of the noise in U, to first order. Without noise it is the classical
 * statistic.
 *
 * Undefined where there are fewer than two groups, or where no bin is left in which they can be compared.
 *
 * Level: that of the normal approximation; checked in epidemiology.stat.test.ts.
 */
export function logRankTest(numbers: NoisyNumbers, groups: number): LogRank | undefined {
  checkLimit(groups, { name: "groups", limit: logRankGroupsMax })
  const bins = Math.floor(numbers.values.length / (2 * Math.max(1, groups)))
  checkLength(numbers.values, { name: "numbers", expected: 2 * groups * bins })
  checkLimit(bins, { name: "bins", limit: logRankBinsMax })
  if (groups < 2) return undefined
  const table = tableOf(numbers.values, groups, bins)
  const used = usedBins(numbers, table)
  const freedom = groups - 1
  const parts = Array.from({ length: freedom }, (_, group) => excessOf(table, group, used))
  const sample = sampleVariance(table, used)
  const variance = parts.map((one, row) =>
    parts.map(
      (other, column) => noiseBetween(numbers, one.gradient, other.gradient) + at(sample[row] ?? [], column),
    ),
  )
  const excess = parts.map(({ value }) => value)
  const solved = solve(variance, excess)
  if (solved === undefined) return undefined
  const chiSquare = Math.max(0, dot(solved, excess))
  return { chiSquare, freedom, pValue: chiSquareTail(chiSquare, freedom), bins: used }
}

/**
 * P(X > x) for a chi-square variable: Q(a + 1, h) = Q(a, h) + h^a e^-h / gamma(a + 1) with h = x / 2, from
 * Q(1/2, h) = 2 P(Z > sqrt x) or Q(0, h) = 0.
 */
export function chiSquareTail(x: number, freedom: number): number {
  if (!(x > 0)) return 1
  const half = x / 2
  const isOdd = freedom % 2 === 1
  let tail = isOdd ? 2 * Math.exp(logNormalTail(Math.sqrt(x))) : 0
  let logTerm = isOdd ? Math.log(half) / 2 - half - Math.log(Math.sqrt(Math.PI) / 2) : -half
  for (let a = isOdd ? 0.5 : 0; a + 0.75 < freedom / 2; a += 1) {
    tail += Math.exp(logTerm)
    logTerm += Math.log(half / (a + 1))
  }
  return Math.min(1, tail)
}

/** Histograms of several groups, with those at risk. */
export interface Table {
  readonly groups: number
  readonly bins: number
  /** Events and numbers at risk, by group and bin. */
  readonly events: readonly (readonly number[])[]
  readonly atRisk: readonly (readonly number[])[]
  readonly allEvents: readonly number[]
  readonly all: readonly number[]
}

/** Reads the numbers of a log-rank test. */
export function tableOf(values: readonly number[], groups: number, bins: number): Table {
  const places = Array.from({ length: bins }, (_, bin) => bin)
  const lists = Array.from({ length: groups }, (_, group) => {
    const from = 2 * bins * group
    const events = values.slice(from, from + bins)
    const atRisk = values.slice(from + bins, from + 2 * bins)
    let sum = 0
    for (let bin = bins - 1; bin >= 0; bin -= 1) {
      sum += at(atRisk, bin) + at(events, bin)
      atRisk[bin] = sum
    }
    return { events, atRisk }
  })
  const total = (of: (list: (typeof lists)[number], bin: number) => number): number[] =>
    places.map((bin) => lists.reduce((sum, list) => sum + of(list, bin), 0))
  return {
    groups,
    bins,
    events: lists.map(({ events }) => events),
    atRisk: lists.map(({ atRisk }) => atRisk),
    allEvents: total(({ events }, bin) => at(events, bin)),
    all: total(({ atRisk }, bin) => at(atRisk, bin)),
  }
}

/** The bins up to the first where nobody is left, or where a group cannot be told from nobody. */
export function usedBins({ values, varianceOf }: NoisyNumbers, { groups, bins, atRisk, all }: Table): number {
  for (let bin = 0; bin < bins; bin += 1) {
    if (!(at(all, bin) > 0)) return bin
    for (let group = 0; group < groups; group += 1) {
      const from = 2 * bins * group
      const later = values.map((_, place) =>
        place >= from && place < from + 2 * bins && (place - from) % bins >= bin ? 1 : 0,
      )
      const deviation = Math.sqrt(totalVariance(varianceOf(later)))
      if (deviation > 0 && at(atRisk[group] ?? [], bin) <= clearance * deviation) return bin
    }
  }
  return bins
}

interface Excess {
  /** Observed less expected events. */
  readonly value: number
  /** Its derivative by every number. */
  readonly gradient: readonly number[]
}

function excessOf(
  { groups, bins, events, atRisk, allEvents, all }: Table,
  group: number,
  used: number,
): Excess {
  const gradient = Array.from({ length: 2 * bins * groups }, () => 0)
  const share = (bin: number): number => at(atRisk[group] ?? [], bin) / at(all, bin)
  let value = 0
  for (let bin = 0; bin < used; bin += 1) {
    value += at(events[group] ?? [], bin) - share(bin) * at(allEvents, bin)
  }
  for (let other = 0; other < groups; other += 1) {
    const [own, from] = [other === group ? 1 : 0, 2 * bins * other]
    // Who is in a bin is at risk in all bins before it, and weighs there in what is expected.
    let before = 0
    for (let bin = 0; bin < bins; bin += 1) {
      if (bin < used) before -= (at(allEvents, bin) / at(all, bin)) * (own - share(bin))
      gradient[from + bin] = before + (bin < used ? own - share(bin) : 0)
      gradient[from + bins + bin] = before
    }
  }
  return { value, gradient }
}

/** The covariance of two sums, through noise. */
function noiseBetween(
  { varianceOf }: NoisyNumbers,
  one: readonly number[],
  other: readonly number[],
): number {
  if (one === other) return totalVariance(varianceOf(one))
  const sum = varianceOf(one.map((part, place) => part + at(other, place)))
  const difference = varianceOf(one.map((part, place) => part - at(other, place)))
  return (totalVariance(sum) - totalVariance(difference)) / 4
}

/** The hypergeometric variance. Noise in the events may make it negative: then it drowns, and counts as 0. */
function sampleVariance(
  { groups, atRisk, allEvents, all }: Table,
  used: number,
): readonly (readonly number[])[] {
  const size = groups - 1
  const variance = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  for (let bin = 0; bin < used; bin += 1) {
    const [people, events] = [at(all, bin), at(allEvents, bin)]
    const spread = people > 1 ? events * Math.min(1, Math.max(0, (people - events) / (people - 1))) : 0
    for (const [row, list] of variance.entries()) {
      const share = at(atRisk[row] ?? [], bin) / people
      for (let column = 0; column < size; column += 1) {
        const other = at(atRisk[column] ?? [], bin) / people
        list[column] = at(list, column) + spread * share * ((row === column ? 1 : 0) - other)
      }
    }
  }
  const isDrowned = variance.some((list, row) => at(list, row) < 0)
  return isDrowned ? variance.map((list) => list.map(() => 0)) : variance
}

/** The x with matrix x = right, by elimination; undefined if the matrix is singular. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const rows = matrix.map((row, index) => [...row, at(right, index)])
  const size = rows.length
  const scale = Math.max(0, ...matrix.map((row, index) => at(row, index)))
  for (let column = 0; column < size; column += 1) {
    const order = rows.slice(column).toSorted((a, b) => Math.abs(at(b, column)) - Math.abs(at(a, column)))
    rows.splice(column, size - column, ...order)
    const pivot = rows[column] ?? []
    if (!(Math.abs(at(pivot, column)) > 1e-12 * scale)) return undefined
    for (const [index, row] of rows.entries()) {
      if (index === column) continue
      const factor = at(row, column) / at(pivot, column)
      for (let place = column; place <= size; place += 1)
        row[place] = at(row, place) - factor * at(pivot, place)
    }
  }
  return rows.map((row, index) => at(row, size) / at(row, index))
}
