// A generated dataset in a real Trino, in several versions: a version is a schema of views, so the same
// printed SQL runs on all of them. The rows come from the DuckDB that holds the dataset, as texts.

import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { printRel, type SqlText } from "@dosimeter/proof/print/print"
import { quotedName, type StoredType } from "@dosimeter/proof/testing/hostile-values"
import { run } from "@dosimeter/proof/testing/second-way/real-trino"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { TestTable } from "../random/random-tables.ts"
import type { Extracted } from "./compare-neighbours.ts"
import type { LoadedDataset } from "./remove-each-unit.ts"
import type { Cell, ResultTable } from "./test-database.ts"

/** The versions of a dataset. */
export class TrinoVersions {
  readonly #mark: string
  readonly #loaded: LoadedDataset
  readonly #made = new Set<string>()

  constructor(loaded: LoadedDataset) {
    this.#loaded = loaded
    this.#mark = `generated_${loaded.dataset.seed.replaceAll(/\W/g, "_")}`
  }

  /** Writes the tables. */
  async load(): Promise<void> {
    const base = `${this.#mark}_base`
    await made(base)
    for (const table of this.#loaded.dataset.tables) await this.#write(table, base)
  }

  /** What the extracts of a release give on a version. */
  async extract(release: Release, version: string): Promise<Extracted> {
    const schema = await this.#schemaOf(version)
    const tables: ResultTable[] = []
    for (const { rel } of release.extracts) {
      tables.push(await read(printRel(rel, "trino"), rel.columns, schema))
    }
    return tables
  }

  async drop(): Promise<void> {
    for (const schema of this.#made) await run(`DROP SCHEMA memory.${schema} CASCADE`, schema)
    const base = `${this.#mark}_base`
    await run(`DROP SCHEMA memory.${base} CASCADE`, base)
  }

  async #write({ name, columns }: TestTable, base: string): Promise<void> {
    const all = [...columns.map((column) => quotedName(column.name)), "_owner", "_other"]
    const texts = all.map((column) => `CAST(${column} AS VARCHAR)`)
    const found = await this.#loaded.ordered.columns(`SELECT ${texts.join(", ")} FROM base.${name}`, "base")
    const types = [...columns.map(({ stored }) => storedNames[stored]), "INTEGER", "BOOLEAN"]
    const count = found[0]?.length ?? 0
    const lines = Array.from({ length: count }, (_, row) => {
      const cells = found.map((column, at) => literal(column[row], types[at] ?? ""))
      return `(${cells.join(", ")})`
    })
    const none = `(${types.map(() => "NULL").join(", ")})`
    const names = types.map((_, at) => `c${at}`)
    const typed = all.map((column, at) => `TRY_CAST(c${at} AS ${types[at]}) AS ${column}`)
    const values = `(VALUES ${count === 0 ? none : lines.join(", ")}) AS v (${names.join(", ")})`
    const some = count === 0 ? " WHERE false" : ""
    await run(`CREATE TABLE ${name} AS SELECT ${typed.join(", ")} FROM ${values}${some}`, base)
  }

  async #schemaOf(version: string): Promise<string> {
    const schema = `${this.#mark}_${version}`
    if (this.#made.has(schema)) return schema
    this.#made.add(schema)
    await made(schema)
    for (const { name, columns } of this.#loaded.dataset.tables) {
      const names = columns.map((column) => quotedName(column.name)).join(", ")
      const rows = `SELECT ${names} FROM memory.${this.#mark}_base.${name} WHERE ${rowsOf(version)}`
      await run(`CREATE VIEW ${name} AS ${rows}`, schema)
    }
    return schema
  }
}

/** An empty schema, whatever an earlier run has left there. */
async function made(schema: string): Promise<void> {
  await run(`DROP SCHEMA IF EXISTS memory.${schema} CASCADE`, schema)
  await run(`CREATE SCHEMA memory.${schema}`, schema)
}

/** What Trino stores in place of DuckDB's types. */
const storedNames: Readonly<Record<StoredType, string>> = {
  SMALLINT: "SMALLINT",
  INTEGER: "INTEGER",
  BIGINT: "BIGINT",
  HUGEINT: "DECIMAL(38, 0)",
  UBIGINT: "DECIMAL(20, 0)",
  DOUBLE: "DOUBLE",
  REAL: "REAL",
  "DECIMAL(12,2)": "DECIMAL(12, 2)",
  "DECIMAL(38,10)": "DECIMAL(38, 10)",
  VARCHAR: "VARCHAR",
  "VARCHAR COLLATE NOCASE": "VARCHAR",
  BOOLEAN: "BOOLEAN",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP(6)",
  TIMESTAMP_S: "TIMESTAMP(0)",
  TIMESTAMP_NS: "TIMESTAMP(6)",
}

// What Trino cannot hold (the year 290,000, a date at infinity) becomes NULL.
function literal(value: unknown, type: string): string {
  if (typeof value !== "string") return "NULL"
  const isFloat = type === "DOUBLE" || type === "REAL"
  const text = isFloat ? value.replace(/^(-?)inf$/, "$1Infinity").replace(/^-?nan$/, "NaN") : value
  return `'${text.replaceAll("'", "''")}'`
}

function rowsOf(version: string): string {
  const [kind, owner = "-1"] = version.split("_")
  const others = `NOT _other AND coalesce(_owner <> ${owner}, true)`
  return kind === "replaced" ? `(${others}) OR (_other AND coalesce(_owner = ${owner}, false))` : others
}

const secret = "'6f1c7a0e5d3b4c2a9e8f7d6c5b4a3928'"

async function read(
  { text, parameters }: SqlText,
  columns: readonly RelColumn[],
  schema: string,
): Promise<ResultTable> {
  const names = columns.map((_, at) => `k${at}`)
  const cells = columns.map(({ domain }, at) =>
    domain.type.kind === "text" ? `to_hex(to_utf8(k${at}))` : `CAST(k${at} AS VARCHAR)`,
  )
  const sql = `SELECT ${cells.join(", ")} FROM (${text}) AS t (${names.join(", ")})`
  const given = parameters.map(() => secret).join(", ")
  const whole = given === "" ? sql : `EXECUTE IMMEDIATE '${sql.replaceAll("'", "''")}' USING ${given}`
  const { rows } = await run(whole, schema)
  const types = columns.map(({ domain }) => domain.type.kind)
  return { types, rows: rows.map((row) => row.map((cell, at) => cellOf(cell, types[at] ?? ""))) }
}

const dayMicros = 86_400_000_000n

function cellOf(value: unknown, kind: string): Cell {
  if (typeof value !== "string") return null
  if (kind === "text") return Buffer.from(value, "hex").toString("utf8")
  if (kind === "boolean") return value === "true"
  if (kind === "date") return BigInt(Date.parse(`${value}T00:00:00Z`)) / 86_400_000n
  if (kind === "timestamp") return microsOf(value)
  return /^-?\d+$/.test(value) ? BigInt(value) : value
}

function microsOf(text: string): bigint {
  const [day = "", time = ""] = text.split(" ")
  const [hours = "0", minutes = "0", seconds = "0"] = time.split(":")
  const micros = BigInt(seconds.replace(".", "")) + (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000n
  return (BigInt(Date.parse(`${day}T00:00:00Z`)) / 86_400_000n) * dayMicros + micros
}
