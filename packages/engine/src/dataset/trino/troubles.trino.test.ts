import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { describe } from "vitest"
import type { MadeTable } from "../../testing/database/member.ts"
import { serverTroubles, type TroubledSource } from "../../testing/database/server-troubles.ts"
import { trinoMember } from "../../testing/database/trino-member.ts"
import { openRelay } from "../../testing/relay.ts"
import { trinoOfTests } from "../../testing/trino-of-tests.ts"
import { trinoAddress } from "./trino-address.ts"
import { TrinoClient } from "./trino-client.ts"
import { trino } from "./trino-database.ts"

/** Nobody else on the server has this name, so that what runs for it can be counted. */
const user = "troubled"

async function troubled(tables: readonly MadeTable[]): Promise<TroubledSource> {
  const { url } = trinoOfTests()
  const made = await trinoMember(url).make(tables)
  const schema = /schema: (made_\w+)/.exec(made.written)?.[1] ?? ""
  const { hostname, port } = new URL(url)
  const relay = await openRelay({ host: hostname, port: Number(port) })
  const source: TrinoSource = {
    kind: "trino",
    url: `http://${user}@127.0.0.1:${relay.port}`,
    catalog: "lake",
    schema,
    version: { by: "snapshots" },
  }
  const owner = new TrinoClient(trinoAddress({ ...source, url }, made.folder))
  return {
    ...made,
    database: trino(source),
    written: `{ trino: "${source.url}", catalog: lake, schema: ${schema} }`,
    relay,
    alter: async (table) => {
      await owner.run(`ALTER TABLE ${table} ADD COLUMN more BIGINT`)
    },
    running: async () => {
      const states = "state NOT IN ('FINISHED', 'FAILED')"
      const { rows } = await owner.run(
        `SELECT count(*) FROM system.runtime.queries WHERE ${states} AND "user" = '${user}'`,
      )
      return Number(rows[0]?.[0])
    },
    remove: async () => {
      owner.close()
      await made.remove()
    },
    // A gigabyte in one place, where a node of the tests gives a query a third of its memory of two.
    tooLarge: `SELECT cardinality(array_agg(lpad(CAST(i AS VARCHAR), 100000, 'x')))
      FROM UNNEST(sequence(1, 10000)) AS t (i)`,
  }
}

describe("Trino in trouble", () => {
  serverTroubles(troubled)
})
