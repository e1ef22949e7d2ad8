// Totals that cannot fall are shown from 0 on, with what was measured beside them.

import { rational } from "@dosimeter/core/exact"
import { expect, test } from "vitest"
import type { KnownSeries } from "./series-record.ts"
import { seriesTable } from "./show-series.ts"

const grid = rational(1n)

/** A series whose measurements are given: a tree of partial sums, so that odd steps are their own totals. */
function known(measured: readonly bigint[], rises: boolean): KnownSeries {
  return {
    definition: { name: "flu", sql: "", from: 0n, periods: 3, epsilon: rational(1n) },
    view: {
      label: "COUNT(*)",
      form: { kind: "tree" },
      noise: { law: "laplace", amount: rational(4n), grid },
      days: [0n, 7n, 14n, 21n],
      rises,
      confidence: rational(19n, 20n),
    },
    planHash: "",
    charge: 1n,
    measured,
    mark: "",
  }
}

const numbers = (measured: readonly bigint[], rises: boolean) =>
  seriesTable(known(measured, rises)).rows.map((row) => row.slice(1))

test("a total below 0 is shown as 0, with an interval that begins there and is not empty", () => {
  const [first] = numbers([-30n], true)
  const [total, rising, measured] = first ?? []
  expect([total?.value, total?.low, rising?.value, measured?.value]).toEqual([0, 0, 0, -30])
  const half = (Number(measured?.high) - Number(measured?.low)) / 2
  expect(total?.high).toBe(half)
  expect(half).toBeGreaterThan(0)
})

test("a total above 0 stays, and so does the upper end of its interval", () => {
  const [first] = numbers([5n], true)
  const [total, , measured] = first ?? []
  expect([total?.value, total?.low, total?.high]).toEqual([5, 0, measured?.high])
  expect(Number(measured?.low)).toBeLessThan(0)
})

test("totals that may fall are shown as they were measured, in one column", () => {
  const [first, ...others] = numbers([-30n], false)
  expect([first?.map(({ value }) => value), others]).toEqual([[-30], []])
  expect(Number(first?.[0]?.low)).toBeLessThan(-30)
})

test("a total of nothing is nothing", () => {
  expect(numbers([], true)).toEqual([])
  expect(seriesTable(known([], true)).columns.map(({ name }) => name)).toEqual([
    "period",
    "total of COUNT(*)",
    "rising",
    "measured",
  ])
})
