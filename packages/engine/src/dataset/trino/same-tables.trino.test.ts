// The same rows in three databases: the same exact tables. Where groups or rows of a person are cut, the same
// secret makes the same choice in PostgreSQL and Trino, which hash alike; DuckDB has a hash of its own.

import { afterAll, beforeAll, expect, test } from "vitest"
import { duckdbMembers } from "../../testing/database/duckdb-members.ts"
import { manyWards, wardTables } from "../../testing/database/extract-checks.ts"
import type { Member } from "../../testing/database/member.ts"
import { postgresMembers } from "../../testing/database/postgres-members.ts"
import { trinoMember } from "../../testing/database/trino-member.ts"
import { Workbench, type Asked } from "../../testing/database/workbench.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import { trinoOfTests } from "../../testing/trino-of-tests.ts"

const found = findPostgres()
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(() => cluster?.stop())

const started = (): PostgresCluster => {
  if (cluster === undefined) throw new Error("the server is not started")
  return cluster
}
const whole = [
  "SELECT COUNT(*) FROM visits",
  "SELECT ward, COUNT(*), SUM(n) FROM visits GROUP BY ward",
  "SELECT ward, COUNT(DISTINCT unit) FROM visits GROUP BY ward",
]
// Beside a median, groups beyond the bounds are dropped, and rows too.
const cut = ["SELECT ward, COUNT(*), MEDIAN(n) FROM visits GROUP BY ward", "SELECT MEDIAN(n) FROM visits"]
const few = { bounds: { groupsPerUnit: 2n, rowsPerGroup: 1n } }

/** The exact tables of questions, as texts. */
async function tablesOf(
  member: Member | undefined,
  questions: readonly string[],
  asked: Asked,
): Promise<readonly (readonly string[])[]> {
  if (member === undefined) throw new Error("there is such a member")
  const bench = new Workbench(member)
  const dataset = await bench.dataset(await bench.make([manyWards((rows) => rows)]), { tables: wardTables })
  const tables: (readonly string[])[] = []
  for (const sql of questions) tables.push(await bench.rows(dataset, sql, asked))
  await bench.clear()
  return tables
}

test.skipIf("missing" in found)("the same exact tables in three databases", async () => {
  const [duckdb] = duckdbMembers
  const [postgres] = postgresMembers(started)
  const trino = trinoMember(trinoOfTests().url)
  const all = await tablesOf(duckdb, whole, { secret: "a" })
  expect(await tablesOf(postgres, whole, { secret: "b" })).toEqual(all)
  expect(await tablesOf(trino, whole, { secret: "c" })).toEqual(all)
  const chosen = await tablesOf(postgres, cut, { ...few, secret: "a" })
  expect(await tablesOf(trino, cut, { ...few, secret: "a" })).toEqual(chosen)
  expect(await tablesOf(trino, cut, { ...few, secret: "b" })).not.toEqual(chosen)
})
