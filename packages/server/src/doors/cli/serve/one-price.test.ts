// One question, one price: the browser (which compiles it there), HTTP, psql and the command line say the
// same numbers in the same words.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile } from "@dosimeter/planner/compile"
import { effectOf, priceOf } from "@dosimeter/planner/explain/price"
import { afterAll, beforeAll, expect, test } from "vitest"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
})
afterAll(async () => lab.close())

test.each([
  "SELECT COUNT(*) AS n FROM person",
  "SELECT gender_concept_id, COUNT(*) AS n, AVG(2020 - year_of_birth) AS age FROM person GROUP BY 1",
  // Its groups come from the data, which takes delta besides rho.
  "SELECT condition_concept_id, COUNT(*) AS n FROM condition_occurrence GROUP BY 1",
  "SELECT MEDIAN(year_of_birth) AS year FROM person",
  "SELECT 42 AS answer",
])("%s", async (sql) => {
  const { catalog, terms } = lab.engine.policy
  const { charge } = compile(sql, { grammar: await loadGrammar(), catalog, terms }).plan
  const { words, ...numbers } = priceOf(charge)
  const { cost, text, budget } = await lab.as("analyst").call("explain", { body: { sql } })
  const inTexts = Object.fromEntries(Object.entries(numbers).map(([name, one]) => [name, `${one}`]))
  expect(cost).toEqual({ ...inTexts, words })
  const json: unknown = JSON.parse((await lab.hospital.run("explain", sql, "--json")).out)
  expect(json).toMatchObject({ cost: numbers })
  const printed = (await lab.hospital.run("explain", sql)).out
  const asked = await lab.as("analyst").call("ask", { body: { sql: `EXPLAIN ${sql}` } })
  const lines = asked.rows.map(({ explanation }) => `${explanation?.value}`)
  expect(asked.origin).toBe("explained")
  expect(lines.join("\n")).toBe(text)
  const ofCost = (one: string): string | undefined => /^cost .*$/m.exec(one)?.[0]
  expect(ofCost(printed)).toBe(ofCost(text))
  expect(ofCost(text)).toContain(words === "" ? "nothing" : words)
  // How many more fit: in the words of the terminal, and as the browser works it out.
  const account = await lab.engine.account()
  const { more } = effectOf(charge, [{ ...account, name: "dataset" }])
  const said = /, (\d+) more like it fit/.exec(text)?.[1]
  expect(said).toBe(words === "" ? undefined : `${more}`)
  expect(budget.used).toEqual(effectOf(charge, [{ ...account, name: "dataset" }]).before)
})
