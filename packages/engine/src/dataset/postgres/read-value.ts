// What PostgreSQL sends, as constants and integers. Everything comes as text, so that nothing is rounded on
// the way; the settings of the session fix how it is written.

import { rational, rationalOfNumber } from "@dosimeter/core/exact"
import { readDay, readMicros } from "@dosimeter/policy/file/read-constant"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"

/** A value as it comes. */
export type Sent = string | null

/** A value of a column, by the type that the plan gives the column. */
export function readConstant(value: Sent, type: SqlType): Constant {
  if (value === null) return { kind: "null" }
  switch (type.kind) {
    case "boolean":
      return value === "t" || value === "f" ? { kind: "boolean", value: value === "t" } : mismatch()
    case "integer":
      return { kind: "number", value: rational(readInteger(value)) }
    case "decimal":
      return { kind: "number", value: readDecimal(value) }
    case "float": {
      const number = /^-?\d/.test(value) ? Number(value) : Number.NaN
      return Number.isFinite(number) ? { kind: "number", value: rationalOfNumber(number) } : mismatch()
    }
    case "text":
      return { kind: "text", value }
    case "date":
      return { kind: "date", day: readDay(value) ?? mismatch() }
    case "timestamp":
      return { kind: "timestamp", micros: readMicros(value, "start") ?? mismatch() }
    case "interval":
    case "null":
      return mismatch()
    default:
      return type satisfies never
  }
}

/** An integer column. A sum of no rows at all is NULL in SQL, and 0 here. */
export function readInteger(value: Sent): bigint {
  if (value === null) return 0n
  return /^-?\d+(\.0+)?$/.test(value) ? BigInt(value.replace(/\..*$/, "")) : mismatch()
}

function readDecimal(value: string): ReturnType<typeof rational> {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (parts === null) return mismatch()
  const [, sign = "", whole = "", digits = ""] = parts
  return rational(BigInt(`${sign}${whole}${digits}`), 10n ** BigInt(digits.length))
}

// Types are fixed by what was printed. A float that is no number, or a date without a day, cannot be.
function mismatch(): never {
  return fail("backend/impossible-extract", {})
}
