import { numberNear, rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { pointsOf } from "../columns/points.ts"
import { isCentres } from "../export/served-shapes.ts"
import { answered, seenIn } from "../testing/dialogue.ts"
import { examplesOf, normal, unit, withoutRow } from "../testing/made-up.ts"
import { planClusters, type ClustersPlan } from "./clusters-plan.ts"
import {
  fitClusters,
  GroupedExamples,
  predictGroup,
  type CentresModel,
  type ClustersAsk,
} from "./fit-clusters.ts"
import { firstCentres, nearest } from "./k-means.ts"

const features: readonly ColumnSpec[] = [
  { kind: "number", name: "x", low: 0, high: 10 },
  { kind: "number", name: "y", low: -5, high: 5 },
  { kind: "category", name: "sex", categories: 2 },
  { kind: "category", name: "ward", categories: 3 },
]
const truth = [
  [2, -3, 0, 0],
  [8, -2, 1, 1],
  [5, 3, 0, 2],
] as const

function planned(
  muSquared: bigint,
  neighbours: "add-or-remove" | "replace" = "add-or-remove",
  count = 3,
): ClustersPlan {
  return planClusters({ features, count, muSquared: rational(muSquared), neighbours })
}

/** Three groups: a half, a third and a sixth of all rows. */
function three(rows: number): Examples {
  const rng = seededBits("three groups")
  return examplesOf(rows, (row) => {
    const [x, y, sex, ward] = truth[row % 6 < 3 ? 0 : row % 6 < 5 ? 1 : 2] ?? truth[0]
    return [x + 0.5 * normal(rng), y + 0.5 * normal(rng), unit(rng) < 0.05 ? NaN : sex, ward, NaN]
  })
}

const hostile = examplesOf(12, (row) =>
  row === 11
    ? [10, 5, 1, 2, NaN]
    : [
        [NaN, -Infinity, Infinity, 1e300, 10, 0][row % 6] ?? 0,
        [5, -1e308, -5, NaN][row % 4] ?? 0,
        row - 2,
        [1, 2, -1, NaN, 0.5][row % 5] ?? 0,
        NaN,
      ],
)

function fit(
  plan: ClustersPlan,
  examples: Examples,
  look: Parameters<typeof answered<ClustersAsk, CentresModel>>[1]["look"] = () => {},
): CentresModel {
  const rows = new GroupedExamples(plan, examples)
  return answered(fitClusters(plan), {
    sums: plan.sums,
    units: examples.rows,
    vectorsOf: (ask) => rows.vectorsOf(ask),
    rng: seededBits("noise of groups"),
    look,
  })
}

test("each unit adds whole numbers within the bound that is charged, and the same whoever else is there", () => {
  for (const examples of [three(30), hostile]) {
    const plan = planned(50n)
    const without = new GroupedExamples(plan, withoutRow(examples, 3))
    const longest = new Map<string, number>()
    const asks: string[] = []
    fit(plan, examples, (ask, vectors, sums) => {
      asks.push(sums.kind)
      const seen = seenIn(vectors, sums, without.vectorsOf(ask))
      expect([seen.areWithin, seen.areOwn]).toEqual([true, true])
      longest.set(sums.kind, Math.max(longest.get(sums.kind) ?? 0, seen.longest))
    })
    // As often as is charged for.
    expect(asks).toEqual(plan.sums.flatMap(({ kind, count }) => Array<string>(count).fill(kind)))
    // Corners use nearly all of it.
    if (examples === hostile) expect(longest.get("centres")).toBeGreaterThan(0.99)
  }
})

test("what all sums lose is what was given, whoever a neighbour is", () => {
  for (const [neighbours, times] of [
    ["add-or-remove", 1],
    ["replace", 2],
  ] as const) {
    const lost = planned(3n, neighbours).sums.reduce(
      (sum, { count, bound, spec: { variance } }) =>
        sum + (count * (times * bound) ** 2) / numberNear(variance),
      0,
    )
    expect(lost).toBeCloseTo(3, 12)
  }
})

test("with little noise its centres are those of the plain algorithm from the same first centres", () => {
  const examples = three(600)
  const plan = planned(10n ** 12n)
  const model = fit(plan, examples)
  const points = pointsOf(features, examples)
  let { centres } = firstCentres(plan.model)
  const width = points.length / 600
  const pointAt = (row: number): Float64Array => points.subarray(row * width, (row + 1) * width)
  let people: number[] = []
  for (let round = 0; round < plan.model.rounds.length; round += 1) {
    const sums = new Float64Array(centres.length)
    people = [0, 0, 0]
    for (let row = 0; row < 600; row += 1) {
      const own = nearest(pointAt(row), centres)
      people[own] = (people[own] ?? 0) + 1
      for (const [i, value] of pointAt(row).entries())
        sums[own * width + i] = (sums[own * width + i] ?? 0) + value
    }
    centres = sums.map((sum, at) => sum / (people[Math.floor(at / width)] ?? 1))
  }
  const order = [0, 1, 2].toSorted((a, b) => (people[b] ?? 0) - (people[a] ?? 0))
  expect(model.groups.map((group) => Math.round(group.people))).toEqual(order.map((at) => people[at]))
  expect(order.map((at) => people[at])).toEqual([300, 200, 100])
  for (const [place, at] of order.entries()) {
    for (const [i, value] of (model.groups[place]?.centre ?? []).entries())
      expect(value).toBeCloseTo(centres[at * width + i] ?? NaN, 3)
  }
  // How much of the variance is between the groups, and how far people are from their centres.
  const mean = Array.from(
    { length: width },
    (_, i) =>
      Array.from({ length: 600 }, (_one, row) => pointAt(row)[i] ?? 0).reduce((a, b) => a + b, 0) / 600,
  )
  let [total, within] = [0, 0]
  for (let row = 0; row < 600; row += 1) {
    const own = nearest(pointAt(row), centres)
    for (const [i, value] of pointAt(row).entries()) {
      total += (value - (mean[i] ?? 0)) ** 2
      within += (value - (centres[own * width + i] ?? 0)) ** 2
    }
  }
  expect(model.quality.share).toBeCloseTo(1 - within / total, 3)
  expect(model.left[0]).toBeCloseTo(0.1, 1)
  expect(isCentres(JSON.parse(JSON.stringify(model)))).toBe(true)
  expect(truth.map((row) => predictGroup(model, [...row]))).toEqual([0, 1, 2])
  expect(predictGroup(model, [8, NaN, NaN, 1])).toBe(1)
})

test("groups that noise hides are left out, and of nobody at all one is left", () => {
  const few = fit(planned(1n), three(20))
  expect(few.asked).toBe(3)
  expect(few.groups.length).toBeLessThan(3)
  const nobody = { rows: 0, features: features.map(() => new Float64Array(0)), target: new Float64Array(0) }
  const none = fit(planned(1n), nobody)
  expect(none.groups).toHaveLength(1)
  expect(isCentres(JSON.parse(JSON.stringify(none)))).toBe(true)
  expect(none.quality.shareError).toBeGreaterThan(0.25)
})

test("what cannot be is refused", () => {
  for (const change of [{ count: 1 }, { count: 51 }, { count: 2.5 }, { features: [] }, { rounds: 0 }]) {
    expect(() =>
      planClusters({ features, count: 3, muSquared: rational(1n), neighbours: "replace", ...change }),
    ).toThrow(expect.objectContaining({ kind: "invalid" }))
  }
})

test("data that is no such model is none", () => {
  const model = fit(planned(1000n), three(60))
  const [first] = model.groups
  for (const broken of [
    { ...model, left: model.left.slice(1) },
    { ...model, groups: [] },
    { ...model, groups: [{ ...first, centre: [1] }] },
    { ...model, features: features.slice(1) },
    { ...model, kind: "clusters" },
    { ...model, more: 1 },
  ])
    expect(isCentres(broken)).toBe(false)
})
