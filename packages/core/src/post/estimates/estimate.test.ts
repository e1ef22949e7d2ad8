import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { gaussianHalfWidth } from "../../mechanisms/shared/gaussian-width.ts"
import { laplaceHalfWidth } from "../../mechanisms/additive/laplace.ts"
import { gaussianEstimate, intervalOf, laplaceEstimate, publicEstimate, type Estimate } from "./estimate.ts"
import { combinedLaw, componentOf, covarianceAt, jointOf } from "./joint.ts"
import { normalUpper } from "./normal-quantile.ts"

const exact = (value: number) => exactly(value, "value")
const halfWidth = (estimate: Estimate, confidence: number): number => {
  const { lower, upper } = intervalOf(estimate, confidence)
  return (upper - lower) / 2
}

describe("normal quantiles", () => {
  test.each([
    [0.5, 0],
    [0.25, 0.6744897501960817],
    [0.025, 1.959963984540054],
    [0.005, 2.5758293035489004],
    [1e-9, 5.9978070150076865],
    [1e-100, 21.273453560966],
  ])("of an upper tail of %d", (p, t) => {
    expect(Math.abs(normalUpper(p) - t)).toBeLessThanOrEqual(2e-12 * Math.max(1, t))
  })

  test("fall as the tail grows", () => {
    const tail = fc.double({ min: 1e-200, max: 0.5, noNaN: true })
    fc.assert(
      fc.property(tail, tail, (p, q) => {
        if (p < q * (1 - 1e-6)) expect(normalUpper(p)).toBeGreaterThan(normalUpper(q))
      }),
    )
  })
})

describe("intervals of one value", () => {
  test("are exact for continuous Gaussian and Laplace noise", () => {
    const gaussian = gaussianEstimate({ value: 10, sigmaSquared: 4 })
    expect(intervalOf(gaussian, 0.95).exactness).toBe("exact")
    expect(halfWidth(gaussian, 0.95)).toBeCloseTo(2 * 1.959963984540054, 11)
    const laplace = laplaceEstimate({ value: 10, scale: 3 })
    expect(intervalOf(laplace, 0.95)).toMatchObject({ confidence: 0.95, exactness: "exact" })
    expect(halfWidth(laplace, 0.95)).toBeCloseTo(3 * Math.log(20), 11)
  })

  test("on the integers are those of the mechanisms, to the last count", () => {
    const confidences = fc.constantFrom(0.5, 0.68, 0.9, 0.95, 0.99, 0.999999)
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 4000 }), confidences, (eighths, confidence) => {
        const scale = eighths / 8
        const miss = exact(1 - confidence)
        const gaussian = gaussianEstimate({ value: 0, sigmaSquared: scale, grid: 1 })
        expect(halfWidth(gaussian, confidence)).toBe(Number(gaussianHalfWidth(exact(scale), miss)))
        const laplace = laplaceEstimate({ value: 0, scale, grid: 1 })
        expect(halfWidth(laplace, confidence)).toBe(Number(laplaceHalfWidth(exact(scale), miss)))
      }),
      { numRuns: 60 },
    )
  })

  test("of a Gaussian narrower than its grid are at least as wide as they must be, and say so", () => {
    for (const sigmaSquared of [0.04, 0.25, 0.8]) {
      const narrow = gaussianEstimate({ value: 0, sigmaSquared, grid: 1 })
      expect(intervalOf(narrow, 0.99).exactness).toBe("conservative")
      const least = Number(gaussianHalfWidth(exact(sigmaSquared), exact(0.01)))
      expect(halfWidth(narrow, 0.99)).toBeGreaterThanOrEqual(least)
    }
  })

  test("scale with the grid", () => {
    const count = gaussianEstimate({ value: 0, sigmaSquared: 9, grid: 1 })
    const cents = gaussianEstimate({ value: 0, sigmaSquared: 9 / 10_000, grid: 0.01 })
    expect(halfWidth(cents, 0.95) * 100).toBeCloseTo(halfWidth(count, 0.95), 9)
  })

  test("of any other law are approximate, of public numbers points", () => {
    expect(intervalOf({ value: 1, variance: 4, law: "other" }, 0.95).exactness).toBe("approximate")
    expect(intervalOf(publicEstimate(7), 0.95)).toEqual({
      lower: 7,
      upper: 7,
      confidence: 0.95,
      exactness: "exact",
    })
  })
})

describe("laws of combinations", () => {
  const gaussian = gaussianEstimate({ value: 1, sigmaSquared: 4 })
  const count = gaussianEstimate({ value: 1, sigmaSquared: 4, grid: 1 })
  const laplace = laplaceEstimate({ value: 1, scale: 2, grid: 1 })

  test("stay normal for continuous normal noise, and keep a single noisy term", () => {
    expect(combinedLaw([gaussian, gaussian], [1, 2])).toEqual({ law: "gaussian" })
    expect(combinedLaw([laplace, publicEstimate(3)], [-2, 5])).toEqual({ law: "laplace", grid: 2 })
    expect(combinedLaw([laplace, gaussian], [0, 1])).toEqual({ law: "gaussian" })
    expect(combinedLaw([], [])).toEqual({ law: "gaussian" })
  })

  test("are not claimed for sums on a grid, or of Laplace noise", () => {
    expect(combinedLaw([count, count], [1, 1])).toEqual({ law: "other" })
    expect(combinedLaw([laplace, laplace], [1, 1])).toEqual({ law: "other" })
  })

  test("joining keeps what is shared", () => {
    expect(jointOf([gaussian, publicEstimate(2)]).law).toBe("gaussian")
    expect(jointOf([laplaceEstimate({ value: 0, scale: 1 })]).law).toBe("laplace")
    const joint = jointOf([gaussian, laplace])
    expect(joint.law).toBe("other")
    expect(componentOf(joint, 0)).toEqual({ value: 1, variance: 4, law: "other" })
    expect(covarianceAt(joint, 0, 1)).toBe(0)
  })
})

describe("refuses", () => {
  const good = gaussianEstimate({ value: 1, sigmaSquared: 4 })
  test.each<readonly [string, () => unknown, string]>([
    ["a confidence of 1", () => intervalOf(good, 1), "parameter/out-of-range"],
    ["a confidence that is no number", () => intervalOf(good, Number.NaN), "parameter/out-of-range"],
    [
      "a value that is not finite",
      () => intervalOf({ ...good, value: Infinity }, 0.9),
      "parameter/not-a-number",
    ],
    ["a negative variance", () => intervalOf({ ...good, variance: -1 }, 0.9), "parameter/negative"],
    ["a grid of 0", () => intervalOf({ ...good, grid: 0 }, 0.9), "parameter/not-positive"],
    ["noise of variance 0", () => gaussianEstimate({ value: 1, sigmaSquared: 0 }), "parameter/not-positive"],
    ["a scale of 0", () => laplaceEstimate({ value: 1, scale: 0 }), "parameter/not-positive"],
    [
      "a scale that its grid swallows",
      () => laplaceEstimate({ value: 1, scale: 1e-4, grid: 1 }),
      "parameter/not-positive",
    ],
    ["a position that is not there", () => componentOf(jointOf([good]), 1), "parameter/out-of-range"],
    ["a position in nothing", () => componentOf(jointOf([]), 0), "parameter/out-of-range"],
  ])("%s", (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }))
  })
})
