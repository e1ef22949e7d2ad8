// Intervals of doubles that hold every value that a number may have, and the arithmetic of them. Ends are
// moved outward where doubles round.

import { numberDown, numberUp, type Rational } from "@dosimeter/core/exact"
import { lowered, raised } from "../values/doubles.ts"

/** From low to high, both inside; no number at all if low > high. The value may also be NULL. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly mayBeNull: boolean
}

/** Any number, or NULL. */
export const anything: Range = { low: -Infinity, high: Infinity, mayBeNull: true }
/** NULL and no number. */
export const nothing: Range = { low: Infinity, high: -Infinity, mayBeNull: true }

/** One number. */
export function pointRange(value: Rational): Range {
  return { low: numberDown(value), high: numberUp(value), mayBeNull: false }
}

/** Whether no number is inside. */
export function isEmpty({ low, high }: Range): boolean {
  return low > high
}

/** What is in one of the ranges. */
export function unionOf(ranges: readonly Range[]): Range {
  return ranges.reduce(
    (a, b) => ({
      low: Math.min(a.low, b.low),
      high: Math.max(a.high, b.high),
      mayBeNull: a.mayBeNull || b.mayBeNull,
    }),
    { ...nothing, mayBeNull: false },
  )
}

/** a + b. */
export function addRanges(a: Range, b: Range): Range {
  return both(a, b, { low: sumDown(a.low, b.low), high: sumUp(a.high, b.high) })
}

/** -a. */
export function negateRange({ low, high, mayBeNull }: Range): Range {
  return { low: -high, high: -low, mayBeNull }
}

/** a * b. */
export function multiplyRanges(a: Range, b: Range): Range {
  const products = [a.low, a.high].flatMap((x) => [b.low, b.high].map((y) => [x, y] as const))
  return both(a, b, {
    low: Math.min(...products.map(([x, y]) => productDown(x, y))),
    high: Math.max(...products.map(([x, y]) => -productDown(-x, y))),
  })
}

/** a / b: anything if b may be 0 and is not 0 alone. */
export function divideRanges(a: Range, b: Range): Range {
  if (isEmpty(a) || isEmpty(b)) return nothing
  if (b.low <= 0 && b.high >= 0) return b.low === 0 && b.high === 0 ? nothing : anything
  const inverse = {
    low: lowered(1 / b.high),
    high: raised(1 / b.low),
    mayBeNull: b.mayBeNull,
  }
  return multiplyRanges(a, inverse)
}

/** |a|. */
export function absRange({ low, high, mayBeNull }: Range): Range {
  if (low > high) return nothing
  const most = Math.max(-low, high)
  return { low: low > 0 ? low : high < 0 ? -high : 0, high: most, mayBeNull }
}

/** A growing function of the ends; `error` is the relative error of what computes it. */
export function mapRange({ low, high, mayBeNull }: Range, map: (end: number) => number, error = 0): Range {
  if (low > high) return nothing
  const [least, most] = [map(low), map(high)]
  const slack = (end: number): number => (Number.isFinite(end) ? Math.abs(end) * error : 0)
  return { low: least - slack(least), high: most + slack(most), mayBeNull }
}

/** The part inside two ends; a number outside them becomes NULL. */
export function cutRange(range: Range, from: number, to: number): Range {
  if (isEmpty(range) || range.high < from || range.low > to) return nothing
  const isCut = range.low < from || range.high > to
  return {
    low: Math.max(range.low, from),
    high: Math.min(range.high, to),
    mayBeNull: range.mayBeNull || isCut,
  }
}

/**
 * The part from 0 on of a range around a noisy number whose exact value is not negative. It reaches at least
 * as far up as if 0 had been measured: one that lay below 0 would otherwise be empty.
 */
export function cutBelow({ low, high, mayBeNull }: Range): Range {
  return { low: Math.max(0, low), high: Math.max(high, (high - low) / 2), mayBeNull }
}

/** GREATEST: what may be NULL may drop out. */
export function greatestRange(ranges: readonly Range[]): Range {
  const some = ranges.filter((range) => !isEmpty(range))
  if (some.length === 0) return nothing
  const sure = some.filter(({ mayBeNull }) => !mayBeNull).map(({ low }) => low)
  return {
    low: sure.length > 0 ? greatest(sure) : -greatest(some.map(({ low }) => -low)),
    high: greatest(some.map(({ high }) => high)),
    mayBeNull: sure.length === 0,
  }
}

/** LEAST: what may be NULL may drop out. */
export function leastRange(ranges: readonly Range[]): Range {
  return negateRange(greatestRange(ranges.map(negateRange)))
}

/** Long lists must not become arguments. */
function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity)
}

function both(a: Range, b: Range, ends: { readonly low: number; readonly high: number }): Range {
  if (isEmpty(a) || isEmpty(b)) return nothing
  return { ...ends, mayBeNull: a.mayBeNull || b.mayBeNull }
}

/** Whole numbers that doubles hold are added and multiplied without rounding. */
function isExact(...values: readonly number[]): boolean {
  return values.every(Number.isSafeInteger)
}

function sumDown(a: number, b: number): number {
  const sum = a + b
  return isExact(a, b, sum) ? sum : Number.isNaN(sum) ? -Infinity : lowered(sum)
}

function sumUp(a: number, b: number): number {
  return -sumDown(-a, -b)
}

function productDown(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  const product = a * b
  return isExact(a, b, product) ? product : lowered(product)
}
