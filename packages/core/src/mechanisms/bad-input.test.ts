// Threat B4: an unknown bound, a missing sensitivity or a scale of 0 must never mean "no noise". Everything
// that a caller can get wrong is refused, with a code and a remedy, before there is a mechanism to draw with.

import { expect, test } from "vitest"
import type { CoreErrorCode } from "../errors/errors.ts"
import type { Numeric } from "../exact/decimal.ts"
import { countSensitivity, type Sensitivity } from "../privacy/sensitivity.ts"
import { refusalOf } from "../testing/refusals.ts"
import { aboveThreshold } from "./choices/above-threshold.ts"
import {
  gaussian,
  gaussianClassic,
  gaussianOfMu,
  gaussianOfRho,
  gaussianOfVariance,
} from "./additive/gaussian.ts"
import { gaussianKeys, gaussianKeysOfVariance, laplaceKeys, optimalKeys } from "./keys/key-selection.ts"
import { laplace, laplaceOfScale } from "./additive/laplace.ts"
import { quantiles } from "./quantiles/quantile.ts"
import { randomizedResponse, randomizedResponseOfTruth } from "./choices/randomized-response.ts"
import { runningTotal, runningTotalOfRho } from "./additive/running-total.ts"
import { selection, topK } from "./choices/selection.ts"

const neighbours = "add-or-remove"
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours })
const keys = { epsilon: 1, delta: "1e-6", groupsPerUnit: 1, neighbours } as const
const choice = { epsilon: 1, sensitivity: 1, scores: "any", candidates: 3 } as const
const sparse = { epsilon: 1, answers: 1, questions: 5, sensitivity: 1, queries: "any" } as const
const grid = { quantiles: ["0.5"], cells: 4, rowsPerUnit: 1, neighbours, epsilon: 1 } as const
const steps = { horizon: 4, stepsPerUnit: 1, amountPerStep: 1, neighbours } as const

/** Makes a mechanism from one parameter, all others being right. */
type Make = (value: Numeric) => unknown

const positive: Record<string, Make> = {
  "laplace epsilon": (epsilon) => laplace({ sensitivity, epsilon }),
  "laplace scale": (scale) => laplaceOfScale({ sensitivity, scale }),
  "gaussian epsilon": (epsilon) => gaussian({ sensitivity, epsilon, delta: "1e-6" }),
  "classic epsilon": (epsilon) => gaussianClassic({ sensitivity, epsilon, delta: "1e-6" }),
  "gaussian rho": (rho) => gaussianOfRho({ sensitivity, rho }),
  "gaussian mu": (mu) => gaussianOfMu({ sensitivity, mu }),
  "gaussian variance": (variance) => gaussianOfVariance({ sensitivity, variance }),
  "selection epsilon": (epsilon) => selection({ ...choice, method: "noisy-max", epsilon }),
  "top-k epsilon": (epsilon) => topK({ ...choice, k: 1, epsilon }),
  "above-threshold epsilon": (epsilon) => aboveThreshold({ ...sparse, epsilon }),
  "randomized response epsilon": (epsilon) => randomizedResponse({ epsilon, categories: 2 }),
  "randomized response truth": (truth) => randomizedResponseOfTruth({ truth, categories: 2 }),
  "optimal keys epsilon": (epsilon) => optimalKeys({ ...keys, epsilon }),
  "laplace keys epsilon": (epsilon) => laplaceKeys({ ...keys, epsilon }),
  "gaussian keys epsilon": (epsilon) => gaussianKeys({ ...keys, epsilon }),
  "gaussian keys variance": (variance) => gaussianKeysOfVariance({ ...keys, variance }),
  "quantiles epsilon": (epsilon) => quantiles({ ...grid, epsilon }),
  "running total epsilon": (epsilon) => runningTotal({ ...steps, epsilon }),
  "running total rho": (rho) => runningTotalOfRho({ ...steps, rho }),
}

test.each(Object.entries(positive))("[M1] %s must be a positive number", (_, make) => {
  for (const value of [0, -0, -1, "0", "-0.5", 0n, { numerator: 0n, denominator: 1n }]) {
    expect(refusalOf(() => make(value)).code).toBe("parameter/not-positive")
  }
  for (const value of [
    Number.NaN,
    Infinity,
    -Infinity,
    "",
    "ten",
    "1/0",
    "0x10",
    { numerator: 1n, denominator: 0n },
  ]) {
    expect(refusalOf(() => make(value)).code).toBe("parameter/not-a-number")
  }
  expect(refusalOf(() => make("1e-9999")).code).toBe("parameter/out-of-range")
  expect(refusalOf(() => make(1n << 5000n)).code).toBe("parameter/too-large")
})

const deltas: Record<string, Make> = {
  gaussian: (delta) => gaussian({ sensitivity, epsilon: 1, delta }),
  "classic gaussian": (delta) => gaussianClassic({ sensitivity, epsilon: 1, delta }),
  "optimal keys": (delta) => optimalKeys({ ...keys, delta }),
  "laplace keys": (delta) => laplaceKeys({ ...keys, delta }),
  "gaussian keys": (delta) => gaussianKeys({ ...keys, delta }),
  "gaussian keys of a variance": (delta) => gaussianKeysOfVariance({ ...keys, variance: 1, delta }),
}

test.each(Object.entries(deltas))("delta of %s must lie strictly between 0 and 1", (_, make) => {
  for (const value of [-0.1, 1, 1.5, "2"])
    expect(refusalOf(() => make(value)).code).toBe("parameter/out-of-range")
  expect(["parameter/out-of-range", "parameter/not-positive"]).toContain(refusalOf(() => make(0)).code)
  expect(refusalOf(() => make(Number.NaN)).code).toBe("parameter/not-a-number")
})

const counts: Record<string, Make> = {
  "top-k": (k) => topK({ ...choice, k }),
  "above-threshold answers": (answers) => aboveThreshold({ ...sparse, answers }),
  "above-threshold questions": (questions) => aboveThreshold({ ...sparse, questions }),
  "groups per unit of optimal keys": (groupsPerUnit) => optimalKeys({ ...keys, groupsPerUnit }),
  "groups per unit of Laplace keys": (groupsPerUnit) => laplaceKeys({ ...keys, groupsPerUnit }),
  "groups per unit of Gaussian keys": (groupsPerUnit) => gaussianKeys({ ...keys, groupsPerUnit }),
  "groups per unit of a variance": (groupsPerUnit) =>
    gaussianKeysOfVariance({ ...keys, variance: 1, groupsPerUnit }),
  "rows per unit": (rowsPerUnit) => quantiles({ ...grid, rowsPerUnit }),
  horizon: (horizon) => runningTotal({ ...steps, horizon, epsilon: 1 }),
  "steps per unit": (stepsPerUnit) => runningTotalOfRho({ ...steps, stepsPerUnit, rho: 1 }),
  categories: (categories) => randomizedResponse({ epsilon: 1, categories }),
}

test.each(Object.entries(counts))("%s must be a whole number from 1", (_, make) => {
  for (const value of [0, -1, "-3"]) expect(refusalOf(() => make(value)).code).toBe("parameter/out-of-range")
  for (const value of [0.5, "1/2", 2 ** -30])
    expect(refusalOf(() => make(value)).code).toBe("parameter/not-an-integer")
  expect(refusalOf(() => make(Number.NaN)).code).toBe("parameter/not-a-number")
})

const zeroSensitivities: Record<string, Make> = {
  selection: (value) => selection({ ...choice, method: "exponential", sensitivity: value }),
  "top-k": (value) => topK({ ...choice, k: 1, sensitivity: value }),
  "above-threshold": (value) => aboveThreshold({ ...sparse, sensitivity: value }),
  "running total": (value) => runningTotal({ ...steps, amountPerStep: value, epsilon: 1 }),
}

test.each(Object.entries(zeroSensitivities))("a sensitivity of 0 is refused by %s", (_, make) => {
  expect(refusalOf(() => make(0)).code).toBe("privacy/zero-sensitivity")
  expect(refusalOf(() => make(-1)).code).toBe("parameter/out-of-range")
  expect(refusalOf(() => make(0.5)).code).toBe("parameter/not-an-integer")
})

test("a sensitivity of 0 made by hand is refused by every additive mechanism", () => {
  const nothing: Sensitivity = { neighbours, patterns: [[{ groups: 1n, amount: 0n }]] }
  const makes = [
    () => laplace({ sensitivity: nothing, epsilon: 1 }),
    () => laplaceOfScale({ sensitivity: nothing, scale: 1 }),
    () => gaussian({ sensitivity: nothing, epsilon: 1, delta: "1e-6" }),
    () => gaussianClassic({ sensitivity: nothing, epsilon: 1, delta: "1e-6" }),
    () => gaussianOfRho({ sensitivity: nothing, rho: 1 }),
    () => gaussianOfMu({ sensitivity: nothing, mu: 1 }),
    () => gaussianOfVariance({ sensitivity: nothing, variance: 1 }),
  ]
  for (const make of makes) expect(refusalOf(make).code).toBe("privacy/zero-sensitivity")
})

test.each<[CoreErrorCode, string, () => unknown]>([
  ["parameter/empty", "no candidates", () => selection({ ...choice, method: "exponential", candidates: 0 })],
  ["parameter/empty", "no candidates for the top k", () => topK({ ...choice, k: 1, candidates: 0 })],
  ["parameter/too-large", "more than all", () => topK({ ...choice, k: 4 })],
  ["parameter/empty", "no quantiles", () => quantiles({ ...grid, quantiles: [] })],
  ["parameter/empty", "no cells", () => quantiles({ ...grid, cells: 0 })],
  ["parameter/out-of-range", "quantile 0", () => quantiles({ ...grid, quantiles: [0] })],
  ["parameter/out-of-range", "quantile 1", () => quantiles({ ...grid, quantiles: ["0.5", 1] })],
  ["parameter/not-a-number", "quantile NaN", () => quantiles({ ...grid, quantiles: [Number.NaN] })],
  ["parameter/out-of-range", "one category", () => randomizedResponse({ epsilon: 1, categories: 1 })],
  [
    "parameter/too-large",
    "too many categories",
    () => randomizedResponse({ epsilon: 1, categories: 2 ** 33 }),
  ],
  [
    "parameter/out-of-range",
    "truth by chance",
    () => randomizedResponseOfTruth({ truth: "1/3", categories: 3 }),
  ],
  [
    "parameter/out-of-range",
    "nothing but truth",
    () => randomizedResponseOfTruth({ truth: 1, categories: 3 }),
  ],
  [
    "privacy/classic-gaussian-range",
    "textbook above 1",
    () => gaussianClassic({ sensitivity, epsilon: "1.0001", delta: "1e-6" }),
  ],
])("refuses with %s: %s", (code, _, make) => {
  expect(refusalOf(make).code).toBe(code)
})
