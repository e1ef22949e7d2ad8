// Casts of values. NULL where a value has none in the type.

import {
  compare,
  floor,
  multiply,
  numberNearest,
  parseDecimal,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import { dayOfCivil, showDay, showMicros } from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import { floatToIntegerMax } from "@dosimeter/proof/functions/cast"
import { roundHalfAway } from "@dosimeter/proof/functions/math"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { sizeOf } from "./call-arithmetic.ts"
import { dateConstant, dayOf, timestampConstant } from "./call-dates.ts"
import { roundHalfEven } from "./call-math.ts"
import { booleanConstant, floatConstant, nullConstant, numberConstant, wholeConstant } from "./doubles.ts"
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
      return numberConstant(
        from.kind === "float" ? floatInUnits(numberNearest(value), to.scale) : inUnits(value, to.scale),
      )
    case "float":
      return floatConstant(numberNearest(value))
    case "boolean":
      return booleanConstant(value.numerator !== 0n)
    case "text":
      return textConstant(showDecimal(value, from.kind === "decimal" ? from.scale : 0))
    default:
      return nullConstant
  }
}

function floatToWhole(value: Rational): Constant {
  return compare(sizeOf(value), floatToIntegerMax) >= 0 ? nullConstant : wholeConstant(roundHalfEven(value))
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

const wholeShape = /^ *([+-]?\d{1,18}) *$/
const decimalShape = /^ *([+-]?(?:\d{1,18}(?:\.\d{0,30})?|\.\d{1,30})) *$/
const floatShape = /^ *([+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,2})?) *$/

function textTo(text: string, to: SqlType): Constant {
  switch (to.kind) {
    case "integer": {
      const whole = wholeShape.exec(text)?.[1]
      return whole === undefined ? nullConstant : wholeConstant(BigInt(whole.replace("+", "")))
    }
    case "decimal": {
      const digits = decimalShape.exec(text)?.[1]
      return digits === undefined ? nullConstant : numberConstant(inUnits(exactly(digits), to.scale))
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

function exactly(digits: string): Rational {
  const [, sign = "", whole = "", part = ""] = /^([+-]?)(\d*)\.?(\d*)$/.exec(digits) ?? []
  return parseDecimal(`${sign}${whole === "" ? "0" : whole}${part === "" ? "" : `.${part}`}`, "text")
}

const yes = ["t", "tr", "tru", "true", "y", "ye", "yes", "on", "1"]
const no = ["f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0"]

function textToBoolean(text: string): Constant {
  const word = /^ *([^ ]{1,5}) *$/.exec(text)?.[1]?.toLowerCase() ?? ""
  if (yes.includes(word)) return booleanConstant(true)
  return no.includes(word) ? booleanConstant(false) : nullConstant
}

const dateShape = /^ *(\d{4})-(\d\d)-(\d\d) *$/
const timestampShape = /^ *(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)? *$/

function textToDate(text: string): Constant {
  const [, ...parts] = dateShape.exec(text) ?? []
  const [year, month, day] = parts.map(BigInt)
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
  const [hour = 0n, minute = 0n, second = 0n] = time.slice(0, 3).map((part) => BigInt(part ?? "0"))
  if (hour > 23n || minute > 59n || second > 59n) return nullConstant
  const seconds = (hour * 60n + minute) * 60n + second
  return timestampConstant(
    day.day * microsPerDay + seconds * 1_000_000n + BigInt((time[3] ?? "").padEnd(6, "0")),
  )
}
