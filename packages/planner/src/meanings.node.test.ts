// What a release measures, as text: two questions with the same text are answered from one release.

import { exprText } from "@dosimeter/answers/reuse/normal-rows"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { expect, test } from "vitest"
import { compile } from "./compile.ts"
import { clinicPolicy } from "./testing/clinic/clinic.ts"

const grammar = await loadGrammar()
const policy = clinicPolicy({})

function meaningOf(sql: string, text = policy): string {
  const { catalog, terms } = readPolicy(text)
  const [meaning] = compile(sql, { grammar, catalog, terms }).meanings
  if (meaning === undefined) throw new Error(`what is measured can be told: ${sql}`)
  // As earlier releases are compared with it.
  const show = (expr: Expr): string => exprText(expr, show, meaning.names)
  const { rows, conditions, keys, columns } = meaning
  const texts = [...conditions.map(show).toSorted(), ...keys.map(show), ...columns.map((one) => one.text)]
  return [rows, ...texts].join("\n")
}

/** Four in every type that divides in a way of its own. */
const fours = ["4", "4.0", "4.00", "CAST(4 AS DOUBLE PRECISION)"]

/** Questions in which the type of a constant decides, each at another kind of leaf. */
const leaves: Readonly<Record<string, (four: string) => string>> = {
  constants: (four) => `SELECT COUNT(*) FROM visits CROSS JOIN (VALUES (${four})) AS q(w) WHERE n / w > 0`,
  "a union": (four) =>
    `SELECT COUNT(*) FROM (SELECT person_id, ${four} AS w, n FROM visits UNION ALL SELECT person_id, ${four}, n FROM visits) AS q WHERE n / w > 0`,
  "an aggregate": (four) =>
    `SELECT COUNT(*) FROM (SELECT person_id, MAX(n) AS n, MAX(${four}) AS w FROM visits GROUP BY person_id) AS q WHERE n / w > 0`,
  "a window": (four) =>
    `SELECT COUNT(*) FROM (SELECT person_id, n, MAX(${four}) OVER (PARTITION BY person_id) AS w FROM visits) AS q WHERE n / w > 0`,
  "an outer join": (four) =>
    `SELECT COUNT(*) FROM visits AS v LEFT JOIN (VALUES (1, ${four})) AS q(k, w) ON v.n = q.k WHERE n / w > 0`,
  "an expression": (four) => `SELECT COUNT(*) FROM visits WHERE n / ${four} > 0`,
}

test.each(Object.entries(leaves))("the type of a constant in %s is part of what is measured", (_, sql) => {
  const texts = fours.map((four) => meaningOf(sql(four)))
  expect(new Set(texts).size).toBe(fours.length)
})

test("the table and the column in the database are part of what is measured", () => {
  const sql = "SELECT SUM(height) FROM person"
  const texts = [
    policy,
    policy.replace("  person:\n    unit", "  person:\n    source: people\n    unit"),
    policy.replace("height: { type", "height: { source: length, type"),
  ].map((text) => meaningOf(sql, text))
  expect(new Set(texts).size).toBe(texts.length)
})
