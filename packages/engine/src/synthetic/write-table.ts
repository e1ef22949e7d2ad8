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

async function writeCsv({ columns, length, row }: MadeTable, file: string): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600 })
  out.write(`${columns.map(({ name }) => csvText(name)).join(",")}\n`)
  for (let number = 0; number < length; number += 1) {
    const values = row(number).map((value, place) => csvValue(value, columns[place]))
    if (!out.write(`${values.join(",")}\n`)) await once(out, "drain")
  }
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
