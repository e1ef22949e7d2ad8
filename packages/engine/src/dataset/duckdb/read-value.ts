// What DuckDB's driver gives, as constants and integers.

import { DuckDBDateValue, DuckDBDecimalValue, DuckDBTimestampValue, type DuckDBValue } from "@duckdb/node-api"
import { rational, rationalOfNumber } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { textOfBytes } from "./lossless-text.ts"
import { fail } from "../../errors.ts"

/** A value of a column, by the type that the plan gives the column. Texts come as bytes. */
export function readConstant(value: DuckDBValue, type: SqlType): Constant {
  if (value === null) return { kind: "null" }
  switch (type.kind) {
    case "boolean":
      return typeof value === "boolean" ? { kind: "boolean", value } : mismatch()
    case "integer":
      return { kind: "number", value: rational(readInteger(value)) }
    case "decimal":
      return value instanceof DuckDBDecimalValue
        ? { kind: "number", value: rational(value.value, 10n ** BigInt(value.scale)) }
        : { kind: "number", value: rational(readInteger(value)) }
    case "float":
      return typeof value === "number" && Number.isFinite(value)
        ? { kind: "number", value: rationalOfNumber(value) }
        : mismatch()
    case "text":
      return { kind: "text", value: textOfBytes(value) ?? mismatch() }
    case "date":
      return value instanceof DuckDBDateValue ? { kind: "date", day: BigInt(value.days) } : mismatch()
    case "timestamp":
      return value instanceof DuckDBTimestampValue ? { kind: "timestamp", micros: value.micros } : mismatch()
    case "interval":
    case "null":
      return mismatch()
    default:
      return type satisfies never
  }
}

/** An integer column. A sum of no rows at all is NULL in SQL, and 0 here. */
export function readInteger(value: DuckDBValue): bigint {
  if (value === null) return 0n
  if (typeof value === "bigint") return value
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value)
  if (value instanceof DuckDBDecimalValue && value.scale === 0) return value.value
  return mismatch()
}

// Types are fixed by what was printed. A float that is no number, or bytes that are no text, cannot be.
function mismatch(): never {
  return fail("backend/impossible-extract", {})
}
