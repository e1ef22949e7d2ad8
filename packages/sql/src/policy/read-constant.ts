// Dates, times and other values as an owner writes them, read exactly.

import { rational, type Rational } from "@dosimeter/core"
import { microsPerDay, type Constant } from "../catalog/constant.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import { numberOf } from "./shapes.ts"
import type { Written } from "./specs.ts"

/** The first and last day that are read: years 1 and 9999. */
export const firstDay = -719_162n
/** 9999-12-31. */
export const lastDay = 2_932_896n

/** The constant that a word stands for in a type, or undefined if it stands for none. */
export function readConstant(written: Written, type: SqlType): Constant | undefined {
  const { text, quoted } = written
  switch (type.kind) {
    case "boolean":
      return quoted || (text !== "true" && text !== "false")
        ? undefined
        : { kind: "boolean", value: text === "true" }
    case "integer":
    case "decimal":
    case "float": {
      const value = quoted ? undefined : numberOf(text)
      return value === undefined ? undefined : { kind: "number", value }
    }
    case "text":
      return { kind: "text", value: text }
    case "date": {
      const day = readDay(text)
      return day === undefined ? undefined : { kind: "date", day }
    }
    case "timestamp": {
      const micros = readMicros(text, "start")
      return micros === undefined ? undefined : { kind: "timestamp", micros }
    }
    case "interval":
    case "null":
      return undefined
    default:
      return type satisfies never
  }
}

/** One end of a range, as a number: of a date its day, of a timestamp its microsecond. */
export function readEnd(written: Written, type: SqlType, end: "min" | "max"): Rational | undefined {
  if (type.kind === "timestamp") {
    const micros = readMicros(written.text, end === "min" ? "start" : "end")
    return micros === undefined ? undefined : rational(micros)
  }
  const constant = readConstant(written, type)
  if (constant?.kind === "number") return constant.value
  return constant?.kind === "date" ? rational(constant.day) : undefined
}

/** The day number of 1999-12-31, in days since 1970-01-01. */
export function readDay(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  return dayNumber(year, month, day)
}

/** The microsecond of 1999-12-31 23:59:59.5; a date alone is the start or the end of its day. */
export function readMicros(text: string, dateAlone: "start" | "end"): bigint | undefined {
  const [date = "", time, ...more] = text.split(/[T ]/)
  const day = readDay(date)
  if (day === undefined || more.length > 0) return undefined
  if (time === undefined) return day * microsPerDay + (dateAlone === "end" ? microsPerDay - 1n : 0n)
  const match = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/.exec(time)
  if (match === null) return undefined
  const [hour, minute, second] = [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0), BigInt(match[3] ?? 0)]
  if (hour > 23n || minute > 59n || second > 59n) return undefined
  const micros = BigInt((match[4] ?? "").padEnd(6, "0"))
  return day * microsPerDay + ((hour * 60n + minute) * 60n + second) * 1_000_000n + micros
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Days since 1970-01-01 in the Gregorian calendar, extended to the past. Years begin in March here. */
function dayNumber(year: number, month: number, day: number): bigint {
  const shifted = month <= 2 ? year - 1 : year
  const monthIndex = (month + 9) % 12
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  const days = shifted * 365 + leapDays + Math.floor((monthIndex * 153 + 2) / 5) + day - 1
  return BigInt(days) - 719_468n
}
