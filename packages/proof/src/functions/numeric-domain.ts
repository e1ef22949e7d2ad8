// Ranges of numbers under arithmetic. Ends are exact; results of floats are rounded outward to doubles, which
// holds because rounding never swaps two numbers. What could pass the widest types has no result.

import {
  add,
  ceil,
  compare,
  floor,
  negate,
  numberDown,
  numberUp,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain, Range, RangeEnd } from "../catalog/domain.ts"
import { emptyDomain } from "../catalog/literal-domain.ts"
import { scaleMax, type SqlType } from "../catalog/sql-type.ts"
import type { Argument, NoResult } from "./definition.ts"
import { mayOverflow } from "./no-result.ts"

/** A type of numbers. */
export type NumericType = Extract<SqlType, { readonly kind: "integer" | "decimal" | "float" }>

/** An argument that is a number. */
export interface NumericArgument {
  readonly type: NumericType
  readonly range: Range
  readonly nullable: boolean
}

/**
 * Integers and unscaled decimals stay below this in size: 38 digits fit each database with room for one
 * step.
 */
export const unscaledMax: bigint = 10n ** 37n
/** Floats stay below this in size, so that no operation reaches infinity. */
export const floatMax: Rational = rational(10n ** 300n)

/** The argument as a number; a bare NULL is an integer. */
export function numericOf({ domain }: Argument): NumericArgument | undefined {
  const { type, range, nullable } = domain.type.kind === "null" ? emptyDomain({ kind: "integer" }) : domain
  if (range === undefined || !isNumeric(type)) return undefined
  return { type, range, nullable }
}

/** Whether values of the type are numbers. */
export function isNumeric(type: SqlType): type is NumericType {
  return type.kind === "integer" || type.kind === "decimal" || type.kind === "float"
}

/** The type that holds numbers of both. */
export function commonNumeric(a: NumericType, b: NumericType): NumericType {
  if (a.kind === "float" || b.kind === "float") return { kind: "float" }
  const scale = Math.max(scaleOf(a), scaleOf(b))
  return a.kind === "integer" && b.kind === "integer" ? a : { kind: "decimal", scale }
}

/** Digits after the point of an integer or decimal. */
export function scaleOf(type: NumericType): number {
  return type.kind === "decimal" ? type.scale : 0
}

/** A decimal, or a float where it has too many digits after the point. */
export function decimalType(scale: number): NumericType {
  return scale > scaleMax ? { kind: "float" } : { kind: "decimal", scale }
}

/** The smallest difference of two values: 1, or one in the last digit. Floats have none. */
export function unitOf(type: NumericType): Rational {
  return rational(1n, 10n ** BigInt(scaleOf(type)))
}

/** The domain of numbers between two ends, if the type can hold them. `what` is the function for people. */
export function numericDomain({ type, range, nullable }: NumericArgument, what: string): Domain | NoResult {
  if (type.kind !== "float") {
    const scale = 10n ** BigInt(scaleOf(type))
    const fits = [range.min, range.max].every(({ value }) => {
      const size = value.numerator < 0n ? negate(value) : value
      return ceil(rational(size.numerator * scale, size.denominator)) < unscaledMax
    })
    return fits ? { type, nullable, range } : mayOverflow(what, "37 digits")
  }
  const beyond = [range.min, range.max].some(
    ({ value }) => compare(value, floatMax) > 0 || compare(value, negate(floatMax)) < 0,
  )
  return beyond ? mayOverflow(what, "1e300") : { type, nullable, range: outward(range) }
}

/** The range with its ends moved outward to doubles. */
export function outward({ min, max }: Range): Range {
  return {
    min: { value: doubleDown(min.value), declared: min.declared },
    max: { value: doubleUp(max.value), declared: max.declared },
  }
}

/** The range of the same values after they became doubles or not, as the type says. */
export function rangeIn(
  type: NumericType,
  { type: from, range }: Pick<NumericArgument, "type" | "range">,
): Range {
  return type.kind === "float" && from.kind !== "float" ? asDoubles(from, range) : range
}

/**
 * Doubles next to exact numbers. Up to 2^53 units they are the nearest ones. Beyond that databases put a
 * double together from parts that are rounded one by one (whole part and fraction, upper and lower 64 bits),
 * and it may be a step or two beside the nearest: DuckDB makes -9007199254740992 of
 * -9007199254740994.290263346258. So larger ends are moved by at least four steps more.
 */
function asDoubles(from: NumericType, range: Range): Range {
  const units = rational(2n ** 53n, 10n ** BigInt(scaleOf(from)))
  const moved = ({ value, declared }: RangeEnd, direction: 1n | -1n): RangeEnd => {
    const size = value.numerator < 0n ? negate(value) : value
    if (compare(size, units) <= 0) return endAt(value, declared)
    return endAt(add(value, rational(size.numerator * direction, size.denominator * 2n ** 50n)), declared)
  }
  return outward({ min: moved(range.min, -1n), max: moved(range.max, 1n) })
}

/** The range moved outward to whole units of an integer or decimal type. */
export function onGrid(type: NumericType, { min, max }: Range): Range {
  const scale = 10n ** BigInt(scaleOf(type))
  return {
    min: {
      ...min,
      value: rational(floor(rational(min.value.numerator * scale, min.value.denominator)), scale),
    },
    max: {
      ...max,
      value: rational(ceil(rational(max.value.numerator * scale, max.value.denominator)), scale),
    },
  }
}

/** An end of a range. */
export function endAt(value: Rational, declared: boolean): RangeEnd {
  return { value, declared }
}

/** The smaller of two ends; of two equal ones the declared. */
export function lowerEnd(a: RangeEnd, b: RangeEnd): RangeEnd {
  const order = compare(a.value, b.value)
  return order < 0 || (order === 0 && a.declared) ? a : b
}

/** The larger of two ends; of two equal ones the declared. */
export function upperEnd(a: RangeEnd, b: RangeEnd): RangeEnd {
  const order = compare(a.value, b.value)
  return order > 0 || (order === 0 && a.declared) ? a : b
}

/** The range from the least to the greatest of some ends. */
export function spanning(ends: readonly RangeEnd[]): Range {
  const [first = endAt(rational(0n), true), ...rest] = ends
  return { min: rest.reduce(lowerEnd, first), max: rest.reduce(upperEnd, first) }
}

/** a + b of two ends. */
export function addEnds(a: RangeEnd, b: RangeEnd): RangeEnd {
  return endAt(add(a.value, b.value), a.declared && b.declared)
}

/** -a of an end. */
export function negateEnd(a: RangeEnd): RangeEnd {
  return endAt(negate(a.value), a.declared)
}

/** Whether 0 may occur. */
export function mayBeZero({ min, max }: Range): boolean {
  return min.value.numerator <= 0n && max.value.numerator >= 0n
}

function doubleDown(value: Rational): Rational {
  return rationalOfNumber(numberDown(value))
}

function doubleUp(value: Rational): Rational {
  return rationalOfNumber(numberUp(value))
}
