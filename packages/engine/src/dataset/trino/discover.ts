// What a schema of Trino says about itself: names, types and NULLs. No row is asked for. Trino knows no keys.

import type { SourceFacts, TableFacts } from "@dosimeter/policy/file/source-facts"
import { textOfBytes } from "./read-value.ts"
import type { TrinoCell } from "./trino-client.ts"
import { writeText, type TrinoQueries } from "./trino-queries.ts"
import { trinoType } from "./trino-type.ts"

/** The tables and views of a schema, which is the session's. */
export async function discover(queries: TrinoQueries, schema: string): Promise<SourceFacts> {
  const tables = new Map<string, TableFacts>()
  for (const [table, name, type, nullable] of await columnsOf(queries, schema)) {
    const known = tables.get(table) ?? { name: table, path: [table], columns: [], keys: [] }
    const column = { name, ...trinoType(type), nullable: nullable !== "NO" }
    tables.set(table, { ...known, columns: [...known.columns, column] })
  }
  return { tables: [...tables.values()] }
}

/** A column: its table, its name, its type, and whether it may be NULL. */
export type ColumnLine = readonly [table: string, name: string, type: string, nullable: string]

/** All columns of a schema, in the order of tables and columns. */
export async function columnsOf(queries: TrinoQueries, schema: string): Promise<readonly ColumnLine[]> {
  const text = `SELECT to_utf8(table_name), to_utf8(column_name), to_utf8(data_type), to_utf8(is_nullable)
    FROM information_schema.columns WHERE table_schema = ${writeText(schema)}
    ORDER BY table_name, ordinal_position`
  const rows = await queries.ask({ text, parameters: [] })
  return rows.map(([table, name, type, nullable]) => [
    nameOf(table),
    nameOf(name),
    nameOf(type),
    nameOf(nullable),
  ])
}

function nameOf(cell: TrinoCell | undefined): string {
  return textOfBytes(cell ?? null) ?? ""
}
