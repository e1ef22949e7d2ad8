// Dates and times, on ranges. What falls outside the years 0001 to 9999 is NULL.

import { compare, floor, rational, type Rational } from "@dosimeter/core/exact"
import {
  addMonths,
  civilOfDay,
  firstDay,
  firstMicro,
  floorDivide,
  lastDay,
  lastMicro,
  truncateDay,
} from "../catalog/civil-date.ts"
import { microsPerDay, type Constant } from "../catalog/constant.ts"
import type { Calendar, Domain, Range, RangeEnd } from "../catalog/domain.ts"
import type { Argument, NoResult } from "./definition.ts"
import { mismatch, wrongTypes } from "./no-result.ts"
import {
  addEnds,
  endAt,
  lowerEnd,
  negateEnd,
  numericDomain,
  numericOf,
  rangeIn,
  upperEnd,
} from "./numeric-domain.ts"
import { timestampRange } from "./union-domain.ts"

type Result = Domain | NoResult

/** An interval that is added: months first, then days, then microseconds. */
export type Interval = Extract<Constant, { readonly kind: "interval" }>

/** Longer intervals are refused; with these no step on the way leaves what databases can hold. */
const intervalMax = { months: 48_000n, days: 1_460_000n, micros: 120_000_000_000_000_000n }

/** The fields of EXTRACT. Seconds are whole: their fraction is cut off. */
export const extractFields = {
  year: { times: false },
  quarter: { times: false, range: [1n, 4n] },
  month: { times: false, range: [1n, 12n] },
  week: { times: false, range: [1n, 53n] },
  day: { times: false, range: [1n, 31n] },
  dow: { times: false, range: [0n, 6n] },
  isodow: { times: false, range: [1n, 7n] },
  doy: { times: false, range: [1n, 366n] },
  hour: { times: true, range: [0n, 23n] },
  minute: { times: true, range: [0n, 59n] },
  second: { times: true, range: [0n, 59n] },
  epoch: { times: false },
} as const

/** A field of EXTRACT. */
export type ExtractField = keyof typeof extractFields

/** The units of DATE_TRUNC. */
export const truncUnits = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const

/** A unit of DATE_TRUNC. */
export type TruncUnit = (typeof truncUnits)[number]

const allDays: Range = { min: endAt(rational(firstDay), false), max: endAt(rational(lastDay), false) }
const allMicros: Range = { min: endAt(rational(firstMicro), false), max: endAt(rational(lastMicro), false) }

/** A date or timestamp argument; a bare NULL is a date. */
function momentOf(
  arg: Argument | undefined,
): { readonly kind: "date" | "timestamp"; readonly range: Range } | undefined {
  const kind = arg?.domain.type.kind
  if (kind === "null")
    return { kind: "date", range: { min: endAt(rational(0n), true), max: endAt(rational(0n), true) } }
  const range = arg?.domain.range
  return (kind === "date" || kind === "timestamp") && range !== undefined ? { kind, range } : undefined
}

function isNullable(args: readonly Argument[]): boolean {
  return args.some(({ domain }) => domain.nullable)
}

/** The part of a range that databases hold for us, and whether something was cut off. */
function held(range: Range, all: Range): { readonly range: Range; readonly isCut: boolean } {
  const min = upperEnd(lowerEnd(range.min, all.max), all.min)
  const max = lowerEnd(upperEnd(range.max, all.min), all.max)
  return {
    range: { min, max },
    isCut: compare(min.value, range.min.value) !== 0 || compare(max.value, range.max.value) !== 0,
  }
}

function addDays(args: readonly Argument[]): Result {
  const [first, second] = args
  const date = momentOf(first)
  const count = second === undefined ? undefined : numericOf(second)
  if (date?.kind !== "date" || count?.type.kind !== "integer" || args.length !== 2) {
    return wrongTypes("+ (days to a date)", args, "a date and an integer")
  }
  const moved = {
    min: addEnds(date.range.min, count.range.min),
    max: addEnds(date.range.max, count.range.max),
  }
  const { range, isCut } = held(moved, allDays)
  return { type: { kind: "date" }, nullable: isNullable(args) || isCut, range }
}

function addInterval(args: readonly Argument[]): Result {
  const [first, second] = args
  const moment = momentOf(first)
  const interval = second?.literal
  if (
    moment === undefined ||
    args.length !== 2 ||
    (interval?.kind !== "interval" && interval?.kind !== "null")
  ) {
    return wrongTypes("+ (an interval)", args, "a date or timestamp and a constant interval")
  }
  if (interval.kind === "null")
    return { type: { kind: moment.kind }, nullable: true, range: moment.range, values: [] }
  if (isTooLong(interval)) {
    return mismatch("the interval is longer than 4,000 years", "write a shorter INTERVAL")
  }
  if (interval.micros % 1000n !== 0n) {
    return mismatch("the interval is finer than a millisecond", "write an INTERVAL of whole milliseconds")
  }
  const isDate = moment.kind === "date" && interval.micros === 0n
  const source = isDate || moment.kind === "timestamp" ? moment.range : timestampRange(moment.range)
  const moved = isDate ? movedDays(source, interval) : movedMicros(source, interval)
  const { range, isCut } = held(moved, isDate ? allDays : allMicros)
  return { type: { kind: isDate ? "date" : "timestamp" }, nullable: isNullable(args) || isCut, range }
}

function isTooLong({ months, days, micros }: Interval): boolean {
  const size = (value: bigint): bigint => (value < 0n ? -value : value)
  return (
    size(months) > intervalMax.months || size(days) > intervalMax.days || size(micros) > intervalMax.micros
  )
}

/** Days never change places: those that a month does not have are put on its last day. */
function movedDays({ min, max }: Range, interval: Interval): Range {
  const move = ({ value, declared }: RangeEnd): RangeEnd =>
    endAt(rational(moveDay(floor(value), interval)), declared)
  return { min: move(min), max: move(max) }
}

/**
 * Moments of different days do change places where months are added: March 30 at noon and March 31 at one
 * both go to the last of February. So the days are moved, and every time of the first and the last may occur.
 */
function movedMicros({ min, max }: Range, interval: Interval): Range {
  const [first, last] = [floor(min.value), floor(max.value)]
  const dayOf = (micros: bigint): bigint => floorDivide(micros, microsPerDay)
  const keepsOrder = interval.months === 0n || dayOf(first) === dayOf(last)
  const [from, to] = keepsOrder
    ? [first, last]
    : [dayOf(first) * microsPerDay, (dayOf(last) + 1n) * microsPerDay - 1n]
  return {
    min: endAt(rational(moveMicros(from, interval)), min.declared),
    max: endAt(rational(moveMicros(to, interval)), max.declared),
  }
}

/** A day plus the months and days of an interval. */
export function moveDay(day: bigint, { months, days }: Interval): bigint {
  return addMonths(day, months) + days
}

/** A moment plus an interval. */
export function moveMicros(micros: bigint, interval: Interval): bigint {
  const day = floorDivide(micros, microsPerDay)
  return moveDay(day, interval) * microsPerDay + (micros - day * microsPerDay) + interval.micros
}

/** a - b in days. */
function daysBetween(args: readonly Argument[]): Result {
  const [a, b] = [momentOf(args[0]), momentOf(args[1])]
  if (a?.kind !== "date" || b?.kind !== "date" || args.length !== 2) {
    return wrongTypes("- (days between dates)", args, "two dates")
  }
  return { type: { kind: "integer" }, nullable: isNullable(args), range: difference(a.range, b.range) }
}

/** a - b in seconds, with six digits after the point. */
function secondsBetween(args: readonly Argument[]): Result {
  const [a, b] = [momentOf(args[0]), momentOf(args[1])]
  if (a === undefined || b === undefined || args.length !== 2) {
    return wrongTypes("- (seconds between timestamps)", args, "two timestamps")
  }
  const micros = ({ kind, range }: typeof a): Range => (kind === "date" ? timestampRange(range) : range)
  const range = difference(micros(a), micros(b))
  const seconds = (end: RangeEnd): RangeEnd => endAt(perMillion(end.value), end.declared)
  const type = { kind: "decimal", scale: 6 } as const
  return numericDomain(
    { type, nullable: isNullable(args), range: { min: seconds(range.min), max: seconds(range.max) } },
    "-",
  )
}

function perMillion({ numerator, denominator }: Rational): Rational {
  return rational(numerator, denominator * 1_000_000n)
}

function difference(a: Range, b: Range): Range {
  return { min: addEnds(a.min, negateEnd(b.max)), max: addEnds(a.max, negateEnd(b.min)) }
}

function extract(args: readonly Argument[]): Result {
  const [first, second] = args
  const moment = momentOf(second)
  const field = wordOf(first)
  if (moment === undefined || field === undefined || args.length !== 2) {
    return wrongTypes("EXTRACT", args, "a field and a date or timestamp: EXTRACT(year FROM x)")
  }
  if (!isExtractField(field)) {
    return mismatch(`EXTRACT has no field ${field}`, `use one of ${Object.keys(extractFields).join(", ")}`)
  }
  const { times } = extractFields[field]
  if (times && moment.kind === "date") {
    return mismatch(`EXTRACT(${field}) of a date`, "take it of a timestamp; a date has no time")
  }
  const nullable = isNullable(args)
  if (field === "epoch") return epoch(moment, nullable)
  const definition = extractFields[field]
  const range = "range" in definition ? definition.range : undefined
  if (range === undefined) return { type: { kind: "integer" }, nullable, range: mapRange(moment, yearOf) }
  const [min, max] = range
  return {
    type: { kind: "integer" },
    nullable,
    range: { min: endAt(rational(min), true), max: endAt(rational(max), true) },
  }
}

function epoch(
  { kind, range }: { readonly kind: "date" | "timestamp"; readonly range: Range },
  nullable: boolean,
): Result {
  const { min, max } = kind === "date" ? timestampRange(range) : range
  const ends = {
    min: endAt(perMillion(min.value), min.declared),
    max: endAt(perMillion(max.value), max.declared),
  }
  // Databases make a double of the microseconds, and divide it: it is not always the nearest.
  const type = { kind: "float" } as const
  const doubles = rangeIn(type, { type: { kind: "decimal", scale: 6 }, range: ends })
  return numericDomain({ type, nullable, range: doubles }, "EXTRACT(epoch)")
}

/** Whether EXTRACT knows the field. */
export function isExtractField(word: string): word is ExtractField {
  return Object.hasOwn(extractFields, word)
}

/** Whether DATE_TRUNC knows the unit. */
export function isTruncUnit(word: string): word is TruncUnit {
  return truncUnits.some((unit) => unit === word)
}

/** The field or unit, a constant text in any case. */
export function wordOf(arg: Argument | undefined): string | undefined {
  return arg?.literal?.kind === "text" ? arg.literal.value.toLowerCase() : undefined
}

/** A date stays a date (in PostgreSQL it becomes a timestamp). */
function dateTrunc(args: readonly Argument[]): Result {
  const [first, second] = args
  const moment = momentOf(second)
  const unit = wordOf(first)
  if (moment === undefined || unit === undefined || args.length !== 2) {
    return wrongTypes("DATE_TRUNC", args, "a unit and a date or timestamp: DATE_TRUNC('month', x)")
  }
  if (!isTruncUnit(unit)) {
    return mismatch(`DATE_TRUNC has no unit ${unit}`, `use one of ${truncUnits.join(", ")}`)
  }
  const isShort = unit === "hour" || unit === "minute" || unit === "second"
  if (moment.kind === "date" && isShort) {
    return mismatch(`DATE_TRUNC('${unit}') of a date`, "take it of a timestamp; a date has no time")
  }
  const calendar: Calendar | undefined = unit === "minute" || unit === "second" ? undefined : unit
  const cut = (end: RangeEnd): RangeEnd =>
    endAt(rational(truncated(floor(end.value), moment.kind, unit)), end.declared)
  return {
    type: { kind: moment.kind },
    nullable: isNullable(args),
    range: { min: cut(moment.range.min), max: cut(moment.range.max) },
    ...(calendar === undefined ? {} : { calendar }),
  }
}

function truncated(value: bigint, kind: "date" | "timestamp", unit: TruncUnit): bigint {
  if (unit === "hour" || unit === "minute" || unit === "second") {
    const step = { hour: 3_600_000_000n, minute: 60_000_000n, second: 1_000_000n }[unit]
    return floorDivide(value, step) * step
  }
  if (kind === "date") return truncateDay(value, unit)
  return truncateDay(floorDivide(value, microsPerDay), unit) * microsPerDay
}

/** Whole years or months from b to a, as in EXTRACT(YEAR FROM AGE(a, b)); toward zero, months in total. */
function age(what: string, months: bigint) {
  return (args: readonly Argument[]): Result => {
    const [a, b] = [momentOf(args[0]), momentOf(args[1])]
    if (a === undefined || b === undefined || args.length !== 2) return wrongTypes(what, args, "two dates")
    const [left, right] = [mapRange(a, monthKey), mapRange(b, monthKey)]
    const { min, max } = difference(left, right)
    // Days of a month are below 32. Times of the day count like a part of one more.
    const part = a.kind === "date" && b.kind === "date" ? 0n : 1n
    const whole = (end: RangeEnd, slack: bigint): RangeEnd =>
      endAt(rational((floor(end.value) + slack) / 32n / months), end.declared)
    return {
      type: { kind: "integer" },
      nullable: isNullable(args),
      range: { min: whole(min, -part), max: whole(max, part) },
    }
  }
}

function monthKey(day: bigint): bigint {
  const { year, month, day: ofMonth } = civilOfDay(day)
  return (year * 12n + month) * 32n + ofMonth
}

function yearOf(day: bigint): bigint {
  return civilOfDay(day).year
}

/** The range of a growing function of days. */
function mapRange(
  { kind, range }: { readonly kind: "date" | "timestamp"; readonly range: Range },
  map: (day: bigint) => bigint,
): Range {
  const at = ({ value, declared }: RangeEnd): RangeEnd => {
    const whole = floor(value)
    return endAt(rational(map(kind === "date" ? whole : floorDivide(whole, microsPerDay))), declared)
  }
  return { min: at(range.min), max: at(range.max) }
}

/** What each function of this family gives. */
export const dateResults = {
  "add-days": addDays,
  "add-interval": addInterval,
  "days-between": daysBetween,
  "seconds-between": secondsBetween,
  extract,
  "date-trunc": dateTrunc,
  "age-years": age("AGE in years", 12n),
  "age-months": age("AGE in months", 1n),
} satisfies Record<string, (args: readonly Argument[]) => Result>
