// Casts of values. NULL where a value has none in the type.

import { compare, floor, multiply, parseDecimal, rational, type Rational } from "@dosimeter/core"
import { dayOfCivil, showDay, showMicros } from "../catalog/civil-date.ts"
import { microsPerDay, type Constant } from "../catalog/constant.ts"
import { floatToIntegerMax, textDigitsMax } from "../catalog/functions/cast.ts"
import { roundHalfAway } from "../catalog/functions/math.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import { sizeOf } from "./call-arithmetic.ts"
import { dateConstant, dayOf, timestampConstant } from "./call-dates.ts"
import { roundHalfEven } from "./call-math.ts"
import { booleanConstant, floatConstant, nearestDouble, nullConstant, numberConstant, wholeConstant } from "./doubles.ts"
import { floatInUnits } from "./float-digits.ts"
import type { ValueFunction } from "./value-function.ts"

/** The value in the type of the call. */
export const castFunction: ValueFunction = ([value = nullConstant], { types: [from], result }) => {
  switch (value.kind) {
    case "null":
    case "interval":
      return nullConstant
    case "boolean":
      return booleanTo(value.value, result)
    case "number":
      return numberTo(value.value, from ?? { kind: "integer" }, result)
    case "text":
      return textTo(value.value, result)
    case "date":
      if (result.kind === "timestamp") return timestampConstant(value.day * microsPerDay)
      return result.kind === "text" ? textConstant(showDay(value.day)) : value
    case "timestamp":
      if (result.kind === "date") return dateConstant(dayOf(value))
      return result.kind === "text" ? textConstant(showTrimmed(value.micros)) : value
    default:
      return value satisfies never
  }
}

function booleanTo(value: boolean, to: SqlType): Constant {
  if (to.kind === "text") return textConstant(`${value}`)
  return to.kind === "integer" ? wholeConstant(value ? 1n : 0n) : booleanConstant(value)
}

function numberTo(value: Rational, from: SqlType, to: SqlType): Constant {
  switch (to.kind) {
    case "integer":
      return from.kind === "float" ? floatToWhole(value) : wholeConstant(roundHalfAway(value))
    case "decimal":
      return from.kind === "float" ? floatToDecimal(value, to.scale) : numberConstant(inUnits(value, to.scale))
    case "float":
      return floatConstant(nearestDouble(value))
    case "boolean":
      return booleanConstant(value.numerator !== 0n)
    case "text":
      return textConstant(showDecimal(value, from.kind === "decimal" ? from.scale : 0))
    default:
      return nullConstant
  }
}

function floatToWhole(value: Rational): Constant {
  return compare(sizeOf(value), floatToIntegerMax) > 0 ? nullConstant : wholeConstant(roundHalfEven(value))
}

function floatToDecimal(value: Rational, scale: number): Constant {
  return scale === 0 ? floatToWhole(value) : numberConstant(floatInUnits(nearestDouble(value), scale))
}

function inUnits(value: Rational, scale: number): Rational {
  const units = 10n ** BigInt(scale)
  return rational(roundHalfAway(multiply(value, rational(units))), units)
}

function showDecimal(value: Rational, scale: number): string {
  const unscaled = floor(multiply(sizeOf(value), rational(10n ** BigInt(scale))))
  const digits = `${unscaled}`.padStart(scale + 1, "0")
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return value.numerator < 0n ? `-${text}` : text
}

/** Zeros at the end of the fraction of a second are left off. */
function showTrimmed(micros: bigint): string {
  return showMicros(micros).replace(/(\.\d*?)0+$/, "$1")
}

function textConstant(value: string): Constant {
  return { kind: "text", value }
}

const wholeShape = /^ *([+-]?\d+) *$/
const decimalShape = /^ *([+-]?(?:\d+\.?\d*|\.\d+)) *$/
const floatShape = /^ *([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) *$/

function textTo(text: string, to: SqlType): Constant {
  switch (to.kind) {
    case "integer": {
      const whole = wholeShape.exec(text)?.[1]
      return whole === undefined || digitsBefore(whole) > textDigitsMax ? nullConstant : wholeConstant(BigInt(whole))
    }
    case "decimal": {
      const digits = decimalShape.exec(text)?.[1]
      if (digits === undefined || digitsBefore(digits) > textDigitsMax) return nullConstant
      return numberConstant(inUnits(exactly(digits), to.scale))
    }
    case "float": {
      const digits = floatShape.exec(text)?.[1]
      return digits === undefined ? nullConstant : floatConstant(Number(digits))
    }
    case "boolean":
      return textToBoolean(text)
    case "date":
      return textToDate(text)
    case "timestamp":
      return textToTimestamp(text)
    case "text":
      return textConstant(text)
    default:
      return nullConstant
  }
}

function digitsBefore(text: string): number {
  return (text.replace(/^[+-]/, "").split(".")[0] ?? "").length
}

function exactly(digits: string): Rational {
  const [, sign = "", whole = "", part = ""] = /^([+-]?)(\d*)\.?(\d*)$/.exec(digits) ?? []
  return parseDecimal(`${sign}${whole === "" ? "0" : whole}${part === "" ? "" : `.${part}`}`, "text")
}

function textToBoolean(text: string): Constant {
  const word = text.trim().toLowerCase()
  if (["true", "t", "1"].includes(word)) return booleanConstant(true)
  return ["false", "f", "0"].includes(word) ? booleanConstant(false) : nullConstant
}

const dateShape = /^ *(\d{4})-(\d\d)-(\d\d) *$/
const timestampShape = /^ *(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))? *$/

function textToDate(text: string): Constant {
  const [, year, month, day] = (dateShape.exec(text) ?? []).map((part) => BigInt(part.includes("-") ? "0" : part))
  if (year === undefined || month === undefined || day === undefined) return nullConstant
  if (year < 1n || month < 1n || month > 12n || day < 1n) return nullConstant
  const first = dayOfCivil({ year, month, day: 1n })
  const next = dayOfCivil({ year, month: month + 1n, day: 1n })
  return day > next - first ? nullConstant : dateConstant(first + day - 1n)
}

function textToTimestamp(text: string): Constant {
  const [, date = text, ...time] = timestampShape.exec(text) ?? []
  const day = textToDate(date)
  if (day.kind !== "date") return nullConstant
  const [hour = "0", minute = "0", second = "0", part = ""] = time
  const [h, m, s] = [BigInt(hour), BigInt(minute), BigInt(second)]
  if (h > 23n || m > 59n || s > 59n) return nullConstant
  return timestampConstant(day.day * microsPerDay + ((h * 60n + m) * 60n + s) * 1_000_000n + BigInt((part ?? "").padEnd(6, "0")))
}
