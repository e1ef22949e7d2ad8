import { describe, expect, test } from "vitest"
import {
  addEstimates,
  combineEstimates,
  combineJoint,
  scaleEstimate,
  shiftEstimate,
  subtractEstimates,
} from "./arithmetic.ts"
import { gaussianEstimate, intervalOf, laplaceEstimate, publicEstimate, type Estimate } from "./estimate.ts"
import { jointOf, type JointEstimate } from "./joint.ts"
import { mergeEstimates, mergeJoint } from "../consistency/merge.ts"
import { ratePer, ratioOf, standardisedRate, type Quotient } from "../population/rates.ts"

const gaussian = (value: number, sigmaSquared: number): Estimate => gaussianEstimate({ value, sigmaSquared })
const shared = (rows: readonly (readonly number[])[], values: readonly number[]): JointEstimate => {
  return { values, covariance: { kind: "dense", rows }, law: "gaussian" }
}

describe("linear arithmetic", () => {
  test("adds variances, with squares of the coefficients", () => {
    expect(addEstimates([gaussian(1, 2), gaussian(3, 4)])).toEqual({ value: 4, variance: 6, law: "gaussian" })
    expect(subtractEstimates(gaussian(1, 2), gaussian(3, 4))).toEqual({
      value: -2,
      variance: 6,
      law: "gaussian",
    })
    const count = laplaceEstimate({ value: 8, scale: 3, grid: 1 })
    expect(scaleEstimate(count, -0.5)).toEqual({
      ...count,
      value: -4,
      variance: count.variance / 4,
      grid: 0.5,
    })
    expect(shiftEstimate(count, 2)).toEqual({ ...count, value: 10 })
    expect(addEstimates([])).toEqual({ value: 0, variance: 0, law: "gaussian" })
  })

  test("uses the covariance of values that share noise", () => {
    const joint = shared(
      [
        [4, 3],
        [3, 9],
      ],
      [10, 20],
    )
    expect(combineJoint(joint, [1, 1])).toEqual({ value: 30, variance: 19, law: "gaussian" })
    expect(combineJoint(joint, [1, -1])).toEqual({ value: -10, variance: 7, law: "gaussian" })
    const laplace = jointOf([
      laplaceEstimate({ value: 1, scale: 1 }),
      laplaceEstimate({ value: 2, scale: 1 }),
    ])
    expect(combineJoint(laplace, [1, 1])).toEqual({ value: 3, variance: 4, law: "other" })
    expect(combineJoint(laplace, [0, 3])).toEqual({ value: 6, variance: 18, law: "laplace" })
  })

  test.each<readonly [string, () => unknown, string]>([
    ["too few coefficients", () => combineEstimates([gaussian(1, 1)], []), "parameter/length"],
    ["a factor that is no number", () => scaleEstimate(gaussian(1, 1), Number.NaN), "parameter/not-a-number"],
    [
      "a negative variance of a sum",
      () =>
        combineJoint(
          shared(
            [
              [1, -0.9, -0.9],
              [-0.9, 1, -0.9],
              [-0.9, -0.9, 1],
            ],
            [0, 0, 0],
          ),
          [1, 1, 1],
        ),
      "postprocess/not-a-covariance",
    ],
  ])("refuses %s", (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }))
  })
})

describe("merging", () => {
  test("weighs by inverse variance", () => {
    expect(mergeEstimates([gaussian(10, 1), gaussian(16, 2)])).toEqual({
      value: 12,
      variance: 2 / 3,
      law: "gaussian",
    })
    const laplace = laplaceEstimate({ value: 3, scale: 2, grid: 1 })
    expect(mergeEstimates([laplace])).toEqual(laplace)
    expect(mergeEstimates([laplace, laplace]).law).toBe("other")
  })

  test("lets a public number settle it", () => {
    expect(mergeEstimates([gaussian(10, 1), publicEstimate(11), gaussian(9, 4)])).toEqual(publicEstimate(11))
    expect(mergeEstimates([publicEstimate(11), publicEstimate(11)])).toEqual(publicEstimate(11))
  })

  test("with shared noise gives the weights of generalized least squares", () => {
    // Weights in proportion to C^-1 1: (9 - 3, 4 - 3) / 7.
    const merged = mergeJoint(
      shared(
        [
          [4, 3],
          [3, 9],
        ],
        [10, 17],
      ),
    )
    expect(merged.value).toBeCloseTo(11, 10)
    expect(merged.variance).toBeCloseTo((4 * 9 - 9) / 7, 10)
    expect(mergeJoint(jointOf([gaussian(10, 1), gaussian(16, 2)])).value).toBeCloseTo(12, 10)
  })

  test.each<readonly [string, () => unknown, string]>([
    ["nothing", () => mergeEstimates([]), "parameter/empty"],
    ["nothing jointly", () => mergeJoint(jointOf([])), "parameter/empty"],
    [
      "public numbers that differ",
      () => mergeEstimates([publicEstimate(1), publicEstimate(2)]),
      "postprocess/conflict",
    ],
    [
      "shared public numbers that differ",
      () => mergeJoint(jointOf([publicEstimate(1), publicEstimate(2)])),
      "postprocess/infeasible",
    ],
  ])("refuses %s", (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }))
  })
})

describe("ratios", () => {
  const quotient: Quotient = { numerator: gaussian(50, 16), denominator: gaussian(200, 25), covariance: 5 }

  test("have Fieller's interval: its ends are where N - t D is z standard deviations from 0", () => {
    const { value, interval } = ratioOf(quotient, 0.95)
    expect(value).toBe(0.25)
    expect(interval.exactness).toBe("exact")
    for (const t of [interval.lower, interval.upper]) {
      const spread = Math.sqrt(16 - 2 * t * 5 + t * t * 25)
      expect(Math.abs(50 - t * 200) / spread).toBeCloseTo(1.959963984540054, 8)
    }
  })

  test("are near the delta method where the denominator is sure", () => {
    const sure = { numerator: gaussian(5e5, 16), denominator: gaussian(2e6, 25) }
    const { value = 0, variance, interval } = ratioOf(sure, 0.95)
    const byDelta = intervalOf({ value, variance, law: "gaussian" }, 0.95)
    expect((interval.upper - interval.lower) / (byDelta.upper - byDelta.lower)).toBeCloseTo(1, 6)
  })

  test("claim nothing where the denominator may be 0", () => {
    const open = { lower: -Infinity, upper: Infinity, confidence: 0.95, exactness: "conservative" }
    const unsure = { numerator: gaussian(5, 1), denominator: gaussian(3, 4) }
    expect(ratioOf(unsure, 0.95).interval).toEqual(open)
    expect(ratioOf(unsure, 0.5).interval.upper).toBeLessThan(Infinity)
    const zero = { numerator: gaussian(5, 1), denominator: publicEstimate(0) }
    expect(ratioOf(zero, 0.95)).toEqual({ value: undefined, variance: Infinity, interval: open })
    expect(ratePer(zero, { per: 1000, confidence: 0.95 }).value).toBeUndefined()
  })

  test("by a public number keep the numerator's exact interval", () => {
    const numerator = laplaceEstimate({ value: 30, scale: 2, grid: 1 })
    const { interval } = ratePer(
      { numerator, denominator: publicEstimate(1500) },
      { per: 1000, confidence: 0.9 },
    )
    const count = intervalOf(numerator, 0.9)
    expect(interval.exactness).toBe("exact")
    expect(interval.lower).toBeCloseTo(count.lower / 1.5, 10)
    expect(interval.upper).toBeCloseTo(count.upper / 1.5, 10)
  })

  test("of other laws are approximate", () => {
    const numerator = laplaceEstimate({ value: 30, scale: 2 })
    expect(ratioOf({ numerator, denominator: gaussian(90, 1) }, 0.9).interval.exactness).toBe("approximate")
  })
})

describe("standardised rates", () => {
  const options = { per: 1000, confidence: 0.95 }
  const young = { numerator: gaussian(10, 4), denominator: publicEstimate(1000), weight: 3 }
  const old = { numerator: gaussian(90, 4), denominator: publicEstimate(500), weight: 1 }

  test("weigh the strata, and are exact with public denominators", () => {
    const rate = standardisedRate([young, old], options)
    expect(rate.value).toBeCloseTo(0.75 * 10 + 0.25 * 180, 10)
    expect(rate.variance).toBeCloseTo(0.75 ** 2 * 4 + (0.25 * 2) ** 2 * 4, 10)
    expect(rate.interval.exactness).toBe("exact")
  })

  test("are approximate with noisy ones, open with unsure ones, and missing with a 0", () => {
    const noisy = { ...old, denominator: gaussian(500, 9) }
    expect(standardisedRate([young, noisy], options).interval.exactness).toBe("approximate")
    const unsure = { ...old, denominator: gaussian(5, 9) }
    expect(standardisedRate([young, unsure], options).interval.upper).toBe(Infinity)
    expect(standardisedRate([young, { ...unsure, weight: 0 }], options).value).toBeCloseTo(10, 10)
    const missing = { ...old, denominator: publicEstimate(0) }
    expect(standardisedRate([young, missing], options).value).toBeUndefined()
  })

  test.each<readonly [string, () => unknown, string]>([
    ["no strata", () => standardisedRate([], options), "parameter/empty"],
    ["a negative weight", () => standardisedRate([{ ...young, weight: -1 }], options), "parameter/negative"],
    ["per nobody", () => ratePer(young, { per: 0, confidence: 0.9 }), "parameter/not-positive"],
    [
      "a covariance that cannot be",
      () => ratioOf({ ...young, covariance: 1 }, 0.9),
      "postprocess/not-a-covariance",
    ],
  ])("refuse %s", (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }))
  })
})
