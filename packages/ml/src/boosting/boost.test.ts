import { numberNear, rational } from "@dosimeter/core/exact"
import { releaseGaussian } from "@dosimeter/core/mechanisms"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { isBoosted } from "../export/served-shapes.ts"
import { sumsOf } from "../rounds/planned-sums.ts"
import { areaUnderCurve, examplesOf, unit, withoutRow } from "../testing/made-up.ts"
import { AskedExamples, type BoostingAsk } from "./asked-examples.ts"
import { predictBoosted, type BoostedModel } from "./boosted-model.ts"
import { boost } from "./boost.ts"
import { planBoosting, type BoostingPlan } from "./boosting-plan.ts"

const age: ColumnSpec = { kind: "number", name: "age", low: 0, high: 100 }
const ward: ColumnSpec = { kind: "category", name: "ward", categories: 3 }
const died: ColumnSpec = { kind: "category", name: "died", categories: 2 }
const cost: ColumnSpec = { kind: "number", name: "cost", low: -10, high: 10 }
const share: ColumnSpec = { kind: "number", name: "share", low: 0, high: 1 }

function planned(
  target: ColumnSpec,
  muSquared: bigint,
  neighbours: "add-or-remove" | "replace" = "add-or-remove",
) {
  return planBoosting({
    features: [age, ward],
    target,
    muSquared: rational(muSquared),
    neighbours,
    epochs: 4,
  })
}

/** Ages with a rising chance, wards with one of their own, ages missing now and then. */
function patients(rows: number, seed: string): Examples {
  const rng = seededBits(seed)
  return examplesOf(rows, () => {
    const years = 100 * unit(rng)
    const place = Math.floor(3 * unit(rng))
    const isMissing = unit(rng) < 0.1
    const score = isMissing ? 2 : (years - 50) / 15 + (place === 1 ? 1.5 : 0)
    return [isMissing ? NaN : years, place, unit(rng) < 1 / (1 + Math.exp(-score)) ? 1 : 0]
  })
}

function vectorOf(rows: AskedExamples, ask: BoostingAsk, row: number): readonly number[] {
  const { length, add } = rows.vectorsOf(ask)
  const into = new Float64Array(length)
  add(row, into)
  return [...into]
}

/** Runs a dialogue over rows; told of every ask with the vectors of all units. */
function fit(
  plan: BoostingPlan,
  examples: Examples,
  seed: string,
  look: (ask: BoostingAsk, vectors: readonly (readonly number[])[]) => void = () => {},
): BoostedModel {
  const rng = seededBits(seed)
  const rows = new AskedExamples(plan, examples)
  const dialogue = boost(plan)
  let turn = dialogue.next()
  while (turn.done !== true) {
    const ask = turn.value
    const { length, add } = rows.vectorsOf(ask)
    const vectors = Array.from({ length: examples.rows }, (_, row) => {
      const into = new Float64Array(length)
      add(row, into)
      return [...into]
    })
    look(ask, vectors)
    const sums = vectors.reduce(
      (sum, own) => sum.map((value, at) => value + (own[at] ?? 0)),
      [...new Float64Array(length)],
    )
    turn = dialogue.next(releaseGaussian(sumsOf(plan, ask.kind).spec, sums.map(BigInt), rng))
  }
  return turn.value
}

test("each unit adds whole numbers within the bound that is charged, and the same whoever else is there", () => {
  const hostile = examplesOf(8, (row) => [[NaN, -Infinity, Infinity, 1e300][row % 4] ?? 0, row - 2, row - 3])
  for (const [examples, target] of [
    [patients(40, "forty patients"), died],
    [hostile, died],
    [hostile, cost],
    [hostile, share],
  ] as const) {
    const plan = planned(target, 50n)
    const without = new AskedExamples(plan, withoutRow(examples, 3))
    let asks = 0
    fit(plan, examples, "bounds", (ask, vectors) => {
      const { bound, length } = sumsOf(plan, ask.kind)
      for (const vector of vectors) {
        expect(vector.length).toBe(length)
        expect(vector.every(Number.isSafeInteger)).toBe(true)
        expect(vector.reduce((sum, value) => sum + value ** 2, 0)).toBeLessThanOrEqual(bound ** 2)
      }
      // The second way: the same asks, of rows of which one is gone.
      const { add } = without.vectorsOf(ask)
      for (const row of [0, 2, 3, 6]) {
        const into = new Float64Array(length)
        add(row, into)
        expect([...into]).toEqual(vectors[row < 3 ? row : row + 1])
      }
      asks += 1
    })
    expect(asks).toBe(plan.sums.reduce((sum, { count }) => sum + count, 0))
  }
})

test("what all sums lose is what was given, whoever a neighbour is", () => {
  for (const [neighbours, longest] of [
    ["add-or-remove", 1],
    ["replace", 2],
  ] as const) {
    const { sums } = planned(died, 3n, neighbours)
    const lost = sums.reduce(
      (sum, { count, bound, spec: { variance } }) =>
        sum + (count * (longest * bound) ** 2) / numberNear(variance),
      0,
    )
    expect(lost).toBeCloseTo(3, 12)
  }
})

test("cells that no unit's vector may be as many as are refused before anything is charged", () => {
  const wide = (columns: number): (() => BoostingPlan) => {
    const features = Array.from({ length: columns }, (_, at) => ({
      ...ward,
      name: `${at}`,
      categories: 4095,
    }))
    return () => planBoosting({ features, target: died, muSquared: rational(1n), neighbours: "replace" })
  }
  expect(sumsOf(wide(512)(), "people").length).toBe(2 ** 21)
  expect(wide(513)).toThrow(expect.objectContaining({ code: "model/bad-setting" }))
})

test("with little noise it finds what the data was made with, and says how well", () => {
  const data = patients(1500, "many patients")
  const model = fit(planned(died, 1_000_000n), data, "little noise")
  expect(isBoosted(JSON.parse(JSON.stringify(model)))).toBe(true)
  const scores = Float64Array.from({ length: data.rows }, (_, row) =>
    predictBoosted(
      model,
      data.features.map((values) => values[row] ?? NaN),
    ),
  )
  const area = areaUnderCurve(scores, data.target)
  expect(area).toBeGreaterThan(0.8)
  expect(model.quality.kind === "curve" && Math.abs(model.quality.auc - area)).toBeLessThan(0.02)
  expect(model.rows).toBe(1500)
  const [ages] = model.shapes
  expect((ages?.effect.at(-2) ?? 0) - (ages?.effect[0] ?? 0)).toBeGreaterThan(2)
  expect(predictBoosted(model, [NaN, 0])).toBeGreaterThan(predictBoosted(model, [20, 0]))
})

test("numbers are told in their own units, also from 0 to 1", () => {
  for (const [target, low, high] of [
    [cost, -10, 10],
    [share, 0, 1],
  ] as const) {
    const data = examplesOf(600, (row) => [
      (row * 7) % 100,
      row % 3,
      low + ((high - low) * ((row * 7) % 100)) / 100,
    ])
    const model = fit(planned(target, 1_000_000n), data, "numbers")
    const told = predictBoosted(model, [80, 1])
    expect(Math.abs((told - low) / (high - low) - 0.8)).toBeLessThan(0.1)
    expect(model.quality.kind === "explained" && model.quality.rSquared).toBeGreaterThan(0.8)
    const { meanSquare } = model.quality.kind === "explained" ? model.quality : { meanSquare: NaN }
    expect(Math.sqrt(meanSquare) / (high - low)).toBeLessThan(0.1)
  }
})

test("data that is no such model is none", () => {
  const model = fit(planned(died, 1000n), patients(50, "few"), "shapes")
  const [first, ...others] = model.shapes
  for (const broken of [
    { ...model, shapes: others },
    { ...model, shapes: [{ ...first, effect: first?.effect.slice(1) }, ...others] },
    { ...model, shapes: [{ ...first, bins: first?.bins.map(() => 1000) }, ...others] },
    { ...model, shapes: [{ ...first, edges: [] }, ...others] },
    { ...model, kind: "shapes" },
    { ...model, more: 1 },
  ])
    expect(isBoosted(broken)).toBe(false)
  expect(
    vectorOf(new AskedExamples(planned(died, 1n), patients(2, "two")), { kind: "people" }, 0).length,
  ).toBe(129 + 4)
})
