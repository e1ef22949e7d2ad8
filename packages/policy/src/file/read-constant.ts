// Dates, times and other values as an owner writes them, read exactly.

import { rational, type Rational } from "@dosimeter/core"
import { dayOfCivil, firstDay, lastDay, showDay } from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { numberOf } from "./shapes.ts"
import type { Written } from "./specs.ts"

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
  const day = dayOfCivil({
    year: BigInt(match[1] ?? 0),
    month: BigInt(match[2] ?? 0),
    day: BigInt(match[3] ?? 0),
  })
  // What is no day, such as February 30th, comes back as another.
  return day >= firstDay && day <= lastDay && showDay(day) === text ? day : undefined
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
