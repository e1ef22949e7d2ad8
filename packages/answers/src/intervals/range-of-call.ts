// Interval arithmetic for the functions of the IR that give numbers: from where the arguments lie to where
// the result lies.

import { numberDown, numberNearest, numberUp, rationalOfNumber } from "@dosimeter/core/exact"
import { floatToIntegerMax } from "@dosimeter/proof/functions/cast"
import { exponentMin } from "@dosimeter/proof/functions/math"
import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import { valueFunction } from "../values/call-value.ts"
import {
  absRange,
  addRanges,
  anything,
  cutRange,
  divideRanges,
  greatestRange,
  isEmpty,
  leastRange,
  mapRange,
  multiplyRanges,
  negateRange,
  nothing,
  unionOf,
  type Range,
} from "../cells/range.ts"
import type { Cell } from "../cells/table.ts"
import type { CallTypes } from "../values/value-function.ts"

/** What is known of a call before its arguments' ranges are. */
export interface RangedCall {
  readonly name: FunctionName
  readonly types: CallTypes
  /** The arguments; those without noise are what they are. */
  readonly args: readonly Cell[]
}

/** Transcendental functions differ in the last digits from one library to the next. */
const libraryError = 1e-12
const integerMax = numberNearest(floatToIntegerMax)

/** Where the result lies, given where the arguments do. Grows with them. */
export function rangeOfCall(call: RangedCall, ranges: readonly Range[]): Range {
  const [a = anything, b = anything] = ranges
  switch (call.name) {
    case "add":
      return addRanges(a, b)
    case "subtract":
      return addRanges(a, negateRange(b))
    case "multiply":
      return multiplyRanges(a, b)
    case "divide":
      return quotientRange(call, divideRanges(a, b))
    case "modulo":
      return remainderRange(a, b)
    case "negate":
      return negateRange(a)
    case "abs":
      return absRange(a)
    case "sign":
      return mapRange(a, Math.sign)
    case "round":
    case "floor":
    case "ceil":
    case "trunc":
      return monotone(call, a)
    case "clamp":
      return mapRange(a, (end) => Math.min(Math.max(end, b.low), ranges[2]?.high ?? Infinity))
    case "cast":
      return castRange(call, a)
    case "add-days":
      return { ...addRanges(a, b), mayBeNull: true }
    case "days-between":
      return addRanges(a, negateRange(b))
    case "coalesce":
      return coalesceRange(ranges)
    case "nullif":
      return { ...a, mayBeNull: true }
    case "greatest":
      return greatestRange(ranges)
    case "least":
      return leastRange(ranges)
    default:
      return transcendental(call.name, ranges)
  }
}

function transcendental(name: FunctionName, ranges: readonly Range[]): Range {
  const [a = anything, b = anything] = ranges
  switch (name) {
    case "sqrt":
      return mapRange(cutRange(a, 0, Infinity), Math.sqrt, libraryError)
    case "exp":
      return mapRange(a, (end) => (end < exponentMin ? 0 : Math.exp(end)), libraryError)
    case "ln":
      return logarithm(a, Math.log)
    case "log10":
      return logarithm(a, Math.log10)
    case "power":
      return powerRange(a, b)
    default:
      return anything
  }
}

/** A quotient of two integers is cut to an integer. */
export function quotientRange({ types }: Pick<RangedCall, "types">, quotient: Range): Range {
  return types.result.kind === "integer"
    ? mapRange(quotient, Math.trunc)
    : mapRange(quotient, (end) => end, 1e-15)
}

/** The sign of a, no larger than it, and smaller than b. */
function remainderRange(a: Range, b: Range): Range {
  if (isEmpty(a) || isEmpty(b)) return nothing
  const most = Math.max(-b.low, b.high)
  const mayBeNull = a.mayBeNull || b.mayBeNull || (b.low <= 0 && b.high >= 0)
  return { low: Math.max(Math.min(a.low, 0), -most), high: Math.min(Math.max(a.high, 0), most), mayBeNull }
}

function logarithm(range: Range, log: (value: number) => number): Range {
  const positive = cutRange(range, 0, Infinity)
  if (isEmpty(positive)) return nothing
  const { low, high } = mapRange(positive, log, libraryError)
  // Around 1 the logarithm is near 0, and its error is that of the argument.
  return { low: low - libraryError, high: high + libraryError, mayBeNull: range.mayBeNull || range.low <= 0 }
}

/** In a quarter where the base is positive, a power has its extremes at the corners. */
function powerRange(base: Range, exponent: Range): Range {
  if (isEmpty(base) || isEmpty(exponent)) return nothing
  const mayBeNull = base.mayBeNull || exponent.mayBeNull
  if (base.low > 0) return { ...corners(base, exponent), mayBeNull }
  const isWhole = exponent.low === exponent.high && Number.isInteger(exponent.low) && exponent.low > 0
  if (!isWhole) return anything
  const isOdd = exponent.low % 2 === 1
  const range = isOdd ? base : absRange(base)
  return { ...mapRange(range, (end) => Math.pow(end, exponent.low), libraryError), mayBeNull }
}

function corners(base: Range, exponent: Range): Range {
  const powers = [base.low, base.high].flatMap((x) =>
    [exponent.low, exponent.high].map((y) => Math.pow(x, y)),
  )
  if (powers.some(Number.isNaN)) return anything
  return {
    low: Math.min(...powers) * (1 - libraryError),
    high: Math.max(...powers) * (1 + libraryError),
    mayBeNull: false,
  }
}

/** The first that is surely there, or one before it. */
function coalesceRange(ranges: readonly Range[]): Range {
  const sure = ranges.findIndex((range) => !range.mayBeNull)
  const candidates = sure < 0 ? ranges : ranges.slice(0, sure + 1)
  return { ...unionOf(candidates), mayBeNull: sure < 0 }
}

function castRange(call: RangedCall, range: Range): Range {
  const [from] = call.types.types
  const { result } = call.types
  if (from?.kind === "boolean") return { low: 0, high: 1, mayBeNull: true }
  if (from?.kind !== "integer" && from?.kind !== "decimal" && from?.kind !== "float") return anything
  const isCut = from.kind === "float" && (result.kind === "integer" || result.kind === "decimal")
  return monotone(call, isCut && result.kind === "integer" ? cutRange(range, -integerMax, integerMax) : range)
}

/** A function that grows, applied to the ends as it would be to a value. */
function monotone({ name, types, args }: RangedCall, range: Range): Range {
  if (isEmpty(range)) return nothing
  const apply = valueFunction(name)
  const at = (end: number, toNumber: typeof numberDown): number => {
    if (!Number.isFinite(end)) return end
    const others = args.slice(1).map(({ value }) => value)
    const result = apply([{ kind: "number", value: rationalOfNumber(end) }, ...others], types)
    return result.kind === "number" ? toNumber(result.value) : end
  }
  return { low: at(range.low, numberDown), high: at(range.high, numberUp), mayBeNull: range.mayBeNull }
}
