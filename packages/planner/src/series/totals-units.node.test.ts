// Running totals on generated datasets: with and without each person, what changes in all measurements of one
// version of the data is no longer than the series claims. versions.node.test.ts has the streams of versions.

import { DosimeterError } from "@dosimeter/core"
import { isLongForm } from "@dosimeter/core/testing"
import { beforeAll, expect, test } from "vitest"
import { floor } from "@dosimeter/core/exact"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { columnNamed } from "@dosimeter/proof/catalog/catalog"
import { randomDataset } from "../testing/random/random-tables.ts"
import { closeDataset, loadDataset, removeEachUnit } from "../testing/units/remove-each-unit.ts"
import { planSeries } from "./plan-series.ts"

const seeds = Array.from({ length: isLongForm ? 40 : 4 }, (_, index) => `totals ${index}`)

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

/** The plan of a series over a column, from the first day that it may have; undefined where it has none. */
function seriesBy(table: string, column: string, { catalog, terms }: Policy): ReleasePlan | undefined {
  const own = catalog.tables.find(({ name }) => name === table)
  const range = own === undefined ? undefined : columnNamed(own, column)?.domain.range
  if (range === undefined) return undefined
  const from = floor(range.min.value)
  const sql = `SELECT DATE_TRUNC('month', a.${column}), COUNT(*) FROM ${table} AS a GROUP BY 1`
  try {
    return planSeries(sql, { grammar, catalog, terms, from, periods: 6 }).proven.plan
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return undefined
    throw error
  }
}

test("[S1] nobody changes more of running totals than is claimed, and some as much", async () => {
  const problems: string[] = []
  const reached = new Set<string>()
  const found = { plans: 0, neighbours: new Set<string>() }
  for (const seed of seeds) {
    const dataset = randomDataset(seed)
    const policy = readPolicy(dataset.policy)
    const plans = dataset.tables.flatMap(({ name, columns }) =>
      columns.filter(({ kind }) => kind === "date").map((column) => seriesBy(name, column.name, policy)),
    )
    const loaded = await loadDataset(dataset)
    try {
      for (const plan of plans) {
        if (plan === undefined) continue
        found.plans += 1
        found.neighbours.add(plan.neighbours)
        const outcome = await removeEachUnit(plan, loaded)
        problems.push(...outcome.broken.map((what) => `${seed}: ${what}`))
        for (const what of outcome.reached) reached.add(what)
      }
    } finally {
      closeDataset(loaded)
    }
  }
  expect(problems).toEqual([])
  expect(found.plans).toBeGreaterThan(seeds.length)
  expect([...found.neighbours].toSorted()).toEqual(["add-or-remove", "replace"])
  expect([...reached]).toContain("totals: L2 squared")
})
