// The interval of a cell. The noise of an answer is cut into events, one for each linear form, quotient or
// region that the cell depends on; each may fail with an equal part of the miss (Bonferroni), and while none
// does, interval arithmetic holds the exact value.

import { assert } from "@dosimeter/core/errors"
import {
  add,
  multiply,
  numberDown,
  numberNear,
  numberUp,
  rational,
  rationalOfNumber,
  subtract,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { sizeOf } from "../values/call-arithmetic.ts"
import { differenceDown, isSafe } from "../values/doubles.ts"
import { halfWidthOf, type HalfWidth, onlyTerm } from "@dosimeter/core/post"
import { anything, nothing, pointRange, type Range } from "../cells/range.ts"
import { ratioRange } from "./ratio-range.ts"
import type { CellSlice, LinearSpread, Spread, Uncertain } from "../cells/spread.ts"
import type { Cell } from "../cells/table.ts"

/** Where the exact value lies; an end may be infinite. Of a date in days since 1970. */
export interface CellInterval {
  readonly low: number
  readonly high: number
}

/** A cell that depends on more events has no bounded interval. */
const eventsMax = 2000

/**
 * The interval of a number or a date with noise in it: it holds what the same query gives without the noise,
 * on the same rows, with at least this confidence. Undefined for what has no noise, and for what is neither.
 */
export function intervalOfCell(cell: Cell, confidence: number): CellInterval | undefined {
  assert(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
  const { value, spread } = cell
  const point = pointOf(value)
  if (spread === undefined || point === undefined) return undefined
  if (value.kind === "date" && spread.kind === "vague") return undefined
  const events = spread.kind === "derived" ? eventsOf(spread) : 1
  if (events === undefined) return { low: -Infinity, high: Infinity }
  const range = rangeOf(spread, (1 - confidence) / Math.max(1, events), new Map())
  // The value itself is always inside; roundings must not hide that.
  if (isSafe(point)) {
    const near = Number(point.numerator)
    return { low: Math.min(range.low, near), high: Math.max(range.high, near) }
  }
  return {
    low: Math.min(range.low, numberDown(point)),
    high: Math.max(range.high, numberUp(point)),
  }
}

/** A number, or the number of a day. */
function pointOf(value: Constant): Rational | undefined {
  if (value.kind === "date") return rational(value.day)
  return value.kind === "number" ? value.value : undefined
}

/** How many events the spread depends on; undefined if too many. */
function eventsOf(spread: Spread): number | undefined {
  const events = new Set<unknown>()
  const seen = new Set<Spread>()
  const waiting: Spread[] = [spread]
  let steps = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (at.kind === "derived") {
      steps += at.inputs.to - at.inputs.from
      if (steps > 8 * eventsMax) return undefined
      for (const cell of cellsOf(at.inputs)) if (cell.spread !== undefined) waiting.push(cell.spread)
    } else if (at.kind !== "vague") events.add(eventOf(at))
    if (events.size > eventsMax) return undefined
  }
  return events.size
}

/** Multiples of one draw, or of one tree, stay within bounds together. */
function eventOf(spread: Exclude<Spread, { readonly kind: "derived" | "vague" }>): unknown {
  if (spread.kind === "region") return spread.event
  if (spread.kind === "ratio") return spread
  return onlyTerm(spread.form)?.base.id ?? spread.form.tree
}

function rangeOf(spread: Spread, miss: number, known: Map<Spread, Range>): Range {
  const found = known.get(spread)
  if (found !== undefined) return found
  const range = freshRange(spread, miss, known)
  known.set(spread, range)
  return range
}

function freshRange(spread: Spread, miss: number, known: Map<Spread, Range>): Range {
  switch (spread.kind) {
    case "linear":
      return linearRange(spread, miss)
    case "ratio":
      return ratioRange(spread, miss)
    case "region":
      return spread.rangeAt(miss)
    case "derived":
      return spread.combine(Array.from(cellsOf(spread.inputs), (cell) => cellRange(cell, miss, known)))
    case "vague":
      return anything
    default:
      return spread satisfies never
  }
}

function cellRange({ value, spread }: Uncertain, miss: number, known: Map<Spread, Range>): Range {
  if (spread !== undefined) return rangeOf(spread, miss, known)
  const point = pointOf(value)
  if (point !== undefined) return pointRange(point)
  return value.kind === "null" ? nothing : anything
}

// Where the exact value is not negative, the interval begins at 0 or above, and reaches at least as far up as
// if 0 had been measured: one that lay below 0 would otherwise be empty.
function linearRange(spread: LinearSpread, miss: number): Range {
  const range = noiseRange(spread, miss)
  if (!spread.fromZero) return range
  const isBelow = spread.centre.numerator < 0n
  const high = isBelow ? noiseRange({ ...spread, centre: zero }, miss).high : range.high
  return { ...range, low: Math.max(0, range.low), high }
}

function noiseRange({ centre, form, slack, mayBeNull }: LinearSpread, miss: number): Range {
  const half = halfWidthOf(form, miss)
  const near = slack === 0 && isSafe(centre) ? nearWidth(half) : undefined
  if (near !== undefined) {
    const middle = Number(centre.numerator)
    return { low: differenceDown(middle, near), high: -differenceDown(-middle, near), mayBeNull }
  }
  const width = sizeOfWidth(half)
  if (width === undefined) return { ...anything, mayBeNull }
  if (slack === 0) {
    return { low: numberDown(subtract(centre, width)), high: numberUp(add(centre, width)), mayBeNull }
  }
  // Doubles are enough: twice the slack leaves room for their roundings.
  const [middle, reach] = [numberNear(centre), numberNear(width)]
  const rounding = slack * 2 + reach * 2 ** -46
  return { low: middle - reach - rounding, high: middle + reach + rounding, mayBeNull }
}

/** A width that is a double, exactly. */
function nearWidth(width: HalfWidth): number | undefined {
  if (width.kind === "size") return Number.isFinite(width.size) ? width.size : undefined
  if (width.kind === "unbounded" || !isSafe(width.step.coefficient) || !isSafe(width.step.grid)) {
    return undefined
  }
  const step = Math.abs(Number(width.step.coefficient.numerator) * Number(width.step.grid.numerator))
  const size = width.steps * step
  return Number.isSafeInteger(step) && Number.isSafeInteger(size) ? size : undefined
}

function sizeOfWidth(width: HalfWidth): Rational | undefined {
  switch (width.kind) {
    case "unbounded":
      return undefined
    case "size":
      return Number.isFinite(width.size) ? rationalOfNumber(width.size) : undefined
    case "steps":
      return multiply(
        rationalOfNumber(width.steps),
        sizeOf(multiply(width.step.coefficient, width.step.grid)),
      )
    default:
      return width satisfies never
  }
}

function* cellsOf({ cells, from, to }: CellSlice): Generator<Uncertain> {
  for (let index = from; index < to; index += 1) {
    const cell = cells[index]
    if (cell !== undefined) yield cell
  }
}
