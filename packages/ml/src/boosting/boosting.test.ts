import { compare, exactly } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { ColumnSpec } from "../columns/columns.ts"
import { trainLearner, roundsLoss } from "../rounds/learner.ts"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { areaUnderCurve, examplesOf, normal, unit, withoutRow } from "../testing/made-up.ts"
import { changesBetween } from "../testing/neighbours.ts"
import { boosting, type BoostingOptions } from "./boosting.ts"
import { predictShapes } from "./shape-model.ts"
import { boostingLearner } from "./train-boosting.ts"

const age: ColumnSpec = { kind: "number", name: "age", low: 0, high: 100 }
const ward: ColumnSpec = { kind: "category", name: "ward", categories: 3 }
const died: ColumnSpec = { kind: "category", name: "died", categories: 2 }
const cost: ColumnSpec = { kind: "number", name: "cost", low: -10, high: 10 }
const options: BoostingOptions = {
  features: [age, ward],
  target: died,
  budget: { epsilon: "1", delta: "1e-6" },
  neighbours: "add-or-remove",
}
/** So much that noise hardly shows. */
const plenty = { muSquared: "1000" }

/** Ages with a rising chance, wards with one of their own, ages missing now and then. */
function patients(rows: number, seed: string) {
  const rng = seededBits(seed)
  return examplesOf(rows, () => {
    const years = 100 * unit(rng)
    const place = Math.floor(3 * unit(rng))
    const isMissing = unit(rng) < 0.1
    const score = isMissing ? 2 : (years - 50) / 15 + (place === 1 ? 1.5 : 0)
    return [isMissing ? NaN : years, place, unit(rng) < 1 / (1 + Math.exp(-score)) ? 1 : 0]
  })
}

test("no row changes the sums of any round by more than its noise is made for", () => {
  const rng = seededBits("neighbours of boosting")
  const data = patients(60, "sixty patients")
  const hostile = examplesOf(8, (row) => [[NaN, -Infinity, Infinity, 1e300][row % 4] ?? 0, row - 2, row - 3])
  for (const [examples, target] of [
    [data, died],
    [data, cost],
    [hostile, died],
    [hostile, cost],
  ] as const) {
    const model = boosting({
      ...options,
      target,
      pairs: [["age", "ward"]],
      epochs: 3,
      bins: 6,
      budget: plenty,
    })
    const learner = boostingLearner(model)
    for (let row = 0; row < examples.rows; row += 7) {
      for (const { change, allowed } of changesBetween(learner, [examples, withoutRow(examples, row)], rng))
        expect(change).toBeLessThanOrEqual(allowed)
    }
  }
})

test("a residual is used to its full length: the bound is not slack", () => {
  const model = boosting({ ...options, epochs: 1, budget: plenty })
  const data = examplesOf(1, () => [50, 1, 1])
  const changes = changesBetween(boostingLearner(model), [data, withoutRow(data, 0)], seededBits("full"))
  expect(changes[0]).toMatchObject({ change: 2n, allowed: 2n })
  // The residual of a 1 at score 0 is 0.5 of a clip of 0.6.
  expect(Number(changes[1]?.change) / Number(changes[1]?.allowed)).toBeCloseTo((0.5 / 0.6) ** 2, 4)
})

test.each([{ epsilon: "0.5", delta: "1e-6" }, { rho: "0.1" }, { muSquared: "1/3" }])(
  "all rounds together lose what was given: %o",
  (budget) => {
    for (const pairs of [[], [["age", "ward"]]] as const) {
      for (const neighbours of ["add-or-remove", "replace"] as const) {
        const { rounds } = boosting({ ...options, budget, pairs, neighbours })
        expect(compare(roundsLoss(rounds).muSquared, muSquaredOf(budget))).toBe(0)
      }
    }
  },
)

test("an epsilon becomes the mu of an exact Gaussian", () => {
  const mu = Math.sqrt(
    Number(muSquaredOf({ epsilon: "1", delta: "1e-6" }).numerator) /
      Number(muSquaredOf({ epsilon: "1", delta: "1e-6" }).denominator),
  )
  expect(1 / mu).toBeCloseTo(4.22468, 4)
  expect(compare(muSquaredOf({ rho: "0.1" }), exactly("0.2", "rho"))).toBe(0)
})

test("shapes are found: a slope, a category, and missing values by themselves", () => {
  const model = trainLearner(
    boostingLearner(boosting({ ...options, budget: plenty, epochs: 30 })),
    patients(6000, "many patients"),
    seededBits("shapes"),
  )
  const test = patients(4000, "other patients")
  expect(areaUnderCurve(predictShapes(model, test), test.target)).toBeGreaterThan(0.85)
  const [ages, wards] = model.shapes
  const known = [...(ages?.effect ?? [])].slice(0, -1)
  expect((known.at(-1) ?? 0) - (known[0] ?? 0)).toBeGreaterThan(3.5)
  expect(ages?.effect.at(-1)).toBeGreaterThan(1)
  expect((wards?.effect[1] ?? 0) - (wards?.effect[0] ?? 0)).toBeGreaterThan(0.6)
})

test("an interaction needs its pair", () => {
  const rng = seededBits("an interaction")
  const crossed = examplesOf(4000, () => {
    const [years, place] = [100 * unit(rng), Math.floor(2 * unit(rng))]
    return [years, place, years > 50 === (place === 1) ? 1 : 0]
  })
  const learn = (pairs: readonly (readonly [string, string])[]): number => {
    const model = boosting({ ...options, budget: plenty, pairs })
    const shapes = trainLearner(boostingLearner(model), crossed, seededBits("learn a pair"))
    return areaUnderCurve(predictShapes(shapes, crossed), crossed.target)
  }
  expect(learn([])).toBeLessThan(0.7)
  expect(learn([["age", "ward"]])).toBeGreaterThan(0.95)
})

test("numbers are predicted in their range, and a monotone shape never turns", () => {
  const rng = seededBits("numbers")
  const data = examplesOf(3000, () => {
    const years = 100 * unit(rng)
    return [years, Math.floor(3 * unit(rng)), 6 * Math.sin(years / 12) + normal(rng)]
  })
  const free = boosting({ ...options, target: cost, budget: plenty, epochs: 20 })
  const model = trainLearner(boostingLearner(free), data, seededBits("free"))
  const guesses = predictShapes(model, data)
  const error = Math.hypot(...guesses.map((guess, row) => guess - (data.target[row] ?? 0))) / Math.sqrt(3000)
  expect(error).toBeLessThan(1.5)
  const falling = boosting({ ...options, target: cost, budget: plenty, monotone: { age: "falling" } })
  const effect = trainLearner(boostingLearner(falling), data, seededBits("falling")).shapes[0]?.effect ?? []
  const known = [...effect].slice(0, -1)
  expect(known).toEqual(known.toSorted((a, b) => b - a))
})

test("the band of a shape is what noise does to it, where bins stay", () => {
  const data = patients(3000, "for bands")
  const learner = boostingLearner(boosting({ ...options, budget: { muSquared: "0.5" } }))
  const runs = Array.from({ length: 40 }, (_, run) => trainLearner(learner, data, seededBits(`band ${run}`)))
  for (const place of [0, 1, 2]) {
    const seen = runs.map(({ shapes }) => shapes[1]?.effect[place] ?? NaN)
    const mean = seen.reduce((sum, value) => sum + value, 0) / seen.length
    const spread = Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (seen.length - 1))
    const told = runs.reduce((sum, { shapes }) => sum + (shapes[1]?.noise[place] ?? NaN), 0) / runs.length
    expect(spread / told).toBeGreaterThan(0.6)
    expect(spread / told).toBeLessThan(1.6)
  }
})

test.each([
  [{ features: [] }, "model/no-features"],
  [{ features: [{ ...age, high: Infinity }] }, "model/unbounded-feature"],
  [{ features: [{ ...age, low: NaN }] }, "model/unbounded-feature"],
  [{ features: [{ ...age, high: 0 }] }, "model/constant-feature"],
  [{ features: [{ ...ward, categories: 1 }] }, "model/constant-feature"],
  [{ target: { ...died, categories: 1 } }, "model/one-class"],
  [{ target: { ...died, categories: 3 } }, "model/two-classes"],
  [{ target: { ...cost, low: 5, high: 5 } }, "model/constant-feature"],
  [{ pairs: [["age", "height"]] }, "model/no-such-feature"],
  [{ pairs: [["age", "age"]] }, "model/same-name"],
  [{ features: [age, { ...ward, name: "age" }] }, "model/same-name"],
  [{ features: [{ ...ward, categories: 1e6 }] }, "model/bad-setting"],
  [
    {
      features: [
        { ...ward, categories: 4000 },
        { ...ward, name: "bed", categories: 4000 },
      ],
      pairs: [["ward", "bed"]],
    },
    "model/bad-setting",
  ],
  [{ monotone: { height: "rising" } }, "model/no-such-feature"],
  [{ epochs: 0.5 }, "model/bad-setting"],
  [{ budget: { rho: "0" } }, "model/no-loss"],
] as const)("refuses %o before anything is read", (part, code) => {
  expect(() => boosting({ ...options, ...part })).toThrow(expect.objectContaining({ code }))
})

test("rows without a target, and values that nothing was declared of, are no error", () => {
  const odd = [NaN, Infinity, -Infinity, 0.5, -1, 7, 1e308]
  const data = examplesOf(49, (row) => [
    odd[row % 7] ?? 0,
    odd[Math.floor(row / 7)] ?? 0,
    odd[(row * 3) % 7] ?? 0,
  ])
  for (const target of [died, cost]) {
    const learner = boostingLearner(boosting({ ...options, target, pairs: [["age", "ward"]] }))
    const model = trainLearner(learner, data, seededBits("odd values"))
    expect([...predictShapes(model, data)].every(Number.isFinite)).toBe(true)
  }
})
