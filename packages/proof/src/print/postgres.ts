// PostgreSQL.

import type { DialectSpelling } from "./spelling.ts"

/** How PostgreSQL spells what differs. */
export const postgres: DialectSpelling = {
  dialect: "postgres",
  secret: () => "CAST($1 AS TEXT)",
  secretValues: "one",
  hash: (text) => `(encode(sha256(convert_to(${text}, 'UTF8')), 'hex') COLLATE "C")`,
  orderHash: undefined,
  hashNumber: (hash) => `CAST(CAST('x' || left(${hash}, 8) AS BIT(32)) AS BIGINT)`,
  readText: (column) => `(CAST(${column} AS TEXT) COLLATE "C")`,
  textSize: (text) => `octet_length(${text})`,
  isNumber: (column) => `CAST(${column} AS NUMERIC) <> 'NaN'`,
  tryCast: undefined,
  attempt: undefined,
  // A bare number takes the type of what it is compared with.
  bound: (decimal) => decimal,
  // Its own round goes to even.
  roundAway: (double) =>
    `CASE WHEN abs(${double} - trunc(${double})) >= 0.5 THEN trunc(${double}) + sign(${double}) ELSE trunc(${double}) END`,
  depthMax: Infinity,
  fullJoin: "equalities",
}
