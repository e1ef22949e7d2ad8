import { compare } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { CategoryColumn, ColumnSpec } from "../columns/columns.ts"
import { trainLearner, roundsLoss } from "../rounds/learner.ts"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { areaUnderCurve, examplesOf, unit, withoutRow } from "../testing/made-up.ts"
import { changesBetween } from "../testing/neighbours.ts"
import { forest, forestLearner, predictForest } from "./forest.ts"

const features: readonly ColumnSpec[] = [
  { kind: "number", name: "x", low: 0, high: 1 },
  { kind: "number", name: "y", low: 0, high: 1 },
  { kind: "category", name: "ward", categories: 3 },
]
const target: CategoryColumn = { kind: "category", name: "class", categories: 2 }
const options = {
  features,
  target,
  budget: { epsilon: "1", delta: "1e-6" },
  neighbours: "add-or-remove",
} as const

/** What no line tells apart. */
function crossed(rows: number, seed: string) {
  const rng = seededBits(seed)
  return examplesOf(rows, () => {
    const [x, y] = [unit(rng), unit(rng)]
    return [x, y, rng.word() % 3, x > 0.5 === y > 0.5 ? 1 : 0]
  })
}

test("a row changes one count of each tree, whatever is in it", () => {
  const odd = examplesOf(8, (row) => [
    [NaN, Infinity, -7, 0.5][row % 4] ?? 0,
    row,
    row - 3,
    row === 7 ? 9 : row % 2,
  ])
  const plan = forest({ ...options, trees: 5, depth: 4 }, seededBits("five trees"))
  for (const data of [crossed(20, "twenty"), odd]) {
    for (let row = 0; row < data.rows; row += 1) {
      const changes = changesBetween(forestLearner(plan), [data, withoutRow(data, row)], seededBits("leaves"))
      const isClass = data.target[row] === 0 || data.target[row] === 1
      expect(changes).toEqual([{ name: "people by leaf and class", change: isClass ? 5n : 0n, allowed: 5n }])
    }
  }
})

test("the loss is what was given, however many trees there are", () => {
  for (const trees of [1, 40]) {
    const { rounds } = forest({ ...options, trees }, seededBits("trees"))
    expect(compare(roundsLoss(rounds).muSquared, muSquaredOf(options.budget))).toBe(0)
  }
})

test("learns what no line tells apart, at epsilon 1 of 6,000 rows", () => {
  const plan = forest(options, seededBits("splits"))
  const model = trainLearner(forestLearner(plan), crossed(6000, "for trees"), seededBits("noise of trees"))
  const other = crossed(2000, "other for trees")
  const chances = predictForest(model, other)
  expect(
    areaUnderCurve(
      chances.filter((_, at) => at % 2 === 1),
      other.target,
    ),
  ).toBeGreaterThan(0.8)
  for (let row = 0; row < 2000; row += 100)
    expect((chances[2 * row] ?? 0) + (chances[2 * row + 1] ?? 0)).toBeCloseTo(1, 10)
})

const many = { kind: "category", name: "class", categories: 100 } as const
test.each([
  { trees: 0 },
  { depth: 15 },
  { target: { ...many, categories: 101 } },
  { target: many, trees: 500, depth: 14 },
])("refuses %o", (part) => {
  expect(() => forest({ ...options, ...part }, seededBits("refused"))).toThrow(
    expect.objectContaining({ code: "model/bad-setting" }),
  )
})
