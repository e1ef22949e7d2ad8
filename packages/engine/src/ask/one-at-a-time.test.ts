// A question that several ask at once is paid for once; where the first fails, the next one pays for itself.

import { afterAll, beforeAll, expect, test } from "vitest"
import type { Ledger } from "../ledger/ledger.ts"
import { makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { oneAtATime } from "./one-at-a-time.ts"

let clinic: Clinic
let open: OpenClinic
beforeAll(async () => {
  clinic = await makeClinic()
  open = await clinic.open({ seed: "at once" })
})
afterAll(async () => {
  await open.close()
  clinic.remove()
})

async function charges(ledger: Ledger): Promise<number> {
  return (await ledger.entries(1n, 1000)).filter(({ entry }) => entry.kind === "charge").length
}

test("what many ask at once is charged once, and all get the same answer", async () => {
  const { engine } = open
  const sql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => engine.ask(sql, { principal: `viewer ${at}` })),
  )
  expect(await charges(engine.ledger)).toBe(1)
  expect(answers.filter(({ origin }) => origin === "released")).toHaveLength(1)
  expect(new Set(answers.map(({ answer }) => JSON.stringify(answer.rows))).size).toBe(1)
})

test("different questions do not wait for each other, and are all charged", async () => {
  const { engine } = open
  const before = await charges(engine.ledger)
  const ages = [1, 2, 3]
  await Promise.all(ages.map((age) => engine.ask(`SELECT COUNT(*) FROM patients WHERE age < ${age}`)))
  expect(await charges(engine.ledger)).toBe(before + 3)
})

test("where the first fails its error is its own, and the others look again, one after the other", async () => {
  const question = { planHash: "p", dataVersion: "v" }
  const { ledger } = open.engine
  let [tries, running, most] = [0, 0, 0]
  const ask = async (): Promise<number> =>
    oneAtATime(ledger, question, {
      answer: async () => {
        const turn = (tries += 1)
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        running -= 1
        if (turn === 1) throw new Error("the first failed")
        return turn
      },
      again: ask,
    })
  const ends = await Promise.allSettled([ask(), ask(), ask()])
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"])
  expect([most, tries]).toEqual([1, 3])
})

test("what is held for an approval is answered by itself: nobody is told when or how it ended", async () => {
  const { engine } = open
  const before = await charges(engine.ledger)
  const sql = "SELECT COUNT(*) FROM patients WHERE age < 7"
  const ask = (held: boolean): Promise<unknown> => engine.ask(sql, { principal: `${held}`, held })
  await Promise.all([ask(true), ask(false)])
  expect(await charges(engine.ledger)).toBe(before + 2)
})
