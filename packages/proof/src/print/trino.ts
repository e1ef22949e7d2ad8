// Trino.

import type { DialectSpelling } from "./spelling.ts"

/** How Trino spells what differs. */
export const trino: DialectSpelling = {
  dialect: "trino",
  secret: () => "CAST(? AS VARCHAR)",
  secretValues: "each",
  hash: (text) => `lower(to_hex(sha256(to_utf8(${text}))))`,
  orderHash: undefined,
  hashNumber: (hash) => `from_base(substr(${hash}, 1, 8), 16)`,
  readText: (column) => `CAST(${column} AS VARCHAR)`,
  textSize: (text) => `length(${text})`,
  isNumber: (column) => `NOT is_nan(CAST(${column} AS DOUBLE))`,
  tryCast: (text, type) => `TRY_CAST(${text} AS ${type})`,
  attempt: (text) => `try(${text})`,
  bound: (decimal) => `DOUBLE '${decimal}'`,
  roundAway: (double) => `round(${double})`,
  depthMax: Infinity,
  fullJoin: "equalities",
}
