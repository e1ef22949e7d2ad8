// The domain of one of several values: CASE, COALESCE, UNION. And the type that several values have in
// common.

import {
  floor,
  multiply,
  negate,
  numberNearest,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import { constantKey, microsPerDay, type Constant } from "../catalog/constant.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import { emptyDomain } from "../catalog/literal-domain.ts"
import { sameType, type SqlType } from "../catalog/sql-type.ts"
import type { NoResult } from "./definition.ts"
import { isNoResult, wrongTypes } from "./no-result.ts"
import {
  commonNumeric,
  isNumeric,
  lowerEnd,
  numericDomain,
  rangeIn,
  scaleOf,
  upperEnd,
  type NumericType,
} from "./numeric-domain.ts"

/** Lists longer than this are dropped: they would be no keys that people read. */
const valuesMax = 10_000

/** The type that holds values of all, if there is one. */
export function commonType(types: readonly SqlType[]): SqlType | undefined {
  let common: SqlType = { kind: "null" }
  for (const type of types) {
    if (type.kind === "null" || sameType(common, type)) continue
    if (common.kind === "null") common = type
    else if (isNumeric(common) && isNumeric(type)) common = commonNumeric(common, type)
    else if (isDay(common) && isDay(type)) common = { kind: "timestamp" }
    else return undefined
  }
  return common
}

/** The domain of a value that is one of these. `what` is the function for people. */
export function unionDomain(domains: readonly Domain[], what: string): Domain | NoResult {
  const type = commonType(domains.map((domain) => domain.type))
  if (type === undefined)
    return wrongTypes(
      what,
      domains.map((domain) => ({ domain })),
      "values of one type",
    )
  const members: Domain[] = []
  for (const domain of domains) {
    const member = inType(domain, type, what)
    if (isNoResult(member)) return member
    members.push(member)
  }
  return unionOf(members, type)
}

/** The same values in a wider type: an integer as decimal or float, a date as timestamp, NULL as anything. */
export function inType(domain: Domain, type: SqlType, what: string): Domain | NoResult {
  if (sameType(domain.type, type)) return domain
  if (domain.type.kind === "null") return emptyDomain(type)
  const { range, nullable, values } = domain
  const kept = values === undefined ? {} : { values: values.map(asTimestamp) }
  if (isNumeric(type) && isNumeric(domain.type) && range !== undefined) {
    const grid = domain.grid === undefined || type.kind !== "float" ? {} : { grid: domain.grid }
    const widened = { type, nullable, range: rangeIn(type, { type: domain.type, range }) }
    const result = numericDomain(widened, what)
    const same = type.kind === "float" ? asDoubles(values, domain.type) : values
    return isNoResult(result)
      ? result
      : { ...result, ...(same === undefined ? {} : { values: same }), ...grid }
  }
  if (type.kind === "timestamp" && domain.type.kind === "date" && range !== undefined) {
    const calendar = { calendar: domain.calendar ?? "day" } as const
    return { type, nullable, range: timestampRange(range), ...kept, ...calendar }
  }
  return wrongTypes(what, [{ domain }], "values of one type")
}

/** Midnight of the days of a range. */
export function timestampRange({ min, max }: Range): Range {
  const day = (end: Range["min"]): Range["min"] => ({
    ...end,
    value: rational(end.value.numerator * microsPerDay, end.value.denominator),
  })
  return { min: day(min), max: day(max) }
}

/** The values of some lists, each once; nothing if one has no list or there are too many. */
export function unionValues(domains: readonly Domain[]): readonly Constant[] | undefined {
  const found = new Map<string, Constant>()
  for (const { values } of domains) {
    if (values === undefined) return undefined
    for (const value of values) found.set(constantKey(value), value)
    if (found.size > valuesMax) return undefined
  }
  return [...found.values()]
}

function unionOf(members: readonly Domain[], type: SqlType): Domain {
  const values = unionValues(members)
  const some = members.filter((member) => !isEmpty(member))
  const ranges = (some.length === 0 ? members : some).flatMap(({ range }) =>
    range === undefined ? [] : [range],
  )
  const [first, ...rest] = ranges
  const range = first === undefined ? undefined : rest.reduce(unionRange, first)
  const [calendar, ...others] = [...new Set(some.map((member) => member.calendar))]
  const [grid, ...otherGrids] = some.map((member) => member.grid)
  const sameGrid = otherGrids.every(
    (other) => other?.numerator === grid?.numerator && other?.denominator === grid?.denominator,
  )
  return {
    type,
    nullable: members.some(({ nullable }) => nullable),
    ...(range === undefined ? {} : { range }),
    ...(values === undefined ? {} : { values }),
    ...(calendar === undefined || others.length > 0 ? {} : { calendar }),
    ...(members.some(({ freeText }) => freeText === true) ? { freeText: true as const } : {}),
    ...(grid === undefined || !sameGrid ? {} : { grid }),
  }
}

/** From the lower of the lower ends to the upper of the upper ones. */
export function unionRange(a: Range, b: Range): Range {
  return { min: lowerEnd(a.min, b.min), max: upperEnd(a.max, b.max) }
}

function isEmpty({ values }: Domain): boolean {
  return values?.length === 0
}

function isDay(type: SqlType): boolean {
  return type.kind === "date" || type.kind === "timestamp"
}

/**
 * Listed numbers as doubles, where their digits without the point are exact in one: DuckDB's double of a
 * wider number need not be the nearest.
 */
function asDoubles(
  values: readonly Constant[] | undefined,
  type: NumericType,
): readonly Constant[] | undefined {
  const unit = 10n ** BigInt(scaleOf(type))
  const isExact = (value: Constant): boolean =>
    value.kind === "number" && floor(absolute(multiply(value.value, rational(unit)))) <= 2n ** 53n
  return values?.every(isExact) === true ? values.map(asDouble) : undefined
}

function absolute(value: Rational): Rational {
  return value.numerator < 0n ? negate(value) : value
}

function asDouble(value: Constant): Constant {
  return value.kind === "number"
    ? { kind: "number", value: rationalOfNumber(numberNearest(value.value)) }
    : value
}

function asTimestamp(value: Constant): Constant {
  return value.kind === "date" ? { kind: "timestamp", micros: value.day * microsPerDay } : value
}
