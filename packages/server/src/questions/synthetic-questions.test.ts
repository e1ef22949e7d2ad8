// Synthetic rows go through the same path as questions: a standing, studies, consent, the audit trail, and an
// airlock that lets nobody tell what has failed.

import { DosimeterError, exactly } from "@dosimeter/core"
import { makeRows } from "@dosimeter/engine"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { textOfSynthetic } from "./synthetic-questions.ts"

const { carl } = people
const wanted = { table: "patients" }
const asked = { wanted, study: "heart", ask: { epsilon: exactly("0.5", "epsilon") } }
let house: SmallHouse

beforeAll(async () => {
  house = await openSmallHouse()
  await house.openStudy("heart")
  await house.openStudy("held", { airlock: true })
})
afterAll(async () => house.close())

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

test("[G4] rows are charged to the study, by its people alone", async () => {
  const { synthetic } = house.questions
  expect((await synthetic.price("ada", asked)).isMeasured).toBe(false)
  expect(await codeOf(synthetic.price("bob", asked))).toBe("study/not-a-member")
  expect(await codeOf(synthetic.measure("bob", asked))).toBe("study/not-a-member")
  const { charge } = await synthetic.measure("ada", asked)
  const [found] = await house.engine.ledger.entries(charge, 1)
  expect(found?.entry).toMatchObject({ kind: "charge", principal: "ada", study: "heart" })
  expect(found?.entry.kind === "charge" && found.entry.accounts).toContain("study:heart")
  expect((await synthetic.price("ada", asked)).isMeasured).toBe(true)
  expect((await synthetic.measure("ada", asked)).charge).toBe(charge)
})

test("[G3] where answers wait for an approval, so do rows, and their price tells nothing meanwhile", async () => {
  const { questions, airlock, engine, breakReleases } = house
  const { synthetic } = questions
  // One that fails after its charge, and one that does not, look alike to who asked.
  const seen = []
  for (const [isBroken, epsilon] of [
    [false, "0.25"],
    [true, "0.26"],
  ] as const) {
    const held = { ...asked, study: "held", ask: { epsilon: exactly(epsilon, "epsilon") } }
    breakReleases(isBroken)
    const code = await codeOf(synthetic.measure("ada", held))
    breakReleases(false)
    seen.push([
      code,
      (await synthetic.price("ada", held)).isMeasured,
      await codeOf(synthetic.measure("ada", held)),
    ])
  }
  expect(seen).toEqual([
    ["airlock/waiting", false, "airlock/waiting"],
    ["airlock/waiting", false, "airlock/waiting"],
  ])
  const [incident] = await engine.ledger.incidents()
  await engine.ledger.reopen(incident?.position ?? 0n, { by: ["olga"], why: "a bug, mended" })
  const [first] = await airlock.list("held")
  const shown = await airlock.show(first?.charge ?? "", carl)
  expect(shown.question).toBe("synthetic rows of patients")
  expect(shown.answer).toBeDefined()
  await airlock.review(first?.charge ?? "", { decision: "approve", reasons: "fine" }, carl)
  const held = { ...asked, study: "held", ask: { epsilon: exactly("0.25", "epsilon") } }
  const release = await synthetic.measure("ada", held)
  expect(release.origin).toBe("recorded")
  expect(makeRows(release, { rows: 5, seed: "1" }).units.length).toBe(5)
  expect((await synthetic.price("ada", held)).isMeasured).toBe(true)
})

test("what was asked is written down in words", () => {
  expect(
    textOfSynthetic({
      table: "person",
      columns: ["sex", "age"],
      rowsOf: { table: "visit", order: "day", most: 5 },
      rules: ["age < 16 => sex = f"],
      target: "sex",
    }),
  ).toBe(
    "synthetic rows of person (sex, age)\nwith rows of visit by day, 5 at most\nwhere age < 16 => sex = f\nfor sex",
  )
  expect(textOfSynthetic({ sql: "SELECT sex FROM person" })).toBe("synthetic rows of\nSELECT sex FROM person")
})
