// The references against figures that were published or computed for them, so that what we are compared with
// is the real thing. Draws are seeded: the same every time.

import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { referenceMean, referenceVariance } from "./reference-additive.ts"
import {
  gaussianThreshold,
  keepProbabilities,
  laplaceThreshold,
  weightedThreshold,
} from "./reference-keys.ts"
import {
  analyticKind,
  analyticSigma,
  classicalKind,
  classicalSigma,
  laplaceKind,
  normalCdf,
  PlainNoise,
} from "./reference-noise.ts"
import { rankError, referenceExponential, referenceTree } from "./reference-quantiles.ts"

const seed = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed"
const delta = 1e-6
const noise = new PlainNoise(seededBits(seed))

test("the analytic Gaussian has its published scale", () => {
  const scales = { 0.1: 36.30469, 0.5: 8.05762, 1: 4.22468, 2: 2.23048, 5: 0.98005, 10: 0.54109, 20: 0.30909 }
  for (const [epsilon, sigma] of Object.entries(scales)) {
    expect(analyticSigma({ epsilon: Number(epsilon), delta })).toBeCloseTo(sigma, 4)
  }
  expect(normalCdf(-1.959963984540054)).toBeCloseTo(0.025, 12)
  expect(normalCdf(-8) / 6.220960574271786e-16).toBeCloseTo(1, 10)
})

test("the textbook's Gaussian takes more variance by what is published", () => {
  const saved = { 0.1: 53, 0.5: 42, 1: 36, 2: 29, 5: 14 }
  for (const [epsilon, percent] of Object.entries(saved)) {
    const loss = { epsilon: Number(epsilon), delta }
    expect(100 * (1 - (analyticSigma(loss) / classicalSigma(loss)) ** 2)).toBeCloseTo(percent, -0.5)
  }
})

test("Gaussian noise beats Laplace noise from nine groups per unit on", () => {
  const loss = { epsilon: 1, delta }
  const better = Array.from({ length: 20 }, (_, place) => place + 1).find((groups) => {
    const reach = { groups, amount: 1 }
    return analyticKind.variance(loss, reach) < laplaceKind.variance(loss, reach)
  })
  expect(better).toBe(9)
  expect(classicalKind.variance(loss, { groups: 1, amount: 1 })).toBeCloseTo(classicalSigma(loss) ** 2, 10)
})

test.each([
  { groups: 1, geometric: 14, laplace: 14.1, gaussian: 22.4 },
  { groups: 4, geometric: 53, laplace: 59, gaussian: 46 },
  { groups: 16, geometric: 211, laplace: 255, gaussian: 95.5 },
])("keys are shown to one half from the published number of units on: $groups groups", (published) => {
  const { groups, geometric, laplace, gaussian } = published
  const loss = { epsilon: 1, delta }
  const keep = keepProbabilities(loss, groups, 400)
  expect(keep.findIndex((probability) => probability >= 0.5)).toBe(geometric)
  expect(Math.abs(laplaceThreshold(loss, groups) - laplace)).toBeLessThan(0.5)
  expect(Math.abs(gaussianThreshold(loss, groups).threshold - gaussian)).toBeLessThan(0.5)
  // Of people who are all in as many groups, weights ask for as many.
  expect(weightedThreshold(loss, groups).threshold * Math.sqrt(groups)).toBeCloseTo(
    gaussianThreshold(loss, groups).threshold,
    9,
  )
})

const range = { lower: 0, upper: 1000 }
/** Log-normal values. Where those near a quantile are matters for one draw, so there are several sets. */
const samples = Array.from({ length: 25 }, () =>
  Array.from({ length: 5000 }, () => Math.min(1000, Math.exp(3 + noise.gaussian(1)))).toSorted(
    (a, b) => a - b,
  ),
)
const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

function meanRankError(
  fractions: readonly number[],
  answer: (sorted: readonly number[]) => readonly number[],
): number {
  const runs = 4
  let sum = 0
  for (const sorted of samples) {
    for (let run = 0; run < runs; run += 1) {
      for (const [place, value] of answer(sorted).entries()) {
        sum += rankError(sorted, fractions[place] ?? 0, value)
      }
    }
  }
  return sum / (samples.length * runs * fractions.length)
}

test.each([
  { fractions: [0.5], epsilon: 1, exponential: 1, tree: 20.3 },
  { fractions: [0.25, 0.5, 0.75], epsilon: 1, exponential: 4.5, tree: 19.5 },
  { fractions: tenths, epsilon: 1, exponential: 12.8, tree: 20.2 },
  { fractions: tenths, epsilon: 0.5, exponential: 27.4, tree: 24.7 },
])("quantiles err by about what was computed: $fractions.length at epsilon $epsilon", (published) => {
  const { fractions, epsilon } = published
  const question = { fractions, range, groups: 1 }
  const loss = { epsilon, delta }
  const exponential = meanRankError(fractions, (sorted) =>
    referenceExponential({ ...question, sorted }, loss, noise),
  )
  const tree = meanRankError(fractions, (sorted) =>
    referenceTree({ ...question, sorted }, loss, { kind: laplaceKind, noise }),
  )
  expect(exponential / published.exponential).toBeGreaterThan(0.75)
  expect(exponential / published.exponential).toBeLessThan(1.25)
  expect(tree / published.tree).toBeGreaterThan(0.6)
  expect(tree / published.tree).toBeLessThan(1.6)
})

test("a mean with half for the sum and half for the count has its known error", () => {
  const [count, runs] = [1000, 20_000]
  const unit = { lower: 0, upper: 1 }
  for (const mean of [0.1, 0.5, 0.8]) {
    const exact = { count, sum: mean * count, squares: 0 }
    const protection = { kind: laplaceKind, noise, loss: { epsilon: 1, delta: 0 }, groups: 1 }
    let squares = 0
    for (let run = 0; run < runs; run += 1) squares += (referenceMean(exact, unit, protection) - mean) ** 2
    const known = (2 * (1 + 4 * (mean - 0.5) ** 2)) / count ** 2
    expect(squares / runs / known).toBeGreaterThan(0.93)
    expect(squares / runs / known).toBeLessThan(1.07)
  }
})

test("without noise the references give the exact answers", () => {
  const exact = { count: 4, sum: 20, squares: 120 }
  const silent = { ...laplaceKind, draw: () => 0 }
  const protection = { kind: silent, noise, loss: { epsilon: 1, delta }, groups: 1 }
  expect(referenceMean(exact, { lower: 0, upper: 10 }, protection)).toBe(5)
  expect(referenceVariance(exact, { lower: 0, upper: 10 }, protection)).toBe(5)
  const [sorted = []] = samples
  const question = { sorted, fractions: tenths, range, groups: 1 }
  const answers = referenceTree(question, { epsilon: 1, delta }, { kind: silent, noise })
  answers.forEach((answer, place) => {
    // Children with less than 0.5 % of the rows are taken as empty.
    expect(rankError(sorted, tenths[place] ?? 0, answer)).toBeLessThan(0.01 * sorted.length)
  })
})
