// Every probe of packages/planner/test/fixtures/sql_channels.json over the wire, in both forms of the
// protocol and inside of COPY, PREPARE and DECLARE: what comes back is an answer or an error of ours, the
// session goes on, and no value that was planted is among the bytes.

import { withoutRandomText } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openPgHouseOf, type PgHouse } from "../../testing/pg-house.ts"

interface Probe {
  readonly id: string
  readonly inputs: { readonly sql: string }
}

const fixture = join(import.meta.dirname, "../../../../planner/test/fixtures/sql_channels.json")
const { records }: { readonly records: readonly Probe[] } = JSON.parse(readFileSync(fixture, "utf8"))
const canaries = ["CANARY", "424242", "8675309", "1999-12-31", "root:"]
const policy = `
dataset: probes
source: { duckdb: probes.duckdb }
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.1, max: 1 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  t:
    unit: user_id
    columns:
      user_id: integer
      g: text
      x: { type: integer, min: -100, max: 100 }
      s: text
      d: { type: float, min: -10, max: 10 }
      ts: date
`
let house: PgHouse
let folder = ""
let client: pg.Client
let received = ""

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-probes-"))
  const instance = await DuckDBInstance.create(join(folder, "probes.duckdb"))
  const connection = await instance.connect()
  await connection.run(`
    CREATE TABLE t (user_id INTEGER, g VARCHAR, x INTEGER, s VARCHAR, d DOUBLE, ts DATE);
    INSERT INTO t SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, i, '7', 1.0, DATE '2020-01-01'
      FROM range(1, 51) AS r(i);
    INSERT INTO t VALUES (424242, 'CANARY', 0, '(', 'NaN', DATE '1999-12-31'),
      (4242429, 'CANARY g', 8675309, 'CANARY', -3, NULL)`)
  connection.closeSync()
  instance.closeSync()
  house = await openPgHouseOf(folder, policy)
  client = new pg.Client({ ...house.login, stream: tapped })
  client.on("notice", () => {})
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await house.close()
  rmSync(folder, { recursive: true })
})

/** A socket of which everything that comes is kept. */
function tapped(): Socket {
  const socket = new Socket()
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")))
  return socket
}

test("all probes are here", () => {
  expect(records).toHaveLength(35)
})

test.each(records)("[Q4] [E2] $id over the wire", async ({ inputs: { sql } }) => {
  received = ""
  const one = sql.replace(/;.*$/s, "")
  const forms: readonly (string | { readonly text: string; readonly values: string[] })[] = [
    sql,
    { text: sql, values: [] },
    {
      text: `${sql}${sql.includes("WHERE") ? "" : " WHERE TRUE"} AND s <> $1`,
      values: ["'; DROP TABLE t; --"],
    },
    `COPY (${one}) TO STDOUT`,
    `PREPARE p AS ${one}`,
    "EXECUTE p",
    `DECLARE c CURSOR WITH HOLD FOR ${one}`,
    "FETCH ALL FROM c",
  ]
  for (const form of forms) {
    const came: unknown = await client.query(form).catch((error: unknown) => error)
    if (!(came instanceof Error)) continue
    expect(came).toBeInstanceOf(pg.DatabaseError)
    expect(`${"code" in came ? String(came.code) : ""} ${came.message}`).toMatch(ours)
  }
  await client.query("DEALLOCATE ALL")
  await client.query("CLOSE ALL")
  expect((await client.query("SHOW dosimeter.intervals")).rows).toHaveLength(1)
  const words = withoutRandomText(received)
  for (const canary of canaries) expect(words).not.toContain(canary)
  expect(received).not.toMatch(/duckdb|Binder|Catalog Error|Conversion Error|\bat \w+ \(/i)
})

/** A code of the table at the end, or a state that only the session itself has; nothing that broke inside. */
const ours = /^(?!XX)\w{5} .*\[[a-z]+\/[a-z-]+\]$|^(08P01|26000|34000|42601|0A000) /s
