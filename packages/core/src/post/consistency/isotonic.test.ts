import { expect, test } from "vitest"
import postprocess from "../../testing/fixtures/postprocess.json" with { type: "json" }
import { checkRecord, recordsOf } from "../../testing/vectors.ts"
import { isotonic } from "./isotonic.ts"
import { respectChain, respectOrder } from "./orderings.ts"

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

test.each(recordsOf(postprocess, "post.isotonic"))("gives the reference $id", (record) => {
  const { y, weights, order } = record.inputs
  const direction = order === "nonincreasing" ? "falling" : "rising"
  const given = weights === null ? {} : { weights: numbers(weights) }
  checkRecord({ record, field: "fit", got: isotonic(numbers(y), { direction, ...given }) })
})

test("keeps bounds that are known", () => {
  expect(isotonic([-3, 2, 1, 20], { atLeast: 0, atMost: 10 })).toEqual([0, 1.5, 1.5, 10])
})

test("a chain leaves what it does not name", () => {
  // Along 2, 0, 3 the values are 5, 1, 9.
  expect(respectChain([1, 100, 5, 9], { chain: [2, 0, 3] })).toEqual([3, 100, 3, 9])
})

test("a circle of pairs makes its values equal", () => {
  const pairs = [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const
  for (const value of respectOrder([1, 2, 6], { pairs })) expect(value).toBeCloseTo(3, 12)
})

test("a partial order moves only what breaks it", () => {
  // 0 is below 1 and 2, which are not compared.
  const pairs = [
    [0, 1],
    [0, 2],
  ] as const
  const result = respectOrder([4, 2, 9, -7], { pairs })
  for (const [index, want] of [3, 3, 9, -7].entries()) expect(result[index]).toBeCloseTo(want, 12)
})

test.each<readonly [string, () => unknown, string]>([
  ["bounds that cross", () => isotonic([1], { atLeast: 2, atMost: 1 }), "postprocess/infeasible"],
  ["a weight of 0", () => isotonic([1], { weights: [0] }), "parameter/not-positive"],
  ["too few weights", () => isotonic([1, 2], { weights: [1] }), "parameter/length"],
  ["a value that is no number", () => isotonic([Number.NaN]), "parameter/not-a-number"],
  ["a chain with a repetition", () => respectChain([1, 2], { chain: [0, 0] }), "postprocess/infeasible"],
  ["a chain beyond the end", () => respectChain([1, 2], { chain: [2] }), "parameter/out-of-range"],
  ["a pair beyond the end", () => respectOrder([1, 2], { pairs: [[0, 2]] }), "parameter/out-of-range"],
])("refuses %s", (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }))
})
