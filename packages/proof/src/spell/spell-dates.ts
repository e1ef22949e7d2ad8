// How dates and times are written. Every sum is kept inside the years 0001 to 9999 by a condition on what it
// starts from.

import { assert } from "@dosimeter/core/errors"
import { compare, rational, type Rational } from "@dosimeter/core/exact"
import { firstDay, firstMicro, lastDay, lastMicro } from "../catalog/civil-date.ts"
import { microsPerDay } from "../catalog/constant.ts"
import type { Range } from "../catalog/domain.ts"
import {
  isExtractField,
  isTruncUnit,
  moveDay,
  moveMicros,
  wordOf,
  type Interval,
} from "../functions/dates.ts"
import { writeConstant, writeInteger } from "./literal.ts"
import { addEnds, numericOf } from "../functions/numeric-domain.ts"
import { argAs, argOf, castTo, domainAt, type Spell, type Written } from "./spell.ts"
import { wholeQuotient } from "./spell-arithmetic.ts"
import { storedType } from "./stored.ts"

const date = { kind: "date" } as const
const timestamp = { kind: "timestamp" } as const

function dateAt(written: Written, index: number): string {
  return argOf(written, index, date)
}

function timestampAt(written: Written, index: number): string {
  return argAs(written, index, { type: timestamp })
}

const addDays: Spell = (written) => {
  const { dialect } = written
  const [day, count] = [domainAt(written, 0), numericOf({ domain: domainAt(written, 1) })]
  const [x, n] = [dateAt(written, 0), argOf(written, 1, { kind: "integer" })]
  const plus = (days: string): string => dialect.dates.plusDays(x, days)
  const reached =
    day.range !== undefined && count !== undefined
      ? { min: addEnds(day.range.min, count.range.min), max: addEnds(day.range.max, count.range.max) }
      : undefined
  if (reached !== undefined && isWithin(reached, firstDay, lastDay)) return plus(`CAST(${n} AS INTEGER)`)
  // Whole days since 1970 first: no date is made that is not there.
  const since = dialect.dates.daysBetween(x, "DATE '1970-01-01'")
  const total = `(CAST(${since} AS BIGINT) + CASE WHEN ${n} BETWEEN -4000000 AND 4000000 THEN CAST(${n} AS BIGINT) END)`
  return `CASE WHEN ${total} BETWEEN ${firstDay} AND ${lastDay} THEN ${plus(`CAST(${n} AS INTEGER)`)} END`
}

function isWithin({ min, max }: Range, first: bigint, last: bigint): boolean {
  return compare(min.value, rational(first)) >= 0 && compare(max.value, rational(last)) <= 0
}

const daysBetween: Spell = (written) => {
  const { dialect, result } = written
  const [a, b] = [dateAt(written, 0), dateAt(written, 1)]
  return castTo(dialect.dates.daysBetween(a, b), result, dialect)
}

const addInterval: Spell = (written) => {
  const { dialect, result, arguments: args } = written
  const interval = args[1]?.literal
  if (interval?.kind !== "interval") return castTo("NULL", result, dialect)
  const isDate = result.type.kind === "date"
  const x = isDate ? dateAt(written, 0) : timestampAt(written, 0)
  const moved = dialect.dates.plusInterval(x, interval)
  const text = isDate ? castTo(moved, result, dialect) : moved
  const source = domainAt(written, 0)
  const bounds = isDate
    ? startsWithin((day) => moveDay(day, interval), { first: firstDay, last: lastDay })
    : timesWithin(interval)
  if (bounds === undefined) return castTo("NULL", result, dialect)
  const scale = !isDate && source.type.kind === "date" ? microsPerDay : 1n
  // With months and times together, not all that start between the bounds end inside.
  const isSure = isDate || interval.months === 0n || interval.micros === 0n
  if (
    isSure &&
    source.range !== undefined &&
    isWithin(scaled(source.range, scale), bounds.first, bounds.last)
  )
    return text
  const between = (value: string, { first, last }: Bounds): string => {
    const [low, high] = [first, last].map((end) =>
      isDate
        ? writeConstant({ kind: "date", day: end }, date, dialect)
        : writeConstant({ kind: "timestamp", micros: end }, timestamp, dialect),
    )
    return `${value} BETWEEN ${low} AND ${high}`
  }
  const kept = isSure
    ? text
    : `CASE WHEN ${between(text, { first: firstMicro, last: lastMicro })} THEN ${text} END`
  return `CASE WHEN ${between(x, bounds)} THEN ${kept} END`
}

interface Bounds {
  readonly first: bigint
  readonly last: bigint
}

/**
 * The first and last moment from which an interval may stay inside the years: all moments of the days from
 * which one of the day does. None of them ends more than a day outside.
 */
function timesWithin(interval: Interval): Bounds | undefined {
  if (interval.months === 0n)
    return startsWithin((micros) => moveMicros(micros, interval), { first: firstMicro, last: lastMicro })
  const least = (day: bigint): bigint => moveMicros(day * microsPerDay, interval)
  const from = leastWith((day) => least(day) + microsPerDay > firstMicro, firstDay, lastDay + 1n)
  const beyond = leastWith((day) => least(day) > lastMicro, firstDay, lastDay + 1n)
  return from < beyond ? { first: from * microsPerDay, last: beyond * microsPerDay - 1n } : undefined
}

function scaled({ min, max }: Range, by: bigint): Range {
  const times = ({ numerator, denominator }: Rational): Rational => rational(numerator * by, denominator)
  return { min: { ...min, value: times(min.value) }, max: { ...max, value: times(max.value) } }
}

/** The first and last moment from which a growing function stays between two ends. */
function startsWithin(move: (at: bigint) => bigint, { first, last }: Bounds): Bounds | undefined {
  const from = leastWith((at) => move(at) >= first, first, last + 1n)
  const beyond = leastWith((at) => move(at) > last, first, last + 1n)
  return from < beyond ? { first: from, last: beyond - 1n } : undefined
}

/** The least number of [low, high) that a growing condition holds for, or high. */
function leastWith(holds: (at: bigint) => boolean, low: bigint, high: bigint): bigint {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >> 1n
    if (holds(middle)) to = middle
    else from = middle + 1n
  }
  return from
}

const secondsBetween: Spell = (written) => {
  const { dialect, result } = written
  const [a, b] = [timestampAt(written, 0), timestampAt(written, 1)]
  return dialect.dates.secondsBetween(a, b, storedType(result, dialect))
}

const extract: Spell = (written) => {
  const { dialect, result } = written
  const field = wordOf(written.arguments[0])
  assert(field !== undefined && isExtractField(field), "the field is known")
  if (field === "epoch") return dialect.dates.epoch(timestampAt(written, 1))
  return castTo(dialect.dates.field(field, dateAt(written, 1)), result, dialect)
}

const dateTrunc: Spell = (written) => {
  const { dialect, result } = written
  const unit = wordOf(written.arguments[0])
  assert(unit !== undefined && isTruncUnit(unit), "the unit is known")
  const isDate = result.type.kind === "date"
  if (dialect.dates.truncatesDates) return `date_trunc('${unit}', ${dateAt(written, 1)})`
  const text = `date_trunc('${unit}', ${timestampAt(written, 1)})`
  return isDate ? castTo(text, result, dialect) : text
}

/**
 * Years, or months, from b to a. Without a function for it, a date is a number whose last digits say the day
 * of the year (or month), so that the difference of two, cut to whole ones, is the age.
 */
function age(unit: "years" | "months"): Spell {
  return (written) => {
    const { dialect, result } = written
    const spelling = dialect.dates.age
    if (spelling.kind === "function") {
      const text = spelling.between(timestampAt(written, 0), timestampAt(written, 1), unit)
      return castTo(text, result, dialect)
    }
    const hasTime = [0, 1].some((index) => domainAt(written, index).type.kind === "timestamp")
    const [a, b] = [0, 1].map((index) => {
      const x = hasTime ? timestampAt(written, index) : dateAt(written, index)
      return ageKey(x, unit, hasTime ? spelling.microsOfDay(x) : undefined)
    })
    const size = (unit === "years" ? 10_000n : 32n) * (hasTime ? microsPerDay : 1n)
    const text = wholeQuotient(`(${a} - ${b})`, writeInteger(size, dialect), { stored: "BIGINT", dialect })
    return castTo(text, result, dialect)
  }
}

function ageKey(x: string, unit: "years" | "months", microsOfDay: string | undefined): string {
  const [year, month, day] = ["year", "month", "day"].map((field) => `CAST(${field}(${x}) AS BIGINT)`)
  const key =
    unit === "years"
      ? `(${year} * 10000 + ${month} * 100 + ${day})`
      : `((${year} * 12 + ${month}) * 32 + ${day})`
  return microsOfDay === undefined ? key : `(${key} * ${microsPerDay} + ${microsOfDay})`
}

/** The spellings of dates and times. */
export const dateSpellings = {
  "add-days": addDays,
  "add-interval": addInterval,
  "days-between": daysBetween,
  "seconds-between": secondsBetween,
  extract,
  "date-trunc": dateTrunc,
  "age-years": age("years"),
  "age-months": age("months"),
} satisfies Readonly<Record<string, Spell>>
