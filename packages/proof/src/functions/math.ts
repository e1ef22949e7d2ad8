// Rounding, roots, powers and logarithms, on ranges.

import {
  add,
  ceil,
  compare,
  divide,
  expNear,
  floor,
  lnNear,
  maximum,
  minimum,
  multiply,
  negate,
  numberDown,
  numberUp,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import type { Constant } from "../catalog/constant.ts"
import type { Domain, Range, RangeEnd } from "../catalog/domain.ts"
import type { Argument, NoResult } from "./definition.ts"
import { mayOverflow, mismatch, wrongTypes } from "./no-result.ts"
import {
  decimalType,
  endAt,
  mayBeZero,
  numericDomain,
  numericOf,
  rangeIn,
  scaleOf,
  unitOf,
  type NumericArgument,
  type NumericType,
} from "./numeric-domain.ts"

type Result = Domain | NoResult

/**
 * A float below this in size has neighbours at most 1 apart; its rounding is a whole number that is exact.
 */
const wholeMax: Rational = rational(2n ** 53n)
/** exp(690) is below 1e300; exp(-700) is the least that is not 0. */
export const exponentMax = 690
/** Below this, exp is 0. */
export const exponentMin = -700
/** Transcendental functions differ in the last digits from one library to the next. */
const slack: Rational = rational(1n, 10n ** 12n)
const valuesMax = 256

/** Half away from zero. */
export function roundHalfAway(value: Rational): bigint {
  const half = rational(1n, 2n)
  return value.numerator < 0n ? -floor(add(negate(value), half)) : floor(add(value, half))
}

/** floor, ceil and trunc give integers; a float that is too large for one stays a float. */
function toWhole(what: string, whole: (value: Rational) => bigint) {
  return (args: readonly Argument[]): Result => {
    const [only] = args
    const a = only === undefined || args.length !== 1 ? undefined : numericOf(only)
    if (a === undefined) return wrongTypes(what, args, "a number")
    return wholeDomain(a, whole, what)
  }
}

function wholeDomain(a: NumericArgument, whole: (value: Rational) => bigint, what: string): Result {
  if (a.type.kind === "integer") return { type: a.type, nullable: a.nullable, range: a.range }
  const range =
    what === "ROUND" && a.type.kind === "float"
      ? nearest(a.range)
      : mapEnds(a.range, (value) => rational(whole(value)))
  const isExact = compare(range.max.value, wholeMax) < 0 && compare(range.min.value, negate(wholeMax)) > 0
  const type: NumericType = a.type.kind === "decimal" || isExact ? { kind: "integer" } : a.type
  return numericDomain({ type, range, nullable: a.nullable }, what)
}

/** round(x) and round(x, digits); trunc likewise. Digits are a literal. */
function toDigits(what: string, whole: (value: Rational) => bigint) {
  return (args: readonly Argument[]): Result => {
    const [value, digitsArg] = args
    const a = value === undefined || args.length > 2 ? undefined : numericOf(value)
    if (value === undefined || a === undefined) return wrongTypes(what, args, "a number")
    if (digitsArg === undefined) return wholeDomain(a, whole, what)
    const digits = literalInteger(digitsArg)
    if (digits === undefined || digits < -30n || digits > 30n) {
      return mismatch(
        `${what} has digits that are not a small constant`,
        `write them as a number: ${what}(x, 2)`,
      )
    }
    return roundedDomain(a, { digits: Number(digits), whole, what })
  }
}

interface Rounding {
  readonly digits: number
  readonly whole: (value: Rational) => bigint
  readonly what: string
}

function roundedDomain(a: NumericArgument, { digits, whole, what }: Rounding): Result {
  if (a.type.kind === "float") {
    return digits === 0 ? wholeDomain(a, whole, what) : floatToDigits(a, digits, what)
  }
  if (digits >= scaleOf(a.type)) return { type: a.type, nullable: a.nullable, range: a.range }
  const type: NumericType = digits <= 0 ? { kind: "integer" } : decimalType(digits)
  const step = digits >= 0 ? unitOf(decimalType(digits)) : rational(10n ** BigInt(-digits))
  const steps = { min: whole(divide(a.range.min.value, step)), max: whole(divide(a.range.max.value, step)) }
  const range = mapEnds(a.range, (value) => multiply(rational(whole(divide(value, step))), step))
  const result = numericDomain({ type, range, nullable: a.nullable }, what)
  const isList =
    digits < 0 && range.min.declared && range.max.declared && steps.max - steps.min < BigInt(valuesMax)
  if (!isList || "kind" in result) return result
  const values = Array.from({ length: Number(steps.max - steps.min) + 1 }, (_, index): Constant => ({
    kind: "number",
    value: multiply(rational(steps.min + BigInt(index)), step),
  }))
  return { ...result, values }
}

/** A float on a decimal grid is a decimal: round(x, 2) has two digits after the point. */
function floatToDigits(a: NumericArgument, digits: number, what: string): Result {
  if (what !== "ROUND") {
    return mismatch(
      `${what} to digits is not defined for float`,
      "use ROUND(x, digits), or CAST to a decimal",
    )
  }
  if (digits < 0 || digits > 12) {
    return mismatch("ROUND of a float has digits beyond 0 to 12", "write a number of digits from 0 to 12")
  }
  return floatToDecimal(a, digits, what)
}

/**
 * Floats as decimals, halves away from zero. Databases do this with different care beyond fifteen digits; an
 * end with at most that many keeps its value, and any other is moved outward.
 */
export function floatToDecimal(a: NumericArgument, scale: number, what: string): Result {
  const type: NumericType = { kind: "decimal", scale }
  const units = 10n ** BigInt(scale)
  const place = ({ value, declared }: RangeEnd, away: bigint): RangeEnd => {
    const unscaled = multiply(value, rational(units))
    const size = unscaled.numerator < 0n ? -unscaled.numerator : unscaled.numerator
    if (unscaled.denominator === 1n && size < 10n ** 15n) return endAt(value, declared)
    const moved = roundHalfAway(unscaled) + away * (size / unscaled.denominator / 10n ** 14n + 1n)
    return endAt(rational(moved, units), declared)
  }
  const range = { min: place(a.range.min, -1n), max: place(a.range.max, 1n) }
  return numericDomain({ type, range, nullable: a.nullable }, what)
}

function sqrt(args: readonly Argument[]): Result {
  const a = floatOf(args)
  if (a === undefined) return wrongTypes("SQRT", args, "a number")
  const least = maximum(a.range.min.value, rational(0n))
  const most = maximum(a.range.max.value, rational(0n))
  const range = {
    min: endAt(
      around(Math.sqrt(numberDown(least)), -1n),
      a.range.min.declared || a.range.min.value.numerator < 0n,
    ),
    max: endAt(around(Math.sqrt(numberUp(most)), 1n), a.range.max.declared),
  }
  return numericDomain(
    { type: { kind: "float" }, range: notBelowZero(range), nullable: a.nullable || hasNegative(a) },
    "SQRT",
  )
}

function exp(args: readonly Argument[]): Result {
  const a = floatOf(args)
  if (a === undefined) return wrongTypes("EXP", args, "a number")
  if (compare(a.range.max.value, rational(BigInt(exponentMax))) > 0) return mayOverflow("EXP", "1e300")
  const low = Math.max(numberDown(a.range.min.value), exponentMin - 1)
  const high = Math.max(numberUp(a.range.max.value), exponentMin - 1)
  const least = low < exponentMin ? rational(0n) : around(expNear(low), -1n)
  const range = {
    min: endAt(least, a.range.min.declared || low < exponentMin),
    max: endAt(around(expNear(high), 1n), a.range.max.declared),
  }
  return numericDomain({ type: { kind: "float" }, range: notBelowZero(range), nullable: a.nullable }, "EXP")
}

/** Of what is not positive there is none. The least positive number is known for integers and decimals. */
function logarithm(what: string, log: (value: number) => number) {
  return (args: readonly Argument[]): Result => {
    const a = floatOf(args)
    const source = args[0] === undefined ? undefined : numericOf(args[0])
    if (a === undefined || source === undefined) return wrongTypes(what, args, "a number")
    const unit = source.type.kind === "float" ? rationalOfNumber(Number.MIN_VALUE) : unitOf(source.type)
    const least = a.range.min.value.numerator > 0n ? a.range.min.value : unit
    const most = maximum(a.range.max.value, least)
    const declared = a.range.min.declared && a.range.min.value.numerator > 0n
    const range = {
      min: endAt(around(log(numberDown(least)), -1n), declared),
      max: endAt(around(log(numberUp(most)), 1n), a.range.max.declared),
    }
    const nullable = a.nullable || a.range.min.value.numerator <= 0n
    return numericDomain({ type: { kind: "float" }, range, nullable }, what)
  }
}

/** x to the power y: NULL for 0 to a negative power, and for a negative x unless y is whole. */
function power(args: readonly Argument[]): Result {
  const [first, second] = args
  const x = first === undefined ? undefined : numericOf(first)
  const y = second === undefined || args.length !== 2 ? undefined : numericOf(second)
  if (x === undefined || y === undefined) return wrongTypes("POWER", args, "two numbers")
  const unit = x.type.kind === "float" ? rational(1n, 10n ** 30n) : unitOf(x.type)
  // Sizes of x, away from zero where y may be negative.
  const base = sizes(x.range, y.range.min.value.numerator < 0n ? unit : rational(0n))
  const exponents = [y.range.min, y.range.max]
  const bounds = [base.min, base.max].flatMap((size) =>
    exponents.map((exponent) => powerBound(size.value, exponent.value)),
  )
  const most = Math.max(...bounds)
  if (!(most < 1e299)) return mayOverflow("POWER", "1e300")
  const declared = [x.range.min, x.range.max, ...exponents].every((end) => end.declared)
  const wide = endAt(around(most, 1n), declared)
  const range = {
    min: hasNegative(x) ? endAt(negate(wide.value), declared) : endAt(rational(0n), true),
    max: wide,
  }
  const nullable =
    x.nullable || y.nullable || hasNegative(x) || (mayBeZero(x.range) && y.range.min.value.numerator < 0n)
  return numericDomain(
    { type: { kind: "float" }, range, nullable: nullable || x.type.kind === "float" },
    "POWER",
  )
}

/** Above size ** exponent; Infinity where doubles end. */
function powerBound(size: Rational, exponent: Rational): number {
  const bases = [numberDown(size), numberUp(size)]
  const exponents = [numberDown(exponent), numberUp(exponent)]
  // The exponent is at most 709, within a part in 2^45: the power within a part in 10^10.
  const raise = (base: number, raised: number): number => (raised === 0 ? 1 : expNear(raised * lnNear(base)))
  return Math.max(...bases.flatMap((base) => exponents.map((raised) => raise(base, raised)))) * (1 + 1e-9)
}

/** The range of |x|, at least `least`. */
function sizes({ min, max }: Range, least: Rational): Range {
  const largest = maximum(negate(min.value), max.value)
  const smallest = mayBeZero({ min, max }) ? rational(0n) : minimum(abs(min.value), abs(max.value))
  return {
    min: endAt(maximum(smallest, least), min.declared),
    max: endAt(maximum(largest, least), max.declared),
  }
}

function abs(value: Rational): Rational {
  return value.numerator < 0n ? negate(value) : value
}

/** The only argument as a double. */
function floatOf(args: readonly Argument[]): NumericArgument | undefined {
  const [only] = args
  const a = only === undefined || args.length !== 1 ? undefined : numericOf(only)
  return a === undefined
    ? undefined
    : { type: { kind: "float" }, range: rangeIn({ kind: "float" }, a), nullable: a.nullable }
}

/** Floats are rounded with halves to even, so an end that is a half may go either way. */
function nearest({ min, max }: Range): Range {
  const half = rational(1n, 2n)
  return {
    min: endAt(rational(ceil(add(min.value, negate(half)))), min.declared),
    max: endAt(rational(floor(add(max.value, half))), max.declared),
  }
}

function mapEnds({ min, max }: Range, map: (value: Rational) => Rational): Range {
  return { min: endAt(map(min.value), min.declared), max: endAt(map(max.value), max.declared) }
}

function notBelowZero({ min, max }: Range): Range {
  return { min: endAt(maximum(min.value, rational(0n)), min.declared), max }
}

function hasNegative({ range }: NumericArgument): boolean {
  return range.min.value.numerator < 0n
}

/** A number computed in doubles, moved by more than any library's error. */
function around(value: number, direction: 1n | -1n): Rational {
  const exact = rationalOfNumber(value)
  const tiny = add(multiply(abs(exact), slack), rational(1n, 10n ** 300n))
  return add(exact, multiply(tiny, rational(direction)))
}

function literalInteger({ literal }: Argument): bigint | undefined {
  return literal?.kind === "number" && literal.value.denominator === 1n ? literal.value.numerator : undefined
}

const towardZero = (value: Rational): bigint => value.numerator / value.denominator

/** What each function of this family gives. */
export const mathResults = {
  round: toDigits("ROUND", roundHalfAway),
  trunc: toDigits("TRUNC", towardZero),
  floor: toWhole("FLOOR", floor),
  ceil: toWhole("CEIL", ceil),
  sqrt,
  exp,
  ln: logarithm("LN", lnNear),
  log10: logarithm("LOG", (value) => lnNear(value) / Math.LN10),
  power,
} satisfies Record<string, (args: readonly Argument[]) => Result>
