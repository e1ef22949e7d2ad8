import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { writeName } from "@dosimeter/proof/spell/literal"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe } from "vitest"
import type { MadeTable } from "../../testing/database/member.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { serverTroubles, type TroubledSource } from "../../testing/database/server-troubles.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import { openRelay } from "../../testing/relay.ts"
import { postgres } from "./postgres-database.ts"
import { roleSql } from "./role-sql.ts"

const found = findPostgres()
// A server that is given may listen elsewhere than at a socket.
const isOurs = "open" in found && (process.env["DOSIMETER_TEST_POSTGRES"] ?? "") === ""
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if (isOurs) cluster = found.open()
})
afterAll(() => cluster?.stop())

async function troubled(tables: readonly MadeTable[]): Promise<TroubledSource> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  const [database, role] = [url.pathname.slice(1), `reader_${url.pathname.slice(1)}`]
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-troubles-"))
  const server = { path: join(url.searchParams.get("host") ?? "", ".s.PGSQL.5432") }
  const relay = await openRelay(server, join(folder, ".s.PGSQL.5432"))
  url.username = role
  url.searchParams.set("host", folder)
  const source: PostgresSource = {
    kind: "postgres",
    url: url.href,
    schemas: ["public"],
    version: { by: "word", word: "1" },
  }
  const made = tables.flatMap(({ name, columns, rows }) => [
    `CREATE TABLE ${writeName(name)} (${columns.map(([column]) => `${writeName(column)} BIGINT`).join(", ")})`,
    `INSERT INTO ${writeName(name)} VALUES ${rows.map((row) => `(${row.join(", ")})`).join(", ")}`,
  ])
  await execute(owner, [
    ...made,
    ...roleSql({ source, role, database }),
    // What a query that does not fit into memory may put into files.
    `ALTER ROLE ${writeName(role)} SET temp_file_limit = '100kB'`,
  ])
  return {
    database: postgres(source),
    written: `{ postgres: ${JSON.stringify(source.url)}, version: "1" }`,
    folder,
    named: (table) => `public.${writeName(table)}`,
    replace: async () => undefined,
    remove: async () => rmSync(folder, { recursive: true }),
    relay,
    alter: (table) => execute(owner, [`ALTER TABLE ${writeName(table)} ADD COLUMN more BIGINT`]),
    running: async () => {
      const client = new pg.Client({ connectionString: owner })
      await client.connect()
      const { rows } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE usename = $1 AND state = 'active'",
        [role],
      )
      await client.end()
      return rows.length
    },
    tooLarge:
      "SELECT count(*) FROM (SELECT i FROM generate_series(1, 1000000) AS g (i) ORDER BY i DESC OFFSET 1) AS t",
  }
}

describe.skipIf(!isOurs)("PostgreSQL in trouble", () => {
  serverTroubles(troubled)
})
