// What bounding may have taken away from a number, and how arithmetic carries it along: the number of all
// rows is that of the rows that count, plus something inside a range.

import { lowered, raised } from "../values/doubles.ts"
import type { Range } from "./range.ts"

/** What bounding may have taken away. Absent where everything counts. */
export type LeftOut = LeftOutRange | LeftOutUnknown

/** Something inside a range that holds 0. */
export interface LeftOutRange {
  readonly kind: "range"
  readonly low: number
  readonly high: number
  /** Of a proven range: the same object wherever the same proof, which may fail once, is behind it. */
  readonly proof?: object
  /** Of a released number: the numbers of one object are places of a vector that is no longer than this. */
  readonly vector?: { readonly of: object; readonly length: number }
}

/** Rows or groups are dropped, and nobody has looked at how many. */
export interface LeftOutUnknown {
  readonly kind: "unknown"
}

/** The only unknown one. */
export const unknownLeftOut: LeftOutUnknown = { kind: "unknown" }

/** What is left out of a + b. */
export function addLeftOut(a: LeftOut | undefined, b: LeftOut | undefined): LeftOut | undefined {
  if (a === undefined || b === undefined) return placeless(a ?? b)
  if (a.kind === "unknown" || b.kind === "unknown") return unknownLeftOut
  return {
    kind: "range",
    low: sumOf(a.low, b.low, lowered),
    high: sumOf(a.high, b.high, raised),
    ...(a.proof !== undefined && a.proof === b.proof ? { proof: a.proof } : {}),
  }
}

/** What is left out of factor * a. */
export function scaleLeftOut(a: LeftOut | undefined, factor: number): LeftOut | undefined {
  if (a === undefined || a.kind === "unknown" || factor === 0) return factor === 0 ? undefined : a
  const ends = [a.low, a.high]
  const times = (end: number, rounded: typeof lowered): number => (end === 0 ? 0 : rounded(end * factor))
  return {
    kind: "range",
    low: Math.min(...ends.map((end) => times(end, lowered))),
    high: Math.max(...ends.map((end) => times(end, raised))),
    ...(a.proof === undefined ? {} : { proof: a.proof }),
  }
}

/** A range, and what is left out beside it. */
export function wideRange(range: Range, leftOut: LeftOut | undefined): Range {
  if (leftOut?.kind !== "range") return range
  const low = sumOf(range.low, leftOut.low, lowered)
  return { ...range, low, high: sumOf(range.high, leftOut.high, raised) }
}

// Nothing is rounded where nothing is added: what is never negative stays so.
function sumOf(a: number, b: number, rounded: typeof lowered): number {
  return a === 0 || b === 0 ? a + b : rounded(a + b)
}

// A number that was worked with is no place of a vector.
function placeless(a: LeftOut | undefined): LeftOut | undefined {
  if (a?.kind !== "range" || a.vector === undefined) return a
  const { vector: _, ...range } = a
  return range
}

/** What is left out of the sum of the numbers from one place up to, not including, another. */
export function leftOutSlices(
  list: readonly (LeftOut | undefined)[],
): (from: number, to: number) => LeftOut | undefined {
  const ranges = list.map((one) => (one?.kind === "range" ? one : undefined))
  const known = ranges.filter((one) => one !== undefined)
  const unknown = runningTotals(list.map((one) => (one?.kind === "unknown" ? 1 : 0)))
  const some = runningTotals(ranges.map((one) => (one === undefined ? 0 : 1)))
  const ends = { low: endSlices(ranges, "low"), high: endSlices(ranges, "high") }
  const [first] = known
  const proof = known.every((one) => one.proof === first?.proof) ? first?.proof : undefined
  const length = commonLength(known)
  return (from, to) => {
    if (unknown(from, to) > 0) return unknownLeftOut
    const count = some(from, to)
    if (count === 0) return undefined
    // Cauchy and Schwarz: n places of a vector add up to at most the square root of n times its length.
    const most = raised(length * Math.sqrt(count) * (1 + 2 ** -50))
    return {
      kind: "range",
      low: Math.max(ends.low(from, to), -most),
      high: Math.min(ends.high(from, to), most),
      ...(proof === undefined ? {} : { proof }),
    }
  }
}

/** The length of the vector whose places all of these are, each once; no bound otherwise. */
function commonLength(known: readonly LeftOutRange[]): number {
  const vector = known[0]?.vector
  const isOne = known.every((one) => one.vector?.of === vector?.of && one.vector?.length === vector?.length)
  return vector !== undefined && isOne && new Set(known).size === known.length ? vector.length : Infinity
}

// Ends that are not bounded are counted, since differences of running totals would have no value.
function endSlices(
  ranges: readonly (LeftOutRange | undefined)[],
  end: "low" | "high",
): (from: number, to: number) => number {
  const values = ranges.map((one) => one?.[end] ?? 0)
  const finite = values.map((value) => (Number.isFinite(value) ? value : 0))
  const sums = runningTotals(finite)
  const open = runningTotals(values.map((value) => (Number.isFinite(value) ? 0 : 1)))
  // More than what doubles round off while they add up.
  const slack = Math.abs(sums(0, values.length)) * values.length * 2 ** -51
  const sign = end === "low" ? -1 : 1
  return (from, to) => (open(from, to) > 0 ? sign * Infinity : sums(from, to) + sign * slack)
}

function runningTotals(values: readonly number[]): (from: number, to: number) => number {
  const before = new Float64Array(values.length + 1)
  for (const [index, value] of values.entries()) before[index + 1] = (before[index] ?? 0) + value
  return (from, to) => (to <= from ? 0 : (before[to] ?? 0) - (before[from] ?? 0))
}
