// What errorOf promises before anything is paid must hold when it is drawn.

import { describe, expect, test } from "vitest"
import { countSensitivity } from "../../privacy/sensitivity.ts"
import { checkCoverage } from "../../testing/check-coverage.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { aboveThreshold, releaseAboveThreshold } from "../choices/above-threshold.ts"
import { gaussianOfVariance, releaseGaussian } from "../additive/gaussian.ts"
import { gaussianKeys, laplaceKeys, optimalKeys, releaseKeys } from "../keys/key-selection.ts"
import { laplaceOfScale, releaseLaplace } from "../additive/laplace.ts"
import { errorOf, type MechanismSpec } from "../mechanism.ts"
import { quantiles, releaseQuantiles, type QuantilesSpec } from "../quantiles/quantile.ts"
import { randomizedResponse, releaseRandomizedResponse } from "../choices/randomized-response.ts"
import {
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
} from "../additive/running-total.ts"
import { releaseSelection, releaseTopK, selection, topK } from "../choices/selection.ts"

const confidence = 0.9
const draws = 20_000
const neighbours = "add-or-remove"
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours })
const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)

/** The number that an error states, whatever its kind. */
function statedFor(spec: MechanismSpec): bigint {
  const error = errorOf(spec, confidence)
  switch (error.kind) {
    case "additive":
    case "total":
      return error.halfWidth
    case "choice":
      return error.shortfall
    case "rank":
      return error.units
    case "keys":
      return error.shownFrom
    case "report":
      throw new Error("a report has no bound")
    default:
      return error satisfies never
  }
}

describe("[E1] additive noise stays within its half width", () => {
  const exact = Array<bigint>(50).fill(7n)
  test("Laplace", () => {
    const spec = laplaceOfScale({ sensitivity, scale: "7/2" })
    const width = statedFor(spec)
    const holds = (rng: Parameters<typeof releaseLaplace>[2]) =>
      magnitude((releaseLaplace(spec, [7n], rng)[0] ?? 0n) - 7n) <= width
    // The next smaller width would keep 87 %.
    expect(checkCoverage({ name: "laplace", holds, confidence, draws })).toBeLessThan(0.96)
    const all = (rng: Parameters<typeof releaseLaplace>[2]) =>
      releaseLaplace(spec, exact, rng).filter((noisy) => magnitude(noisy - 7n) <= width).length >= 25
    checkCoverage({ name: "laplace, as a batch", holds: all, confidence: 0.999, draws: 1000 })
  })

  test("Gaussian", () => {
    const spec = gaussianOfVariance({ sensitivity, variance: 11n })
    const width = statedFor(spec)
    const holds = (rng: Parameters<typeof releaseGaussian>[2]) =>
      magnitude((releaseGaussian(spec, [7n], rng)[0] ?? 0n) - 7n) <= width
    expect(checkCoverage({ name: "gaussian", holds, confidence, draws })).toBeLessThan(0.96)
  })

  const atLastStep =
    (spec: RunningTotalSpec, width: bigint) => (rng: Parameters<typeof releaseRunningTotal>[1]) => {
      const run = releaseRunningTotal(spec, rng)
      let total = 0n
      for (let step = 0; step < 15; step += 1) total = run.next(1n)
      return magnitude(total - 15n) <= width
    }
  const steps = { horizon: 15, stepsPerUnit: 1, amountPerStep: 1, neighbours } as const

  test("running totals, at the step with the most nodes", () => {
    for (const spec of [
      runningTotal({ ...steps, epsilon: 1 }),
      runningTotalOfRho({ ...steps, rho: "1/4" }),
    ]) {
      const holds = atLastStep(spec, statedFor(spec))
      checkCoverage({ name: "running total", holds, confidence, draws: 5000 })
      // Not absurdly wide either: a third of it would not do.
      let misses = 0
      const rng = seededBits("a third of the width")
      const within = atLastStep(spec, statedFor(spec) / 3n)
      for (let i = 0; i < 500; i += 1) if (!within(rng)) misses += 1
      expect(misses).toBeGreaterThan(50)
    }
  })
})

describe("a choice falls short by no more than is stated", () => {
  const choice = { epsilon: 1, sensitivity: 1, scores: "any", candidates: 20 } as const
  test.each(["exponential", "permute-and-flip", "noisy-max"] as const)("%s", (method) => {
    const spec = selection({ ...choice, method })
    const shortfall = statedFor(spec)
    const scores = Array.from({ length: 20 }, (_, i) => (i === 0 ? 0n : -shortfall - 1n))
    checkCoverage({
      name: method,
      holds: (rng) => releaseSelection(spec, scores, rng) === 0,
      confidence,
      draws: 5000,
    })
  })

  test("top 3, each beside the best that is left", () => {
    const spec = topK({ ...choice, k: 3, epsilon: 3 })
    const shortfall = statedFor(spec)
    const scores = Array.from({ length: 20 }, (_, i) => (i < 3 ? 0n : -shortfall - 1n))
    const holds = (rng: Parameters<typeof releaseTopK>[2]) =>
      releaseTopK(spec, scores, rng).every((i) => i < 3)
    checkCoverage({ name: "top 3", holds, confidence, draws: 5000 })
  })

  test("above-threshold, for every question of a run", () => {
    const spec = aboveThreshold({ epsilon: 1, answers: 2, questions: 12, sensitivity: 1, queries: "any" })
    const far = statedFor(spec) + 1n
    const questions = Array.from({ length: 12 }, (_, i) => (i === 6 || i === 11 ? far : -far))
    const holds = (rng: Parameters<typeof releaseAboveThreshold>[2]) => {
      const run = releaseAboveThreshold(spec, 0n, rng)
      return questions.every((value) => run.ask(value) === value > 0n)
    }
    checkCoverage({ name: "above-threshold", holds, confidence, draws: 3000 })
  })

  test("randomized response tells the truth as often as it says", () => {
    const spec = randomizedResponse({ epsilon: "1.5", categories: 4 })
    const error = errorOf(spec, confidence)
    const wrong = error.kind === "report" ? error.wrong : 0
    const holds = (rng: Parameters<typeof releaseRandomizedResponse>[2]) =>
      releaseRandomizedResponse(spec, 2, rng) === 2
    const truthful = checkCoverage({ name: "report", holds, confidence: 1 - wrong, draws })
    checkCoverage({ name: "lie", holds: (rng) => !holds(rng), confidence: wrong, draws })
    expect(truthful).toBeGreaterThan(0.5)
  })
})

describe("a key of the stated size is shown", () => {
  const options = { epsilon: 1, delta: "1e-4", groupsPerUnit: 2, neighbours } as const
  test.each([optimalKeys(options), laplaceKeys(options), gaussianKeys(options)])("$kind", (spec) => {
    const units = statedFor(spec)
    const holds = (rng: Parameters<typeof releaseKeys>[2]) => releaseKeys(spec, [units], rng).length === 1
    checkCoverage({ name: spec.kind, holds, confidence, draws: 5000 })
    const lone = (rng: Parameters<typeof releaseKeys>[2]) => releaseKeys(spec, [1n], rng).length === 0
    checkCoverage({ name: `${spec.kind}, one unit`, holds: lone, confidence: 1 - 1e-4 / 2, draws })
  })
})

describe("a quantile's rank is off by no more than is stated", () => {
  const rows = 5000
  /** An exponential law on a grid of 500 cells: ties below, gaps above. */
  const histogram = new Array<bigint>(500).fill(0n)
  for (let i = 0; i < rows; i += 1) {
    const cell = Math.min(499, Math.floor(-60 * Math.log(1 - (i + 0.5) / rows)))
    histogram[cell] = (histogram[cell] ?? 0n) + 1n
  }
  const below = histogram.map((_, cell) => Number(histogram.slice(0, cell).reduce((a, b) => a + b, 0n)))

  /** How far the quantile's rank lies outside the ranks that a cell covers. */
  function rankError(cell: number, quantile: number): number {
    const from = below[cell] ?? 0
    const to = from + Number(histogram[cell] ?? 0n)
    return Math.max(0, from - quantile * rows, quantile * rows - to)
  }

  const tenths = Array.from({ length: 9 }, (_, i) => `0.${i + 1}`)
  const options = { cells: 500, rowsPerUnit: 1, neighbours, epsilon: 1 } as const

  test("one, and nine by recursion", () => {
    for (const [wanted, slots] of [
      [["0.3"], 1n],
      [tenths, 4n],
    ] as const) {
      const spec: QuantilesSpec = { ...quantiles({ ...options, quantiles: wanted }), slots }
      // The fullest cell has 83 rows, so a slot has at most 21 a level.
      const limit = Number(statedFor(spec)) + (slots > 1n ? 4 * 21 : 0)
      const holds = (rng: Parameters<typeof releaseQuantiles>[2]) =>
        releaseQuantiles(spec, histogram, rng).every((cell, i) => rankError(cell, Number(wanted[i])) <= limit)
      checkCoverage({ name: `${wanted.length} quantiles`, holds, confidence, draws: 500 })
    }
  })

  test("and is small on average: about 1 for one quantile, below 15 for nine", () => {
    const rng = seededBits("mean rank error")
    const mean = (wanted: readonly string[], runs: number): number => {
      const spec = quantiles({ ...options, quantiles: wanted })
      let sum = 0
      for (let run = 0; run < runs; run += 1) {
        const cells = releaseQuantiles(spec, histogram, rng)
        sum += cells.reduce((total, cell, i) => total + rankError(cell, Number(wanted[i])), 0)
      }
      return sum / runs / wanted.length
    }
    expect(mean(["0.5"], 400)).toBeLessThan(2)
    expect(mean(tenths, 20)).toBeLessThan(15)
  })
})
