// Equal questions have equal groups, whichever way they are answered: asked, from the record, or worked out.

import { exactly } from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Answered } from "../ask/ask-question.ts"
import { makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"

let clinic: Clinic
const opened: OpenClinic[] = []
beforeAll(async () => {
  clinic = await makeClinic()
})
afterAll(async () => {
  for (const one of opened) await one.close()
  clinic.remove()
})

async function engine(seed: string) {
  const one = await clinic.open({ seed })
  opened.push(one)
  return one.engine
}

const keysOf = ({ answer }: Answered): unknown => answer.rows.map(([key]) => key?.value)
const fine = { ask: { epsilon: exactly("2", "epsilon") } }
const coarse = { ask: { epsilon: exactly("0.1", "epsilon") } }

test("a key that nobody declared has the groups that the question lists, empty ones too", async () => {
  const own = await engine("listed")
  const sql = "SELECT city, COUNT(*) AS n FROM visits WHERE city IN ('town 9', 'town 1') GROUP BY city"
  const first = await own.ask(sql, fine)
  expect(keysOf(first)).toEqual(["town 1", "town 9"])
  const again = await own.ask(sql, fine)
  expect([again.origin, keysOf(again)]).toEqual(["recorded", ["town 1", "town 9"]])
  const reused = await own.ask(sql, coarse)
  expect([reused.origin, keysOf(reused)]).toEqual(["reused", ["town 1", "town 9"]])
})

test("of selected groups nothing is worked out for a list: a group that is missing there is no zero", async () => {
  const own = await engine("selected")
  await own.ask("SELECT city, COUNT(*) AS n FROM visits GROUP BY city", fine)
  const sql = "SELECT city, COUNT(*) AS n FROM visits WHERE city IN ('town 0', 'town 9') GROUP BY city"
  const { origin, ...asked } = await own.ask(sql, { ...coarse, reuse: "always" })
  expect([origin, keysOf({ origin, ...asked })]).toEqual(["released", ["town 0", "town 9"]])
})

test("WHERE leaves the same public groups, new or worked out from all of them", async () => {
  const [own, other] = [await engine("fresh"), await engine("worked out")]
  const sql = "SELECT ward, COUNT(*) AS n FROM visits WHERE ward IN ('C', 'A', 'X') GROUP BY ward"
  const fresh = await own.ask(sql, coarse)
  await other.ask("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward", fine)
  const reused = await other.ask(sql, { ...coarse, reuse: "always" })
  expect([fresh.origin, reused.origin]).toEqual(["released", "reused"])
  expect(keysOf(reused)).toEqual(keysOf(fresh))
  expect(keysOf(fresh)).toEqual(["A", "C"])
})
