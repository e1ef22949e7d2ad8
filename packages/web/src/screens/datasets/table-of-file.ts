// The names and types of a file from the first part of its text. Values are looked at for their type and then
// forgotten: nothing but names and types comes out.

import type { ColumnFacts, TableFacts } from "@dosimeter/policy/file/source-facts"
import { typeOfTexts, typeOfValues, type GuessedType } from "./guess-type.ts"

/** The formats that a browser can read the beginning of. */
export type TextFormat = "csv" | "ndjson"

/** A file as a table. */
export interface FileTable {
  readonly file: string
  readonly format: TextFormat
  readonly table: TableFacts
  /** How many rows were looked at, and whether these are all. */
  readonly rows: number
  readonly isWhole: boolean
}

/** Why a file is no table: its ending, no content, or lines in another format. */
export type NoTable = "ending" | "empty" | "shape"

const ending = /\.(csv|tsv|ndjson|jsonl)(\.gz)?$/i

/** The format that the name of a file tells. */
export function formatOf(file: string): TextFormat | undefined {
  const found = ending.exec(file)?.[1]?.toLowerCase()
  return found === undefined ? undefined : found === "csv" || found === "tsv" ? "csv" : "ndjson"
}

/** Reads the beginning of a file; without `isWhole` the last line may be cut, and is left out. */
export function tableOfFile(file: string, text: string, isWhole: boolean): FileTable | NoTable {
  const format = formatOf(file)
  if (format === undefined) return "ending"
  const read = format === "csv" ? readCsv(text, isWhole) : readNdjson(text, isWhole)
  if (typeof read === "string") return read
  const name = file.replace(ending, "")
  const table = { name, path: [name], columns: read.columns, keys: [] }
  return { file, format, table, rows: read.rows, isWhole }
}

interface Read {
  readonly columns: readonly ColumnFacts[]
  readonly rows: number
}

function readCsv(text: string, isWhole: boolean): Read | NoTable {
  const body = text.replace(/^\uFEFF/, "")
  const records = recordsOf(body, delimiterOf(body), isWhole)
  const [head, ...rows] = records
  if (head === undefined) return "empty"
  const columns = namesOf(head).map((name, place) =>
    columnOf(name, typeOfTexts(rows.map((row) => row[place] ?? ""))),
  )
  return { columns, rows: rows.length }
}

/** Names as DuckDB gives them: a column without a name and a repeated name get a number. */
function namesOf(head: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return head.map((given, place) => {
    const base = given.trim() === "" ? `column${place}` : given.trim()
    let name = base
    for (let count = 1; taken.has(name.toLowerCase()); count += 1) name = `${base}_${count}`
    taken.add(name.toLowerCase())
    return name
  })
}

/** The delimiter: the sign that occurs most often in the first line, outside quotes. */
function delimiterOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? ""
  const counted = [",", ";", "\t", "|"].map((sign) => ({ sign, count: line.split(sign).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).sign
}

/** The records of a text with quotes: a quoted field may hold the delimiter, line ends and doubled quotes. */
function recordsOf(text: string, delimiter: string, isWhole: boolean): readonly (readonly string[])[] {
  const records: string[][] = []
  let [record, field, isQuoted, isBegun] = [[] as string[], "", false, false]
  const endRecord = (): void => {
    if (isBegun) records.push([...record, field])
    ;[record, field, isBegun] = [[], "", false]
  }
  for (let place = 0; place < text.length; place += 1) {
    const sign = text.charAt(place)
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (text.charAt(place + 1) === '"') {
        field += sign
        place += 1
      } else isQuoted = false
    } else if (sign === "\n" || sign === "\r") endRecord()
    else {
      isBegun = true
      if (sign === '"' && field === "") isQuoted = true
      else if (sign === delimiter) {
        record.push(field)
        field = ""
      } else field += sign
    }
  }
  if (isWhole) endRecord()
  return records
}

function readNdjson(text: string, isWhole: boolean): Read | NoTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/)
  const known = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== "")
  if (known.length === 0) return "empty"
  const values = new Map<string, unknown[]>()
  for (const line of known) {
    const row = objectOf(line)
    if (row === undefined) return "shape"
    for (const [name, value] of Object.entries(row)) {
      const before = values.get(name)
      if (before === undefined) values.set(name, [value])
      else before.push(value)
    }
  }
  const columns = [...values].map(([name, column]) => columnOf(name, typeOfValues(column)))
  return { columns, rows: known.length }
}

function objectOf(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // A line that is not JSON is reported as a wrong shape of the file.
    return undefined
  }
}

function columnOf(name: string, { type, typeName }: GuessedType): ColumnFacts {
  return { name, type, typeName, nullable: true }
}
