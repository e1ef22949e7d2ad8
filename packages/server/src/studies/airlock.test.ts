import { DosimeterError, rational } from "@dosimeter/core"
import { askWithin } from "@dosimeter/engine"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { searchAudit, verifyAudit } from "../audit/audit.ts"

const { ada, carl, dana, olga } = people
const bySex = "SELECT sex, COUNT(*) FROM patients GROUP BY sex"
const all = "SELECT COUNT(*) FROM patients"
let house: SmallHouse
const reached = new Set<string>()

beforeAll(async () => {
  house = await openSmallHouse()
  await house.openStudy("held", { airlock: true })
  await house.openStudy("free", { people: ["bob"] })
})

afterAll(() => house.close())

const codes = ["airlock/waiting", "airlock/refused", "airlock/decided", "airlock/no-reasons"]

/** The code, and the release that it is about. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "passed",
    (error: unknown) => {
      if (!(error instanceof DosimeterError)) throw error
      reached.add(error.code)
      return [error.code, error.issues[0].facts["release"]].filter(Boolean).join(" ")
    },
  )
}

/** The rows of an answer as it is recorded. */
const ask = (user: string, study: string, sql: string) => house.questions.ask(user, { sql, study })

test("[G3] a release waits until somebody outside of the study approves it, and is then free", async () => {
  const first = await outcomeOf(ask("ada", "held", bySex))
  expect(first).toMatch(/^airlock\/waiting \d+$/)
  const release = first.split(" ")[1] ?? ""
  const spent = (await house.engine.account()).spent
  // Asked again it waits still, and costs nothing more.
  expect(await outcomeOf(ask("ada", "held", bySex))).toBe(first)
  expect((await house.engine.account()).spent).toEqual(spent)
  const shown = await house.airlock.show(release, carl)
  expect(shown).toMatchObject({ study: "held", state: "waiting", question: bySex, askedBy: "ada" })
  expect(shown.answer).toMatchObject({
    kind: "answer",
    answer: {
      rows: [
        [{}, {}],
        [{}, {}],
      ],
    },
  })
  const approve = { decision: "approve", reasons: "groups are large" } as const
  expect(await outcomeOf(house.airlock.review(release, approve, ada))).toBe("airlock/not-allowed")
  expect(await outcomeOf(house.airlock.review(release, { ...approve, reasons: " " }, carl))).toMatch(
    /no-reasons/,
  )
  await house.airlock.review(release, approve, carl)
  const answer = await ask("ada", "held", bySex)
  expect(answer.origin).toBe("recorded")
  expect({ kind: "answer", answer: answer.answer }).toEqual(shown.answer)
  expect((await house.engine.account()).spent).toEqual(spent)
  expect(await outcomeOf(house.airlock.review(release, approve, dana))).toBe(`airlock/decided ${release}`)
  // What is worked out from approved releases needs no approval of its own.
  expect((await house.questions.ask("ada", { sql: all, study: "held", reuse: "always" })).origin).toBe(
    "reused",
  )
})

test("[G3] what waits is no source for anybody, and the same question waits with it", async () => {
  const sql = "SELECT sex, COUNT(*) FROM patients WHERE id > 10 GROUP BY sex"
  const first = await outcomeOf(ask("ada", "held", sql))
  expect(first).toMatch(/^airlock\/waiting \d+$/)
  expect(await outcomeOf(ask("bob", "free", sql))).toBe(first)
  const derived = "SELECT COUNT(*) FROM patients WHERE id > 10"
  const other = await house.questions.ask("bob", { sql: derived, study: "free", reuse: "always" })
  expect(other.origin).toBe("released")
  const explained = await house.questions.explain("bob", { sql: `${derived} AND sex = 'f'`, study: "free" })
  expect(explained.text).not.toContain("earlier releases")
  // A release of a study without an airlock waits where it is asked for in one that has it.
  const release = `${other.charge}`
  expect(await outcomeOf(ask("ada", "held", derived))).toBe(`airlock/waiting ${release}`)
  expect(await outcomeOf(ask("bob", "free", derived))).toBe("passed")
  await house.airlock.review(release, { decision: "refuse", reasons: "not in the protocol" }, olga)
  expect(await outcomeOf(ask("ada", "held", derived))).toBe(`airlock/refused ${release}`)
  expect(await outcomeOf(ask("bob", "free", derived))).toBe("passed")
})

test("[G3] several questions that are planned together are not worked out from what waits", async () => {
  const sql = "SELECT sex, COUNT(*) FROM patients WHERE id > 30 GROUP BY sex"
  const first = await outcomeOf(ask("ada", "held", sql))
  const release = first.split(" ")[1] ?? ""
  const { answer: held } = await house.airlock.show(release, carl)
  // Next to nothing is paid, so what was paid for more would be taken if it could be.
  const part = "SELECT COUNT(*) FROM patients WHERE id > 30 AND sex = 'f'"
  const asked = {
    questions: [sql, part, "SELECT COUNT(*) FROM patients WHERE id > 30"].map((one) => ({
      sql: one,
      weight: rational(1n),
    })),
    study: "free",
    ask: { epsilon: rational(1n, 1000n) },
  }
  const { answer } = await house.questions.release("bob", asked)
  expect(answer.from ?? []).not.toContain(BigInt(release))
  expect({ kind: "answer", answer: answer.answers[0] }).not.toEqual(held)
  const parts = await house.questions.release("bob", { ...asked, questions: asked.questions.slice(1) })
  expect(parts.answer.from ?? []).not.toContain(BigInt(release))
  // In the study itself all of it waits, worked out from its own release.
  const own = { ...asked, study: "held", ask: { epsilon: rational(1n, 100n) } }
  expect(await outcomeOf(house.questions.release("ada", own))).toMatch(/^airlock\/waiting \d+$/)
})

test("[G3] an answer in stages is not worked out from a stage that waits elsewhere", async () => {
  const sql = "SELECT COUNT(*) FROM patients WHERE id > 40"
  const within = { kind: "share", amount: rational(1n, 20n) } as const
  // The first look, which ada asks as a question of her own.
  const priced = await house.questions.price("bob", { sql, study: "free", within })
  const epsilon = priced.first?.epsilon
  if (epsilon === undefined) throw new Error("a share takes a look")
  const asLook = { epsilon, bounds: "declared", autoGroups: false } as const
  const first = await outcomeOf(house.questions.ask("ada", { sql, study: "held", ask: asLook }))
  expect(first).toMatch(/^airlock\/waiting \d+$/)
  expect(await outcomeOf(house.questions.ask("bob", { sql, study: "free", within }))).toBe(first)
  // What the engine says of it to the server.
  const rules = await house.airlock.rules()
  const options = { study: "free", mayUse: (charge: bigint) => rules.isOpen(charge) }
  const looked = askWithin({ engine: house.engine, sql, options, target: within })
  expect(await outcomeOf(looked)).toBe("reuse/held")
})

test("[G3] a request that is sent again does not get around it", async () => {
  const sql = "SELECT COUNT(*) FROM patients WHERE id > 20"
  const question = { sql, study: "held", requestId: "again" }
  const first = await outcomeOf(house.questions.ask("ada", question))
  expect(first).toMatch(/^airlock\/waiting/)
  expect(await outcomeOf(house.questions.ask("ada", { ...question, study: "free" }))).toBe(first)
})

test("airlock/no-within, airlock/unknown", async () => {
  const within = { kind: "size", amount: { numerator: 10n, denominator: 1n } } as const
  expect(await outcomeOf(house.questions.ask("ada", { sql: all, study: "held", within }))).toBe(
    "airlock/no-within",
  )
  expect(await outcomeOf(house.airlock.show("9999", carl))).toBe("airlock/unknown 9999")
  // Seen in the tests above.
  for (const code of codes) expect(reached).toContain(code)
})

test("an airlock is demanded before the first question, and not taken back", async () => {
  await house.studies.propose({ ...(await proposal()), id: "later" }, ada)
  await house.studies.demandAirlock("later", carl)
  expect((await house.studies.find("later"))?.airlock).toBe(true)
  expect(await outcomeOf(house.studies.demandAirlock("free", carl))).toBe("study/wrong-state")
  await house.studies.edit("later", { title: "Another title", datasets: ["elsewhere"] }, ada)
  expect(await house.studies.find("later")).toMatchObject({ title: "Another title", datasets: ["elsewhere"] })
  expect(await outcomeOf(house.studies.edit("free", { title: "x" }, ada))).toBe("study/wrong-state")
})

test("a study about another dataset asks nothing here", async () => {
  await house.openStudy("elsewhere", { datasets: ["other"] })
  expect(await outcomeOf(ask("ada", "elsewhere", all))).toBe("study/not-active")
})

test("[G4] every question is in the audit trail, with what became of it", async () => {
  await house.questions.settled()
  const asked = await searchAudit(house.store, { what: "question-asked", limit: 1000 })
  const answered = await searchAudit(house.store, { what: "question-answered", limit: 1000 })
  expect(asked.length).toBeGreaterThanOrEqual(answered.length)
  expect(answered[0]).toMatchObject({ who: "ada", about: "study held", facts: { origin: "released" } })
  expect(answered[0]?.facts["plan"]).toMatch(/^[0-9a-f]{64}$/)
  const text = JSON.stringify(await searchAudit(house.store, { limit: 1000 }))
  expect(text).not.toContain("SELECT")
  expect(await verifyAudit(house.store)).toBeUndefined()
  const failing = await outcomeOf(ask("ada", "held", "SELECT nothing FROM patients"))
  await house.questions.settled()
  await outcomeOf(ask("bob", "held", all))
  await house.questions.settled()
  const refused = await searchAudit(house.store, { what: "question-refused" })
  expect(refused.at(-2)?.facts["code"]).toBe(failing)
  expect(refused.at(-1)).toMatchObject({ who: "bob", facts: { code: "study/not-a-member" } })
})

async function proposal() {
  const study = await house.studies.find("free")
  if (study === undefined) throw new Error("there is a study")
  return study
}
