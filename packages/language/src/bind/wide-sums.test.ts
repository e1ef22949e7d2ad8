// Sums of one person's rows in whatever form: refused where the widest type might not hold them.

import { DosimeterError, rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { aggregateDomain, stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import { parse } from "../parse/parse.ts"
import { testCatalog } from "@dosimeter/proof/testing/test-catalog"
import { testGrammar } from "../testing/test-grammar.ts"
import { bind } from "./bind.ts"

const grammar = await testGrammar()

function codeOf(sql: string): string | undefined {
  try {
    bind(parse(sql, grammar).query, { catalog: testCatalog, parameters: [] })
    return undefined
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
}

const forms: readonly (readonly [string, (value: string) => string])[] = [
  [
    "GROUP BY",
    (x) =>
      `SELECT COUNT(*) FROM (SELECT patient_id, SUM(${x}) AS s FROM visits GROUP BY patient_id) t WHERE s > 0`,
  ],
  [
    "an average",
    (x) =>
      `SELECT COUNT(*) FROM (SELECT patient_id, AVG(${x}) AS s FROM visits GROUP BY patient_id) t WHERE s > 0`,
  ],
  [
    "a filter",
    (x) =>
      `SELECT COUNT(*) FROM (SELECT patient_id, SUM(${x}) FILTER (WHERE age > 3) AS s FROM visits GROUP BY patient_id) t WHERE s > 0`,
  ],
  [
    "a window",
    (x) =>
      `SELECT COUNT(*) FROM (SELECT SUM(${x}) OVER (PARTITION BY patient_id ORDER BY age) AS s FROM visits) t WHERE s > 0`,
  ],
  [
    "an average over a window",
    (x) =>
      `SELECT COUNT(*) FROM (SELECT AVG(${x}) OVER (PARTITION BY patient_id) AS s FROM visits) t WHERE s > 0`,
  ],
  [
    "a subquery",
    (x) =>
      `SELECT COUNT(*) FROM patients p WHERE (SELECT SUM(${x}) FROM visits v WHERE v.patient_id = p.id) > 0`,
  ],
  ["released rows", (x) => `SELECT SUM(${x}) FROM (SELECT age, COUNT(*) AS n FROM visits GROUP BY age) t`],
]

test.each(forms)("%s", (_, form) => {
  // Twenty rows of this pass 128 bits.
  expect(codeOf(form("CASE WHEN age = 7 THEN 9000000000000000000000000000000000000 ELSE 0 END"))).toBe(
    "sql/may-overflow",
  )
  expect(codeOf(form("CASE WHEN age = 7 THEN -90000000000000000000000000000000.25 ELSE 0 END"))).toBe(
    "sql/may-overflow",
  )
  expect(codeOf(form("CASE WHEN age = 7 THEN 9223372036854775807 ELSE 0 END"))).toBe(undefined)
  expect(codeOf(form("CASE WHEN age = 7 THEN 999999999999.25 ELSE 0 END"))).toBe(undefined)
})

test("a plan cannot claim such a sum either", () => {
  const wide = stepsDomain(0n, 10n ** 36n, false)
  const value = { kind: "literal", value: { kind: "number", value: rational(1n) }, domain: wide } as const
  expect(() => aggregateDomain({ function: "sum", argument: value })).toThrow("a type that holds it")
})
