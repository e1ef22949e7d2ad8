import fc from "fast-check"
import { describe, expect, test } from "vitest"
import postprocess from "../../testing/fixtures/postprocess.json" with { type: "json" }
import { checkRecord, recordsOf } from "../../testing/vectors.ts"
import { gaussianEstimate, intervalOf, laplaceEstimate } from "./estimate.ts"
import { clampAtZero, clampEstimate, clampingBias, cutInterval } from "./nonnegative.ts"
import { roundEstimate, roundInterval, roundKeepingTotal, roundToGrid, roundToIntegers } from "./rounding.ts"

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const interval = { confidence: 0.9, exactness: "exact" } as const

describe("rounding", () => {
  test("goes to the nearest, ties to even, and knows no negative zero", () => {
    expect(roundToIntegers([0.5, 1.5, 2.5, -0.5, -1.5, 2.49, -0.2])).toEqual([0, 2, 2, 0, -2, 2, 0])
    expect(roundToGrid([0.34, 0.35, 0.26], 0.1)).toEqual([0.3, 0.4, 0.3])
    expect(roundToGrid([12, 13, 17.6], 5)).toEqual([10, 15, 20])
  })

  test("moves nothing by more than half a step, and a second time nothing at all", () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }))
    fc.assert(
      fc.property(values, fc.constantFrom(0.01, 0.1, 0.25, 1, 3, 100), (given, step) => {
        const once = roundToGrid(given, step)
        expect(roundToGrid(once, step)).toEqual(once)
        for (const [index, value] of once.entries()) {
          expect(Math.abs(value - (given[index] ?? 0))).toBeLessThanOrEqual(step / 2 + 1e-9)
        }
      }),
    )
  })

  test("of an estimate widens its variance unless it lies on the grid", () => {
    const estimate = gaussianEstimate({ value: 7, sigmaSquared: 4, grid: 1 })
    expect(roundEstimate(estimate, 1)).toBe(estimate)
    const off = gaussianEstimate({ value: 7.25, sigmaSquared: 4 })
    expect(roundEstimate(off, 1)).toEqual({ value: 7, variance: 6.25, law: "other" })
  })

  test("of an interval keeps the multiples inside it", () => {
    expect(roundInterval({ ...interval, lower: 1.2, upper: 4.9 }, 1)).toMatchObject({ lower: 2, upper: 4 })
    expect(roundInterval({ ...interval, lower: 2.6, upper: 2.9 }, 1)).toMatchObject({ lower: 3, upper: 3 })
    expect(roundInterval({ ...interval, lower: 0.1 + 0.2, upper: 0.7 }, 0.1)).toMatchObject({ lower: 0.3 })
    const open = { ...interval, lower: -Infinity, upper: Infinity }
    expect(roundInterval(open, 1)).toEqual(open)
  })
})

describe("rounding that keeps a total", () => {
  test("gives the units to the largest remainders, the first of equals first", () => {
    expect(roundKeepingTotal([1.4, 1.4, 1.2], { step: 1 })).toEqual([2, 1, 1])
    expect(roundKeepingTotal([0.5, 0.5, 0.5, 0.5], { step: 1 })).toEqual([1, 1, 0, 0])
    expect(roundKeepingTotal([33.3, 33.3, 33.4], { step: 5, total: 100 })).toEqual([35, 30, 35])
    expect(roundKeepingTotal([], { step: 1, total: 0 })).toEqual([])
  })

  test("adds up, moves nothing by a step, is idempotent, and is nearest of all such roundings", () => {
    const values = fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(values, (hundredths) => {
        const given = hundredths.map((value) => value / 100)
        const rounded = roundKeepingTotal(given, { step: 1 })
        expect(roundKeepingTotal(rounded, { step: 1 })).toEqual(rounded)
        expect(Math.abs(sum(rounded) - sum(given))).toBeLessThanOrEqual(0.5 + 1e-9)
        const distance = (other: readonly number[]): number =>
          sum(given.map((value, index) => (value - (other[index] ?? 0)) ** 2))
        for (const [index, value] of rounded.entries()) {
          expect(Math.abs(value - (given[index] ?? 0))).toBeLessThan(1)
        }
        for (let mask = 0; mask < 2 ** given.length; mask += 1) {
          const other = given.map((value, index) =>
            (mask >> index) & 1 ? Math.ceil(value) : Math.floor(value),
          )
          if (sum(other) === sum(rounded)) {
            expect(distance(rounded)).toBeLessThanOrEqual(distance(other) + 1e-9)
          }
        }
      }),
    )
  })

  test.each<readonly [string, () => unknown]>([
    ["a total that is out of reach", () => roundKeepingTotal([1.5, 1.5], { step: 1, total: 5 })],
    ["a total below all", () => roundKeepingTotal([1.5, 1.5], { step: 1, total: 1 })],
    ["a total off the grid", () => roundKeepingTotal([1.5, 1.5], { step: 1, total: 3.5 })],
  ])("refuses %s", (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: "postprocess/infeasible" }))
  })
})

describe("clamping at 0", () => {
  test.each(recordsOf(postprocess, "post.nonneg"))("gives the reference $id", (record) => {
    const y = record.inputs["y"]
    checkRecord({ record, field: "clipped", got: clampAtZero(Array.isArray(y) ? y.map(Number) : []) })
  })

  test("cuts the interval and says the bias", () => {
    const clamped = clampEstimate(gaussianEstimate({ value: -1, sigmaSquared: 4 }), 0.95)
    expect(clamped.value).toBe(0)
    expect(clamped.interval.lower).toBe(0)
    expect(clamped.interval.upper).toBeCloseTo(-1 + 2 * 1.959963984540054, 10)
    expect(clamped.biasMax).toBeCloseTo(2 / Math.sqrt(2 * Math.PI), 12)
    expect(clampingBias(laplaceEstimate({ value: 0, scale: 3 }))).toBeCloseTo(1.5, 12)
    expect(clampingBias({ value: 0, variance: 9, law: "other" })).toBe(1.5)
  })

  test("an interval beside the range shrinks to its nearest end", () => {
    const low = intervalOf(gaussianEstimate({ value: -50, sigmaSquared: 1 }), 0.9)
    expect(cutInterval(low, { lower: 0, upper: 10 })).toMatchObject({ lower: 0, upper: 0 })
    const crossed = (): unknown => cutInterval(low, { lower: 1, upper: 0 })
    expect(crossed).toThrow(expect.objectContaining({ code: "parameter/out-of-range" }))
  })
})
