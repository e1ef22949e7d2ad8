// A plan's hash is what the record goes by: other tables and columns of the database make another one.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile } from "@dosimeter/planner/compile"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import { isHashOf, planHash } from "./plan-hash.ts"

const grammar = await loadGrammar()
const policy = `
dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-8 }
bounding: { groups_per_unit: 2, rows_per_group: 3, norm: fixed }
tables:
  visits:
    source: one
    unit: patient
    keys: [[visit]]
    columns:
      visit: integer
      patient: integer
      age: { type: integer, source: years, min: 0, max: 99 }
`
const hashOf = (text: string, copies: boolean): string => {
  const { catalog, terms } = readPolicy(text)
  const prepared = copies ? designCopies(catalog, { schema: ["copies"] }) : []
  return planHash(
    compile("SELECT COUNT(*), SUM(age) FROM visits", { grammar, catalog, terms, prepared }).plan,
  )
}

test.each([true, false])(
  "a table or column of another name in the database is another plan (copies: %s)",
  (copies) => {
    const others = [
      policy.replace("source: one", "source: two"),
      policy.replace("source: one", "source: other.one"),
      policy.replace("source: years", "source: months"),
      policy.replace("unit: patient", "unit: visit"),
      policy.replace("keys: [[visit]]", "keys: [[visit], [visit, patient]]"),
    ]
    const hashes = [policy, ...others].map((text) => hashOf(text, copies))
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashOf(policy, copies)).toBe(hashes[0])
  },
)

test("a hash is of its plan only", () => {
  const { catalog, terms } = readPolicy(policy)
  const [one, two] = ["SELECT COUNT(*) FROM visits", "SELECT SUM(age) FROM visits"].map(
    (sql) => compile(sql, { grammar, catalog, terms }).plan,
  )
  expect(one !== undefined && isHashOf(planHash(one), one)).toBe(true)
  expect(one !== undefined && two !== undefined && isHashOf(planHash(one), two)).toBe(false)
})
