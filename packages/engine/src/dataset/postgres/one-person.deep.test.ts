// What one person can change in a PostgreSQL that holds whatever its types can: exact tables with and without
// that person, raw and prepared. No value makes a question fail.

import { compile } from "@dosimeter/planner/compile"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { roleOf } from "../../databases.ts"
import { openDataset, type Dataset } from "../../prepare/open-dataset.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { exactSums } from "../../testing/exact-tables.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-pg-person-"))
const opened: Dataset[] = []
let cluster: PostgresCluster | undefined
let grammar: Grammar

/** Decimals have no infinity before version 14. */
const endless = `CAST(CASE WHEN current_setting('server_version_num') >= '140000' THEN 'Infinity' ELSE 'NaN' END AS numeric)`

/** Values that a type can hold and most rows do not. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  i: ["2147483647", "-2147483648", "0", "NULL"],
  big: ["9223372036854775807", "-9223372036854775808", "9007199254740993", "NULL"],
  f: [
    "'NaN'",
    "'Infinity'",
    "'-Infinity'",
    "'-0'",
    "1e308",
    "-1e308",
    "5e-324",
    "1e26",
    "9.9999999999999987e25",
  ],
  r: ["'NaN'", "'Infinity'", "'-0'", "3.4e38", "1e-45"],
  n: ["'NaN'", endless, `-${endless}`, "'1e400'", "'-1e400'", "'1e-400'", "0.1", "NULL"],
  fixed: ["'NaN'", "99999999.99", "-99999999.99", "0.005"],
  w: [
    "'a'",
    "'A'",
    "'á'",
    "E'a\\u0301'",
    "''",
    "' '",
    "E'\\uFEFFa'",
    "E'\\\\'",
    "'%_'",
    "repeat('é', 70000)",
  ],
  c: ["'a'", "'a    '", "''", "'ä'"],
  m: ["'low'", "'high'"],
  u: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  d: ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'5874897-12-31'", "'2024-02-29'"],
  t: ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'294276-12-31 23:59:59'", "'0001-01-01'"],
  z: ["'infinity'", "'-infinity'", "'9999-12-31 23:59:59.999999+00'", "'2024-03-31 02:30:00 Europe/Berlin'"],
  b: ["TRUE", "FALSE", "NULL"],
  k: ["'a'", "'A'", "'á'", "E'a\\u0301'", "'a '", "''"],
  q: ["'a'", "'ab '", "NULL"],
  late: ["'infinity'", "'-infinity'", "'2024-02-29 23:59:59.999999+14'"],
}

const table = `CREATE TABLE rows (id bigint NOT NULL, i int, big bigint, f float8, r real, n numeric,
  fixed numeric(10, 2), w text, c char(5), m mood, u uuid, d date, t timestamp, z timestamptz, b boolean,
  k text COLLATE alike, q short, late moment)`

const policy = (source: string): string => `dataset: clinic
source: ${source}
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  rows:
    unit: id
    columns:
      id: integer
      i: { type: integer, min: -300, max: 300 }
      big: { type: integer, min: 0, max: 300 }
      f: { type: float, min: -300, max: 300, grid: 1 }
      r: { type: float, min: 0, max: 300, grid: 1 }
      n: { type: float, min: 0, max: 300, grid: 1 }
      fixed: { type: decimal(2), min: -3, max: 3 }
      wide: { type: decimal(12), source: f, access: allow }
      w: text
      c: text
      m: { values: [low, high] }
      u: text
      d: { type: date, min: 2000-01-01, max: 2030-12-31 }
      t: timestamp
      z: timestamp
      b: boolean
      k: text
      q: text
      late: timestamp
`

const [counts, sums] = [
  [
    "SELECT COUNT(*) FROM rows",
    ...["i", "big", "w", "c", "m", "u", "d", "t", "z", "b", "k", "q", "late"].map(
      (one) => `SELECT ${one}, COUNT(*) FROM rows GROUP BY ${one}`,
    ),
    "SELECT COUNT(*) FROM rows WHERE f > 0 AND r < 1 OR n > 10",
    "SELECT COUNT(*) FROM rows WHERE sqrt(abs(f)) + ln(r + 1) > n / (i + 1)",
    "SELECT COUNT(*) FROM rows WHERE CAST(f AS integer) = i OR CAST(w AS integer) = 1 OR CAST(c AS date) = d",
    "SELECT COUNT(*) FROM rows WHERE lower(w) LIKE '%a%' OR upper(c) = 'A' OR w || c = 'ab' OR length(w) > 3",
    "SELECT COUNT(*) FROM rows WHERE d + 10000 > DATE '2024-01-01' OR t < z OR EXTRACT(YEAR FROM t) = 1",
    "SELECT date_trunc('month', d), COUNT(*) FROM rows GROUP BY 1",
    "SELECT date_trunc('month', z), COUNT(*) FROM rows GROUP BY 1",
    "SELECT w, COUNT(DISTINCT id) FROM rows GROUP BY w",
    "SELECT COUNT(DISTINCT w) FROM rows",
    "SELECT COUNT(DISTINCT k) FROM rows",
    "SELECT COUNT(*) FROM rows WHERE k LIKE '%a%' OR k = q OR lower(k) = 'a' OR position('a' IN k) > 1",
    "SELECT COUNT(*) FROM rows WHERE CAST(k AS integer) = 1 OR replace(k, 'a', 'b') = q OR late > z",
    "SELECT COUNT(DISTINCT wide) FROM rows",
    "SELECT COUNT(*) FROM rows WHERE wide > 10 OR wide < -3",
  ],
  ["i", "big", "f", "r", "n", "fixed", "f * r", "big * i", "n - f", "abs(i) % 7", "round(fixed)"].flatMap(
    (one) => [
      `SELECT SUM(${/[ (]/.test(one) ? `LEAST(300, GREATEST(-300, ${one}))` : one}) FROM rows`,
      `SELECT m, SUM(${/[ (]/.test(one) ? `LEAST(300, GREATEST(-300, ${one}))` : one}), COUNT(*) FROM rows GROUP BY m`,
    ],
  ),
]

beforeAll(async () => {
  if (!("open" in found)) return
  cluster = found.open()
  grammar = await loadGrammar()
})
afterAll(async () => {
  for (const { backend } of opened) await backend.close()
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

/** Sixty people with a row each, and one with a row for every hostile value, or without. */
async function datasetOf(name: string, copies: boolean): Promise<Dataset> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  url.username = `reader_${url.pathname.slice(1)}`
  const rows = Object.entries(hostile).flatMap(([column, values]) =>
    values.map((value) => `INSERT INTO rows (id, ${column}) VALUES (777, ${value})`),
  )
  const all = Object.entries(hostile).map(([column, [value = "NULL"]]) => [column, value] as const)
  const version = { by: "word", word: "1" } as const
  const source = { kind: "postgres", url: url.href, schemas: ["public"], version } as const
  await execute(owner, [
    "CREATE TYPE mood AS ENUM ('low', 'high')",
    // Case and accents make no difference to it, where the server was built with ICU.
    `DO $$ BEGIN
       CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
       EXCEPTION WHEN feature_not_supported THEN CREATE COLLATION alike FROM "C"; END $$`,
    "CREATE DOMAIN short AS char(3) CHECK (VALUE <> 'no')",
    "CREATE DOMAIN instant AS timestamptz",
    "CREATE DOMAIN moment AS instant",
    table,
    `INSERT INTO rows SELECT k, k, k, k, k, k, k % 4, 'w' || k % 3, 'c' || k % 2, 'low',
       md5(CAST(k AS text))::uuid, DATE '2024-01-01' + k, TIMESTAMP '2024-01-01', '2024-01-01Z', k % 2 = 0,
       'k', 'q', '2024-01-01Z' FROM generate_series(1, 60) AS k`,
    ...(name === "with" ? rows : []),
    ...(name === "with"
      ? [
          `INSERT INTO rows (id, ${all.map(([one]) => one).join(", ")}) VALUES (777, ${all.map(([, one]) => one).join(", ")})`,
        ]
      : []),
    ...(roleOf(copies ? { ...source, copies: "copies" } : source) ?? []),
  ])
  const written = `{ postgres: "${url.href}", version: "1"${copies ? ", copies: copies" : ""} }`
  const place = join(folder, `${name}${String(copies)}`)
  mkdirSync(place)
  const dataset = await openDataset({
    policy: policy(written),
    folder: place,
    prepare: copies ? "always" : "never",
  })
  opened.push(dataset)
  return dataset
}

/** What each aggregate gives for each group, exactly. */
async function exactOf(
  sql: string,
  { policy: read, prepared, ...dataset }: Dataset,
): Promise<readonly string[]> {
  const { plan } = compile(sql, { grammar, ...read, prepared })
  return exactSums(plan, dataset)
}

/** How far each aggregate moves over all groups together: the length of the vector of its changes. */
function changes(all: readonly string[], less: readonly string[]): readonly number[] {
  const cells = (rows: readonly string[]): ReadonlyMap<string, number> =>
    new Map(
      rows.map((row) => [row.slice(0, row.lastIndexOf(" ")), amountOf(row.slice(row.lastIndexOf(" ") + 1))]),
    )
  const [a, b] = [cells(all), cells(less)]
  const totals = new Map<string, number>()
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const aggregate = key.split(" ")[0] ?? ""
    const difference = (a.get(key) ?? 0) - (b.get(key) ?? 0)
    totals.set(aggregate, (totals.get(aggregate) ?? 0) + difference ** 2)
  }
  // Weights are rounded to 27 bits, towards zero.
  return [...totals.values()].map((sum) => Math.sqrt(sum))
}

// Weighed rows are fractions of a row.
function amountOf(text: string): number {
  const [numerator = "0", denominator = "1"] = text.split("/")
  return Number(numerator) / Number(denominator)
}

describe.skipIf("missing" in found).each([false, true])("copies: %s", (copies) => {
  test("whatever a person's rows hold, no question fails, and none changes by more than its bounds", async () => {
    const [all, less] = [await datasetOf("with", copies), await datasetOf("without", copies)]
    for (const [list, most] of [
      [counts, 1],
      [sums, 300],
    ] as const) {
      for (const sql of list) {
        const found = changes(await exactOf(sql, all), await exactOf(sql, less))
        for (const one of found) expect(one <= most + 1e-6, `${sql}: ${one}`).toBe(true)
      }
    }
    // The person is there: a campaign that reads nothing finds nothing.
    expect(
      changes(
        await exactOf("SELECT COUNT(*) FROM rows", all),
        await exactOf("SELECT COUNT(*) FROM rows", less),
      ),
    ).toEqual([1])
  })
})
