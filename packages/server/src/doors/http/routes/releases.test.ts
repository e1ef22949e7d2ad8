// A release is read again with all that it released: one answer, several, or the totals of a series.

import { askerOf, type SeriesDefinition } from "@dosimeter/engine"
import { exactly } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"
import { ApiError } from "../contract/client.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
})
afterAll(async () => lab.close())

const sql = "SELECT COUNT(*) AS n FROM person"
const day = (text: string): bigint => BigInt(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
const monthly: SeriesDefinition = {
  name: "visits",
  sql: "SELECT date_trunc('month', visit_start_date), COUNT(*) FROM visit_occurrence GROUP BY 1",
  from: day("2019-01-01"),
  periods: 24,
  epsilon: exactly("0.5", "epsilon"),
}

async function newest(): Promise<{ readonly position: string }> {
  const [first] = (await lab.as("owner").call("listReleases", {})).items
  return { position: `${first?.position}` }
}

test("one question: its answer, and the same in the list", async () => {
  const { columns, rows } = await lab.as("analyst").call("ask", { body: { sql, epsilon: "0.1" } })
  const params = await newest()
  const full = await lab.as("analyst").call("getRelease", { params })
  expect(full).toMatchObject({ answer: { columns, rows }, series: null, outcome: "released" })
  expect(full.answers).toEqual([full.answer])
  const csv = await lab.as("analyst").text("getRelease", { params })
  expect(await lab.as("analyst").text("getRelease", { params, query: { question: "1" } })).toBe(csv)
})

test("questions that were planned together: all answers in their order, and each as CSV", async () => {
  const questions = [
    { sql: "SELECT gender_concept_id AS sex, COUNT(*) AS n FROM person GROUP BY 1" },
    { sql: "SELECT COUNT(*) AS old FROM person WHERE year_of_birth < 1950" },
  ]
  const analyst = lab.as("analyst")
  const { answers } = await analyst.call("releasePlan", { body: { questions, epsilon: "0.2" } })
  const params = await newest()
  const full = await analyst.call("getRelease", { params })
  expect(full).toMatchObject({ answer: null, answers, series: null, outcome: "released" })
  expect(full.answers).toHaveLength(2)
  expect(await analyst.text("getRelease", { params, query: { question: "1" } })).toMatch(
    /^sex,n,n_low,n_high,n_bounding(?:,n_state)?\r\n/,
  )
  expect(await analyst.text("getRelease", { params, query: { question: "2", intervals: "off" } })).toMatch(
    /^(?:old\r\n\d+|old,old_state\r\n,below-threshold)\r\n$/,
  )
  for (const query of [{}, { question: "3" }]) {
    const refused = analyst.text("getRelease", { params, query })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    await expect(refused).rejects.toMatchObject({ problem: { code: "request/bad-input" } })
  }
})

test("a series: the totals so far, and its name", async () => {
  const { series } = lab.engine
  await series.create(monthly, askerOf({ principal: "ada" }))
  const params = await newest()
  const before = await lab.as("analyst").call("getRelease", { params })
  expect(before).toMatchObject({ answer: { rows: [] }, series: { name: "visits", periods: 24 } })
  await series.update("visits", day("2019-07-01"))
  const after = await lab.as("analyst").call("getRelease", { params })
  const { table } = await series.show("visits")
  expect(after.answer?.rows).toHaveLength(6)
  expect(after.answer?.rows[0]?.["period"]?.value).toBe("2019-01-01")
  expect(after.answer?.rows.map((row) => row["total of COUNT(*)"])).toEqual(
    table.rows.map(([, cell]) => cell),
  )
  expect(after.receipt).toMatchObject({ format: "dosimeter-receipt/1" })
  const csv = await lab.as("analyst").text("getRelease", { params })
  expect(csv.split("\r\n")[0]).toBe(
    "period,total of COUNT(*),total of COUNT(*)_low,total of COUNT(*)_high,rising,rising_low,rising_high,measured,measured_low,measured_high",
  )
})

test("the same plan under another charge has its own answer and receipt", async () => {
  const { series } = lab.engine
  const first = await newest()
  await series.create({ ...monthly, name: "again" }, askerOf({ principal: "ada" }))
  const params = await newest()
  const [one, two] = await Promise.all(
    [first, params].map((own) => lab.as("analyst").call("getRelease", { params: own })),
  )
  expect(two?.planHash).toBe(one?.planHash)
  expect(two).toMatchObject({ series: { name: "again" }, answer: { rows: [] } })
  expect(two?.receipt).toMatchObject({ ledger: { position: params.position } })
  expect(one?.receipt).toMatchObject({ ledger: { position: first.position } })
})
