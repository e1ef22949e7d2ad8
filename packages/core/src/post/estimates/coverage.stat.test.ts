// Stated intervals against noise from the real samplers: they must cover as often as they say, and a tenth
// less variance must have been noticed.

import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { fillDiscreteLaplace } from "../../noise/discrete-laplace.ts"
import { fillRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import {
  clopperPearson,
  discreteLaplaceCdf,
  freshSeed,
  roundedGaussianCdf,
  seededBits,
  spendAlpha,
  type IntegerCdf,
} from "../../testing/index.ts"
import { gaussianEstimate, intervalOf, laplaceEstimate, type Estimate, type Interval } from "./estimate.ts"
import { componentOf, jointOf } from "./joint.ts"
import { imposeEqualities } from "../consistency/least-squares.ts"
import { reconcileMargins, type ReleasedMargin } from "../consistency/reconcile-margins.ts"
import { mergeEstimates } from "../consistency/merge.ts"
import { cutBelowNoise } from "../consistency/simplex.ts"
import { ratioOf, standardisedRate } from "../population/rates.ts"
import { reconcileTree } from "../consistency/reconcile-tree.ts"

const trials = 60_000
const alpha = 1e-9
const confidence = 0.8
/**
 * What an interval of this confidence covers if the variance is understated by a tenth: P(|Z| < 1.2816
 * sqrt(0.9)).
 */
const understated = 0.776
/** Noise this wide against its grid is normal for all that these tests can see. */
const sigmaSquared = 900

const seed = freshSeed()
const rng = seededBits(seed)

/** Rounded normal noise, `count` for each trial, a list at a time. */
function* gaussianNoise(count: number, variance = sigmaSquared): Generator<number[]> {
  const noise = new Float64Array(count * trials)
  fillRoundedGaussian(noise, exactly(variance, "variance"), rng)
  for (let start = 0; start < noise.length; start += count) yield [...noise.subarray(start, start + count)]
}

/**
 * Fails unless the coverage lies in [least, most] for all that is counted; a false alarm has
 * chance alpha.
 */
function checkCoverage(
  covered: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  spendAlpha(alpha)
  const bounds = clopperPearson({ successes: covered, trials, alpha: alpha / 2 })
  expect(bounds.upper, `covers too rarely, SEED=${seed}`).toBeGreaterThanOrEqual(least)
  expect(bounds.lower, `covers too often, SEED=${seed}`).toBeLessThanOrEqual(most)
}

/** The tolerance is for the grid and for the noise being only nearly normal. */
const nominal = { least: confidence - 0.001, most: confidence + 0.001 }

const covers = ({ lower, upper }: Interval, exact: number): number => Number(lower <= exact && exact <= upper)

test("a tenth less variance would be noticed", () => {
  const expected = clopperPearson({ successes: Math.round(understated * trials), trials, alpha: alpha / 2 })
  expect(expected.upper).toBeLessThan(nominal.least)
  const tooWide = clopperPearson({ successes: Math.round(0.821 * trials), trials, alpha: alpha / 2 })
  expect(tooWide.lower).toBeGreaterThan(nominal.most)
})

const single: readonly (readonly [string, Estimate, IntegerCdf, (out: Float64Array) => unknown])[] = [
  [
    "Gaussian noise of variance 9",
    gaussianEstimate({ value: 0, sigmaSquared: 9, grid: 1 }),
    roundedGaussianCdf(9),
    (out) => fillRoundedGaussian(out, exactly(9, "variance"), rng),
  ],
  [
    "Gaussian noise of variance 2000",
    gaussianEstimate({ value: 0, sigmaSquared: 2000, grid: 1 }),
    roundedGaussianCdf(2000),
    (out) => fillRoundedGaussian(out, exactly(2000, "variance"), rng),
  ],
  [
    "Laplace noise of scale 2",
    laplaceEstimate({ value: 0, scale: 2, grid: 1 }),
    discreteLaplaceCdf(2),
    (out) => fillDiscreteLaplace(out, exactly(2, "scale"), rng),
  ],
  [
    "Laplace noise of scale 40",
    laplaceEstimate({ value: 0, scale: 40, grid: 1 }),
    discreteLaplaceCdf(40),
    (out) => fillDiscreteLaplace(out, exactly(40, "scale"), rng),
  ],
]

test.each(single)("one value: %s", (_, estimate, cdf, fill) => {
  const interval = intervalOf(estimate, confidence)
  expect(interval.exactness).toBe("exact")
  const width = BigInt(interval.upper)
  const exact = cdf(width) - cdf(-width - 1n)
  expect(exact).toBeGreaterThanOrEqual(confidence - 1e-9)
  // One count narrower is not enough.
  expect(cdf(width - 1n) - cdf(-width)).toBeLessThan(confidence)
  const noise = new Float64Array(trials)
  fill(noise)
  const covered = noise.reduce((sum, value) => sum + covers(interval, value), 0)
  checkCoverage(covered, { least: exact - 1e-9, most: exact + 1e-9 })
})

test("merged answers", () => {
  let covered = 0
  const exact = 500
  for (const [a = 0, b = 0] of gaussianNoise(2)) {
    const answers = [a, 2 * b].map((noise, index) =>
      gaussianEstimate({ value: exact + noise, sigmaSquared: sigmaSquared * 4 ** index }),
    )
    covered += covers(intervalOf(mergeEstimates(answers), confidence), exact)
  }
  checkCoverage(covered, nominal)
})

test("every node of a tree, one of them not measured", () => {
  const parents = [-1, 0, 0, 1, 1, 2, 2, 2]
  const exact = [60, 15, 45, 5, 10, 30, 15, 0]
  const factors = [1, 3, 1, 2, 1, 1, 2, 1]
  const covered = exact.map(() => 0)
  for (const noise of gaussianNoise(exact.length)) {
    const nodes = exact.map((value, index) => {
      const factor = factors[index] ?? 1
      if (index === 6) return undefined
      const released = value + factor * (noise[index] ?? 0)
      return gaussianEstimate({ value: released, sigmaSquared: sigmaSquared * factor ** 2 })
    })
    for (const [index, node] of reconcileTree({ parents, nodes }).entries()) {
      covered[index] = (covered[index] ?? 0) + covers(intervalOf(node, confidence), exact[index] ?? 0)
    }
  }
  for (const count of covered) checkCoverage(count, nominal)
})

test("cells, rows, columns and total of a table", () => {
  const cells = [7, 0, 12, 3, 30, 8]
  const bySex = [19, 41]
  const covered = [0, 0, 0, 0]
  for (const noise of gaussianNoise(9)) {
    const noisy = (values: readonly number[], from: number): number[] =>
      values.map((value, index) => value + (noise[from + index] ?? 0))
    const measured: readonly ReleasedMargin[] = [
      { attributes: ["sex", "age"], values: noisy(cells, 0), variance: sigmaSquared, law: "gaussian" },
      { attributes: ["sex"], values: noisy(bySex, 6), variance: sigmaSquared, law: "gaussian" },
      { attributes: [], values: noisy([60], 8), variance: sigmaSquared, law: "gaussian" },
    ]
    const wanted = [["sex", "age"], ["sex"], ["age"], []]
    const exact = [12, 41, 10, 60]
    const places = [2, 1, 0, 0]
    const result = reconcileMargins({ sizes: { sex: 2, age: 3 }, measured, wanted })
    for (const [index, { values, variance, law }] of result.entries()) {
      const cell = { value: values[places[index] ?? 0] ?? 0, variance, law }
      covered[index] = (covered[index] ?? 0) + covers(intervalOf(cell, confidence), exact[index] ?? 0)
    }
  }
  for (const count of covered) checkCoverage(count, nominal)
})

test("values with an equality imposed", () => {
  const exact = [30, 10, 20]
  const covered = exact.map(() => 0)
  const equal = [{ coefficients: [1, -1, -1], bound: 0 }]
  for (const noise of gaussianNoise(3)) {
    const joint = jointOf(
      exact.map((value, index) => {
        const released = value + (index + 1) * (noise[index] ?? 0)
        return gaussianEstimate({ value: released, sigmaSquared: sigmaSquared * (index + 1) ** 2 })
      }),
    )
    const better = imposeEqualities(joint, equal)
    for (const [index, value] of exact.entries()) {
      covered[index] =
        (covered[index] ?? 0) + covers(intervalOf(componentOf(better, index), confidence), value)
    }
  }
  for (const count of covered) checkCoverage(count, nominal)
})

test("a share whose parts share noise, even with an unsure denominator", () => {
  let covered = 0
  let open = 0
  const [cases, others] = [50, 40]
  for (const [a = 0, b = 0] of gaussianNoise(2)) {
    const numerator = gaussianEstimate({ value: cases + a, sigmaSquared })
    const denominator = gaussianEstimate({ value: cases + others + a + b, sigmaSquared: 2 * sigmaSquared })
    const { interval } = ratioOf({ numerator, denominator, covariance: sigmaSquared }, confidence)
    covered += covers(interval, cases / (cases + others))
    open += Number(interval.upper === Infinity)
  }
  // Where Fieller's set is unbounded the whole line stands in for it, which covers a little more often.
  expect(open).toBeGreaterThan(0)
  checkCoverage(covered, { least: nominal.least, most: nominal.most + open / trials })
})

test("an age-standardised rate, to the accuracy of the delta method", () => {
  let covered = 0
  for (const [a = 0, b = 0, c = 0, d = 0] of gaussianNoise(4)) {
    const stratum = (cases: number, people: number, weight: number) => ({
      numerator: gaussianEstimate({ value: cases, sigmaSquared }),
      denominator: gaussianEstimate({ value: people, sigmaSquared }),
      weight,
    })
    const strata = [stratum(400 + a, 4000 + b, 0.7), stratum(900 + c, 3000 + d, 0.3)]
    const { interval } = standardisedRate(strata, { per: 1000, confidence })
    covered += covers(interval, 1000 * (0.7 * 0.1 + 0.3 * 0.3))
  }
  checkCoverage(covered, { least: confidence - 0.003, most: confidence + 0.003 })
})

test("cutting below the noise keeps an empty cell no more often than stated", () => {
  let none = 0
  for (const noise of gaussianNoise(10, 100)) {
    const cells = noise.map((value) => gaussianEstimate({ value, sigmaSquared: 100, grid: 1 }))
    none += Number(cutBelowNoise(cells, 0.2).every((value) => value === 0))
  }
  // Independent cells: the chance that none is kept is (1 - p)^10 with p a little below 0.02, on a grid.
  checkCoverage(none, { least: 0.8, most: 0.85 })
})
