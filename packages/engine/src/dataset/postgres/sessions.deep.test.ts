// A session is one session of the server, since lists of people and locks are left in it; and what is said
// in it is not written down.

import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { execute } from "../../testing/database/postgres-members.ts"
import { failure } from "../../testing/database/workbench.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import { openSwappingProxy } from "../../testing/swapping-proxy.ts"
import { roleOf } from "../../databases.ts"
import { postgres } from "./postgres-database.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-sessions-"))
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

// A server that is given may listen elsewhere than at a socket.
const isOurs = "open" in found && (process.env["DOSIMETER_TEST_POSTGRES"] ?? "") === ""

const secretOnly = { kind: "secret" } as const

interface Made {
  readonly owner: string
  readonly url: URL
  readonly source: PostgresSource
}

async function made(): Promise<Made> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  url.username = `reader_${url.pathname.slice(1)}`
  const version = { by: "content" } as const
  const source: PostgresSource = { kind: "postgres", url: url.href, schemas: ["public"], version }
  await execute(owner, ["CREATE TABLE people (id bigint)", ...(roleOf(source) ?? [])])
  return { owner, url, source }
}

describe.skipIf(!isOurs)("sessions", () => {
  test("a pooler that gives transactions other sessions is noticed, and not served", async () => {
    const { url, source } = await made()
    const proxy = await openSwappingProxy(url.searchParams.get("host") ?? "")
    url.searchParams.set("host", proxy.folder)
    const error = await failure(postgres({ ...source, url: url.href }).open({ folder }))
    expect([error.code, error.message]).toEqual(["dataset/unsafe-server", expect.stringContaining("pooler")])
    await proxy.close()
  })

  test("nothing keeps a process alive once a dataset is closed, whoever has a session still", async () => {
    const { owner, url, source } = await made()
    const copies = "copies_of_ours"
    await execute(owner, [`CREATE SCHEMA ${copies} AUTHORIZATION ${url.username}`])
    const one = await postgres({ ...source, copies }).open({ folder })
    const kept = one.copies({ state: folder, dataset: "people" })
    await one.close()
    // What is asked afterwards takes a session, and gives it back to nobody.
    await kept?.stored()
    const open = `SELECT count(*) FROM pg_stat_activity WHERE usename = '${url.username}'`
    const client = new pg.Client({ connectionString: owner })
    await client.connect()
    // A server takes a moment to notice who has gone.
    for (;;) {
      const { rows } = await client.query<{ readonly count: string }>(open)
      if (rows[0]?.count === "0") break
      await setTimeout(20)
    }
    await client.end()
  })

  test("a server that logs every statement does not log the secret of a version", async () => {
    const { owner, url, source } = await made()
    const run = async (user: string, secret: string): Promise<string> => {
      const at = new URL(source.url)
      at.username = user
      const one = await postgres({ ...source, url: at.href }).open({ folder })
      const backend = await one.serve({ timeoutMs: 600_000, unitLists: false })
      const domain = { type: { kind: "integer" }, nullable: false } as const
      const sql = {
        text: "SELECT COUNT(*) FROM public.people WHERE CAST($1 AS TEXT) = ''",
        parameters: [secretOnly],
      }
      const query = { sql, columns: [{ id: 0, name: "n", domain }], keyCount: 0, groupCount: 0 }
      await backend.run(query, { secret })
      await backend.close()
      return readFileSync(join(url.searchParams.get("host") ?? "", "log"), "utf8")
    }
    await execute(owner, [
      "ALTER SYSTEM SET log_min_duration_statement = 0",
      "SELECT pg_reload_conf()",
      "CREATE ROLE talkative LOGIN",
      "GRANT SELECT ON people TO talkative",
    ])
    // A role that was made by hand shows that the log is one that could hold it.
    expect(await run("talkative", "SECRET-1")).toContain("SECRET-1")
    const log = await run(url.username, "SECRET-2")
    expect([log.includes("FROM public.people WHERE"), log.includes("SECRET-2")]).toEqual([true, false])
    await execute(owner, ["ALTER SYSTEM RESET log_min_duration_statement", "SELECT pg_reload_conf()"])
  })
})
