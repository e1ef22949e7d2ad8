// Each version of the server for itself: `npm run test:deep -- postgres` names one after the other.

import pg from "pg"
import { describe, expect, test } from "vitest"
import { roleOf } from "../../databases.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { failure } from "../../testing/database/workbench.ts"
import { postgresFixture } from "../../testing/postgres-fixture.ts"
import { postgres } from "./postgres-database.ts"

const named = process.env["DOSIMETER_TEST_POSTGRES_VERSION"] ?? ""
const fixture = postgresFixture()

describe.skipIf(fixture.isMissing)("versions", () => {
  test.skipIf(named === "")("the server that is tested is of the version that was named", async () => {
    expect(await majorOf(await fixture.cluster().database())).toBe(Number(named))
  })

  test("servers from version 13 on are served, and older ones refused by a name for it", async () => {
    const owner = await fixture.cluster().database()
    const source = {
      kind: "postgres",
      url: owner,
      schemas: ["public"],
      version: { by: "content" },
    } as const
    if ((await majorOf(owner)) < 13) {
      // The script that makes a role needs 13 too, so that this is said of any role.
      const error = await failure(postgres(source).open({ folder: fixture.folder }))
      expect([error.code, error.message]).toEqual([
        "dataset/unsafe-server",
        expect.stringContaining("older than PostgreSQL 13"),
      ])
      return
    }
    const url = new URL(owner)
    url.username = `reader_${url.pathname.slice(1)}`
    const read = { ...source, url: url.href }
    await execute(owner, ["CREATE TABLE people (id bigint)", ...(roleOf(read) ?? [])])
    const session = await postgres(read).open({ folder: fixture.folder })
    await session.close()
  })
})

async function majorOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num")
  await client.end()
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}
