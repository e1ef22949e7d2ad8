// What an opened source says about itself: names, types, NULLs and keys. No row is asked for, and nothing
// that a row holds comes back: even the names of types are cut short, since some of them list values.

import { DuckDBListValue, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api"
import type { ColumnFacts, SourceFacts, TableFacts } from "@dosimeter/policy/file/source-facts"
import { duckdbType } from "./duckdb-type.ts"
import { listAsBytes, textOfBytes } from "./lossless-text.ts"

/** The tables and views of an opened source. */
export async function discover(connection: DuckDBConnection): Promise<SourceFacts> {
  const columns = await connection.runAndReadAll(
    `SELECT encode(schema_name), encode(table_name), encode(column_name), encode(data_type), is_nullable
     FROM duckdb_columns()
     WHERE NOT internal AND database_name = current_database()
     ORDER BY schema_name, table_name, column_index`,
  )
  const constraints = await connection.runAndReadAll(
    `SELECT encode(schema_name), encode(table_name), encode(constraint_type),
       ${listAsBytes("constraint_column_names")}, encode(referenced_table),
       ${listAsBytes("referenced_column_names")}
     FROM duckdb_constraints() WHERE database_name = current_database()
       AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') ORDER BY constraint_index`,
  )
  const keys = constraints.getRows().map(readConstraint)
  const tables = new Map<string, TableFacts>()
  for (const row of columns.getRows()) {
    const [schema = "", table = "", name = "", type = ""] = row.map(nameOf)
    const place = JSON.stringify([schema, table])
    const own = keys.filter((key) => key.place === place)
    const known = tables.get(place) ?? { name: table, path: pathOf(schema, table), columns: [], keys: [] }
    const column = readColumn({ name, type, nullable: row[4] !== false, constraints: own })
    tables.set(place, { ...known, columns: [...known.columns, column] })
  }
  return {
    tables: [...tables].map(([place, table]) => ({
      ...table,
      keys: keysOf(
        table,
        keys.filter((key) => key.place === place),
      ),
    })),
  }
}

interface Constraint {
  readonly place: string
  readonly kind: string
  readonly columns: readonly string[]
  readonly target: { readonly table: string; readonly columns: readonly string[] }
}

function readConstraint(row: readonly DuckDBValue[]): Constraint {
  const [schema = null, table = null, kind = null, columns = null, target = null, targetColumns = null] = row
  return {
    place: JSON.stringify([nameOf(schema), nameOf(table)]),
    kind: nameOf(kind),
    columns: namesOf(columns),
    target: { table: nameOf(target), columns: namesOf(targetColumns) },
  }
}

function nameOf(value: DuckDBValue): string {
  return textOfBytes(value) ?? ""
}

function namesOf(value: DuckDBValue): readonly string[] {
  return value instanceof DuckDBListValue ? value.items.map(nameOf) : []
}

function readColumn(column: {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly constraints: readonly Constraint[]
}): ColumnFacts {
  const { name, type, nullable, constraints } = column
  const reference = constraints.find(
    ({ kind, columns }) => kind === "FOREIGN KEY" && columns.length === 1 && columns[0] === name,
  )
  const [key] = reference?.target.columns ?? []
  return {
    name,
    ...duckdbType(type),
    nullable,
    ...(reference === undefined || key === undefined
      ? {}
      : { references: { table: reference.target.table, column: key } }),
  }
}

/** Keys that hold NULL too: UNIQUE lets several NULLs stand beside each other. */
function keysOf(table: TableFacts, constraints: readonly Constraint[]): readonly (readonly string[])[] {
  const isNeverNull = (name: string): boolean =>
    table.columns.find((column) => column.name === name)?.nullable === false
  return constraints
    .filter(({ kind, columns }) => kind !== "FOREIGN KEY" && columns.every(isNeverNull))
    .map(({ columns }) => columns)
}

function pathOf(schema: string, table: string): readonly string[] {
  return schema === "main" ? [table] : [schema, table]
}
