// Models go through the same path as questions: a standing, studies, consent, the audit trail, and an airlock
// that lets nobody tell what has failed.

import { DosimeterError, exactly } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { textOfModel } from "./training-questions.ts"

const { carl } = people
const sql = "SELECT sex, EXTRACT(MONTH FROM admitted) AS month FROM patients"
const wanted = { model: "logistic", target: "sex", sql, rounds: 10 }
const asked = { wanted, study: "heart", ask: { epsilon: exactly("0.5", "epsilon") } }
let house: SmallHouse

beforeAll(async () => {
  house = await openSmallHouse()
  await house.openStudy("heart")
  await house.openStudy("held", { airlock: true })
  await house.openStudy("other", { people: ["bob"] })
})
afterAll(async () => house.close())

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

test("[G4] a model is charged to the study, by its people alone", async () => {
  const { training } = house.questions
  expect((await training.price("ada", asked)).isTrained).toBe(false)
  expect(await codeOf(training.price("bob", asked))).toBe("study/not-a-member")
  expect(await codeOf(training.train("bob", asked))).toBe("study/not-a-member")
  const { charge } = await training.train("ada", asked)
  const [found] = await house.engine.ledger.entries(charge, 1)
  expect(found?.entry).toMatchObject({ kind: "charge", principal: "ada", study: "heart" })
  expect(found?.entry.kind === "charge" && found.entry.accounts).toContain("study:heart")
  expect((await training.price("ada", asked)).isTrained).toBe(true)
  expect((await training.train("ada", asked)).charge).toBe(charge)
  // The same question of another study is the same release, as with questions: nobody loses more.
  const elsewhere = await training.train("bob", { ...asked, study: "other" })
  expect([elsewhere.origin, elsewhere.charge]).toEqual(["recorded", charge])
})

test("[G3] where answers wait for an approval, so do models, and their price tells nothing meanwhile", async () => {
  const { questions, airlock, engine, breakReleases } = house
  const { training } = questions
  // One that fails after its charge, and one that does not, look alike to who asked.
  const seen = []
  const heldOf = (epsilon: string) => ({
    ...asked,
    study: "held",
    ask: { epsilon: exactly(epsilon, "epsilon") },
  })
  for (const [isBroken, epsilon] of [
    [false, "0.25"],
    [true, "0.26"],
  ] as const) {
    breakReleases(isBroken)
    const code = await codeOf(training.train("ada", heldOf(epsilon)))
    breakReleases(false)
    seen.push([
      code,
      (await training.price("ada", heldOf(epsilon))).isTrained,
      await codeOf(training.train("ada", heldOf(epsilon))),
      // Nor is it there for another study, though its rows are the same.
      (await training.price("bob", { ...heldOf(epsilon), study: "other" })).isTrained,
    ])
  }
  expect(seen).toEqual([
    ["airlock/waiting", false, "airlock/waiting", false],
    ["airlock/waiting", false, "airlock/waiting", false],
  ])
  expect(await codeOf(training.train("bob", { ...heldOf("0.25"), study: "other" }))).toBe("airlock/waiting")
  const [incident] = await engine.ledger.incidents()
  await engine.ledger.reopen(incident?.position ?? 0n, { by: ["olga"], why: "a bug, mended" })
  const [first] = await airlock.list("held")
  const shown = await airlock.show(first?.charge ?? "", carl)
  expect(shown.question).toBe(textOfModel(wanted))
  expect(shown.answer).toBeDefined()
  await airlock.review(first?.charge ?? "", { decision: "approve", reasons: "fine" }, carl)
  expect((await training.train("ada", heldOf("0.25"))).origin).toBe("recorded")
  expect((await training.price("ada", heldOf("0.25"))).isTrained).toBe(true)
})

test("what was asked is written down in words", () => {
  expect(textOfModel(wanted)).toBe(`logistic model of sex in 10 rounds\n${sql}`)
  expect(textOfModel({ model: "linear", target: "age", sql })).toBe(`linear model of age\n${sql}`)
})
