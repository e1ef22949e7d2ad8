// DuckDB.

import type { DialectSpelling } from "./spelling.ts"

/** How DuckDB spells what differs. */
export const duckdb: DialectSpelling = {
  dialect: "duckdb",
  secret: () => "CAST($1 AS VARCHAR)",
  secretValues: "one",
  hash: (text) => `sha256(${text})`,
  readText: (column) => `CAST(${column} AS VARCHAR)`,
  textSize: (text) => `strlen(${text})`,
  isNumber: (column) => `NOT isnan(CAST(${column} AS DOUBLE))`,
  tryCast: (text, type) => `TRY_CAST(${text} AS ${type})`,
  // As a double: a decimal bound would make DuckDB cast a column that may not fit it.
  bound: (decimal) => `CAST('${decimal}' AS DOUBLE)`,
  roundAway: (double) => `round(${double})`,
  depthMax: 8,
  fullJoin: "any",
}
