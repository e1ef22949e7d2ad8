import { expect, test } from "vitest"
import { dkwThreshold, empiricalDistance, lawDistance } from "./dkw.ts"
import { discreteLaplaceCdf, roundedGaussianCdf, type IntegerCdf } from "./laws.ts"

/** The uniform law on 0, 1, 2, 3. */
const fourSided: IntegerCdf = (k) => (k < 0n ? 0 : k > 3n ? 1 : (Number(k) + 1) / 4)

test("gives the threshold that the house rules name", () => {
  expect(dkwThreshold({ draws: 150_000, alpha: 1e-9 })).toBeCloseTo(0.00845, 5)
})

test.each([
  [
    "a perfect fit",
    new Map([
      [0n, 1],
      [1n, 1],
      [2n, 1],
      [3n, 1],
    ]),
    0,
  ],
  [
    "a value too many",
    new Map([
      [0n, 2],
      [2n, 1],
      [3n, 1],
    ]),
    0.25,
  ],
  ["mass just before the first value", new Map([[3n, 5]]), 0.75],
  ["mass after the last value", new Map([[0n, 7]]), 0.75],
  [
    "a gap between observed values, where the cdf rises",
    new Map([
      [0n, 1],
      [3n, 3],
    ]),
    0.5,
  ],
  [
    "values outside the law",
    new Map([
      [-9n, 1],
      [99n, 1],
    ]),
    0.5,
  ],
])("finds the largest distance: %s", (_, counts, want) => {
  expect(empiricalDistance(counts, fourSided)).toBe(want)
})

test("gives NaN, which is below no threshold, for a cdf that is not one", () => {
  expect(empiricalDistance(new Map([[0n, 1]]), () => Number.NaN)).toBe(Number.NaN)
})

test("finds the distance between two laws, narrow, wide and far from zero", () => {
  const cdf = discreteLaplaceCdf
  // Largest at k = 2 and k = -3, from the formulas with 30 digits.
  expect(lawDistance({ right: cdf(3), wrong: cdf(2.7) })).toBeCloseTo(0.0195819937439632, 12)
  expect(lawDistance({ right: roundedGaussianCdf(1e12), wrong: roundedGaussianCdf(1.21e12) })).toBeCloseTo(
    0.0230447,
    3,
  )
  const shifted =
    (by: bigint): IntegerCdf =>
    (k) =>
      fourSided(k - by)
  expect(lawDistance({ right: shifted(10n ** 9n), wrong: shifted(10n ** 9n + 1n) })).toBe(0.25)
  expect(lawDistance({ right: shifted(-5n), wrong: shifted(-5n) })).toBe(0)
})

test("refuses a cdf that never rises", () => {
  expect(() => lawDistance({ right: () => 0, wrong: fourSided })).toThrow("from 0 to 1")
})
