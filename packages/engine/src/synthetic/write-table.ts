// Made rows as a file: CSV, or Parquet by the name of the file.

import { chmodSync, createWriteStream, mkdtempSync, renameSync, rmSync } from "node:fs"
import { finished } from "node:stream/promises"
import { once } from "node:events"
import { dirname, extname, join } from "node:path"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import type { SyntheticColumn, SyntheticValue } from "@dosimeter/ml/synthetic/columns"
import { csvToParquet } from "../dataset/duckdb/csv-to-parquet.ts"
import type { MadeTable } from "./make-rows.ts"

/** Writes a table to a file; complete, or not there. */
export async function writeTable(table: MadeTable, file: string): Promise<void> {
  const folder = mkdtempSync(join(dirname(file), ".dosimeter-"))
  try {
    const csv = join(folder, "rows.csv")
    await writeCsv(table, csv)
    if (extname(file).toLowerCase() !== ".parquet") return renameSync(csv, file)
    const made = join(folder, "rows.parquet")
    const types = Object.fromEntries(table.columns.map((column) => [column.name, typeOf(column)]))
    await csvToParquet(csv, made, types)
    chmodSync(made, 0o600)
    renameSync(made, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A table as CSV, some thousand rows a piece. */
export function* csvOf({ columns, length, row }: MadeTable): Generator<string, undefined> {
  yield `${columns.map(({ name }) => csvText(name)).join(",")}\n`
  for (let from = 0; from < length; from += pieceRows) {
    const lines = Array.from({ length: Math.min(pieceRows, length - from) }, (_, at) =>
      row(from + at)
        .map((value, place) => csvValue(value, columns[place]))
        .join(","),
    )
    yield `${lines.join("\n")}\n`
  }
  return undefined
}

const pieceRows = 5000

async function writeCsv(table: MadeTable, file: string): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600 })
  for (const piece of csvOf(table)) if (!out.write(piece)) await once(out, "drain")
  out.end()
  await finished(out)
}

function csvValue(value: SyntheticValue, column: SyntheticColumn | undefined): string {
  if (value === null) return ""
  if (typeof value === "number" && column?.kind === "numbers" && column.type === "date") {
    return showDay(BigInt(value))
  }
  return typeof value === "string" ? csvText(value) : `${value}`
}

// An empty text is quoted, so that it is no missing value.
function csvText(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function typeOf(column: SyntheticColumn): string {
  if (column.kind === "numbers") {
    return column.type === "date" ? "DATE" : column.type === "integer" ? "BIGINT" : "DOUBLE"
  }
  const [first] = column.values
  return typeof first === "boolean" ? "BOOLEAN" : typeof first === "number" ? "DOUBLE" : "VARCHAR"
}
