// + - * / % and their kin, on ranges.

import {
  add,
  compare,
  divide as quotient,
  floor,
  multiply as product,
  negate,
  numberDown,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import { constantKey, type Constant } from "../catalog/constant.ts"
import type { Domain, Range, RangeEnd } from "../catalog/domain.ts"
import { valuesOf } from "../catalog/values-of.ts"
import type { Argument, NoResult } from "./definition.ts"
import { isNoResult, mayOverflow, wrongTypes } from "./no-result.ts"
import {
  addEnds,
  commonNumeric,
  decimalType,
  endAt,
  lowerEnd,
  mayBeZero,
  negateEnd,
  numericDomain,
  numericOf,
  rangeIn,
  scaleOf,
  spanning,
  unitOf,
  upperEnd,
  type NumericArgument,
  type NumericType,
} from "./numeric-domain.ts"

type Result = Domain | NoResult
type Binary = (a: NumericArgument, b: NumericArgument) => Result

/** A float divisor closer to 0 counts as 0: the quotient of any two floats then stays far from overflow. */
export const leastDivisor: Rational = rational(1n, 10n ** 30n)

/** A larger divisor could bring a quotient below the smallest double, which is an error in PostgreSQL. */
const divisorMax: Rational = rational(10n ** 150n)

/** Lists longer than this are not carried through arithmetic; the range remains. */
const valuesMax = 256

function binary(what: string, rule: Binary, exact: (a: Rational, b: Rational) => Rational | undefined) {
  return (args: readonly Argument[]): Result => {
    const [left, right] = args
    const a = left === undefined ? undefined : numericOf(left)
    const b = right === undefined ? undefined : numericOf(right)
    if (
      left === undefined ||
      right === undefined ||
      a === undefined ||
      b === undefined ||
      args.length !== 2
    ) {
      return wrongTypes(what, args, "two numbers")
    }
    const result = rule(a, b)
    return isNoResult(result) ? result : withValues(result, [left, right], exact)
  }
}

/**
 * If one side is a constant and the other a short list, the result is a list too: age / 10 * 10 has 13
 * values.
 */
function withValues(
  result: Domain,
  [left, right]: readonly [Argument, Argument],
  exact: (a: Rational, b: Rational) => Rational | undefined,
): Domain {
  if (result.type.kind === "float") return result
  // Without lists only a product has gaps that the range does not tell.
  const isList = [left, right].some(
    ({ domain, literal }) => literal === undefined && domain.values !== undefined,
  )
  if (!isList && exact !== product) return result
  const a = listed(left)
  const b = listed(right)
  if (a === undefined || b === undefined || (a.length !== 1 && b.length !== 1)) return result
  const found = new Map<string, Constant>()
  for (const x of a) {
    for (const y of b) {
      const value = exact(x, y)
      if (value === undefined) continue
      const constant: Constant = { kind: "number", value }
      found.set(constantKey(constant), constant)
    }
  }
  const values = [...found.values()]
  return values.length === 0 ? result : { ...result, values }
}

function listed({ domain, literal }: Argument): readonly Rational[] | undefined {
  const values = literal === undefined ? valuesOf(domain, valuesMax) : [literal]
  const numbers = values?.flatMap((value) => (value.kind === "number" ? [value.value] : []))
  return numbers?.length === values?.length ? numbers : undefined
}

const addition: Binary = (a, b) => {
  const type = commonNumeric(a.type, b.type)
  const [left, right] = [rangeIn(type, a), rangeIn(type, b)]
  const range = { min: addEnds(left.min, right.min), max: addEnds(left.max, right.max) }
  return numericDomain({ type, range, nullable: a.nullable || b.nullable }, "a sum (+)")
}

const subtraction: Binary = (a, b) => {
  const type = commonNumeric(a.type, b.type)
  const [left, right] = [rangeIn(type, a), rangeIn(type, b)]
  const range = {
    min: addEnds(left.min, negateEnd(right.max)),
    max: addEnds(left.max, negateEnd(right.min)),
  }
  return numericDomain({ type, range, nullable: a.nullable || b.nullable }, "a difference (-)")
}

const multiplication: Binary = (a, b) => {
  const type = productType(a.type, b.type)
  const [left, right] = [rangeIn(type, a), rangeIn(type, b)]
  const range = spanning(corners(left, right, product))
  return numericDomain({ type, range, nullable: a.nullable || b.nullable }, "a product (*)")
}

const division: Binary = (a, b) => {
  const whole = a.type.kind === "integer" && b.type.kind === "integer"
  const type: NumericType = whole ? { kind: "integer" } : { kind: "float" }
  const unit = b.type.kind === "float" ? leastDivisor : unitOf(b.type)
  const least = whole ? unit : rationalOfNumber(numberDown(unit))
  const [left, right] = [rangeIn(type, a), rangeIn(type, b)]
  const isWide = [right.min.value, negate(right.min.value), right.max.value].some(
    (end) => compare(end, divisorMax) > 0,
  )
  if (!whole && isWide) return mayOverflow("a divisor (/)", "1e150")
  const ends = awayFromZero(right, least).flatMap((part) =>
    corners(left, part, (x, y) => (whole ? truncated(quotient(x, y)) : quotient(x, y))),
  )
  const nullable = a.nullable || b.nullable || mayBeZero(b.range) || b.type.kind === "float"
  return numericDomain({ type, range: spanning(ends), nullable }, "a quotient (/)")
}

const remainder: Binary = (a, b) => {
  const type = commonNumeric(a.type, b.type)
  if (type.kind === "float") {
    return wrongTypes("%", [], "integers or decimals, not floats")
  }
  const widest = upperEnd(negateEnd(b.range.min), b.range.max)
  const declared = b.range.min.declared && b.range.max.declared
  const below = add(widest.value, negate(unitOf(type)))
  const most = endAt(below.numerator < 0n ? rational(0n) : below, declared)
  const none = endAt(rational(0n), true)
  const range = {
    min: a.range.min.value.numerator >= 0n ? none : upperEnd(a.range.min, negateEnd(most)),
    max: a.range.max.value.numerator <= 0n ? none : lowerEnd(a.range.max, most),
  }
  // The operands become decimals of the common scale, so those must fit as well.
  const fits = numericDomain(
    { type, range: spanning([...ends(a.range), ...ends(b.range)]), nullable: true },
    "%",
  )
  if (isNoResult(fits)) return fits
  return numericDomain({ type, range, nullable: a.nullable || b.nullable || mayBeZero(b.range) }, "%")
}

/** The type of a product: exact while the digits after the point are few. */
export function productType(a: NumericType, b: NumericType): NumericType {
  if (a.kind === "float" || b.kind === "float") return { kind: "float" }
  if (a.kind === "integer" && b.kind === "integer") return a
  return decimalType(scaleOf(a) + scaleOf(b))
}

/**
 * The parts of a divisor's range: those that are not nearer to 0 than `least`. All of one end if none is
 * left.
 */
function awayFromZero({ min, max }: Range, least: Rational): readonly Range[] {
  const parts: Range[] = []
  if (max.value.numerator > 0n)
    parts.push({ min: upperEnd(min, endAt(least, true)), max: upperEnd(max, endAt(least, true)) })
  if (min.value.numerator < 0n) {
    const nearest = endAt(negate(least), true)
    parts.push({ min: lowerEnd(min, nearest), max: lowerEnd(max, nearest) })
  }
  return parts
}

function corners(a: Range, b: Range, combine: (x: Rational, y: Rational) => Rational): readonly RangeEnd[] {
  return ends(a).flatMap((x) =>
    ends(b).map((y) => endAt(combine(x.value, y.value), x.declared && y.declared)),
  )
}

function ends({ min, max }: Range): readonly RangeEnd[] {
  return [min, max]
}

/** Toward zero. */
function truncated(value: Rational): Rational {
  return rational(value.numerator / value.denominator)
}

function exactRemainder(a: Rational, b: Rational): Rational | undefined {
  if (b.numerator === 0n) return undefined
  return add(a, negate(product(b, truncated(quotient(a, b)))))
}

function unary(what: string, rule: (a: NumericArgument) => Result) {
  return (args: readonly Argument[]): Result => {
    const [only] = args
    const a = only === undefined || args.length !== 1 ? undefined : numericOf(only)
    return a === undefined ? wrongTypes(what, args, "a number") : rule(a)
  }
}

const negation = unary("- (minus)", ({ type, range, nullable }) =>
  numericDomain({ type, range: { min: negateEnd(range.max), max: negateEnd(range.min) }, nullable }, "-"),
)

const absolute = unary("ABS", ({ type, range, nullable }) => {
  const { min, max } = range
  const none = endAt(rational(0n), true)
  const least = mayBeZero(range) ? none : min.value.numerator > 0n ? min : negateEnd(max)
  return numericDomain({ type, range: { min: least, max: upperEnd(negateEnd(min), max) }, nullable }, "ABS")
})

const signOf = unary("SIGN", ({ range, nullable }) => {
  const sign = ({ value }: RangeEnd): bigint => (value.numerator < 0n ? -1n : value.numerator > 0n ? 1n : 0n)
  const whole = (end: RangeEnd): RangeEnd => endAt(rational(sign(end)), true)
  return { type: { kind: "integer" }, nullable, range: { min: whole(range.min), max: whole(range.max) } }
})

/** Integer division of two exact numbers, if both are integers; undefined where the result is NULL. */
function exactQuotient(a: Rational, b: Rational): Rational | undefined {
  return b.numerator === 0n ? undefined : rational(floor(a) / floor(b))
}

/** What each function of this family gives. */
export const arithmeticResults = {
  add: binary("+", addition, add),
  subtract: binary("-", subtraction, (a, b) => add(a, negate(b))),
  multiply: binary("*", multiplication, product),
  divide: binary("/", division, exactQuotient),
  modulo: binary("%", remainder, exactRemainder),
  negate: negation,
  abs: absolute,
  sign: signOf,
} satisfies Record<string, (args: readonly Argument[]) => Result>
