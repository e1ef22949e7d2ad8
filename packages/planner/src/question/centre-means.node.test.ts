// Averages of the same rows share one count, and each is the middle of its range plus a mean distance.

import { hasStrategy, type Measurement } from "@dosimeter/proof/algebra/measurement"
import type { Accounting } from "@dosimeter/core/accounting"
import { beforeAll, expect, test } from "vitest"
import { compile } from "../compile.ts"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { showRel } from "@dosimeter/proof/algebra/show"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const policyOf = (accounting: Accounting): string => `dataset: d
source: { duckdb: d.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: ${accounting} }
question: { epsilon: 1, delta: 1e-9 }
bounding: { groups_per_unit: 2, rows_per_group: 3 }
tables:
  stays:
    unit: person_id
    keys: [[person_id, code]]
    columns:
      person_id: integer
      code: text
      ward: { values: [A, B], nullable: false }
      age: { type: integer, min: 0, max: 99, nullable: false }
      days: { type: integer, min: 0, max: 30, nullable: false }
      fee: { type: decimal(2), min: 0, max: 500 }
`

function planOf(
  sql: string,
  accounting: Accounting = "zcdp",
): { readonly release: Release; readonly post: string } {
  const { catalog, terms } = readPolicy(policyOf(accounting))
  const { plan } = compile(sql, { grammar, catalog, terms })
  const [release] = plan.releases
  if (release === undefined) throw new Error("a release")
  return { release, post: showRel(plan.post) }
}

const kindsOf = (sql: string, accounting?: Accounting): readonly string[] =>
  planOf(sql, accounting).release.measurements.map(kindOf)

const kindOf = (one: Measurement): string => (one.kind === "linear" ? one.strategy.kind : one.choice.kind)

test("[S3] two averages of the same rows pay for one count, and for half of each range", () => {
  const { release, post } = planOf("SELECT AVG(age), AVG(days) FROM stays")
  expect(release.measurements.map(kindOf)).toEqual(["identity", "identity", "identity"])
  // Sum, count and sum; the second average has the same count.
  expect(release.readings.map((one) => ("measurement" in one ? one.measurement : -1))).toEqual([0, 1, 2, 1])
  const most = release.measurements.flatMap((one) =>
    hasStrategy(one, "identity")
      ? one.strategy.spec.sensitivity.patterns.flat().map(({ amount }) => amount)
      : [],
  )
  // 99 years are 99 half steps to either side; of a unit three rows count.
  expect(most).toEqual([297n, 3n, 45n])
  expect(post).toContain("49.5f + (sum#")
  expect(post).toContain("15f + (sum#")
})

test("an average alone is read from its own vector, and so is one whose total or variance is asked for", () => {
  expect(kindsOf("SELECT AVG(age) FROM stays")).toEqual(["moments"])
  expect(kindsOf("SELECT AVG(age), AVG(days) FROM stays", "pure")).toEqual(["moments", "moments"])
  const both = planOf("SELECT AVG(age), SUM(age), AVG(days), VAR_POP(days) FROM stays")
  expect(both.post).not.toContain("f + (sum#")
  // Where values may be missing each has a count of its own.
  expect(kindsOf("SELECT AVG(age), AVG(fee) FROM stays")).not.toContain("identity")
})

test("averages of listed groups that a unit may have several of are one vector, which is scaled", () => {
  const { release, post } = planOf("SELECT ward, AVG(age), AVG(days) FROM stays GROUP BY ward")
  expect(release.measurements.map(kindOf)).toEqual(["scaled"])
  expect(post).not.toContain("f + (sum#")
})

test("the count that comes with selected keys divides sums of distances", () => {
  const { release } = planOf("SELECT code, COUNT(*), AVG(age) FROM stays GROUP BY code HAVING AVG(age) > 20")
  expect(release.readings.map(({ kind }) => kind)).toEqual(["key-count", "linear", "key-count"])
  expect(release.measurements.map(kindOf)).toEqual(["identity"])
  // Nobody asks for the count: keys are selected in the way that shows the most, and all rows count.
  expect(kindsOf("SELECT code, AVG(age) FROM stays GROUP BY code")).toEqual(["scaled"])
})

test("what is made of averages above is the same", () => {
  const inner = "SELECT code, AVG(age) AS a, AVG(days) AS d FROM stays GROUP BY code"
  for (const sql of [
    `SELECT MAX(a - d) FROM (${inner}) t`,
    `${inner} HAVING AVG(days) < 3 ORDER BY AVG(age) LIMIT 1`,
    `WITH t AS (${inner}) SELECT x.a, y.d FROM t x JOIN t y ON x.code = y.code`,
    `SELECT code, AVG(age) / AVG(days) FROM stays GROUP BY code`,
  ]) {
    const { post } = planOf(sql)
    const quotients = post.match(/sum#\d+ \/ rows#\d+/g)?.length ?? 0
    expect(quotients, sql).toBeGreaterThan(1)
    expect(post.match(/(49\.5|15)f \+ \(sum#\d+ \/ rows#\d+/g)?.length, sql).toBe(quotients)
  }
})
