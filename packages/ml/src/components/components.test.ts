import { compare } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { NumberColumn } from "../columns/columns.ts"
import { trainLearner, roundsLoss } from "../rounds/learner.ts"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { examplesOf, normal, withoutRow } from "../testing/made-up.ts"
import { changesBetween } from "../testing/neighbours.ts"
import { alongComponents, components, componentsLearner } from "./components.ts"
import { eigenvectors } from "./eigenvectors.ts"

const features: readonly NumberColumn[] = ["a", "b", "c", "d"].map((name) => ({
  kind: "number",
  name,
  low: -4,
  high: 4,
}))
const options = {
  features,
  count: 2,
  budget: { epsilon: "1", delta: "1e-6" },
  neighbours: "add-or-remove",
} as const

/** One wide direction, (1, 1, 0, 0), and one less wide, (0, 0, 1, -1). */
function flat(rows: number, seed: string) {
  const rng = seededBits(seed)
  return examplesOf(rows, () => {
    const [wide, less] = [1.2 * normal(rng), 0.6 * normal(rng)]
    const own = (): number => 0.1 * normal(rng)
    return [wide + own(), wide + own(), less + own(), -less + own(), NaN]
  })
}

test("no row changes the sums by more than their noise is made for, nor by much less at the corner", () => {
  const data = flat(20, "twenty")
  const corner = examplesOf(2, () => [4, -4, 4, Infinity, NaN])
  for (const examples of [data, corner]) {
    for (let row = 0; row < examples.rows; row += 1) {
      const [only] = changesBetween(
        componentsLearner(components(options)),
        [examples, withoutRow(examples, row)],
        seededBits("pca"),
      )
      expect(only?.change).toBeLessThanOrEqual(only?.allowed ?? 0n)
      if (examples === corner) expect(Number(only?.change) / Number(only?.allowed)).toBeGreaterThan(0.99)
    }
  }
})

test("the loss is what was given", () => {
  expect(compare(roundsLoss(components(options).rounds).muSquared, muSquaredOf(options.budget))).toBe(0)
})

test("the wide directions are found at epsilon 1 of 4,000 rows, in order", () => {
  const data = flat(4000, "wide")
  const model = trainLearner(componentsLearner(components(options)), data, seededBits("directions"))
  const [a, b, c, d] = model.directions
  expect(Math.abs((a ?? 0) + (b ?? 0)) / Math.SQRT2).toBeGreaterThan(0.98)
  expect(Math.abs((model.directions[6] ?? 0) - (model.directions[7] ?? 0)) / Math.SQRT2).toBeGreaterThan(0.95)
  expect(Math.hypot(c ?? 1, d ?? 1)).toBeLessThan(0.2)
  expect(model.variances[0]).toBeGreaterThan(model.variances[1] ?? NaN)
  const along = alongComponents(model, data)
  const spread = Math.hypot(...along.filter((_, at) => at % 2 === 0)) / Math.sqrt(4000)
  expect(spread ** 2).toBeCloseTo(model.variances[0] ?? NaN, 1)
})

test("eigenvectors are those of the matrix", () => {
  const rng = seededBits("a matrix")
  const size = 7
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1) {
    for (let j = i; j < size; j += 1) {
      matrix[i * size + j] = normal(rng)
      matrix[j * size + i] = matrix[i * size + j] ?? 0
    }
  }
  const { values, vectors } = eigenvectors(matrix, size)
  expect([...values]).toEqual([...values].toSorted((x, y) => y - x))
  for (const [place, value] of values.entries()) {
    const vector = vectors.subarray(place * size, (place + 1) * size)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 10)
    for (let i = 0; i < size; i += 1) {
      const image = vector.reduce((sum, x, j) => sum + x * (matrix[i * size + j] ?? 0), 0)
      expect(image).toBeCloseTo(value * (vector[i] ?? 0), 8)
    }
  }
})

test("refuses more components than features", () => {
  expect(() => components({ ...options, count: 5 })).toThrow(
    expect.objectContaining({ code: "model/bad-setting" }),
  )
})
