// Whether a value that a database gave lies inside the domain that was claimed for it.

import { compare, parseDecimal, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { dayOfCivil } from "../catalog/civil-date.ts"
import { microsPerDay } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"

/** What is wrong with a value (as text, NULL as null), or undefined. */
export function outsideDomain(cell: string | null, domain: Domain): string | undefined {
  if (cell === null) return domain.nullable ? undefined : "NULL"
  const { type, range } = domain
  switch (type.kind) {
    case "boolean":
      return cell === "true" || cell === "false" ? undefined : "not a boolean"
    case "text":
      return undefined
    case "null":
    case "interval":
      return "no such values"
    default: {
      const value = numberOf(cell, type.kind)
      if (value === undefined) return `not a value of ${type.kind}`
      if (type.kind === "integer" && value.denominator !== 1n) return "not a whole number"
      if (type.kind === "decimal" && 10n ** BigInt(type.scale) % value.denominator !== 0n)
        return "too many digits"
      if (range === undefined) return "no range"
      if (compare(value, range.min.value) < 0) return "below the range"
      return compare(value, range.max.value) > 0 ? "above the range" : undefined
    }
  }
}

/** A number, or the days or microseconds of a date or time. */
export function numberOf(
  cell: string,
  kind: "integer" | "decimal" | "float" | "date" | "timestamp",
): Rational | undefined {
  if (kind === "date" || kind === "timestamp") {
    const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/.exec(cell)
    if (match === null) return undefined
    const [year = 0n, month = 0n, day = 0n, hour = 0n, minute = 0n, second = 0n] = match
      .slice(1, 7)
      .map((part) => BigInt(part ?? "0"))
    const days = dayOfCivil({ year, month, day })
    const micros =
      (hour * 3600n + minute * 60n + second) * 1_000_000n + BigInt((match[7] ?? "").padEnd(6, "0"))
    return rational(kind === "date" ? days : days * microsPerDay + micros)
  }
  if (kind === "float") {
    const value = Number(cell)
    return Number.isFinite(value) ? rationalOfNumber(value) : undefined
  }
  return /^-?\d+(\.\d+)?$/.test(cell) ? parseDecimal(cell, "cell") : undefined
}
