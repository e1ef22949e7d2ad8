// Constants as SQL. Every text is quoted here and nowhere else; nothing that is written here can be read as
// anything but one constant, in any of the three databases.

import { assert, unreachable } from "@dosimeter/core/errors"
import {
  compare,
  floor,
  numberNearest,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import { firstDay, firstMicro, lastDay, lastMicro, showDay, showMicros } from "../catalog/civil-date.ts"
import type { Constant } from "../catalog/constant.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { storedType } from "./stored.ts"

/** A constant in the stored type of its domain. */
export function writeConstant(value: Constant, type: SqlType, dialect: DialectSpelling): string {
  switch (value.kind) {
    case "null":
      return type.kind === "null"
        ? "NULL"
        : `CAST(NULL AS ${storedType(literalDomain(value, type), dialect)})`
    case "boolean":
      return value.value ? "TRUE" : "FALSE"
    case "text":
      return writeText(value.value, dialect)
    case "date":
      assert(value.day >= firstDay && value.day <= lastDay, "a date lies in the years 0001 to 9999")
      return `DATE '${showDay(value.day)}'`
    case "timestamp":
      return writeTimestamp(value.micros)
    case "number":
      return writeNumber(value.value, type, dialect)
    case "interval":
      assert(false, "an interval is written by the function that adds it")
      break
    default:
      return unreachable(value)
  }
}

/** A number of a type. */
export function writeNumber(value: Rational, type: SqlType, dialect: DialectSpelling): string {
  if (type.kind === "float") return writeDouble(value, dialect)
  if (type.kind === "decimal") return writeDecimal(value, type.scale, dialect)
  assert(type.kind === "integer" && value.denominator === 1n, "a whole number is an integer")
  return writeInteger(value.numerator, dialect)
}

/** A whole number, in the smallest type that holds it. */
export function writeInteger(value: bigint, dialect: DialectSpelling): string {
  const type = storedType(
    literalDomain({ kind: "number", value: rational(value) }, { kind: "integer" }),
    dialect,
  )
  // The least of each type has no positive twin to negate.
  const isLeast = value === -(2n ** 31n) || value === -(2n ** 63n)
  if (isLeast || !dialect.constants.isBareInteger(type)) return `CAST('${value}' AS ${type})`
  return value < 0n ? `(${value})` : `${value}`
}

/** The double nearest to a number. */
export function writeDouble(value: Rational, dialect: DialectSpelling): string {
  const double = numberNearest(value)
  assert(Number.isFinite(double), "a constant fits a double")
  return dialect.constants.double(double.toExponential())
}

/** A decimal with its digits after the point. */
export function writeDecimal(value: Rational, scale: number, dialect: DialectSpelling): string {
  const unscaled = rational(value.numerator * 10n ** BigInt(scale), value.denominator)
  assert(unscaled.denominator === 1n, "a decimal has no more digits than its scale")
  const text = placePoint(unscaled.numerator, scale)
  const domain = literalDomain({ kind: "number", value }, { kind: "decimal", scale })
  return `CAST('${text}' AS ${dialect.types.rounding(storedType(domain, dialect), scale)})`
}

/** A text. */
export function writeText(text: string, dialect: DialectSpelling): string {
  assert(!text.includes("\0"), "a text holds no NUL")
  assert(!/\p{Surrogate}/u.test(text), "a text is well-formed Unicode")
  return dialect.constants.text(text.replaceAll("'", "''"))
}

/** A name of a table or column. */
export function writeName(name: string): string {
  assert(name !== "" && !name.includes("\0"), "a name has characters, and none is NUL")
  assert(!/\p{Surrogate}/u.test(name), "a name is well-formed Unicode")
  return `"${name.replaceAll('"', '""')}"`
}

function writeTimestamp(micros: bigint): string {
  assert(micros >= firstMicro && micros <= lastMicro, "a timestamp lies in the years 0001 to 9999")
  const text = showMicros(micros)
  return `TIMESTAMP '${text.includes(".") ? text : `${text}.000000`}'`
}

function placePoint(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? "-" : ""
  const digits = `${unscaled < 0n ? -unscaled : unscaled}`.padStart(scale + 1, "0")
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Whether a double is exactly this number. */
export function isDouble(value: Rational): boolean {
  return compare(rationalOfNumber(numberNearest(value)), value) === 0 && floor(value) < 2n ** 1000n
}
