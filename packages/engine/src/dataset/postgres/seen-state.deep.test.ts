// That what is read is the version that was opened, where the data is another for a moment and the same
// before and after; and where rows change though nobody writes.

import { designCopies } from "@dosimeter/planner/copies/design-copies"
import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { roleOf } from "../../databases.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { refused } from "../../testing/database/workbench.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import { openDataset, type OpeningOptions } from "../../prepare/open-dataset.ts"
import type { ExtractQuery } from "../backend.ts"
import { asking, connectionOf } from "./connect.ts"
import { postgres } from "./postgres-database.ts"
import { seeData } from "./seen-data.ts"
import { Sessions } from "./sessions.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-pgstate-"))
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

async function made(
  statements: readonly string[],
  changes: Partial<PostgresSource> = {},
): Promise<{ readonly owner: string; readonly source: PostgresSource }> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  url.username = `reader_${url.pathname.slice(1)}`
  const source: PostgresSource = {
    kind: "postgres",
    url: url.href,
    schemas: ["public"],
    version: { by: "content" },
    ...changes,
  }
  await execute(owner, [...statements, ...(roleOf(source) ?? [])])
  return { owner, source }
}

const people = ["CREATE TABLE people (id bigint, n int)", "INSERT INTO people VALUES (1, 5), (2, 6), (3, 7)"]

function opening({ url, copies }: PostgresSource, more: Partial<OpeningOptions>): OpeningOptions {
  const policy = `dataset: people
source: { postgres: ${JSON.stringify(url)}, version: auto${copies === undefined ? "" : `, copies: ${copies}`} }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 2, norm: fixed }
tables:
  people: { unit: id, columns: { id: integer, n: { type: integer, min: 0, max: 9 } } }
`
  return { policy, folder: mkdtempSync(join(folder, "at-")), prepare: "never", ...more }
}

/** Rows are taken away while `work` runs, and are back before it ends: a load in two transactions. */
async function reloadedBeside<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  await execute(owner, ["CREATE TABLE kept AS TABLE people", "DELETE FROM people"])
  try {
    return await work()
  } finally {
    await execute(owner, ["INSERT INTO people TABLE kept", "DROP TABLE kept"])
  }
}

const counting: ExtractQuery = {
  sql: { text: "SELECT COUNT(*) FROM public.people", parameters: [] },
  columns: [{ id: 0, name: "n", domain: { type: { kind: "integer" }, nullable: false } }],
  keyCount: 0,
  groupCount: 0,
}

/** The same rows, where nobody looks. */
const kept = [
  "CREATE SCHEMA loads",
  "CREATE TABLE loads.kept AS TABLE people",
  "GRANT SELECT ON loads.kept TO PUBLIC",
]

/** Loads that put the same rows in place of themselves, which an older snapshot may not notice. */
const emptied: readonly (readonly [how: string, statements: readonly string[]])[] = [
  ["emptied and filled again", ["TRUNCATE people", "INSERT INTO people TABLE loads.kept"]],
  ["rewritten", ["ALTER TABLE people ALTER n TYPE text", "ALTER TABLE people ALTER n TYPE int USING n::int"]],
  [
    "put in the place of another",
    ["DROP TABLE people", "ALTER TABLE loads.kept SET SCHEMA public", "ALTER TABLE kept RENAME TO people"],
  ],
]

/** A load that has begun when `work` begins, and ends while that waits for it. */
async function emptiedBeside<Result>(
  owner: string,
  statements: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const load = new pg.Client({ connectionString: owner })
  await load.connect()
  for (const sql of ["BEGIN", ...statements]) await load.query(sql)
  const working = work()
  let isOver = false
  const over = working.finally(() => {
    isOver = true
  })
  // What does not wait for the load is over before it.
  await expect.poll(async () => isOver || (await load.query(waiting)).rowCount === 1).toBe(true)
  await load.query("COMMIT")
  await load.end()
  return over
}

const waiting =
  "SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

describe.skipIf("missing" in found)("the state that is read", () => {
  test("an extract of data that is another for a moment is refused as changed", async () => {
    const { owner, source } = await made(people)
    const { backend, version } = await openDataset(opening(source, {}))
    const run = async (): Promise<unknown> => backend.run(counting, { secret: version.secret })
    await version.check()
    expect(await reloadedBeside(owner, () => refused(run()))).toBe("dataset/changed")
    // Before and after it is the same: the two looks alone would not tell.
    await version.check()
    await run()
    await backend.close()
  })

  test("a copy of data that is another for a moment is never kept", async () => {
    const { owner, source } = await made(people, { copies: "copies" })
    const { policy, version, copies, backend } = await openDataset(opening(source, {}))
    if (copies === undefined) throw new Error("it keeps copies")
    const wanted = designCopies(policy.catalog, { schema: copies.schema })
    // Whoever looks after the copy was made finds the rows there again.
    const later = { ...version, check: async () => undefined }
    const make = (): Promise<unknown> => copies.make({ copies: wanted, version: later }, {})
    expect(await reloadedBeside(owner, () => refused(make()))).toBe("dataset/changed")
    await version.check()
    expect(await copies.open({ copies: wanted, version })).toEqual([])
    expect(await copies.make({ copies: wanted, version }, {})).toEqual(wanted)
    await backend.close()
  })

  test("claims are looked at in the state that was opened", async () => {
    const { owner, source } = await made(people)
    const one = await postgres(source).open({ folder })
    const tests = ["SELECT 1 FROM public.people WHERE id IS NULL"]
    expect(await reloadedBeside(owner, () => refused(one.haveRows(tests)))).toBe("dataset/changed")
    expect(await one.haveRows(tests)).toEqual([false])
    await one.close()
  })

  describe.each(emptied)("a table that is %s between snapshot and read", (_, statements) => {
    test("is not read as the version that was opened", async () => {
      const { owner, source } = await made([...people, ...kept])
      const { backend, version } = await openDataset(opening(source, {}))
      const run = (): Promise<unknown> => backend.run(counting, { secret: version.secret })
      const told = await emptiedBeside(owner, statements, async () => refused(run()))
      expect(told).toBe("dataset/changed")
      // The same rows are there again, so that no look afterwards would tell.
      await version.check()
      await run()
      await backend.close()
    })

    test("is not copied", async () => {
      const { owner, source } = await made([...people, ...kept], { copies: "copies" })
      const { policy, version, copies, backend } = await openDataset(opening(source, {}))
      if (copies === undefined) throw new Error("it keeps copies")
      const wanted = designCopies(policy.catalog, { schema: copies.schema })
      const make = (): Promise<unknown> => copies.make({ copies: wanted, version }, {})
      expect(await emptiedBeside(owner, statements, () => refused(make()))).toBe("dataset/changed")
      expect(await copies.open({ copies: wanted, version })).toEqual([])
      await backend.close()
    })

    test("does not prove a claim", async () => {
      const { owner, source } = await made([...people, ...kept])
      const one = await postgres(source).open({ folder })
      const tests = ["SELECT 1 FROM public.people WHERE id > 2"]
      const told = await emptiedBeside(owner, statements, () => refused(one.haveRows(tests)))
      expect(told).toBe("dataset/changed")
      expect(await one.haveRows(tests)).toEqual([true])
      await one.close()
    })
  })

  test("a view that is another each time is looked at, though nobody has written since", async () => {
    const { source } = await made([
      ...people,
      "CREATE VIEW some_of_them AS SELECT id FROM people WHERE random() < 0.5",
    ])
    const sessions = new Sessions(connectionOf(source, folder))
    const seen = await seeData(source, asking(sessions))
    const looks: boolean[] = []
    for (let time = 0; time < 60; time += 1) looks.push(await seen.isSame())
    sessions.close()
    // Three rows come and go by a coin each: the same sixty times with a chance of 8^-60.
    expect(looks).toContain(false)
  })
})
