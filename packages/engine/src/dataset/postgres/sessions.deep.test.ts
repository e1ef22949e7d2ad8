// A session is one session of the server: lists of people and locks are left in it.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

describe.skipIf(!isOurs)("sessions", () => {
  test("a pooler that gives transactions other sessions is noticed, and not served", async () => {
    if (cluster === undefined) throw new Error("the server is not started")
    const owner = await cluster.database()
    const url = new URL(owner)
    url.username = `reader_${url.pathname.slice(1)}`
    const version = { by: "content" } as const
    const source = { kind: "postgres", url: url.href, schemas: ["public"], version } as const
    await execute(owner, ["CREATE TABLE people (id bigint)", ...(roleOf(source) ?? [])])
    const proxy = await openSwappingProxy(url.searchParams.get("host") ?? "")
    url.searchParams.set("host", proxy.folder)
    const error = await failure(postgres({ ...source, url: url.href }).open({ folder }))
    expect([error.code, error.message]).toEqual(["dataset/unsafe-server", expect.stringContaining("pooler")])
    await proxy.close()
  })
})
