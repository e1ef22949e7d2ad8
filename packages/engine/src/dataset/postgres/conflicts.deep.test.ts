// A server that gives a read up for the sake of others (a standby, a deadlock): it is asked again, under the
// same charge, and nobody's door is closed.

import { add, showRational } from "@dosimeter/core/exact"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { roleOf } from "../../databases.ts"
import { openEngine, type Engine } from "../../engine.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { failure } from "../../testing/database/workbench.ts"
import { freshHome } from "../../testing/fresh-home.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-conflicts-"))
let cluster: PostgresCluster | undefined
beforeAll(() => {
  freshHome()
  if ("open" in found) cluster = found.open()
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

/** Rows that some sessions are told they cannot have: as a standby tells them that has fallen behind. */
const tables = [
  "CREATE TABLE rows (id bigint, n int)",
  "INSERT INTO rows SELECT k, k % 9 FROM generate_series(1, 100) AS k",
  "CREATE SCHEMA own",
  "CREATE TABLE own.unlucky (pid int)",
  `CREATE FUNCTION own.lucky() RETURNS boolean STABLE SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
     IF EXISTS (SELECT FROM own.unlucky WHERE pid IN (0, pg_backend_pid())) THEN
       RAISE EXCEPTION 'canceling statement due to conflict with recovery' USING ERRCODE = '40001';
     END IF; RETURN true; END $$`,
  "CREATE VIEW people AS SELECT id, n FROM rows WHERE own.lucky()",
  "GRANT USAGE ON SCHEMA own TO PUBLIC",
]

async function opened(version: string): Promise<{ readonly engine: Engine; readonly owner: string }> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  url.username = `reader_${url.pathname.slice(1)}`
  const by = { by: "content" } as const
  await execute(owner, [
    ...tables,
    ...(roleOf({ kind: "postgres", url: url.href, schemas: ["public"], version: by }) ?? []),
  ])
  const policy = `dataset: people
source: { postgres: ${JSON.stringify(url.href)}, version: ${version} }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 2, norm: fixed }
tables:
  people: { unit: id, columns: { id: integer, n: { type: integer, min: 0, max: 9 } } }
`
  return { engine: await openEngine({ policy, folder: mkdtempSync(join(folder, "at-")) }), owner }
}

// With `auto`, each look at the data reads the view as well.
describe.skipIf("missing" in found).each(["auto", '"1"'])("conflicts, version: %s", (version) => {
  test("a read that the server gave up is done again, and charged once", async () => {
    const { engine, owner } = await opened(version)
    const first = await engine.ask("SELECT COUNT(*) FROM people")
    const { spent: once } = await engine.account()
    // All sessions that are there now are out of luck; a new one is not.
    const sessions = "SELECT pid FROM pg_stat_activity WHERE application_name = 'dosimeter'"
    await execute(owner, [`INSERT INTO own.unlucky ${sessions} AND datname = current_database()`])
    const second = await engine.ask("SELECT COUNT(*) FROM people WHERE n < 5")
    expect([first.origin, second.origin]).toEqual(["released", "released"])
    const { spent: twice } = await engine.account()
    expect(showRational(twice)).toBe(showRational(add(once, once)))
    expect(await engine.ledger.incidents()).toEqual([])
    await engine.close()
  })
})

describe.skipIf("missing" in found)("conflicts without an end", () => {
  test("the charge stands, and it is said that the database did not give what was needed", async () => {
    const { engine, owner } = await opened('"1"')
    await execute(owner, ["INSERT INTO own.unlucky VALUES (0)"])
    const error = await failure(engine.ask("SELECT COUNT(*) FROM people"))
    expect([error.code, error.help?.includes("the charge stands")]).toEqual(["backend/too-large", true])
    expect(JSON.stringify([error.message, error.issues])).not.toContain("recovery")
    await engine.close()
  })
})
