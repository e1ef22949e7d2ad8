// DuckDB as a database that claims are held against.

import type { Domain } from "../../catalog/domain.ts"
import { storedLiterals } from "../hostile-values.ts"
import { openDuckdb } from "../two-databases.ts"
import { holds, integerType, type RealDatabase, type Showing } from "./real-database.ts"

/** How DuckDB shows values. */
export const duckdbShowing: Showing = {
  dialect: "duckdb",
  value: (column, { type }) =>
    type.kind === "text" ? `hex(encode(CAST(${column} AS VARCHAR)))` : `CAST(${column} AS VARCHAR)`,
  type: (column) => `typeof(${column})`,
  wanted,
  unguarded: (sql) => sql.replaceAll(/\bTRY\(/g, "(").replaceAll(/\bTRY_CAST\((?=SUM\()/g, "CAST("),
}

/** Opens an empty one. */
export async function realDuckdb(): Promise<RealDatabase> {
  const connection = await openDuckdb()
  return {
    showing: duckdbShowing,
    read: async (sql) => (await connection.runAndReadAll(sql)).getColumns(),
    store: async (type) => {
      const rows = [...storedLiterals(type), "NULL"].map((literal) => `(${literal})`).join(", ")
      await connection.run(`CREATE OR REPLACE TABLE stored (x ${type}); INSERT INTO stored VALUES ${rows}`)
      return true
    },
    close: () => Promise.resolve(connection.closeSync()),
  }
}

function wanted({ type, range }: Domain): string {
  switch (type.kind) {
    case "null":
      return "INTEGER"
    case "boolean":
      return "BOOLEAN"
    case "text":
      return "VARCHAR"
    case "float":
      return "DOUBLE"
    case "date":
      return "DATE"
    case "timestamp":
      return "TIMESTAMP"
    case "interval":
      return "INTERVAL"
    case "integer":
      return integerType(range) ?? "HUGEINT"
    case "decimal": {
      const scale = 10n ** BigInt(type.scale)
      const most = (10n ** 18n - 1n) / scale
      return `DECIMAL(${holds(range, -most, most) ? 18 : 38},${type.scale})`
    }
    default:
      return type satisfies never
  }
}
