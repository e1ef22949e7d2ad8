// What is asked to learn bounds keeps its claims on generated tables with hostile values, and cells of sizes
// stand for bounds around their values.

import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import { numberNear, rational } from "@dosimeter/core/exact"
import { beforeAll, describe, expect, test } from "vitest"
import { rangeOfCells, sizeCells } from "@dosimeter/language/bind/aggregates/size-grid"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { learnableValues, type LearnableValue } from "./learn.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { printRel } from "@dosimeter/proof/print/print"
import { randomQuestion } from "../testing/random/random-question.ts"
import { randomDataset } from "../testing/random/random-tables.ts"
import { closeDataset, loadDataset, removeEachUnit } from "../testing/units/remove-each-unit.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const fractions = [rational(1n, 100n), rational(99n, 100n)] as const
const reached = new Set<string>()
let asked = 0

test.each(isLongForm ? ["bounds 0", "bounds 2", "bounds 3"] : ["bounds 3"])(
  "[Q1] [Q2] nobody changes more than is claimed while bounds are learnt: %s",
  async (seed) => {
    const dataset = randomDataset(seed)
    const { catalog, terms } = readPolicy(dataset.policy)
    const loaded = await loadDataset(dataset)
    const problems: string[] = []
    try {
      let left = 4
      for (let place = 0; place < 25 && left > 0; place += 1) {
        const sql = randomQuestion(dataset, `${seed}, question ${place}`)
        for (const value of learnableOrNone(sql, { grammar, catalog, terms }).slice(0, 1)) {
          asked += 1
          left -= 1
          for (const { plan } of [value.rows({}), value.sizes(fractions, {})]) {
            // What is too long to be written is refused before it is charged, whatever the tables hold.
            if (!isPrintable(plan)) continue
            const outcome = await removeEachUnit(plan, loaded)
            for (const what of outcome.reached) reached.add(what)
            if (outcome.broken.length > 0) problems.push(`${outcome.broken.slice(0, 3).join("; ")}\n  ${sql}`)
          }
        }
      }
    } finally {
      closeDataset(loaded)
    }
    expect(problems.join("\n")).toBe("")
  },
)

test("values were found, and claims were reached", () => {
  expect(asked).toBeGreaterThan(isLongForm ? 5 : 2)
  expect([...reached]).toEqual(expect.arrayContaining(["quantiles: rows", "quantiles: groups"]))
})

function isPrintable({ releases }: ReleasePlan): boolean {
  try {
    for (const { rel } of releases.flatMap(({ extracts }) => extracts)) printRel(rel, "duckdb")
    return true
  } catch (error) {
    if (error instanceof DosimeterError && error.code === "sql/too-many") return false
    throw error
  }
}

function learnableOrNone(
  sql: string,
  options: Parameters<typeof learnableValues>[1] extends infer All ? Omit<All, "scope"> : never,
): readonly LearnableValue[] {
  try {
    return learnableValues(sql, { ...options, scope: "all" })
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return []
    throw error
  }
}

describe("cells of sizes", () => {
  const middle = (sizeCells - 1n) / 2n
  const between = (low: bigint, high: bigint, type: SqlType): readonly [number, number] => {
    const range = rangeOfCells(low, high, type)
    return [numberNear(range.low), numberNear(range.high)]
  }
  const float = { kind: "float" } as const

  test("stand for bounds around them, of two digits", () => {
    // Cell i after the middle ends at 2^(i / 4 - 20).
    expect(between(middle, middle + 80n, float)).toEqual([0, 1])
    expect(between(middle + 81n, middle + 110n, float)).toEqual([1, 190])
    expect(between(middle - 110n, middle + 110n, float)).toEqual([-190, 190])
    expect(between(middle - 110n, middle - 84n, float)).toEqual([-190, -1.6])
    const [low, high] = between(0n, sizeCells - 1n, float)
    expect([low, high]).toEqual([-1.2e15, 1.2e15])
  })

  test("stand for whole numbers where values are", () => {
    expect(between(middle + 1n, middle + 82n, { kind: "integer" })).toEqual([0, 2])
    expect(between(middle + 81n, middle + 82n, { kind: "decimal", scale: 1 })).toEqual([1, 1.5])
  })

  test("are never a single value, and may come in any order", () => {
    expect(between(middle, middle, float)).toEqual([0, 1])
    expect(between(middle + 90n, middle - 90n, float)).toEqual(between(middle - 90n, middle + 90n, float))
  })
})
