// Casts: what each type gives in another. NULL where a value has none: a text that is no number, a date
// outside the years 0001 to 9999.

import {
  add,
  ceil,
  compare,
  floor,
  maximum,
  minimum,
  negate,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import {
  civilOfDay,
  firstDay,
  firstMicro,
  floorDivide,
  lastDay,
  lastMicro,
  showDay,
} from "../catalog/civil-date.ts"
import { microsPerDay, type Constant } from "../catalog/constant.ts"
import type { Domain, Range, RangeEnd } from "../catalog/domain.ts"
import { emptyDomain } from "../catalog/literal-domain.ts"
import { sameType, scaleMax, showType, type SqlType } from "../catalog/sql-type.ts"
import type { Argument, NoResult } from "./definition.ts"
import { floatToDecimal, roundHalfAway } from "./math.ts"
import { mismatch } from "./no-result.ts"
import {
  endAt,
  isNumeric,
  numericDomain,
  rangeIn,
  scaleOf,
  unitOf,
  type NumericType,
} from "./numeric-domain.ts"
import { timestampRange } from "./union-domain.ts"

type Result = Domain | NoResult

/** A float of this size, or larger, has no integer. */
export const floatToIntegerMax: Rational = rational(9_200_000_000_000_000_000n)
/** The most digits before the point of a number in a text. */
export const textDigitsMax = 18
const textFloatMax: Rational = rational(10n ** 130n)

/** The domain of a cast. */
export function castResult(from: Argument, to: SqlType): Result {
  const { domain } = from
  const source = domain.type
  if (to.kind === "decimal" && (to.scale < 0 || to.scale > scaleMax)) {
    return mismatch(`CAST to ${showType(to)}`, `use at most ${scaleMax} digits after the point`)
  }
  if (source.kind === "null") return emptyDomain(to)
  if (sameType(source, to)) return domain
  if (isNumeric(to) && isNumeric(source)) return numberToNumber(domain, to)
  switch (source.kind) {
    case "text":
      return textTo(to)
    case "boolean":
      return booleanTo(domain, to)
    case "date":
      if (to.kind === "timestamp" && domain.range !== undefined) {
        return {
          ...dated(domain),
          type: to,
          range: timestampRange(domain.range),
          calendar: domain.calendar ?? "day",
        }
      }
      break
    case "timestamp":
      if (to.kind === "date" && domain.range !== undefined) return timestampToDate(domain, domain.range)
      break
    default:
  }
  if (to.kind === "boolean" && source.kind === "integer") return { type: to, nullable: domain.nullable }
  if (to.kind === "text" && source.kind !== "interval" && source.kind !== "float") return toText(domain)
  return noCast(source, to)
}

function noCast(from: SqlType, to: SqlType): NoResult {
  const remedy =
    from.kind === "float" && to.kind === "text"
      ? "round it first, so that its digits are fixed: CAST(ROUND(x, 2) AS text)"
      : "cast to another type"
  return mismatch(`CAST of ${showType(from)} to ${showType(to)} is not defined`, remedy)
}

function numberToNumber({ type, range, nullable, values, grid }: Domain, to: NumericType): Result {
  if (range === undefined || !isNumeric(type)) return noCast(type, to)
  if (to.kind === "float") {
    const result = numericDomain({ type: to, range: rangeIn(to, { type, range }), nullable }, "CAST")
    return "kind" in result ? result : { ...result, ...(grid === undefined ? {} : { grid }) }
  }
  if (type.kind === "float") return floatToExact({ range, nullable }, to)
  const step = unitOf(to)
  const rounded = (value: Rational): Rational =>
    rational(roundHalfAway(rational(value.numerator * step.denominator, value.denominator)), step.denominator)
  const at = ({ value, declared }: RangeEnd): RangeEnd => endAt(rounded(value), declared)
  const result = numericDomain(
    { type: to, range: { min: at(range.min), max: at(range.max) }, nullable },
    "CAST",
  )
  if ("kind" in result || values === undefined) return result
  return scaleOf(type) <= scaleOf(to) ? { ...result, values } : result
}

/** To an integer halves go to even; what is beyond 64 bits is NULL. To a decimal, see `floatToDecimal`. */
function floatToExact(
  { range, nullable }: { readonly range: Range; readonly nullable: boolean },
  to: NumericType,
): Result {
  if (to.kind === "decimal") {
    return floatToDecimal({ type: { kind: "float" }, range, nullable }, to.scale, "CAST")
  }
  const cut = (value: Rational): Rational =>
    maximum(minimum(value, floatToIntegerMax), negate(floatToIntegerMax))
  const [low, high] = [cut(range.min.value), cut(range.max.value)]
  const half = rational(1n, 2n)
  const [min, max] = [ceil(add(low, negate(half))), floor(add(high, half))]
  return numericDomain(
    {
      type: to,
      range: { min: endAt(rational(min), range.min.declared), max: endAt(rational(max), range.max.declared) },
      nullable: nullable || !hasInteger(range),
    },
    "CAST",
  )
}

/** Whether every float of a range has an integer: the ends themselves have none. */
export function hasInteger({ min, max }: Range): boolean {
  return compare(max.value, floatToIntegerMax) < 0 && compare(min.value, negate(floatToIntegerMax)) > 0
}

/** Texts that are written like such a value, with spaces around it at most. */
function textTo(to: SqlType): Result {
  const most = (value: Rational): Range => ({ min: endAt(negate(value), false), max: endAt(value, false) })
  switch (to.kind) {
    case "integer":
    case "decimal":
      return numericDomain(
        { type: to, range: most(rational(10n ** BigInt(textDigitsMax))), nullable: true },
        "CAST",
      )
    case "float":
      return numericDomain({ type: to, range: most(textFloatMax), nullable: true }, "CAST")
    case "boolean":
      return { type: to, nullable: true }
    case "date":
      return { type: to, nullable: true, range: between(firstDay, lastDay) }
    case "timestamp":
      return { type: to, nullable: true, range: between(firstMicro, lastMicro) }
    default:
      return noCast({ kind: "text" }, to)
  }
}

function between(min: bigint, max: bigint): Range {
  return { min: endAt(rational(min), false), max: endAt(rational(max), false) }
}

function booleanTo(domain: Domain, to: SqlType): Result {
  if (to.kind === "text") {
    const values = ["false", "true"].map((value): Constant => ({ kind: "text", value }))
    return { type: to, nullable: domain.nullable, values }
  }
  if (to.kind !== "integer") return noCast(domain.type, to)
  const range = { min: endAt(rational(0n), true), max: endAt(rational(1n), true) }
  return { type: to, nullable: domain.nullable, range }
}

function timestampToDate({ nullable, calendar, values }: Domain, range: Range): Result {
  const day = ({ value, declared }: RangeEnd): RangeEnd =>
    endAt(rational(floorDivide(floor(value), microsPerDay)), declared)
  const days = values?.map((value): Constant =>
    value.kind === "timestamp" ? { kind: "date", day: floorDivide(value.micros, microsPerDay) } : value,
  )
  return {
    type: { kind: "date" },
    nullable,
    range: { min: day(range.min), max: day(range.max) },
    ...(calendar === undefined || calendar === "hour" ? {} : { calendar }),
    ...(days === undefined ? {} : { values: days }),
  }
}

/** Listed numbers and dates stay listed. */
function toText({ type, nullable, values }: Domain): Result {
  const texts = values?.flatMap((value): readonly Constant[] => {
    const text = textOf(value, type)
    return text === undefined ? [] : [{ kind: "text", value: text }]
  })
  const isListed = texts !== undefined && texts.length > 0 && texts.length === values?.length
  return { type: { kind: "text" }, nullable, ...(isListed ? { values: texts } : {}) }
}

function textOf(value: Constant, type: SqlType): string | undefined {
  if (value.kind === "number" && type.kind === "integer") return `${floor(value.value)}`
  if (value.kind === "date" && civilOfDay(value.day).year > 0n) return showDay(value.day)
  return undefined
}

function dated({ nullable, values }: Domain): Omit<Domain, "type"> {
  const moments = values?.map((value): Constant =>
    value.kind === "date" ? { kind: "timestamp", micros: value.day * microsPerDay } : value,
  )
  return { nullable, ...(moments === undefined ? {} : { values: moments }) }
}
