// Whether a value that came from a database is one of those that were claimed for it.

import type { Constant } from "../../catalog/constant.ts"
import type { Calendar, Domain } from "../../catalog/domain.ts"
import { doubleOf, exactOf, isBelow, isEqual, momentOf, type Fraction, type Moment } from "./exact.ts"

/** A value as text (a text as the hexadecimal digits of its bytes), NULL as null. */
export type WrittenCell = string | null

const microsOfDay = 86_400_000_000n

/** What is false about the claim, if something is. */
export function brokenClaim(cell: WrittenCell, domain: Domain): string | undefined {
  if (cell === null) return domain.nullable ? undefined : "NULL where there is never NULL"
  const read = readCell(cell, domain)
  if (typeof read === "string") return read
  if (domain.range !== undefined && read.place !== undefined) {
    const [least, most] = [fractionOf(domain.range.min.value), fractionOf(domain.range.max.value)]
    if (isBelow(read.place, least)) return "below the range"
    if (isBelow(most, read.place)) return "above the range"
  }
  if (domain.values !== undefined && !domain.values.some((value) => isListed(value, read)))
    return "not in the list"
  if (
    domain.calendar !== undefined &&
    read.moment !== undefined &&
    !isOnCalendar(read.moment, domain.calendar)
  )
    return `not the first of a ${domain.calendar}`
  return undefined
}

interface ReadCell {
  readonly text: string
  /** Where it lies in a range. */
  readonly place?: Fraction
  readonly moment?: Moment
}

function readCell(cell: string, { type, range }: Domain): ReadCell | string {
  switch (type.kind) {
    case "boolean":
      return cell === "true" || cell === "false" ? { text: cell } : "no boolean"
    case "text":
      return { text: Buffer.from(cell, "hex").toString("utf8") }
    case "null":
    case "interval":
      return "a value of a type that has none"
    case "integer":
    case "decimal": {
      const place = exactOf(cell)
      if (place === undefined) return "no exact number"
      if (type.kind === "integer" && place.denominator !== 1n) return "not whole"
      if (type.kind === "decimal" && hasMoreDigits(place, type.scale)) return "too many digits"
      return range === undefined ? "without a range" : { text: cell, place }
    }
    case "float": {
      const place = doubleOf(cell)
      if (place === undefined) return "no number"
      return range === undefined ? "without a range" : { text: cell, place }
    }
    case "date":
    case "timestamp": {
      const moment = momentOf(cell)
      if (moment === undefined) return "no moment of the years 0001 to 9999"
      if (type.kind === "date" && moment.time !== 0n) return "a date with a time"
      if (range === undefined) return "without a range"
      const numerator = type.kind === "date" ? moment.day : moment.day * microsOfDay + moment.time
      return { text: cell, moment, place: { numerator, denominator: 1n } }
    }
    default:
      return type satisfies never
  }
}

/** Whether there is something behind so many digits after the point. */
function hasMoreDigits({ numerator, denominator }: Fraction, scale: number): boolean {
  return (numerator * 10n ** BigInt(scale)) % denominator !== 0n
}

function isListed(value: Constant, { text, place, moment }: ReadCell): boolean {
  switch (value.kind) {
    case "null":
    case "interval":
      return false
    case "boolean":
      return text === String(value.value)
    case "text":
      return text === value.value
    case "number":
      return place !== undefined && isEqual(place, fractionOf(value.value))
    case "date":
      return moment !== undefined && moment.day === value.day && moment.time === 0n
    case "timestamp":
      return moment !== undefined && moment.day * microsOfDay + moment.time === value.micros
    default:
      return value satisfies never
  }
}

function isOnCalendar({ day, time, month, dayOfMonth }: Moment, calendar: Calendar): boolean {
  if (calendar === "hour") return time % 3_600_000_000n === 0n
  if (time !== 0n) return false
  switch (calendar) {
    case "day":
      return true
    case "week":
      // 1970-01-01 was a Thursday.
      return (((day + 3n) % 7n) + 7n) % 7n === 0n
    case "month":
      return dayOfMonth === 1
    case "quarter":
      return dayOfMonth === 1 && month % 3 === 1
    case "year":
      return dayOfMonth === 1 && month === 1
    default:
      return calendar satisfies never
  }
}

function fractionOf({ numerator, denominator }: Fraction): Fraction {
  return { numerator, denominator }
}
