// An in-process DuckDB with a generated dataset in several versions: as it is, without each person, and with
// each person's rows replaced. A version is a schema, so the same printed SQL runs on all of them.

import { DuckDBBlobValue, DuckDBInstance, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api"
import type { SqlText } from "@dosimeter/proof/print/print"
import { quotedName } from "@dosimeter/proof/testing/hostile-values"
import type { TestDataset, TestTable } from "../random/random-tables.ts"

/** A value that came back, in a form that is equal for equal values. */
export type Cell = bigint | string | boolean | null

/** What came back. */
export interface ResultTable {
  readonly types: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The version with everyone in it. */
export const everyone = "everyone"
/** The version without a person. */
export const without = (owner: number): string => `without_${owner}`
/** The version where a person has other rows. */
export const replaced = (owner: number): string => `replaced_${owner}`

/** A database in memory. */
export class TestDatabase {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #asBytes = new Map<string, string>()
  #version = ""

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  /**
   * Opens an empty one. With more than one thread, even small tables are worked on in parallel, and nothing
   * is optimised: what an optimiser makes of a query may not depend on the data.
   */
  static async open(threads: number): Promise<TestDatabase> {
    const instance = await DuckDBInstance.create(":memory:", { threads: `${threads}` })
    const connection = await instance.connect()
    if (threads > 1)
      await connection.run(
        "PRAGMA verify_parallelism; PRAGMA disable_optimizer; SET preserve_insertion_order = false",
      )
    return new TestDatabase(instance, connection)
  }

  /** Runs statements for their effect; names are those of a version, if one is given. */
  async execute(sql: string, version = this.#version): Promise<void> {
    await this.#use(version)
    await this.#connection.run(sql)
  }

  /** Makes the versions of a dataset; `order` shuffles the rows where it is not 0. */
  async load(dataset: TestDataset, versions: readonly string[], order = 0): Promise<void> {
    const statements = ["CREATE SCHEMA base", ...dataset.tables.flatMap(baseTable)]
    for (const version of versions) {
      statements.push(`CREATE SCHEMA ${version}`)
      for (const { name, columns } of dataset.tables) {
        const names = columns.map((column) => quotedName(column.name)).join(", ")
        const sorted = order === 0 ? "_place" : `hash(_place + ${order})`
        statements.push(
          `CREATE TABLE ${version}.${name} AS SELECT ${names} FROM base.${name} WHERE ${rowsOf(version)} ORDER BY ${sorted}`,
        )
      }
    }
    await this.execute(statements.join(";\n"))
  }

  /** Runs a printed query on a version. */
  async run({ text, parameters }: SqlText, version: string): Promise<ResultTable> {
    await this.#use(version)
    // As a literal: DuckDB plans a query with a parameter twice, and here queries are small and many.
    const filled = parameters.length === 0 ? text : text.replaceAll("$1", `'${secret}'`)
    const known = this.#asBytes.get(filled)
    const reader = await this.#connection.runAndReadAll(known ?? filled)
    const types = reader.columnTypes().map(String)
    const asBytes = known ?? withTextsAsBytes(filled, types)
    this.#asBytes.set(filled, asBytes)
    const lossless = asBytes === (known ?? filled) ? reader : await this.#connection.runAndReadAll(asBytes)
    return {
      types: lossless.columnTypes().map(String),
      rows: lossless.getRows().map((row) => row.map(cellOf)),
    }
  }

  /** Runs SQL on a version and gives its columns as they come. */
  async columns(sql: string, version: string): Promise<readonly (readonly unknown[])[]> {
    await this.#use(version)
    return (await this.#connection.runAndReadAll(sql)).getColumns()
  }

  async #use(version: string): Promise<void> {
    if (version !== this.#version) await this.#connection.run(`USE ${version}`)
    this.#version = version
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

/** The secret of the data version, here known to all. */
const secret = "6f1c7a0e5d3b4c2a9e8f7d6c5b4a3928"

function baseTable({ name, columns, rows }: TestTable): readonly string[] {
  // A collation that must not be noticed.
  const stored = (type: string): string => (type === "VARCHAR" ? "VARCHAR COLLATE NOCASE" : type)
  const definitions = columns.map((column) => `${quotedName(column.name)} ${stored(column.stored)}`)
  const all = [...definitions, "_owner INTEGER", "_other BOOLEAN", "_place INTEGER"].join(", ")
  const lines = rows.map(
    ({ owner, other, values }, place) => `(${[...values, owner ?? "NULL", other, place].join(", ")})`,
  )
  const create = `CREATE TABLE base.${name} (${all})`
  return lines.length === 0 ? [create] : [create, `INSERT INTO base.${name} VALUES ${lines.join(", ")}`]
}

function rowsOf(version: string): string {
  const [kind, owner = "-1"] = version.split("_")
  // Not IS DISTINCT FROM: in an OR, DuckDB 1.5 drops rows of a table where all owners are NULL.
  const others = `NOT _other AND coalesce(_owner <> ${owner}, true)`
  return kind === "replaced" ? `(${others}) OR (_other AND coalesce(_owner = ${owner}, false))` : others
}

// The driver drops a byte order mark at the beginning of a text, so texts are asked for as bytes.
function withTextsAsBytes(text: string, types: readonly string[]): string {
  if (!types.includes("VARCHAR")) return text
  const names = types.map((_, index) => `k${index}`)
  const items = types.map((type, index) => (type === "VARCHAR" ? `encode(${names[index]})` : names[index]))
  return `SELECT ${items.join(", ")} FROM (${text}) AS t (${names.join(", ")})`
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function cellOf(value: DuckDBValue): Cell {
  if (value instanceof DuckDBBlobValue) return decoder.decode(value.bytes)
  if (value === null || typeof value === "bigint" || typeof value === "boolean") return value
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (typeof value === "object" && "days" in value && typeof value.days === "number")
    return BigInt(value.days)
  if (typeof value === "object" && "micros" in value && typeof value.micros === "bigint") return value.micros
  return String(value)
}
