import { compare } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { NumberColumn } from "../columns/columns.ts"
import { pointsOf, unscaled } from "../columns/points.ts"
import { trainLearner, roundsLoss } from "../rounds/learner.ts"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { examplesOf, normal, withoutRow } from "../testing/made-up.ts"
import { changesBetween } from "../testing/neighbours.ts"
import { kMeans, kMeansLearner } from "./k-means.ts"

const features: readonly NumberColumn[] = [
  { kind: "number", name: "x", low: 0, high: 10 },
  { kind: "number", name: "y", low: -5, high: 5 },
]
const options = {
  features,
  clusters: 3,
  budget: { epsilon: "1", delta: "1e-6" },
  neighbours: "add-or-remove",
} as const
const truth = [
  [2, -3],
  [8, -2],
  [5, 3],
] as const

function three(rows: number, seed: string) {
  const rng = seededBits(seed)
  return examplesOf(rows, (row) => {
    const [x, y] = truth[row % 3] ?? [0, 0]
    return [x + 0.5 * normal(rng), y + 0.5 * normal(rng), NaN]
  })
}

test("no row changes the sums of a round by more than its noise is made for", () => {
  const odd = examplesOf(9, (row) => [
    [NaN, Infinity, -Infinity, 1e300][row % 4] ?? 0,
    [0, 99, -99][row % 3] ?? 0,
    NaN,
  ])
  for (const data of [three(30, "thirty"), odd]) {
    for (let row = 0; row < data.rows; row += 4) {
      const changes = changesBetween(
        kMeansLearner(kMeans(options)),
        [data, withoutRow(data, row)],
        seededBits("km"),
      )
      for (const { change, allowed } of changes) expect(change).toBeLessThanOrEqual(allowed)
      // Corners use nearly all of it.
      if (data === odd && row === 4) expect(Number(changes[0]?.change)).toBeGreaterThan(0)
    }
  }
  const corner = examplesOf(1, () => [10, 5, NaN])
  const [first] = changesBetween(
    kMeansLearner(kMeans(options)),
    [corner, withoutRow(corner, 0)],
    seededBits("corner"),
  )
  expect(Number(first?.change) / Number(first?.allowed)).toBeGreaterThan(0.99)
  expect(first?.change).toBeLessThanOrEqual(first?.allowed ?? 0n)
})

test("all rounds together lose what was given", () => {
  expect(compare(roundsLoss(kMeans(options).rounds).muSquared, muSquaredOf(options.budget))).toBe(0)
})

test("three clusters are found at epsilon 1 of 3,000 rows, with about their numbers", () => {
  const { centres, people } = trainLearner(
    kMeansLearner(kMeans(options)),
    three(3000, "clusters"),
    seededBits("find"),
  )
  for (const [x, y] of truth) {
    const distances = [0, 1, 2].map((at) =>
      Math.hypot((centres[2 * at] ?? 0) - x, (centres[2 * at + 1] ?? 0) - y),
    )
    expect(Math.min(...distances)).toBeLessThan(0.4)
  }
  for (const count of people) expect(Math.abs(count - 1000)).toBeLessThan(150)
})

test("nobody at all: centres stay in the declared ranges", () => {
  const none = { rows: 0, features: [new Float64Array(0), new Float64Array(0)] }
  const { centres } = trainLearner(kMeansLearner(kMeans(options)), none, seededBits("none"))
  for (const [at, value] of centres.entries()) {
    const { low, high } = features[at % 2] ?? { low: NaN, high: NaN }
    expect(value).toBeGreaterThanOrEqual(low)
    expect(value).toBeLessThanOrEqual(high)
  }
})

test("refuses a number of clusters that is none", () => {
  expect(() => kMeans({ ...options, clusters: 0 })).toThrow(
    expect.objectContaining({ code: "model/bad-setting" }),
  )
})

test("a point lies between its ends, however wide its range is", () => {
  const wide = [{ kind: "number", name: "x", low: 0, high: 1.7e308 }] as const
  const values = Float64Array.of(0, 1.6e308, 1.7e308, Infinity, NaN)
  const points = pointsOf(wide, { rows: values.length, features: [values] })
  expect(points.every((value) => Math.abs(value) <= 1)).toBe(true)
  expect([points[0], points[2]]).toEqual([-1, 1])
  expect([unscaled(-1, wide[0]), unscaled(1, wide[0])]).toEqual([0, 1.7e308])
})
