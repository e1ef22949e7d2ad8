import { makeTables, postgresAddress, PostgresConnection, schemaOf } from "@dosimeter/engine"
import { findPostgres, type PostgresCluster } from "@dosimeter/engine/testing/postgres"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openSmallHouse, people } from "../testing/small-house.ts"
import { Accounts } from "../people/accounts.ts"
import { verifyAudit } from "../audit/audit.ts"
import { budgetRaises } from "../studies/budget-raises.ts"
import { numbered, openPostgresState } from "./postgres-state.ts"
import { readConsents } from "../consent/read-consents.ts"
import { Sessions } from "../people/sessions.ts"
import { stateSchema } from "./state-schema.ts"
import { Tokens } from "../people/tokens.ts"

const { ada, carl, olga } = people
const found = findPostgres()
let cluster: PostgresCluster
let store = ""
beforeAll(async () => {
  if ("missing" in found) return
  cluster = found.open()
  store = await cluster.database()
})
afterAll(async () => {
  if ("open" in found) await cluster.stop()
})

describe.skipIf("missing" in found)("the state in PostgreSQL", () => {
  test("is one for all who write, and comes back after a crash", async () => {
    const states = await Promise.all([0, 1].map(async () => openPostgresState(store, "shared")))
    const [first, second] = states
    if (first === undefined || second === undefined) throw new Error("two were opened")
    for (const name of ["zoe", "ada"]) await new Accounts(first).add(name, "analyst", "a good password")
    await first.run("INSERT INTO studies VALUES ('n', '', '', '', '', '', '0', '', '', 0, '', '')")
    const add = async (one: number): Promise<void> => {
      await (one % 2 === 0 ? first : second).transaction(async (access) => {
        const [row] = await access.all("SELECT suspended AS n FROM studies WHERE id = ?", ["n"])
        await access.run("UPDATE studies SET suspended = ? WHERE id = ?", [Number(row?.["n"]) + 1, "n"])
      })
    }
    await Promise.all(Array.from({ length: 20 }, async (_, one) => add(one)))
    expect(await second.all("SELECT suspended AS n FROM studies WHERE id = 'n'")).toEqual([{ n: 20 }])
    const failing = first.transaction(async (access) => {
      await access.run("DELETE FROM studies WHERE id = 'n'")
      throw new Error("no")
    })
    await expect(failing).rejects.toThrow("no")
    expect(await second.run("DELETE FROM studies WHERE id = 'n'")).toBe(1)
    await expect(second.run("DELETE FROM audit")).rejects.toThrow("never changed or removed")
    cluster.control?.crash()
    cluster.control?.start()
    expect((await new Accounts(first).list()).map(({ name }) => name)).toEqual(["ada", "zoe"])
    await new Accounts(second).disable("zoe")
    await Promise.all(states.map(async (state) => state.close()))
  })

  test("studies, consent, the airlock and raised budgets are kept in it", async () => {
    const state = await openPostgresState(store, "ward")
    const house = await openSmallHouse("consent: required\n", state)
    await house.openStudy("heart", { airlock: true })
    const rows = Array.from({ length: 300 }, (_, id) => `${id},DUO:0000006,given,2026-01-01`)
    const { decisions } = readConsents(["participant,purpose,decision,date", ...rows].join("\n"), "integer")
    expect(await house.consents.add(decisions, { source: "consent.csv", actor: olga })).toBeDefined()
    const sql = "SELECT sex, COUNT(*) FROM patients GROUP BY sex"
    const held = await house.questions.ask("ada", { sql }).catch((error: unknown) => error)
    expect(held).toMatchObject({ code: "airlock/waiting" })
    const [release] = await house.airlock.list("heart")
    await house.airlock.review(release?.charge ?? "", { decision: "approve", reasons: "large groups" }, carl)
    const answer = await house.questions.ask("ada", { sql })
    expect(answer.origin).toBe("recorded")
    expect(answer.receipt).toMatchObject({ consent: { version: expect.stringMatching(/^1-/) } })
    const { ledger, policy } = house.engine
    const raises = budgetRaises({ store: state, ledger, policy })
    const more = { account: "study:heart", epsilon: "3", delta: "1e-7", reasons: "a second year" } as const
    const { id } = await raises.request(more, ada)
    const agreed = { decision: "agree", reasons: "worth it" } as const
    expect([await raises.decide(id, agreed, olga), await raises.decide(id, agreed, carl)]).toEqual([
      "open",
      "granted",
    ])
    const tokens = new Tokens(state)
    const { secret } = await tokens.add({ name: "laptop", account: ada, rights: ["ask"] })
    expect(secret).not.toBe("")
    expect(await tokens.list()).toHaveLength(1)
    const sessions = new Sessions(state)
    expect(await sessions.accountOf(await sessions.begin("ada"))).toBe("ada")
    await house.questions.settled()
    expect(await verifyAudit(state)).toBeUndefined()
    await house.close()
  })

  test("a state that an older version made gets what is new", async () => {
    const connection = new PostgresConnection(postgresAddress(store), {
      lock: "older",
      patienceMs: 60_000,
      integers: "number",
    })
    const withoutPositions = stateSchema.replaceAll(",\n  position INTEGER\n", "\n")
    const older = withoutPositions.slice(0, withoutPositions.indexOf("CREATE TABLE IF NOT EXISTS studies"))
    await makeTables(connection, schemaOf("older"), { name: "state", sql: older })
    await connection.close()
    const state = await openPostgresState(store, "older")
    await new Accounts(state).add("ada", "analyst", "a good password")
    expect(await state.all("SELECT id FROM studies WHERE id IN ()")).toEqual([])
    await state.close()
    const again = await openPostgresState(store, "older")
    const token = { account: ada, rights: ["ask"] } as const
    for (const name of ["z", "b", "a"]) await new Tokens(again).add({ ...token, name })
    expect((await new Tokens(again).list()).map(({ name }) => name)).toEqual(["z", "b", "a"])
    expect(await new Accounts(again).list()).toHaveLength(1)
    await again.close()
  })
})

test("parameters are numbered, and what is quoted stays", () => {
  expect(numbered("a = ? AND b = '?''?' AND c IN (?, ?)")).toBe("a = $1 AND b = '?''?' AND c IN ($2, $3)")
})
