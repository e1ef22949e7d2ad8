// A small database of our own with the system catalogs of one dataset. It holds names and types that the
// policy makes public, can reach nothing else, and is given little time and memory.

import { DuckDBInstance, type DuckDBValue } from "@duckdb/node-api"
import type { AnswerValue } from "@dosimeter/engine"
import { splitStatements, type Constant } from "@dosimeter/sql"
import { WireError } from "../wire-error.ts"
import type { WireResult } from "../wire-result.ts"
import { wireTypes, type WireType } from "../wire-types.ts"
import { catalogStatements, quote, type CatalogOf } from "./catalog-tables.ts"
import { isCatalogQuery, rewriteCatalogQuery } from "./rewrite-catalog-query.ts"

const patienceMs = 5_000
const settings = { memory_limit: "200MB", threads: "1", temp_directory: "" }

/** Catalogs that can be asked. */
export class CatalogDatabase {
  readonly #instance: DuckDBInstance

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance
  }

  static async open(of: CatalogOf): Promise<CatalogDatabase> {
    const instance = await DuckDBInstance.create(":memory:", settings)
    const connection = await instance.connect()
    for (const statement of catalogStatements(of)) await connection.run(statement)
    await connection.run("SET enable_external_access = false; SET lock_configuration = true")
    connection.closeSync()
    return new CatalogDatabase(instance)
  }

  close(): void {
    this.#instance.closeSync()
  }

  /** The answer, if the statement is about catalogs. */
  async answer(sql: string, parameters: readonly Constant[]): Promise<WireResult | undefined> {
    if (!isCatalogQuery(sql)) return undefined
    const rewritten = rewriteCatalogQuery(sql, parameters.map(constantText))
    if (!/^(select|with|values|table)\b/i.test(rewritten)) return undefined
    if (splitStatements(`${sql};`).statements.length > 1)
      throw new WireError("42601", "one statement at a time")
    const connection = await this.#instance.connect()
    const patience = setTimeout(() => connection.interrupt(), patienceMs)
    try {
      const reader = await connection.runAndReadAll(`SET search_path = 'pg'; ${rewritten}`)
      const types = reader.columnTypes().map((type) => wireTypeOfDuck(type.toString()))
      return {
        columns: reader.columnNames().map((name, index) => ({ name, type: types[index] ?? wireTypes.text })),
        rows: reader.getRows().map((row) => row.map(answerValue)),
        tag: "SELECT",
        notices: [],
      }
    } catch {
      if (asksForNothing(sql)) return { columns: [], rows: [], tag: "SELECT", notices: [] }
      throw new WireError(
        "0A000",
        "this question about the catalogs is not answered here",
        "tables and columns are in information_schema.tables and information_schema.columns",
      )
    } finally {
      clearTimeout(patience)
      connection.closeSync()
    }
  }
}

/** About features that nothing here has: how such a question is spelled does not matter. */
function asksForNothing(sql: string): boolean {
  return [...sql.matchAll(/\bpg_\w+/gi)].some(([name]) => featureTables.test(name))
}

const featureTables =
  /^pg_(publication|policy|trigger|rewrite|statistic|subscription|event_trigger|cast|operator|opclass|ts)/i

function constantText(value: Constant): string {
  switch (value.kind) {
    case "text":
      return quote(value.value)
    case "number":
      return value.value.denominator === 1n ? `${value.value.numerator}` : "NULL"
    case "boolean":
      return `${value.value}`
    default:
      return "NULL"
  }
}

function wireTypeOfDuck(type: string): WireType {
  if (type === "BOOLEAN") return wireTypes.boolean
  if (/^(U?(TINY|SMALL)INT|INTEGER)$/.test(type)) return wireTypes.small
  if (/^(UINTEGER|BIGINT|UBIGINT)$/.test(type)) return wireTypes.integer
  return type === "DOUBLE" || type === "FLOAT" ? wireTypes.float : wireTypes.text
}

function answerValue(value: DuckDBValue): AnswerValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") return value
  if (typeof value === "bigint") return `${value}`
  if (typeof value === "object" && "items" in value && Array.isArray(value.items)) {
    return `{${value.items.map((item) => `${answerValue(item as DuckDBValue) ?? "NULL"}`).join(",")}}`
  }
  return value.toString()
}
