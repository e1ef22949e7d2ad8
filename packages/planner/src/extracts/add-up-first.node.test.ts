import { DuckDBInstance } from "@duckdb/node-api"
import { beforeAll, describe, expect, it } from "vitest"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { compile } from "../compile.ts"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const { catalog, terms } = readPolicy(`dataset: small
source: { duckdb: x.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 2 }
tables:
  person:
    unit: person_id
    keys: [[person_id]]
    columns:
      person_id: { type: integer }
      sex: { type: text, values: [f, m] }
      born: { type: integer, min: 1900, max: 2020 }
  visits:
    unit: person_id
    columns:
      person_id: { type: integer }
      ward: { type: text, values: [a, b] }
      fee: { type: integer, min: 0, max: 100 }
`)

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const join = "FROM visits AS v JOIN person AS p ON p.person_id = v.person_id"
const questions = {
  "a key of the person": `SELECT p.sex, COUNT(*), SUM(v.fee) ${join} GROUP BY p.sex`,
  "conditions on both sides": `SELECT p.sex, COUNT(*), SUM(v.fee) ${join} WHERE v.fee > 10 AND p.born < 2000 GROUP BY p.sex`,
  "a computed key, no key": `SELECT COUNT(*), SUM(v.fee + 1) ${join} WHERE p.born / 2 > 900`,
}
const others = {
  "a key of the visit": `SELECT v.ward, COUNT(*) ${join} GROUP BY v.ward`,
  "a value of both": `SELECT p.sex, SUM(CLAMP(v.fee + p.born, 0, 2000)) ${join} GROUP BY p.sex`,
  "a condition on both": `SELECT p.sex, COUNT(*) ${join} WHERE v.fee < p.born GROUP BY p.sex`,
}

const planOf = (sql: string): VerifiedPlan => compile(sql, { grammar, catalog, terms }).plan
const isFirst = (rel: Rel): boolean =>
  (rel.kind === "join" && inputsOf(rel).some(({ kind }) => kind === "aggregate")) ||
  inputsOf(rel).some(isFirst)
const added = (plan: VerifiedPlan): boolean =>
  plan.releases.some(({ extracts }) => extracts.some(({ rel }) => isFirst(rel)))

describe("sums before joins", () => {
  it.each(Object.entries(questions))("%s", (_, sql) => {
    expect(added(planOf(sql))).toBe(true)
  })

  it.each(Object.entries(others))("not for %s", (_, sql) => {
    expect(added(planOf(sql))).toBe(false)
  })

  it("give what adding up after the join gives", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    await connection.run(`CREATE TABLE person AS SELECT i AS person_id, 1890 + 7 * i AS born,
      CASE i % 4 WHEN 0 THEN 'f' WHEN 1 THEN 'm' WHEN 2 THEN NULL ELSE 'x' END AS sex FROM range(20) r(i)`)
    await connection.run(`CREATE TABLE visits AS SELECT
      CASE WHEN i % 11 = 0 THEN NULL ELSE i % 25 END AS person_id, 'a' AS ward,
      CASE WHEN i % 7 = 0 THEN NULL ELSE i * 3 END AS fee FROM range(90) r(i)`)
    const clamp = "least(greatest(fee, 0), 100)"
    const byHand = `WITH rows AS (SELECT p.person_id, sex, fee FROM visits v JOIN person p USING (person_id)
      WHERE (sex IS NULL OR sex IN ('f', 'm')) AND ${clamp} > 10 AND fee IS NOT NULL
        AND least(greatest(born, 1900), 2020) < 2000),
      units AS (SELECT sex, least(count(*), 2) AS n, least(sum(${clamp}), 200) AS s FROM rows
        GROUP BY sex, person_id)
      SELECT sex, CAST(sum(n) AS BIGINT), CAST(sum(s) AS BIGINT), count(*) FROM units
      GROUP BY sex ORDER BY sex`
    const [text] = printPlan(planOf(questions["conditions on both sides"]), "duckdb")
    const expected = (await connection.runAndReadAll(byHand)).getRowsJson()
    const got = (await connection.runAndReadAll(`SELECT * FROM (${text?.text}) ORDER BY 1`)).getRowsJson()
    expect(got).toEqual(expected)
    expect(got.length).toBe(3)
    connection.closeSync()
  })
})
