// The interval of a cell: of the noise in it, and of what bounding may have left out. The noise of an answer
// is cut into events, one for each linear form, quotient or region that the cell depends on; each may fail
// with an equal part of the miss (Bonferroni). While none does, interval arithmetic holds the exact value.

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
import { boundingOf } from "../cells/bounding-of-cell.ts"
import { ratioRange, wholeRatioRange } from "./ratio-range.ts"
import { wideRange } from "../cells/left-out.ts"
import { cellsOf, type LinearSpread, type Spread, type Uncertain } from "../cells/spread.ts"
import type { Cell } from "../cells/table.ts"

/** Where the exact value lies; an end may be infinite. Of a date in days since 1970. */
export interface CellInterval {
  readonly low: number
  readonly high: number
}

/** Which part of the error an interval is of: noise alone, or also what bounding left out. */
export type ErrorPart = "noise" | "whole"

/** A cell that depends on more events has no bounded interval. */
const eventsMax = 2000

/**
 * The interval of a number or a date with noise in it. Of the noise: it holds what the same query gives
 * without the noise, on the rows that count, with at least this confidence. Of the whole: it holds what the
 * query gives on all rows, as surely if what is left out is proven, and as well as it was estimated if not;
 * where nothing is known of that, it is the interval of the noise (`boundingOf` tells). Undefined for what has
 * no noise, and for what is neither number nor date.
 */
export function intervalOfCell(
  cell: Cell,
  confidence: number,
  part: ErrorPart = "whole",
): CellInterval | undefined {
  assert(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
  const { value, spread } = cell
  const point = pointOf(value)
  if (spread === undefined || point === undefined) return undefined
  if (value.kind === "date" && spread.kind === "vague") return undefined
  const events = spread.kind === "derived" ? eventsOf(spread) : 1
  if (events === undefined) return { low: -Infinity, high: Infinity }
  const bounding = part === "whole" ? boundingOf(cell) : "noise-only"
  const isWhole = bounding !== "noise-only"
  // What is known of what is left out may fail with half of the miss.
  const miss = (1 - confidence) / (isWhole && bounding !== "all-counts" ? 2 : 1)
  const range = rangeOf(spread, { miss: miss / Math.max(1, events), isWhole }, new Map())
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

/** How sure, and whether what is left out counts. */
interface Wanted {
  readonly miss: number
  readonly isWhole: boolean
}

function rangeOf(spread: Spread, wanted: Wanted, known: Map<Spread, Range>): Range {
  const found = known.get(spread)
  if (found !== undefined) return found
  const range = freshRange(spread, wanted, known)
  known.set(spread, range)
  return range
}

function freshRange(spread: Spread, wanted: Wanted, known: Map<Spread, Range>): Range {
  const { miss, isWhole } = wanted
  switch (spread.kind) {
    case "linear":
      return isWhole ? wideRange(linearRange(spread, miss), spread.leftOut) : linearRange(spread, miss)
    case "ratio":
      return isWhole ? wholeRatioRange(spread, miss) : ratioRange(spread, miss)
    case "region":
      return spread.rangeAt(miss)
    case "derived":
      return spread.combine(Array.from(cellsOf(spread.inputs), (cell) => cellRange(cell, wanted, known)))
    case "vague":
      return anything
    default:
      return spread satisfies never
  }
}

function cellRange({ value, spread }: Uncertain, wanted: Wanted, known: Map<Spread, Range>): Range {
  if (spread !== undefined) return rangeOf(spread, wanted, known)
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
