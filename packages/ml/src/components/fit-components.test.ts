import { numberNear, rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { pointsOf } from "../columns/points.ts"
import { isDirections } from "../export/served-shapes.ts"
import { answered, seenIn } from "../testing/dialogue.ts"
import { examplesOf, normal, unit, withoutRow } from "../testing/made-up.ts"
import { planComponents, type ComponentsPlan } from "./components-plan.ts"
import { eigenvectors } from "./eigenvectors.ts"
import {
  fitComponents,
  MultipliedExamples,
  predictDirections,
  type ComponentsAsk,
  type DirectionsModel,
} from "./fit-components.ts"

const features: readonly ColumnSpec[] = [
  { kind: "number", name: "age", low: 0, high: 100 },
  { kind: "number", name: "weight", low: 40, high: 140 },
  { kind: "category", name: "sex", categories: 2 },
  { kind: "category", name: "ward", categories: 3 },
]

function planned(
  muSquared: bigint,
  neighbours: "add-or-remove" | "replace" = "add-or-remove",
): ComponentsPlan {
  return planComponents({ features, count: 2, muSquared: rational(muSquared), neighbours })
}

/** Weight goes with age, and both are missing now and then. */
function patients(rows: number): Examples {
  const rng = seededBits("patients with directions")
  return examplesOf(rows, () => {
    const age = 100 * unit(rng)
    const weight = 50 + 0.6 * age + 8 * normal(rng)
    return [unit(rng) < 0.05 ? NaN : age, weight, Math.floor(2 * unit(rng)), Math.floor(3 * unit(rng)), NaN]
  })
}

/** What nobody may hold, and corners. */
const hostile = examplesOf(12, (row) => [
  [NaN, -Infinity, Infinity, 1e300, 100, 0][row % 6] ?? 0,
  [140, -1e308, 40, NaN][row % 4] ?? 0,
  row - 2,
  [1, 2, -1, NaN, 0.5][row % 5] ?? 0,
  NaN,
])

function fit(
  plan: ComponentsPlan,
  examples: Examples,
  look: Parameters<typeof answered<ComponentsAsk, DirectionsModel>>[1]["look"] = () => {},
  seed = "noise of components",
): DirectionsModel {
  const rows = new MultipliedExamples(plan, examples)
  return answered(fitComponents(plan), {
    sums: plan.sums,
    units: examples.rows,
    vectorsOf: (ask) => rows.vectorsOf(ask),
    rng: seededBits(seed),
    look,
  })
}

test("each unit adds whole numbers within the bound that is charged, and the same whoever else is there", () => {
  for (const examples of [patients(30), hostile]) {
    const plan = planned(50n)
    const without = new MultipliedExamples(plan, withoutRow(examples, 3))
    const longest = new Map<string, number>()
    fit(plan, examples, (ask, vectors, sums) => {
      const seen = seenIn(vectors, sums, without.vectorsOf(ask))
      expect([seen.areWithin, seen.areOwn]).toEqual([true, true])
      longest.set(sums.kind, Math.max(longest.get(sums.kind) ?? 0, seen.longest))
    })
    expect([...longest.keys()]).toEqual(["products", "quality"])
    // Corners use nearly all that is charged for.
    if (examples === hostile) expect(longest.get("products")).toBeGreaterThan(0.99)
  }
})

test("what both sums lose is what was given, whoever a neighbour is", () => {
  for (const [neighbours, times] of [
    ["add-or-remove", 1],
    ["replace", 2],
  ] as const) {
    const lost = planned(3n, neighbours).sums.reduce(
      (sum, { bound, spec: { variance } }) => sum + (times * bound) ** 2 / numberNear(variance),
      0,
    )
    expect(lost).toBeCloseTo(3, 12)
  }
})

/** The plain algorithm: the covariances of all points, and their directions. */
function plain(examples: Examples, of = features) {
  const points = pointsOf(of, examples)
  const width = points.length / examples.rows
  const mean = (of: (row: number) => number): number =>
    Array.from({ length: examples.rows }, (_, row) => of(row)).reduce((a, b) => a + b, 0) / examples.rows
  const at = (row: number, i: number): number => points[row * width + i] ?? 0
  const means = Array.from({ length: width }, (_, i) => mean((row) => at(row, i)))
  const matrix = Float64Array.from({ length: width * width }, (_, cell) => {
    const [i, j] = [Math.floor(cell / width), cell % width]
    return mean((row) => (at(row, i) - (means[i] ?? 0)) * (at(row, j) - (means[j] ?? 0)))
  })
  return { ...eigenvectors(matrix, width), width }
}

test("with little noise it finds what the plain algorithm finds, and says how much that holds", () => {
  // Rows in the middle of their ranges: none is scaled down.
  const rng = seededBits("in the middle")
  const examples = examplesOf(600, () => {
    const age = 35 + 30 * unit(rng)
    return [age, 90 + 0.4 * (age - 50) + 2 * normal(rng), Math.floor(2 * unit(rng)), 2, NaN]
  })
  const model = fit(planned(10n ** 12n), examples)
  const { values, vectors, width } = plain(examples)
  expect(isDirections(JSON.parse(JSON.stringify(model)))).toBe(true)
  expect(model.rows).toBe(600)
  for (const [place, { direction, variance }] of model.components.entries()) {
    const along = direction.reduce((sum, own, i) => sum + own * (vectors[place * width + i] ?? 0), 0)
    expect(Math.abs(along)).toBeCloseTo(1, 5)
    expect(variance).toBeCloseTo(values[place] ?? NaN, 5)
  }
  const all = values.reduce((sum, value) => sum + value, 0)
  expect(model.quality.share).toBeCloseTo(((values[0] ?? 0) + (values[1] ?? 0)) / all, 4)
  const [first, second] = predictDirections(model, [50, 90, 1, 2])
  const [, other] = predictDirections(model, [NaN, 90, 0, 2])
  expect([Number.isFinite(first), Number.isFinite(second)]).toEqual([true, true])
  expect(other).not.toBe(second)
})

test("stated noise is what noise does, from one draw to the next", () => {
  const examples = patients(1500)
  const plan = planned(4n)
  const rows = new MultipliedExamples(plan, examples)
  const exact = fit(planned(10n ** 12n), examples)
  const draws = Array.from({ length: 50 }, (_, draw) => {
    return answered(fitComponents(plan), {
      sums: plan.sums,
      units: examples.rows,
      vectorsOf: (ask) => rows.vectorsOf(ask),
      rng: seededBits(`draw ${draw}`),
    })
  })
  for (const at of [0, 1]) {
    const truth = exact.components[0]?.direction[at] ?? NaN
    const squares = draws.map(({ components: [first] }) => ((first?.direction[at] ?? NaN) - truth) ** 2)
    const seen = Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / draws.length)
    const stated = draws[0]?.components[0]?.errors[at]?.noise ?? NaN
    expect(seen / stated).toBeGreaterThan(0.6)
    expect(seen / stated).toBeLessThan(1.6)
  }
  const shares = draws.map(({ quality }) => quality.share)
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length
  const spread = Math.sqrt(shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / shares.length)
  const told = draws[0]?.quality.shareError ?? NaN
  expect(spread / told).toBeGreaterThan(0.6)
  expect(spread / told).toBeLessThan(1.6)
})

/** Yes or no as numbers: all rows are at the ends, and most at one of them. */
const flags: readonly ColumnSpec[] = ["a", "b", "c"].map((name) => ({
  kind: "number",
  name,
  low: 0,
  high: 1,
}))

test("of rows at the ends of their ranges, too, people are counted and the variance that is held is told", () => {
  const rng = seededBits("rare flags")
  const examples = examplesOf(600, () => {
    const ill = unit(rng) < 0.1
    return [ill ? 1 : 0, unit(rng) < (ill ? 0.8 : 0.02) ? 1 : 0, unit(rng) < 0.05 ? 1 : 0, NaN]
  })
  const plan = planComponents({
    features: flags,
    count: 1,
    muSquared: rational(10n ** 12n),
    neighbours: "add-or-remove",
  })
  const model = fit(plan, examples)
  expect(model.rows).toBe(600)
  const { values, vectors } = plain(examples, flags)
  const [first] = model.components
  const along = first?.direction.reduce((sum, own, i) => sum + own * (vectors[i] ?? 0), 0) ?? NaN
  expect(Math.abs(along)).toBeGreaterThan(0.99)
  // Measured about weighted means along a direction that is nearly the best.
  expect(Math.abs(model.quality.share - (values[0] ?? 0) / values.reduce((a, b) => a + b, 0))).toBeLessThan(
    0.03,
  )
})

test("intervals hold where directions have the same variance", () => {
  const alike: readonly ColumnSpec[] = Array.from({ length: 10 }, (_, at) => ({
    kind: "number",
    name: `x${at}`,
    low: -1,
    high: 1,
  }))
  const plan = planComponents({
    features: alike,
    count: 2,
    muSquared: rational(2n),
    neighbours: "add-or-remove",
  })
  const rng = seededBits("alike")
  const inside = Array.from({ length: 40 }, (_, draw) => {
    const examples = examplesOf(300, () => [...alike.map(() => unit(rng) - 0.5), NaN])
    const { components: found } = fit(plan, examples, undefined, `alike ${draw}`)
    return found.map(({ share, shareErrors: { error } }) => Math.abs(share - 0.1) < 1.96 * error)
  }).flat()
  expect(inside.filter(Boolean).length / inside.length).toBeGreaterThan(0.85)
})

test("what cannot be is refused, and nobody at all still gives finite numbers", () => {
  for (const change of [{ count: 0 }, { count: 7 }, { features: [] }, { count: 1.5 }]) {
    expect(() =>
      planComponents({ features, count: 2, muSquared: rational(1n), neighbours: "replace", ...change }),
    ).toThrow(expect.objectContaining({ kind: "invalid" }))
  }
  const wide = [{ kind: "category", name: "code", categories: 121 }] as const
  expect(() =>
    planComponents({ features: wide, count: 2, muSquared: rational(1n), neighbours: "replace" }),
  ).toThrow(expect.objectContaining({ code: "model/bad-setting" }))
  const nobody = { rows: 0, features: features.map(() => new Float64Array(0)), target: new Float64Array(0) }
  const model = fit(planned(1n), nobody)
  expect(isDirections(JSON.parse(JSON.stringify(model)))).toBe(true)
  expect(model.components[0]?.errors.every(({ error }) => error <= 1.001)).toBe(true)
})

test("data that is no such model is none", () => {
  const model = fit(planned(100n), patients(20))
  const [first] = model.components
  for (const broken of [
    { ...model, means: model.means.slice(1) },
    { ...model, components: [] },
    { ...model, components: [{ ...first, direction: [1] }] },
    { ...model, features: features.slice(1) },
    { ...model, kind: "components" },
    { ...model, more: 1 },
  ])
    expect(isDirections(broken)).toBe(false)
})
