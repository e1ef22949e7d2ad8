// Generated people who differ in how much they have, for tests of what bounding leaves out: 2,000 people with
// 20 rows each on average. The same rows every time.

import type { DuckDBConnection } from "@duckdb/node-api"

const people = 2000

/** How many rows a person has, by number; and whether heavy people have groups to themselves. */
const tables = {
  zipf: { weight: "pow(p, -0.6)", own: false },
  zipf_own: { weight: "pow(p, -0.6)", own: true },
  lognormal: { weight: "exp(1.5 * normal(p, 1))", own: false },
  lognormal_own: { weight: "exp(1.5 * normal(p, 1))", own: true },
} as const

/** A table of them. */
export type SkewedName = keyof typeof tables

/** All tables: of 200 codes, 20 wards, amounts from 0 to 1,000 and changes from -1,000 to 1,000. */
export const skewedNames: readonly SkewedName[] = ["zipf", "zipf_own", "lognormal", "lognormal_own"]

/** Whether the heavy people of a table have codes and wards to themselves. */
export function isOwn(name: SkewedName): boolean {
  return tables[name].own
}

/** Makes the tables. */
export async function makeSkewed(connection: DuckDBConnection): Promise<void> {
  for (const macro of [
    "uniform(i, purpose) AS (CAST(hash(64 * i + purpose) >> 11 AS DOUBLE) + 0.5) / pow(2, 53)",
    "normal(i, purpose) AS sqrt(-2 * ln(uniform(i, purpose))) * cos(2 * pi() * uniform(i, purpose + 32))",
  ]) {
    await connection.run(`CREATE TEMP MACRO ${macro}`)
  }
  for (const name of skewedNames) {
    const { weight, own } = tables[name]
    // Of the 2 % who have most, where they have groups to themselves, 60 % of the rows are of ten rare codes
    // and three wards.
    const apart = own ? "heavy AND uniform(i, 2) < 0.6" : "false"
    await connection.run(`CREATE TABLE ${name} AS
      SELECT p AS person_id,
        CAST(CASE WHEN apart THEN 180 + floor(10 * uniform(i, 3)) ELSE floor(pow(201, uniform(i, 4))) - 1 END
          AS INTEGER) AS code,
        CAST(CASE WHEN apart THEN 17 + floor(3 * uniform(i, 5)) ELSE floor(20 * pow(uniform(i, 6), 1.5)) END
          AS INTEGER) AS ward,
        CAST(least(1000, round(20 * exp(1 + normal(i, 7)))) AS INTEGER) AS amount,
        CAST(greatest(-1000, least(1000, round(60 * normal(i, 8)))) AS INTEGER) AS change
      FROM (SELECT p, i, ${apart} AS apart
        FROM (SELECT p, 1048576 * p + k AS i, heavy
          FROM (SELECT p, n, row_number() OVER (ORDER BY n DESC, p) <= ${people / 50} AS heavy
            FROM (SELECT p, CAST(round(${20 * people} * w / sum(w) OVER ()) AS BIGINT) AS n
              FROM (SELECT p, ${weight} AS w FROM range(1, ${people + 1}) a(p)))),
            unnest(range(n)) b(k)))`)
  }
}
