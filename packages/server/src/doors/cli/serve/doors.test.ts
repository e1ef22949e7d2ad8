// Both doors let nobody do what the table of rights does not give them: every role, every set of rights of a
// token, and for each the same outcome over HTTP and over psql's protocol. And what one client sends at the
// door for PostgreSQL neither ends nor stops the server, nor is acknowledged without effect.

import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { questionsOf } from "../../../questions/house.ts"
import { may, rightTo, roles, type Right, type Role } from "../../../people/roles.ts"
import { Tokens } from "../../../people/tokens.ts"
import { TryLimits } from "../../../limits/try-limits.ts"
import { contract } from "../../http/contract/contract.ts"
import { EngineAccess } from "../../pgwire/engine-access.ts"
import { openPgServer, type PgServer } from "../../pgwire/pg-server.ts"
import { adaPassword, httpLab, people, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
let server: PgServer
let access: EngineAccess

beforeAll(async () => {
  lab = await httpLab()
  const { engine, accounts, store } = lab
  access = new EngineAccess({
    questions: questionsOf({ engine, accounts, studies: undefined, store }),
    accounts,
    limits: new TryLimits(),
    tokens: new Tokens(store),
    budget: async () => "a bar",
  })
  server = await openPgServer({ access, host: "127.0.0.1", port: 0 })
})

afterAll(async () => {
  await server.close()
  await access.close()
  await lab.close()
})

async function connect(user: string, password: string): Promise<pg.Client> {
  const login = { host: "127.0.0.1", port: server.port, database: "hospital", user, password }
  const client = new pg.Client(login)
  client.on("error", () => {})
  await client.connect()
  return client
}

/** Asks something; the state of the error, or undefined. */
async function stateOf(client: pg.Client, query: string | pg.QueryConfig): Promise<string | undefined> {
  const came: unknown = await client.query(query).catch((error: unknown) => error)
  return came instanceof pg.DatabaseError ? came.code : undefined
}

const count = "SELECT COUNT(*) AS n FROM death"
const shared = ["ask", "see-catalog", "see-budget"] as const satisfies readonly Right[]
const sets = Array.from({ length: 8 }, (_, bits) => shared.filter((_right, at) => ((bits >> at) & 1) === 1))

/** The same thing at both doors. */
const deeds = [
  { right: rightTo.ask, method: "POST", path: "/api/v1/ask", sql: count },
  { right: rightTo.explain, method: "POST", path: "/api/v1/explain", sql: `EXPLAIN ${count}` },
  { right: rightTo.seeTables, method: "GET", path: "/api/v1/datasets", sql: "SELECT relname FROM pg_class" },
  {
    right: rightTo.seeTables,
    method: "GET",
    path: "/api/v1/datasets",
    sql: "COPY (SELECT table_name FROM information_schema.tables) TO STDOUT",
  },
  { right: rightTo.seeBudget, method: "GET", path: "/api/v1/budget", sql: "SHOW dosimeter.budget" },
] as const

async function statusOf(secret: string, { method, path }: (typeof deeds)[number]): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" }
  const body = method === "POST" ? { body: JSON.stringify({ sql: count }) } : {}
  return (await fetch(`${lab.url}${path}`, { method, headers, ...body })).status
}

describe("[D2] a token has its rights and no others, at both doors", () => {
  test.each(roles.flatMap((role) => sets.map((rights) => [role, rights] as const)))(
    "%s %j",
    async (role, rights) => {
      const account = { name: people[role], role }
      const own = rights.filter((right) => may(role, right))
      const name = `t${role}${rights.join("").replaceAll("-", "")}`
      const tokens = new Tokens(lab.store)
      if (own.length < rights.length) {
        const made: unknown = await tokens.add({ name, account, rights }).catch((error: unknown) => error)
        expect(made).toMatchObject({ code: "token/above-account" })
        return
      }
      const { secret } = await tokens.add({ name, account, rights })
      if (rights.length === 0) {
        await expect(connect(`${account.name}+${name}`, secret)).rejects.toMatchObject({ code: "28P01" })
      }
      const client = rights.length === 0 ? undefined : await connect(`${account.name}+${name}`, secret)
      for (const deed of deeds) {
        const isAllowed = rights.includes(deed.right)
        const status = await statusOf(secret, deed)
        expect({ deed, status }).toEqual({ deed, status: isAllowed ? 200 : 403 })
        if (client === undefined) continue
        expect({ deed, state: await stateOf(client, deed.sql) }).toEqual({
          deed,
          state: isAllowed ? undefined : "42501",
        })
        // Describing is no way around it.
        const described = await stateOf(client, { text: deed.sql, values: [] })
        expect({ deed, described }).toEqual({ deed, described: isAllowed ? undefined : "42501" })
      }
      await client?.end()
    },
  )

  test("what a role gains or loses afterwards holds for its tokens: never more than the role", () => {
    const routes = Object.values(contract).map(({ access: right }) => right)
    for (const right of Object.values(rightTo)) expect(routes).toContain(right)
  })
})

const idle: readonly Role[] = ["participant", "community"]

test.each(idle)("[D2] %s, who may do nothing here, does not come in", async (role) => {
  expect(deeds.filter(({ right }) => may(role, right))).toEqual([])
  await expect(connect(people[role], adaPassword)).rejects.toMatchObject({ code: "28P01" })
})

test.each(roles.filter((role) => !idle.includes(role)))(
  "[D2] %s does with a password what the role may",
  async (role: Role) => {
    const client = await connect(people[role], adaPassword)
    for (const { right, sql } of deeds) {
      expect({ sql, state: await stateOf(client, sql) }).toEqual({
        sql,
        state: may(role, right) ? undefined : "42501",
      })
    }
    await client.end()
  },
)

test("[D2] a token that is over does nothing more in a session that is open", async () => {
  const tokens = new Tokens(lab.store)
  const { secret, token } = await tokens.add({ name: "short", account: { name: "ada", role: "analyst" } })
  const client = await connect("ada+short", secret)
  expect(await stateOf(client, "SELECT current_user")).toBeUndefined()
  await tokens.revoke(token.id)
  for (const { sql } of [...deeds, { sql: "SELECT current_user" }, { sql: "SHOW dosimeter.epsilon" }]) {
    expect(await stateOf(client, sql)).toBe("42501")
  }
  await client.end()
})

describe("[D1] what one client sends", () => {
  test("rows of nothing, several statements, and what looks like catalogs", async () => {
    const client = await connect("eve", adaPassword)
    const states = [
      "SELECT pg_x.range FROM range(5000000) AS pg_x",
      "SELECT * FROM range(5000000) AS pg_x, pg_class",
      "SELECT E'\\'' AS a FROM pg_class; CREATE TABLE pg_evil AS SELECT 42 AS x; SELECT * FROM pg_evil --'",
      "SELECT * FROM pg_evil",
      "SELECT * FROM duckdb_settings() AS pg_x, pg_class",
    ]
    for (const sql of states) expect(await stateOf(client, sql)).toMatch(/^(42501|0A000)$/)
    expect((await client.query("SELECT relname FROM pg_class WHERE relname = 'death'")).rows).toHaveLength(1)
    await client.end()
  })

  test("a text is as long as over HTTP at most, whatever is in it", async () => {
    const client = await connect("carl", adaPassword)
    for (const unit of ["/* ", "'a'\n", "$a", '"', "E'\\'", "(", ";", "--\n", "SELECT 1;"]) {
      const long = unit.repeat(Math.ceil(60_001 / unit.length))
      expect(await stateOf(client, `SELECT ${long}`)).toBe("54000")
      expect(await stateOf(client, { text: `SELECT ${long}`, values: [] })).toBe("54000")
    }
    expect(await stateOf(client, "SELECT current_user")).toBeUndefined()
    await client.end()
    const sent = {
      method: "POST",
      headers: { Authorization: `Bearer ${lab.tokenOf("analyst")}`, "Content-Type": "application/json" },
    }
    const statuses = [60_001, 59_999].map(async (length) => {
      const body = JSON.stringify({ sql: "SELECT nope".padEnd(length) })
      const reply = await fetch(`${lab.url}/api/v1/explain`, { ...sent, body })
      return ((await reply.json()) as { readonly code: string }).code
    })
    expect(await Promise.all(statuses)).toEqual(["request/bad-input", "sql/unknown-column"])
  })

  test("prepared statements are counted and weighed", async () => {
    const client = await connect("ada", adaPassword)
    const padding = `/* ${"x".repeat(50_000)} */`
    const refused: (string | undefined)[] = []
    for (let index = 0; index < 120; index += 1) {
      refused.push(await stateOf(client, { name: `p${index}`, text: `SELECT 1 ${padding}`, values: [] }))
    }
    expect(refused.filter((state) => state !== undefined)).not.toHaveLength(0)
    expect(new Set(refused)).toEqual(new Set([undefined, "53200"]))
    await client.query("DEALLOCATE ALL")
    const many: (string | undefined)[] = []
    for (let index = 0; index < 260; index += 1)
      many.push(await stateOf(client, `PREPARE q${index} AS ${count}`))
    expect(many.filter((state) => state === "53200")).toHaveLength(4)
    await client.end()
  })
})

describe("[D3] a setting that is acknowledged is honoured", () => {
  const epsilonOf = async (client: pg.Client): Promise<string> => {
    const { rows } = await client.query<{ explanation: string }>(`EXPLAIN ${count}`)
    const text = rows.map(({ explanation }) => explanation).join("\n")
    return /epsilon ([\d.]+)/.exec(text)?.[1] ?? ""
  }

  test("set_config sets, current_setting reads", async () => {
    const client = await connect("ada", adaPassword)
    const before = await epsilonOf(client)
    const set = await client.query("SELECT set_config('dosimeter.epsilon', '0.2', false)")
    expect(set.rows).toEqual([{ set_config: "0.2" }])
    expect((await client.query("SELECT current_setting('dosimeter.epsilon')")).rows).toEqual([
      { current_setting: "0.2" },
    ])
    expect((await client.query("SHOW dosimeter.epsilon")).rows).toEqual([{ "dosimeter.epsilon": "0.2" }])
    const after = await epsilonOf(client)
    expect(after).not.toBe(before)
    await client.query("RESET dosimeter.epsilon")
    await client.query("SET dosimeter.epsilon = 0.2")
    expect(await epsilonOf(client)).toBe(after)
    // Describing alone sets nothing; parameters do.
    await client.query("RESET dosimeter.epsilon")
    await client.query({ text: "SELECT set_config($1, $2, false)", values: ["dosimeter.intervals", "true"] })
    expect((await client.query("SHOW dosimeter.intervals")).rows).toEqual([{ "dosimeter.intervals": "on" }])
    expect(await epsilonOf(client)).toBe(before)
    await client.end()
  })

  test("for a block only, or not at all", async () => {
    const client = await connect("ada", adaPassword)
    const epsilon = async (): Promise<unknown> => (await client.query("SHOW dosimeter.epsilon")).rows[0]
    const is = (value: string): unknown => ({ "dosimeter.epsilon": value })
    const local = "SELECT set_config('dosimeter.epsilon', '0.2', true)"
    expect(await stateOf(client, local)).toBe("25P01")
    expect(await stateOf(client, "SET LOCAL dosimeter.epsilon = 0.2")).toBe("25P01")
    expect(await epsilon()).toEqual(is(""))
    await client.query("BEGIN")
    await client.query(local)
    expect(await epsilon()).toEqual(is("0.2"))
    await client.query("COMMIT")
    expect(await epsilon()).toEqual(is(""))
    await client.query("BEGIN")
    await client.query("SET dosimeter.epsilon = 0.3")
    await client.query("SAVEPOINT s")
    await client.query("SET dosimeter.epsilon = 0.4")
    expect(await stateOf(client, "SELECT nope FROM death")).toBe("42703")
    await client.query("ROLLBACK TO s")
    expect(await epsilon()).toEqual(is("0.3"))
    await client.query("ROLLBACK")
    expect(await epsilon()).toEqual(is(""))
    await client.query("SET dosimeter.epsilon = 0.3")
    await client.query("DISCARD PLANS")
    expect(await epsilon()).toEqual(is("0.3"))
    await client.query("DISCARD ALL")
    expect(await epsilon()).toEqual(is(""))
    await client.end()
  })

  test.each([
    ["SELECT set_config('dosimeter.epsilo', '0.2', false)", "42704"],
    ["SELECT set_config('dosimeter.epsilon', 'much', false)", "22023"],
    ["SELECT set_config('dosimeter.epsilon', '0.2', false) FROM pg_class", "0A000"],
    ["SELECT set_config('dosimeter.epsilon', '0.2', false) WHERE false", "0A000"],
    ["SELECT set_config('server_version', '99', false)", "55P02"],
    ["SET dosimeter.epsilo = 1", "42704"],
    ["SET nonsense = 1", "42704"],
    ["RESET dosimeter.epsilo", "42704"],
    ["RESET nonsense", "42704"],
    ["SET ROLE olga", "42501"],
    ["SET SESSION AUTHORIZATION olga", "42501"],
    ["ALTER SESSION SET dosimeter.epsilon = 1", "42601"],
    ["ALTER ROLE ada SET dosimeter.epsilon = 1", "42000"],
    ["LISTEN x", "0A000"],
    ["SET dosimeter.budget = 5", "42704"],
  ])("%s is refused", async (sql, state) => {
    const client = await connect("ada", adaPassword)
    expect(await stateOf(client, sql)).toBe(state)
    await client.end()
  })

  test("what has no effect says so", async () => {
    const client = await connect("ada", adaPassword)
    const notices: (string | undefined)[] = []
    client.on("notice", ({ message }) => notices.push(message))
    await client.query("SET jit = off")
    await client.query("SET TIME ZONE 'Europe/Berlin'")
    await client.query("SET application_name = 'x'")
    expect(notices).toEqual(["jit has no effect here", "TimeZone is always UTC here"])
    await client.end()
  })

  test("a column that is called explanation is a column", async () => {
    const client = await connect("ada", adaPassword)
    const sql = "SELECT 42 AS explanation, COUNT(*) AS n FROM death"
    const answered = await client.query<Record<string, string>>(sql)
    expect(answered.fields.map(({ name }) => name)).toEqual(["explanation", "n"])
    expect((await client.query({ text: sql, values: [] })).rows).toEqual(answered.rows)
    await client.end()
  })
})
