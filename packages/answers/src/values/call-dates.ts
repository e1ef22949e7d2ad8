// Dates and times on values. What falls outside the years 0001 to 9999 is NULL.

import { numberNearest, rational } from "@dosimeter/core/exact"
import {
  civilOfDay,
  dayOfCivil,
  firstDay,
  firstMicro,
  floorDivide,
  lastDay,
  lastMicro,
  truncateDay,
} from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import {
  isExtractField,
  isTruncUnit,
  moveDay,
  moveMicros,
  type ExtractField,
  type Interval,
  type TruncUnit,
} from "@dosimeter/proof/functions/dates"
import { floatConstant, nullConstant, numberConstant, wholeConstant } from "./doubles.ts"
import type { ValueFunction } from "./value-function.ts"

type Moment = Extract<Constant, { readonly kind: "date" | "timestamp" }>

/** A day that we hold, or NULL. */
export function dateConstant(day: bigint): Constant {
  return day < firstDay || day > lastDay ? nullConstant : { kind: "date", day }
}

/** A moment that we hold, or NULL. */
export function timestampConstant(micros: bigint): Constant {
  return micros < firstMicro || micros > lastMicro ? nullConstant : { kind: "timestamp", micros }
}

function isMoment(value: Constant): value is Moment {
  return value.kind === "date" || value.kind === "timestamp"
}

function microsOf(moment: Moment): bigint {
  return moment.kind === "date" ? moment.day * microsPerDay : moment.micros
}

/** The day of a moment. */
export function dayOf(moment: Moment): bigint {
  return moment.kind === "date" ? moment.day : floorDivide(moment.micros, microsPerDay)
}

const addDays: ValueFunction = ([date = nullConstant, count = nullConstant]) =>
  date.kind === "date" && count.kind === "number"
    ? dateConstant(date.day + count.value.numerator)
    : nullConstant

const addInterval: ValueFunction = ([moment = nullConstant, interval = nullConstant]) => {
  if (!isMoment(moment) || interval.kind !== "interval") return nullConstant
  return movedBy(moment, interval)
}

function movedBy(moment: Moment, interval: Interval): Constant {
  if (moment.kind === "date" && interval.micros === 0n) return dateConstant(moveDay(moment.day, interval))
  return timestampConstant(moveMicros(microsOf(moment), interval))
}

/** Two moments, neither NULL. */
function ofTwo(apply: (a: Moment, b: Moment) => Constant): ValueFunction {
  return ([a = nullConstant, b = nullConstant]) => (isMoment(a) && isMoment(b) ? apply(a, b) : nullConstant)
}

const extract: ValueFunction = ([field = nullConstant, moment = nullConstant]) => {
  if (field.kind !== "text" || !isMoment(moment)) return nullConstant
  const word = field.value.toLowerCase()
  if (!isExtractField(word)) return nullConstant
  if (word === "epoch") return floatConstant(numberNearest(rational(microsOf(moment), 1_000_000n)))
  return wholeConstant(fieldOf(word, moment))
}

function fieldOf(field: Exclude<ExtractField, "epoch">, moment: Moment): bigint {
  const day = dayOf(moment)
  const time = microsOf(moment) - day * microsPerDay
  const { year, month, day: ofMonth } = civilOfDay(day)
  switch (field) {
    case "year":
      return year
    case "quarter":
      return (month + 2n) / 3n
    case "month":
      return month
    case "week":
      return isoWeek(day)
    case "day":
      return ofMonth
    case "dow":
      return weekday(day) % 7n
    case "isodow":
      return weekday(day)
    case "doy":
      return day - dayOfCivil({ year, month: 1n, day: 1n }) + 1n
    case "hour":
      return time / 3_600_000_000n
    case "minute":
      return (time / 60_000_000n) % 60n
    case "second":
      return (time / 1_000_000n) % 60n
    default:
      return field satisfies never
  }
}

/** 1 for Monday to 7 for Sunday; 1970-01-05 was a Monday. */
function weekday(day: bigint): bigint {
  return day - 4n - floorDivide(day - 4n, 7n) * 7n + 1n
}

/** The week belongs to the year of its Thursday. */
function isoWeek(day: bigint): bigint {
  const thursday = day - weekday(day) + 4n
  const { year } = civilOfDay(thursday)
  return (thursday - dayOfCivil({ year, month: 1n, day: 1n })) / 7n + 1n
}

const dateTrunc: ValueFunction = ([unit = nullConstant, moment = nullConstant]) => {
  if (unit.kind !== "text" || !isMoment(moment)) return nullConstant
  const word = unit.value.toLowerCase()
  if (!isTruncUnit(word)) return nullConstant
  return truncated(moment, word)
}

function truncated(moment: Moment, unit: TruncUnit): Constant {
  if (unit === "hour" || unit === "minute" || unit === "second") {
    const step = { hour: 3_600_000_000n, minute: 60_000_000n, second: 1_000_000n }[unit]
    return timestampConstant(floorDivide(microsOf(moment), step) * step)
  }
  const day = truncateDay(dayOf(moment), unit)
  return moment.kind === "date" ? dateConstant(day) : timestampConstant(day * microsPerDay)
}

/** Whole months from b to a, toward zero. */
function monthsBetween(a: Moment, b: Moment): bigint {
  const [from, to] = microsOf(a) < microsOf(b) ? [a, b] : [b, a]
  const [first, last] = [civilOfDay(dayOf(from)), civilOfDay(dayOf(to))]
  const months = (last.year - first.year) * 12n + last.month - first.month
  const rest = (moment: Moment, { day }: { readonly day: bigint }): bigint =>
    day * microsPerDay + microsOf(moment) - dayOf(moment) * microsPerDay
  const whole = rest(to, last) < rest(from, first) ? months - 1n : months
  return from === a ? -whole : whole
}

/** The functions of this family. */
export const dateFunctions = {
  "add-days": addDays,
  "add-interval": addInterval,
  "days-between": ofTwo((a, b) => wholeConstant(dayOf(a) - dayOf(b))),
  "seconds-between": ofTwo((a, b) => numberConstant(rational(microsOf(a) - microsOf(b), 1_000_000n))),
  extract,
  "date-trunc": dateTrunc,
  "age-years": ofTwo((a, b) => wholeConstant(monthsBetween(a, b) / 12n)),
  "age-months": ofTwo((a, b) => wholeConstant(monthsBetween(a, b))),
} satisfies Record<string, ValueFunction>
