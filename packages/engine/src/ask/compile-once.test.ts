import { rational } from "@dosimeter/core"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { expect, test } from "vitest"
import { CompileOnce } from "./compile-once.ts"

const { catalog, terms } = readPolicy(`dataset: ward
source: { duckdb: ward.duckdb }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables: { t: { unit: id, columns: { id: integer, age: { type: integer, min: 0, max: 120 } } } }
`)
const grammar = await loadGrammar()
const sql = "SELECT COUNT(*) FROM t WHERE age > $1"
const over = (age: bigint): readonly Constant[] => [{ kind: "number", value: rational(age) }]

test("a question is proven once; whatever differs makes it another", () => {
  const once = new CompileOnce()
  const plan = (text: string, ask: Ask, parameters: readonly Constant[]): unknown =>
    once.compile(text, { grammar, catalog, terms, ask, parameters }).plan
  const first = plan(sql, {}, over(40n))
  expect(plan(sql, {}, over(40n))).toBe(first)
  const others = [
    plan(sql, {}, over(41n)),
    plan(`${sql} AND age < 90`, {}, over(40n)),
    plan(sql, { epsilon: rational(1n, 4n) }, over(40n)),
    plan(sql, { groupsPerUnit: 2n }, over(40n)),
    plan(sql, { rowsPerGroup: 2n }, over(40n)),
    plan(sql, { boundsShare: rational(1n, 5n) }, over(40n)),
  ]
  expect(new Set([first, ...others]).size).toBe(7)
})

test("plans that were not used for long are let go, and what is refused is refused each time", () => {
  const once = new CompileOnce()
  const plan = (age: bigint): unknown =>
    once.compile(sql, { grammar, catalog, terms, ask: {}, parameters: over(age) }).plan
  const first = plan(0n)
  const second = plan(1n)
  for (let age = 2n; age < 200n; age += 1n) plan(age)
  expect(plan(0n)).toBe(first)
  plan(200n)
  expect(plan(0n)).toBe(first)
  expect(plan(1n)).not.toBe(second)
  const wrong = (): unknown => once.compile("SELECT SUM(id) FROM t", { grammar, catalog, terms })
  expect(wrong).toThrow("has no bounds")
  expect(wrong).toThrow("has no bounds")
})
