// What Trino gives, as constants and integers. Numbers are asked for as texts, since the protocol writes them
// as JSON, whose readers round; texts are asked for as bytes, since bytes that are no text would be alike.

import { rational, rationalOfNumber } from "@dosimeter/core/exact"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { SqlText } from "@dosimeter/proof/print/print"
import { fail } from "../../errors.ts"
import type { TrinoCell } from "./trino-client.ts"

/** A query whose columns come in a form that says exactly what they are. */
export function withExactCells(
  { text, parameters }: SqlText,
  columns: readonly Pick<RelColumn, "domain">[],
): SqlText {
  if (columns.length === 0) return { text, parameters }
  const names = columns.map((_, index) => `k${index}`)
  const items = columns.map(({ domain }, index) => cellForm(`k${index}`, domain.type))
  return { text: `SELECT ${items.join(", ")} FROM (\n${text}\n) AS t (${names.join(", ")})`, parameters }
}

function cellForm(name: string, { kind }: SqlType): string {
  switch (kind) {
    case "text":
      return `to_utf8(CAST(${name} AS VARCHAR))`
    case "float":
      return `CAST(${name} AS DOUBLE)`
    case "date":
      return `CAST(date_diff('day', DATE '1970-01-01', ${name}) AS VARCHAR)`
    case "timestamp":
      return `CAST(CAST(${name} AS TIMESTAMP(6)) AS VARCHAR)`
    case "integer":
    case "decimal":
      return `CAST(${name} AS VARCHAR)`
    case "boolean":
    case "interval":
    case "null":
      return name
    default:
      return kind satisfies never
  }
}

/** A value of a column, by the type that the plan gives the column. */
export function readConstant(cell: TrinoCell, { kind }: SqlType): Constant {
  if (cell === null) return { kind: "null" }
  switch (kind) {
    case "boolean":
      return typeof cell === "boolean" ? { kind: "boolean", value: cell } : mismatch()
    case "integer":
      return { kind: "number", value: rational(readInteger(cell)) }
    case "decimal":
      return { kind: "number", value: readDecimal(cell) }
    case "float":
      return typeof cell === "number" && Number.isFinite(cell)
        ? { kind: "number", value: rationalOfNumber(cell) }
        : mismatch()
    case "text":
      return { kind: "text", value: textOfBytes(cell) ?? mismatch() }
    case "date":
      return { kind: "date", day: readInteger(cell) }
    case "timestamp":
      return { kind: "timestamp", micros: readMicros(cell) }
    case "interval":
    case "null":
      return mismatch()
    default:
      return kind satisfies never
  }
}

/** An integer column. A sum of no rows at all is NULL in SQL, and 0 here. */
export function readInteger(cell: TrinoCell): bigint {
  if (cell === null) return 0n
  return typeof cell === "string" && /^-?\d+$/.test(cell) ? BigInt(cell) : mismatch()
}

function readDecimal(cell: TrinoCell): ReturnType<typeof rational> {
  const parts = typeof cell === "string" ? /^(-?)(\d+)(?:\.(\d+))?$/.exec(cell) : null
  if (parts === null) return mismatch()
  const [, sign = "", whole = "", digits = ""] = parts
  return rational(BigInt(`${sign}${whole}${digits}`), 10n ** BigInt(digits.length))
}

/** Microseconds since 1970. Years have four digits or more, and may be before the first. */
function readMicros(cell: TrinoCell): bigint {
  const form = /^([+-]?)(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{6})$/
  const parts = typeof cell === "string" ? form.exec(cell) : null
  if (parts === null) return mismatch()
  const [, sign = "", year = "", ...others] = parts
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0, micro = 0] = others.map(Number)
  const moment = new Date(0)
  moment.setUTCFullYear(sign === "-" ? -Number(year) : Number(year), month - 1, day)
  moment.setUTCHours(hour, minute, second)
  const milliseconds = moment.getTime()
  return Number.isNaN(milliseconds) ? mismatch() : BigInt(milliseconds) * 1000n + BigInt(micro)
}

// Keeps a byte order mark; throws where bytes are no text, so that no two of them become the same.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of some bytes, which come in base 64; undefined if they are none. */
export function textOfBytes(cell: TrinoCell): string | undefined {
  if (typeof cell !== "string") return undefined
  try {
    return decoder.decode(Buffer.from(cell, "base64"))
  } catch {
    return undefined
  }
}

// Types are fixed by what was printed. A float that is no number, or bytes that are no text, cannot be.
function mismatch(): never {
  return fail("backend/impossible-extract", {})
}
