// PostgreSQL (as WebAssembly) as a database that claims are held against.

import { PGlite } from "@electric-sql/pglite"
import type { Domain } from "../../catalog/domain.ts"
import { storedValues, type StoredType } from "../hostile-values.ts"
import { integerType, type RealDatabase, type Showing } from "./real-database.ts"

const showing: Showing = {
  dialect: "postgres",
  value: (column, { type }) =>
    type.kind === "text"
      ? `encode(convert_to(CAST(${column} AS TEXT), 'UTF8'), 'hex')`
      : `CAST(${column} AS TEXT)`,
  type: (column) => `CAST(pg_typeof(${column}) AS TEXT)`,
  wanted,
  // There is no TRY in PostgreSQL.
  unguarded: (sql) => sql,
}

/** Opens an empty one. */
export async function realPostgres(): Promise<RealDatabase> {
  const database = await PGlite.create()
  return {
    showing,
    read: async (sql) => {
      const { rows, fields } = await database.query<unknown[]>(sql, [], { rowMode: "array" })
      return fields.map((_, at) => rows.map((row) => row[at]))
    },
    store: async (type) => {
      const name = storedNames[type]
      if (name === undefined) return false
      const values = [...storedValues(type), ...(name === "NUMERIC" ? ["NaN", "Infinity", "-Infinity"] : [])]
      const rows = values.flatMap((value) => (value.includes("\0") ? [] : [`(${literal(value, name)})`]))
      await database.exec(`DROP TABLE IF EXISTS stored; CREATE TABLE stored (x ${name});
        INSERT INTO stored VALUES ${[...rows, "(NULL)"].join(", ")}`)
      return true
    },
    close: () => database.close(),
  }
}

/** What PostgreSQL has in place of each stored type; it has no text without case, and no nanoseconds. */
const storedNames: Readonly<Record<StoredType, string | undefined>> = {
  SMALLINT: "SMALLINT",
  INTEGER: "INTEGER",
  BIGINT: "BIGINT",
  HUGEINT: "NUMERIC",
  UBIGINT: "NUMERIC(20, 0)",
  DOUBLE: "DOUBLE PRECISION",
  REAL: "REAL",
  "DECIMAL(12,2)": "NUMERIC(12, 2)",
  "DECIMAL(38,10)": "NUMERIC(38, 10)",
  VARCHAR: "TEXT",
  "VARCHAR COLLATE NOCASE": undefined,
  BOOLEAN: "BOOLEAN",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMP_S: "TIMESTAMP(0)",
  TIMESTAMP_NS: undefined,
}

/** Years before the first are written with BC at the end. */
function literal(value: string, type: string): string {
  const text = value.includes(" (BC)") && type !== "TEXT" ? `${value.replace(" (BC)", "")} BC` : value
  return `CAST('${text.replaceAll("'", "''")}' AS ${type})`
}

function wanted({ type, range }: Domain): string {
  switch (type.kind) {
    case "null":
      return "integer"
    case "boolean":
    case "text":
    case "date":
    case "interval":
      return type.kind
    case "float":
      return "double precision"
    case "timestamp":
      return "timestamp without time zone"
    case "integer":
      return integerType(range)?.toLowerCase() ?? "numeric"
    case "decimal":
      return "numeric"
    default:
      return type satisfies never
  }
}
