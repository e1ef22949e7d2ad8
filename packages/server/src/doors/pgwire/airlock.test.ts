// The airlock and consent through the door for clients of PostgreSQL, with a real driver.

import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { tryLimitsOf } from "../../questions/house.ts"
import { openSmallHouse, people, type SmallHouse } from "../../testing/small-house.ts"
import { EngineAccess } from "./engine-access.ts"
import { openPgServer, type PgServer } from "./pg-server.ts"

let house: SmallHouse
let access: EngineAccess
let server: PgServer
let client: pg.Client

beforeAll(async () => {
  house = await openSmallHouse("consent: opt-out\n")
  await house.openStudy("heart", { airlock: true })
  const { questions, accounts, store } = house
  const limits = tryLimitsOf({ accounts, store })
  access = new EngineAccess({ questions, accounts, limits, budget: async () => "a bar" })
  server = await openPgServer({ access, host: "127.0.0.1", port: 0 })
  const login = { host: "127.0.0.1", user: "ada", password: "correct horse", database: "ward" }
  client = new pg.Client({ ...login, port: server.port })
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await server.close()
  await access.close()
  await house.close()
})

const sql = "SELECT COUNT(*) AS n FROM patients"

test("[G3] what waits is an error with a state of its own, and an answer once it is approved", async () => {
  const first: unknown = await client.query(sql).catch((error: unknown) => error)
  expect(first).toMatchObject({ code: "WA001", hint: expect.stringContaining("ask the same again") })
  const [held] = await house.airlock.list()
  expect(held?.question).toBe(sql)
  await house.airlock.review(held?.charge ?? "", { decision: "approve", reasons: "fine" }, people.carl)
  expect((await client.query(sql)).rows).toHaveLength(1)
})

test("[I3] a limit of the client's own does not tell how long the work took", async () => {
  await client.query("SET statement_timeout = 1")
  const stopped: unknown = await client.query(`${sql} WHERE id > 1`).catch((error: unknown) => error)
  expect(stopped).toMatchObject({ code: "WA001" })
  await client.query("SET statement_timeout = 0")
})

test("[G1] EXPLAIN says whose rows are read", async () => {
  const { rows } = await client.query<{ readonly explanation: string }>(`EXPLAIN ${sql}`)
  const lines = rows.map(({ explanation }) => explanation)
  expect(lines).toContain("consent     each patient but those that withdrew, for DUO:0000006 (version 0)")
})
