import { DatabaseSync } from "@photostructure/sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { Campaigns } from "../collector/campaigns.ts"
import { Consents } from "../consent/consents.ts"
import { Tokens } from "../people/tokens.ts"
import { agreementsOn, writeAgreement } from "../studies/agreements.ts"
import { Studies } from "../studies/studies.ts"
import { openSmallHouse, people } from "../testing/small-house.ts"
import { openSqliteState } from "./sqlite-state.ts"
import { positionedTables, stateSchema } from "./state-schema.ts"
import type { StateStore } from "./state-store.ts"

const { ada, carl, dana, olga } = people
const start = Date.parse("2026-05-01T12:00:00Z")
let store: StateStore

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
  store = openSqliteState(":memory:")
})

afterEach(async () => {
  vi.useRealTimers()
  await store.close()
})

// In alphabetical order, in that of times or of random ids, all of these would be listed otherwise.
describe.each([
  ["in one millisecond", 0],
  ["while the clock goes back", -1000],
])("what happens %s is listed as it came", (_, stepMs) => {
  const tick = (): void => void vi.setSystemTime(Date.now() + stepMs)

  test("studies, and their reviews", async () => {
    const studies = new Studies(store)
    for (const id of ["zebra", "apple", "mango"]) {
      await studies.propose({ ...proposal, id }, ada)
      tick()
    }
    expect((await studies.list()).map(({ id }) => id)).toEqual(["zebra", "apple", "mango"])
    await studies.submit("apple", ada)
    for (const reviewer of [dana, carl]) {
      tick()
      await studies.review("apple", { decision: "approve", reasons: "sound" }, reviewer)
    }
    expect((await studies.find("apple"))?.reviews.map(({ reviewer }) => reviewer)).toEqual(["dana", "carl"])
  })

  test.each(["budget", "ledger"] as const)("agreements on a %s", async (kind) => {
    const own = kind === "budget" ? "account, epsilon, delta" : "what, share, trouble"
    await store.run(
      `INSERT INTO ${kind}_requests (id, ${own}, reasons, requested_by, requested_at, state)
       VALUES (1, '', '', '', '', 'ada', '2026-05-01', 'open')`,
    )
    for (const actor of [olga, dana, carl]) {
      tick()
      const at = new Date().toISOString()
      await writeAgreement(store, `${kind}_agreements`, 1, { ...actor, decision: "agree", reasons: "", at })
    }
    const found = await agreementsOn(store, `${kind}_agreements`, 1)
    expect(found.map(({ name }) => name)).toEqual(["olga", "dana", "carl"])
  })

  test("held releases", async () => {
    const house = await openSmallHouse("", store)
    const { airlock, questions } = house
    await house.openStudy("held", { airlock: true })
    for (const day of [1, 2, 3, 4, 5, 6]) {
      tick()
      const sql = `SELECT COUNT(*) FROM patients WHERE admitted > DATE '2026-02-0${day}'`
      const asked = questions.ask("ada", { sql, study: "held" })
      expect(await asked.catch((error: unknown) => error)).toMatchObject({ code: "airlock/waiting" })
    }
    const charges = (await airlock.list()).map(({ charge }) => charge)
    expect(charges).toHaveLength(6)
    expect(charges).toEqual(charges.toSorted((a, b) => Number(a) - Number(b)))
    expect(charges, "as texts they have another order").not.toEqual(charges.toSorted())
    await house.close()
    store = openSqliteState(":memory:")
  })

  test("tokens and campaigns", async () => {
    const tokens = new Tokens(store)
    const campaigns = new Campaigns(store)
    const names = ["m", "z", "a", "k", "b", "y", "c"]
    for (const name of names) {
      tick()
      await tokens.add({ name, account: ada })
    }
    expect((await tokens.list("ada")).map(({ name }) => name)).toEqual(names)
    expect((await tokens.list()).map(({ name }) => name)).toEqual(names)
    for (const id of names.slice(0, 3)) {
      tick()
      await campaigns.create({ ...campaign, id }, "olga")
    }
    expect((await campaigns.list()).map(({ id }) => id)).toEqual(["m", "z", "a"])
  })

  test("[G1] what somebody decides now: the last one holds", async () => {
    const consents = new Consents(store, { unitType: "integer" })
    const from = { source: "portal", actor: olga }
    const about = { participant: "7", purpose: "DUO:0000006", decidedAt: "now" }
    const said = ["given", "withdrawn", "given", "withdrawn"] as const
    for (const decision of said) {
      tick()
      expect(await consents.add([{ ...about, decision }], from)).toBe(1)
      expect(await consents.of("7")).toMatchObject([{ decision }])
    }
    const history = await consents.history("7")
    expect(history.map(({ decision }) => decision)).toEqual(said.toReversed())
  })
})

test("a state without positions gets them, and what it holds comes first, by time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-older-"))
  const path = join(folder, "server.state")
  const older = new DatabaseSync(path)
  older.exec(stateSchema.replaceAll(",\n  position INTEGER\n", "\n").replaceAll("  position INTEGER,\n", ""))
  for (const table of positionedTables) {
    const columns = older.prepare("SELECT name FROM pragma_table_info(?)").all(table)
    expect(columns).not.toContainEqual({ name: "position" })
  }
  for (const [id, day] of [
    ["second", "2026-01-02"],
    ["first", "2026-01-01"],
  ]) {
    const values = [id, "", "", "", "", "", "0", "0", "draft", "0", "ada", day].map((one) => `'${one}'`)
    older.exec(`INSERT INTO studies VALUES (${values.join(", ")})`)
  }
  older.close()
  for (const id of ["third", "fourth"]) {
    const opened = openSqliteState(path)
    await new Studies(opened, () => new Date("2025-01-01")).propose({ ...proposal, id }, ada)
    await opened.close()
  }
  const opened = openSqliteState(path)
  const listed = (await new Studies(opened).list()).map(({ id }) => id)
  expect(listed).toEqual(["first", "second", "third", "fourth"])
  await opened.close()
  rmSync(folder, { recursive: true })
})

const proposal = {
  title: "Heart failure",
  summary: "Do people come back?",
  purposes: ["DUO:0000006"],
  people: [],
  starts: "2020-01-01",
  ends: "2099-12-31",
  epsilon: "2",
  delta: "1e-7",
}

const campaign = {
  title: "Winter",
  summary: "How is everybody?",
  epsilon: "2",
  people: 1000,
  reportsMax: 500,
  halfWidthMax: 0.1,
  questions: [{ kind: "choice", name: "fever", text: "Fever?", options: ["no", "yes"] }],
} as const
