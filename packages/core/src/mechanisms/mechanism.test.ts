import { expect, test } from "vitest"
import { showLoss, type Measure } from "../privacy/loss.ts"
import { countSensitivity } from "../privacy/sensitivity.ts"
import { refusalOf } from "../testing/refusals.ts"
import { aboveThreshold, aboveThresholdError, aboveThresholdLoss } from "./choices/above-threshold.ts"
import { gaussian, gaussianError, gaussianLoss } from "./additive/gaussian.ts"
import { gaussianKeys, keyError, keyLoss, laplaceKeys, optimalKeys } from "./keys/key-selection.ts"
import { laplace, laplaceError, laplaceLoss } from "./additive/laplace.ts"
import { errorOf, lossIn, lossOf, type MechanismSpec } from "./mechanism.ts"
import { quantiles, quantilesError, quantilesLoss } from "./quantiles/quantile.ts"
import {
  randomizedResponse,
  randomizedResponseError,
  randomizedResponseLoss,
} from "./choices/randomized-response.ts"
import {
  runningTotal,
  runningTotalError,
  runningTotalLoss,
  runningTotalOfRho,
} from "./additive/running-total.ts"
import { selection, selectionError, selectionLoss, topK, topKLoss } from "./choices/selection.ts"
import { rational } from "../exact/rational.ts"

const neighbours = "add-or-remove"
const sensitivity = countSensitivity({ groupsPerUnit: 2, rowsPerGroup: 3, neighbours })
const [epsilon, delta] = ["0.5", "1e-6"]
const keyOptions = { epsilon, delta, groupsPerUnit: 2, neighbours } as const
const choice = { epsilon, sensitivity: 1, scores: "any", candidates: 7 } as const
const totals = { horizon: 10, stepsPerUnit: 1, amountPerStep: 1, neighbours } as const

const specs = {
  laplace: laplace({ sensitivity, epsilon }),
  gaussian: gaussian({ sensitivity, epsilon, delta }),
  exponential: selection({ ...choice, method: "exponential" }),
  "top-k": topK({ ...choice, k: 3 }),
  "above-threshold": aboveThreshold({ epsilon, answers: 1, questions: 9, sensitivity: 1, queries: "any" }),
  "randomized-response": randomizedResponse({ epsilon, categories: 4 }),
  "keys-optimal": optimalKeys(keyOptions),
  "keys-laplace": laplaceKeys(keyOptions),
  "keys-gaussian": gaussianKeys(keyOptions),
  quantiles: quantiles({ quantiles: ["0.3"], cells: 9, rowsPerUnit: 1, neighbours, epsilon }),
  "running-total": runningTotal({ ...totals, epsilon }),
  "running-total-gaussian": runningTotalOfRho({ ...totals, rho: "0.01" }),
}

test("[L1] reads every loss from the mechanism itself", () => {
  expect(lossOf(specs.laplace)).toEqual(laplaceLoss(specs.laplace))
  expect(lossOf(specs.gaussian)).toEqual(gaussianLoss(specs.gaussian))
  expect(lossOf(specs.exponential)).toEqual(selectionLoss(specs.exponential))
  expect(lossOf(specs["top-k"])).toEqual(topKLoss(specs["top-k"]))
  expect(lossOf(specs["above-threshold"])).toEqual(aboveThresholdLoss(specs["above-threshold"]))
  expect(lossOf(specs["randomized-response"])).toEqual(randomizedResponseLoss(specs["randomized-response"]))
  for (const kind of ["keys-optimal", "keys-laplace", "keys-gaussian"] as const) {
    expect(lossOf(specs[kind])).toEqual(keyLoss(specs[kind]))
  }
  expect(lossOf(specs.quantiles)).toEqual(quantilesLoss(specs.quantiles))
  expect(lossOf(specs["running-total"])).toEqual(runningTotalLoss(specs["running-total"]))
})

test("reads every error from the mechanism itself", () => {
  const [sure, miss] = [rational(9n, 10n), rational(1n, 10n)]
  const at = (spec: MechanismSpec) => errorOf(spec, "0.9")
  expect(at(specs.laplace)).toEqual(laplaceError(specs.laplace, sure))
  expect(at(specs.gaussian)).toEqual(gaussianError(specs.gaussian, sure))
  expect(at(specs.exponential)).toEqual(selectionError(specs.exponential, miss))
  expect(at(specs["top-k"])).toEqual(selectionError(specs["top-k"], miss))
  expect(at(specs["above-threshold"])).toEqual(aboveThresholdError(specs["above-threshold"], miss))
  expect(at(specs["randomized-response"])).toEqual(randomizedResponseError(specs["randomized-response"]))
  for (const kind of ["keys-optimal", "keys-laplace", "keys-gaussian"] as const) {
    expect(at(specs[kind])).toEqual(keyError(specs[kind], miss))
  }
  expect(at(specs.quantiles)).toEqual(quantilesError(specs.quantiles, miss))
  expect(at(specs["running-total"])).toEqual(runningTotalError(specs["running-total"], miss))
})

const measures: Record<keyof typeof specs, readonly Measure[]> = {
  laplace: ["pure", "zcdp", "gdp"],
  gaussian: ["zcdp", "gdp"],
  exponential: ["pure", "zcdp", "gdp"],
  "top-k": ["pure", "zcdp", "gdp"],
  "above-threshold": ["pure", "zcdp", "gdp"],
  "randomized-response": ["pure", "zcdp", "gdp"],
  "keys-optimal": ["approx", "zcdp", "gdp"],
  "keys-laplace": ["approx", "zcdp", "gdp"],
  "keys-gaussian": ["approx", "zcdp", "gdp"],
  quantiles: ["pure", "zcdp", "gdp"],
  "running-total": ["pure", "zcdp"],
  "running-total-gaussian": ["zcdp", "gdp"],
}

test.each(Object.entries(specs))("gives the losses that %s has, and refuses the others", (name, spec) => {
  const has = Object.entries(measures).find(([key]) => key === name)?.[1] ?? []
  for (const measure of ["pure", "approx", "zcdp", "gdp"] as const) {
    if (has.includes(measure)) {
      expect(lossIn(spec, measure).measure).toBe(measure)
      continue
    }
    const error = refusalOf(() => lossIn(spec, measure))
    expect(error.code).toBe("privacy/no-such-loss")
    expect(error.message).toContain(measure)
  }
})

test("[L1] costs what was asked for where a pure loss was", () => {
  for (const spec of Object.values(specs)) {
    const { pure } = lossOf(spec)
    if (pure === undefined || spec.kind === "randomized-response") continue
    expect(showLoss(pure)).toBe("epsilon 0.5")
  }
})

test.each([0, 1, -1, 2, "1.0001"])("refuses a confidence of %s", (confidence) => {
  for (const spec of Object.values(specs)) {
    expect(refusalOf(() => errorOf(spec, confidence)).code).toBe("parameter/out-of-range")
  }
})
