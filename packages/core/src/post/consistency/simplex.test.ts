import fc from "fast-check"
import { expect, test } from "vitest"
import postprocess from "../../testing/fixtures/postprocess.json" with { type: "json" }
import { checkRecord, numberInput, recordsOf } from "../../testing/vectors.ts"
import { gaussianEstimate, laplaceEstimate, publicEstimate } from "../estimates/estimate.ts"
import { leastSquares } from "./least-squares.ts"
import { cutBelowNoise, projectOntoSimplex } from "./simplex.ts"

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

test.each(recordsOf(postprocess, "post.simplex_projection"))("gives the reference $id", (record) => {
  const got = projectOntoSimplex(numbers(record.inputs["y"]), { total: numberInput(record, "total") })
  checkRecord({ record, field: "projection", got })
})

test("is what constrained least squares finds", () => {
  const cell = fc.record({
    value: fc.integer({ min: -50, max: 50 }),
    weight: fc.constantFrom(0.25, 1, 3),
  })
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), fc.nat(60), (cells, total) => {
      const values = cells.map(({ value }) => value)
      const weights = cells.map(({ weight }) => weight)
      const direct = projectOntoSimplex(values, { total, weights })
      const unit = (index: number): number[] => values.map((_, place) => (place === index ? -1 : 0))
      const searched = leastSquares({
        values,
        weights,
        equal: [{ coefficients: values.map(() => 1), bound: total }],
        atMost: values.map((_, index) => ({ coefficients: unit(index), bound: 0 })),
      })
      for (const [index, value] of direct.entries()) {
        expect(Math.abs(value - (searched.values[index] ?? 0))).toBeLessThan(1e-9)
      }
    }),
  )
})

test("a total of 0 leaves nothing, and no values have the total 0", () => {
  expect(projectOntoSimplex([3, -1, 2], { total: 0 })).toEqual([0, 0, 0])
  expect(projectOntoSimplex([], { total: 0 })).toEqual([])
})

test("cuts what noise explains and keeps the rest as it is", () => {
  const cells = [4, 11.5, 60].map((value) => gaussianEstimate({ value, sigmaSquared: 16 }))
  // The threshold is 4 * 2.93 for a chance of 0.005 in three cells: 11.7.
  expect(cutBelowNoise(cells, 0.005)).toEqual([0, 0, 60])
  expect(cutBelowNoise([laplaceEstimate({ value: 5, scale: 2 }), publicEstimate(1)], 0.5)).toEqual([5, 1])
  expect(cutBelowNoise([], 0.1)).toEqual([])
})

test.each<readonly [string, () => unknown, string]>([
  ["a negative total", () => projectOntoSimplex([1], { total: -1 }), "parameter/negative"],
  ["a total of nothing", () => projectOntoSimplex([], { total: 1 }), "postprocess/infeasible"],
  ["an alpha above one half", () => cutBelowNoise([], 0.6), "parameter/out-of-range"],
])("refuses %s", (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }))
})
