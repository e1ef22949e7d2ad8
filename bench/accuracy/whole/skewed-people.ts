// People who differ in how much they have: generated tables of events on which bounding takes something
// away. The same rows every time.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"

/** How unequal people are in their number of rows. */
export const skews = ["zipf 0", "zipf 0.6", "zipf 1.0", "lognormal 1.5"] as const
/** Skews on which no rule was tuned. */
export const otherSkews = ["zipf 0.3", "zipf 0.8", "lognormal 1.0", "lognormal 2.0"] as const
/** Whether all people draw from one law, or have codes of their own and heavy people other ones. */
export const profiles = ["same", "own"] as const

/** A generated table. */
export interface SkewedTable {
  readonly skew: (typeof skews)[number] | (typeof otherSkews)[number]
  readonly profile: (typeof profiles)[number]
  readonly rows: number
}

/** A table of events: generated, or of real people. */
export interface People {
  readonly name: string
  /** Makes `events`, and says what its columns hold at most; all begin at 0. */
  readonly make: (connection: DuckDBConnection) => Promise<MostValues>
}

/** The largest value of each column. */
export type MostValues = Readonly<Record<"code" | "month" | "ward" | "amount", number>>

/** People for each table: 20 rows each on average. */
export const rowsPerPerson = 20
/** The numbers of groups of each key. */
export const keyCounts = { code: 1000, month: 12, ward: 20 } as const
/** Amounts are from 0 to this, in cents. */
export const mostAmount = 30_000

/** What the columns of generated tables hold at most. */
export const mostValues: MostValues = {
  code: keyCounts.code - 1,
  month: keyCounts.month - 1,
  ward: keyCounts.ward - 1,
  amount: mostAmount,
}

/** A generated table as one of others. */
export function skewedPeople(table: SkewedTable): People {
  return {
    name: `${table.skew}, ${table.profile}`,
    make: async (connection) => {
      await makeEvents(connection, table)
      return mostValues
    },
  }
}

const weights: Readonly<Record<SkewedTable["skew"], string>> = {
  "zipf 0": "1.0",
  "zipf 0.3": "pow(p, -0.3)",
  "zipf 0.6": "pow(p, -0.6)",
  "zipf 0.8": "pow(p, -0.8)",
  "zipf 1.0": "1.0 / p",
  "lognormal 1.0": "exp(normal(p, 1))",
  "lognormal 1.5": "exp(1.5 * normal(p, 1))",
  "lognormal 2.0": "exp(2 * normal(p, 1))",
}

/** Seeded draws for a whole number and a purpose. */
const macros = [
  // Doubles throughout: arithmetic on decimals takes fifteen times as long.
  "uniform(i, purpose) AS (CAST(hash(64 * i + purpose) >> 11 AS DOUBLE) + 0.5) / pow(2, 53)",
  "normal(i, purpose) AS sqrt(-2 * ln(uniform(i, purpose))) * cos(2 * pi() * uniform(i, purpose + 32))",
  // The k-th code has a share of ln((k + 1) / k) / ln(1001): nearly Zipf 1.
  `code_of(u) AS CAST(floor(pow(${keyCounts.code + 1}, u)) AS INTEGER) - 1`,
]

/**
 * Makes `events(id, person_id, code, month, ward, amount)`. *own*: half of a person's rows are of three codes
 * of their own, seven in ten of a ward of their own; of the 2 % who have most, if they have more than others,
 * 60 % of the rows are of 20 rare codes, three months and three wards, and amounts are doubled.
 */
export async function makeEvents(connection: DuckDBConnection, table: SkewedTable): Promise<void> {
  const people = Math.round(table.rows / rowsPerPerson)
  for (const macro of macros) await connection.run(`CREATE OR REPLACE TEMP MACRO ${macro}`)
  // About as many rows as a Poisson draw of a person's share has.
  await connection.run(`CREATE OR REPLACE TEMP TABLE drawn AS
    SELECT p, 1048576 * p + k AS i, heavy
    FROM (SELECT p, greatest(0, floor(m + sqrt(m) * normal(p, 15) + uniform(p, 16))) AS n,
        row_number() OVER (ORDER BY m DESC, p) <= ${people} // 50 AND m > ${3 * rowsPerPerson} AS heavy
      FROM (SELECT p, ${table.rows} * w / sum(w) OVER () AS m
        FROM (SELECT p, ${weights[table.skew]} AS w FROM range(1, ${people + 1}) a(p)))),
      unnest(range(CAST(n AS BIGINT))) b(k)`)
  await connection.run(`CREATE OR REPLACE TABLE events AS
    SELECT i AS id, p AS person_id, CAST(${columns(table.profile).code} AS INTEGER) AS code,
      CAST(${columns(table.profile).month} AS INTEGER) AS month,
      CAST(${columns(table.profile).ward} AS INTEGER) AS ward,
      CAST(least(${mostAmount}, round(${columns(table.profile).amount})) AS INTEGER) AS amount
    FROM (SELECT p, i, heavy AND uniform(i, 2) < 0.6 AS apart, uniform(i, 3) < 0.5 AS own FROM drawn)`)
  await connection.run("DROP TABLE drawn")
}

function columns(
  profile: SkewedTable["profile"],
): Readonly<Record<"code" | "month" | "ward" | "amount", string>> {
  const [month, ward] = ["floor(12 * pow(uniform(i, 5), 1.1))", "floor(20 * pow(uniform(i, 6), 1.5))"]
  const [code, amount] = ["code_of(uniform(i, 4))", "100 * exp(3 + normal(i, 7))"]
  if (profile === "same") return { code, month, ward, amount }
  const ownCode = "code_of(uniform(3 * p + CAST(floor(3 * uniform(i, 8)) AS BIGINT), 9))"
  const ownWard = "floor(20 * pow(uniform(p, 10), 1.5))"
  return {
    code: `CASE WHEN apart THEN 900 + floor(20 * uniform(i, 11)) WHEN own THEN ${ownCode} ELSE ${code} END`,
    month: `CASE WHEN apart THEN floor(3 * uniform(i, 12)) ELSE ${month} END`,
    ward: `CASE WHEN apart THEN 17 + floor(3 * uniform(i, 13)) WHEN uniform(i, 14) < 0.7 THEN ${ownWard}
      ELSE ${ward} END`,
    amount: `CASE WHEN apart THEN 2 * ${amount} ELSE ${amount} END`,
  }
}

/** A database in memory, with a connection to it. */
export async function openMemory(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:")
  return instance.connect()
}
