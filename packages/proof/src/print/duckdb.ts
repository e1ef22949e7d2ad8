// DuckDB.

import type { DialectSpelling } from "./spelling.ts"

/** How DuckDB spells what differs. */
export const duckdb: DialectSpelling = {
  dialect: "duckdb",
  secret: () => "CAST($1 AS VARCHAR)",
  secretValues: "one",
  hash: (text) => `sha256(${text})`,
  // Twice: DuckDB puts the hashes of several values together by XOR, and in that order alone some keys would
  // come first for half of all units.
  orderHash: (values) => `hash(hash(${values.join(", ")}))`,
  hashNumber: (hash) => `CAST(${hash} >> 32 AS BIGINT)`,
  // The collation of a source is lost: what it takes for equal would be one person, or one group.
  readText: (column) => `(CAST(${column} AS VARCHAR) COLLATE "C")`,
  textSize: (text) => `strlen(${text})`,
  isNumber: (column) => `NOT isnan(CAST(${column} AS DOUBLE))`,
  tryCast: (text, type) => `TRY_CAST(${text} AS ${type})`,
  attempt: (text) => `TRY(${text})`,
  // As a double: a decimal bound would make DuckDB cast a column that may not fit it.
  bound: (decimal) => `CAST('${decimal}' AS DOUBLE)`,
  roundAway: (double) => `round(${double})`,
  depthMax: 8,
  fullJoin: "any",
}
