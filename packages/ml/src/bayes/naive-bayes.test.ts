import { compare } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { CategoryColumn, ColumnSpec } from "../columns/columns.ts"
import { trainLearner, roundsLoss } from "../rounds/learner.ts"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { areaUnderCurve, examplesOf, normal, unit, withoutRow } from "../testing/made-up.ts"
import { changesBetween } from "../testing/neighbours.ts"
import { naiveBayes, naiveBayesLearner, predictBayes } from "./naive-bayes.ts"

const features: readonly ColumnSpec[] = [
  { kind: "number", name: "age", low: 0, high: 100 },
  { kind: "category", name: "ward", categories: 3 },
]
const target: CategoryColumn = { kind: "category", name: "class", categories: 3 }
const options = {
  features,
  target,
  budget: { epsilon: "1", delta: "1e-6" },
  neighbours: "add-or-remove",
} as const

function people(rows: number, seed: string) {
  const rng = seededBits(seed)
  return examplesOf(rows, () => {
    const group = rng.word() % 3
    return [
      unit(rng) < 0.1 ? NaN : 20 + 30 * group + 8 * normal(rng),
      unit(rng) < 0.6 ? group : rng.word() % 3,
      group,
    ]
  })
}

test("a row changes one count a feature, and a row without a class none", () => {
  const odd = examplesOf(6, (row) => [[NaN, Infinity, -5][row % 3] ?? 0, row - 2, row === 5 ? NaN : row % 3])
  for (const data of [people(50, "fifty"), odd]) {
    for (let row = 0; row < data.rows; row += 1) {
      const changes = changesBetween(
        naiveBayesLearner(naiveBayes(options)),
        [data, withoutRow(data, row)],
        seededBits("nb"),
      )
      const isClass = Number.isInteger(data.target[row])
      expect(changes).toEqual([{ name: "people by class and cell", change: isClass ? 2n : 0n, allowed: 2n }])
    }
  }
})

test("the loss is what was given", () => {
  const { rounds } = naiveBayes(options)
  expect(compare(roundsLoss(rounds).muSquared, muSquaredOf(options.budget))).toBe(0)
})

test("classes are told apart at epsilon 1, and chances add up to 1", () => {
  const model = trainLearner(
    naiveBayesLearner(naiveBayes(options)),
    people(3000, "for bayes"),
    seededBits("bayes"),
  )
  const other = people(1000, "others for bayes")
  const chances = predictBayes(model, other)
  const last = chances.filter((_, at) => at % 3 === 2)
  expect(
    areaUnderCurve(
      last,
      other.target.map((group) => (group === 2 ? 1 : 0)),
    ),
  ).toBeGreaterThan(0.95)
  for (let row = 0; row < 1000; row += 50) {
    expect((chances[3 * row] ?? 0) + (chances[3 * row + 1] ?? 0) + (chances[3 * row + 2] ?? 0)).toBeCloseTo(
      1,
      10,
    )
  }
})

test("nobody at all still gives finite chances", () => {
  const nobody = examplesOf(0, () => [])
  const none = { ...nobody, features: [new Float64Array(0), new Float64Array(0)] }
  const model = trainLearner(naiveBayesLearner(naiveBayes(options)), none, seededBits("nobody"))
  expect([...predictBayes(model, people(5, "five"))].every(Number.isFinite)).toBe(true)
})

test("refuses tables that no memory holds, before anything is read", () => {
  const wide = Array.from({ length: 100 }, (_, at) => ({
    kind: "category" as const,
    name: `code ${at}`,
    categories: 4000,
  }))
  expect(() => naiveBayes({ ...options, features: wide, target: { ...target, categories: 90 } })).toThrow(
    expect.objectContaining({ code: "model/bad-setting" }),
  )
})

test("refuses a target of one class", () => {
  expect(() => naiveBayes({ ...options, target: { ...target, categories: 1 } })).toThrow(
    expect.objectContaining({ code: "model/one-class" }),
  )
})
