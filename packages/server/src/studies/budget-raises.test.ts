import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { searchAudit } from "../audit/audit.ts"
import { budgetRaises, type BudgetRaises } from "./budget-raises.ts"

const { ada, bob, carl, dana, olga } = people
const eve = { name: "eve", role: "owner" } as const
let house: SmallHouse
let raises: BudgetRaises

beforeAll(async () => {
  house = await openSmallHouse()
  const { store, engine } = house
  raises = budgetRaises({ store, ledger: engine.ledger, policy: engine.policy })
  await house.openStudy("heart")
})

afterAll(() => house.close())

const more = { account: "study:heart", epsilon: "3", delta: "1e-7", reasons: "a second year" } as const

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

const agree = (id: number, actor: typeof carl | typeof dana | typeof olga | typeof eve | typeof ada) =>
  raises.decide(id, { decision: "agree", reasons: "it is worth it" }, actor)

test("[G2] a member asks, two others agree, and the ledger has both names", async () => {
  const { id, agreements } = await raises.request(more, ada)
  expect(agreements).toEqual([])
  expect(await codeOf(agree(id, ada))).toBe("raise/not-allowed")
  expect(await agree(id, carl)).toBe("open")
  expect(await codeOf(agree(id, carl))).toBe("raise/agreed-already")
  expect(await agree(id, olga)).toBe("granted")
  const accounts = await house.engine.ledger.accounts()
  expect(accounts.find(({ name }) => name === "study:heart")?.budget.epsilon).toEqual({
    numerator: 3n,
    denominator: 1n,
  })
  const entries = (await house.engine.ledger.entries(1n, 100)).map(({ entry }) => entry)
  expect(entries.at(-1)).toMatchObject({ kind: "budget", by: ["carl", "olga"], why: "a second year" })
  expect((await house.studies.find("heart"))?.epsilon).toBe("3")
  expect(await codeOf(agree(id, dana))).toBe("raise/unknown")
  const deeds = await searchAudit(house.store, { about: "budget study:heart" })
  expect(deeds.map(({ what, who }) => `${who} ${what}`)).toEqual([
    "ada budget-requested",
    "carl budget-decided",
    "olga budget-decided",
  ])
})

test("[G2] whoever asks and may decide has agreed, and needs one more; nobody agrees alone", async () => {
  const { id } = await raises.request({ ...more, epsilon: "4" }, carl)
  expect(await codeOf(agree(id, carl))).toBe("raise/agreed-already")
  expect(await agree(id, dana)).toBe("granted")
})

test("[G2] two owners are not enough", async () => {
  const { id } = await raises.request({ ...more, epsilon: "4.5" }, olga)
  expect(await agree(id, eve)).toBe("open")
  expect(await agree(id, carl)).toBe("granted")
})

test("one refusal refuses", async () => {
  const { id } = await raises.request({ ...more, epsilon: "9" }, olga)
  expect(await raises.decide(id, { decision: "refuse", reasons: "enough" }, dana)).toBe("refused")
  expect(await codeOf(agree(id, carl))).toBe("raise/unknown")
  expect((await raises.list()).map(({ state }) => state)).toEqual([
    "granted",
    "granted",
    "granted",
    "refused",
  ])
})

test.each([
  ["raise/no-raise", { ...more, epsilon: "1" }, olga],
  ["raise/no-raise", { ...more, epsilon: "4.5" }, olga],
  ["raise/no-raise", { ...more, epsilon: "much" }, olga],
  ["raise/no-raise", { ...more, account: "study:lungs" as const }, olga],
  ["raise/no-reasons", { ...more, reasons: " " }, olga],
  ["raise/not-allowed", { ...more, epsilon: "8" }, bob],
  // The dataset's own budget is the owner's word first.
  ["raise/other-policy", { ...more, account: "dataset" as const, epsilon: "30", delta: "1e-6" }, olga],
])("%s", async (code, proposal, actor) => {
  expect(await codeOf(raises.request(proposal, actor))).toBe(code)
})

test("[G2] the dataset's budget is raised by the policy and two people", async () => {
  const { policy, ledger } = house.engine
  const [first] = await ledger.accounts()
  const budget = { ...policy.terms.budget, epsilon: { numerator: 30n, denominator: 1n } }
  const changed = { ...policy, terms: { ...policy.terms, budget } }
  const own = budgetRaises({ store: house.store, ledger, policy: changed })
  const { id } = await own.request({ ...more, account: "dataset", epsilon: "30", delta: "1e-6" }, olga)
  expect(first?.budget.epsilon).toEqual({ numerator: 20n, denominator: 1n })
  expect(await own.decide(id, { decision: "agree", reasons: "yes" }, carl)).toBe("granted")
  expect((await house.engine.account()).budget.epsilon).toEqual({ numerator: 30n, denominator: 1n })
})
