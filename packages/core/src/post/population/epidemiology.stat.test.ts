// Estimates about a population, on samples with noise from the real samplers: intervals hold the population's
// value as often as they say, and tests reject what is true no more often than they say.

import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { fillDiscreteLaplace } from "../../noise/discrete-laplace.ts"
import { fillRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "../../testing/index.ts"
import { differenceOfRatios, ratioOfRatios } from "./compared-ratios.ts"
import { gaussianEstimate, laplaceEstimate, type Estimate } from "../estimates/estimate.ts"
import { hazardRatio } from "./hazard-ratio.ts"
import { logRankTest } from "./log-rank.ts"
import { independentNumbers, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { sampledRatio, type SampledEstimate } from "./sampled-ratio.ts"
import { survivalCurve } from "./survival.ts"
import { weightedRate } from "./weighted-rate.ts"

const alpha = 1e-9
const miss = 0.05
/** Events are whole numbers and taken for normal ones, which may cost a little. */
const least = 0.945
const seed = freshSeed()
const rng = seededBits(seed)
const uniform = (): number => (rng.word() + 0.5) / 2 ** 32

/** Fails unless the share may be in [from, to]; a false alarm has chance alpha. */
function checkShare(
  hits: number,
  trials: number,
  between: { readonly from: number; readonly to: number },
): void {
  spendAlpha(alpha)
  const { lower, upper } = clopperPearson({ successes: hits, trials, alpha: alpha / 2 })
  expect(upper, `too rarely, SEED=${seed}`).toBeGreaterThanOrEqual(between.from)
  expect(lower, `too often, SEED=${seed}`).toBeLessThanOrEqual(between.to)
}

const laws = ["gaussian", "laplace"] as const
type Law = (typeof laws)[number]

/** Numbers with fresh noise of this standard deviation. */
function noisy(values: readonly number[], law: Law, deviation: number): NoisyNumbers {
  const noise = new Float64Array(values.length)
  if (law === "gaussian") fillRoundedGaussian(noise, exactly(deviation ** 2, "variance"), rng)
  else fillDiscreteLaplace(noise, exactly(deviation / Math.SQRT2, "scale"), rng)
  return independentNumbers(
    values.map((value, index): Estimate => {
      const released = value + (noise[index] ?? 0)
      return law === "gaussian"
        ? gaussianEstimate({ value: released, sigmaSquared: deviation ** 2, grid: 1 })
        : laplaceEstimate({ value: released, scale: deviation / Math.SQRT2, grid: 1 })
    }),
  )
}

/** Draws a place of the list with the given weights. */
function drawer(weights: readonly number[]): () => number {
  let sum = 0
  const sums = weights.map((weight) => (sum += weight))
  return () => {
    const target = uniform() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}

function poisson(mean: number): () => number {
  let term = Math.exp(-mean)
  const weights = Array.from({ length: Math.ceil(mean + 12 * Math.sqrt(mean) + 12) }, (_, count) => {
    const own = term
    term *= mean / (count + 1)
    return own
  })
  return drawer(weights)
}

function binomial(people: number, risk: number): () => number {
  let logTerm = people * Math.log1p(-risk)
  const weights = Array.from({ length: people + 1 }, (_, count) => {
    const own = Math.exp(logTerm)
    logTerm += Math.log(((people - count) / (count + 1)) * (risk / (1 - risk)))
    return own
  })
  return drawer(weights)
}

/** How often an estimate of the population's value holds it. */
function coverage(trials: number, exact: number, estimate: () => SampledEstimate): number {
  let covered = 0
  for (let trial = 0; trial < trials; trial += 1) {
    const { low, high } = estimate()
    covered += Number(low <= exact && exact <= high)
  }
  return covered
}

const settings = laws.flatMap((law) => [2, 12].map((deviation) => [law, deviation] as const))
const trials = 6000
/** Where the second group may be empty for all that can be told, intervals are wider than they need be. */
const nominal = { from: least, to: 0.965 }
const generous = { from: least, to: 0.99 }

test.each(settings)("a risk and a rate, %s noise of deviation %d", (law, deviation) => {
  for (const [people, share] of [
    [1000, 0.05],
    [300, 0.4],
  ] as const) {
    const [cases, events] = [binomial(people, share), poisson(people * share)]
    const risk = coverage(trials, share, () =>
      sampledRatio(noisy([cases(), people], law, deviation), "binomial", miss),
    )
    checkShare(risk, trials, nominal)
    const rate = coverage(trials, share, () =>
      sampledRatio(noisy([events(), people], law, deviation), "poisson", miss),
    )
    checkShare(rate, trials, nominal)
  }
})

test.each(settings)("two groups compared, %s noise of deviation %d", (law, deviation) => {
  const [p, q, people, others] = [0.1, 0.06, 800, 1000]
  const [cases, controls] = [binomial(people, p), binomial(others, q)]
  const numbers = (): NoisyNumbers => noisy([cases(), people, controls(), others], law, deviation)
  checkShare(
    coverage(trials, p / q, () => ratioOfRatios(numbers(), "binomial", miss)),
    trials,
    generous,
  )
  checkShare(
    coverage(trials, p - q, () => differenceOfRatios(numbers(), "binomial", miss)),
    trials,
    nominal,
  )
  const cells = (): NoisyNumbers => {
    const [a, c] = [cases(), controls()]
    return noisy([a, people - a, c, others - c], law, deviation)
  }
  const odds = (risk: number): number => risk / (1 - risk)
  checkShare(
    coverage(trials, odds(p) / odds(q), () => ratioOfRatios(cells(), "odds", miss)),
    trials,
    generous,
  )
})

test.each(settings)("a standardised rate, %s noise of deviation %d", (law, deviation) => {
  const weights = [5, 3, 2, 1, 1, 4]
  const [rates, people] = [weights.map((_, index) => 0.004 * (index + 1)), weights.map(() => 900)]
  const exact = weights.reduce((sum, weight, index) => sum + (weight / 16) * (rates[index] ?? 0), 0)
  const events = rates.map((rate) => poisson(900 * rate))
  const covered = coverage(trials, exact, () =>
    weightedRate(
      { numbers: noisy([...events.map((draw) => draw()), ...people], law, deviation), weights },
      miss,
    ),
  )
  checkShare(covered, trials, nominal)
})

/** Bin and event of a person: first whether the event happens, then whether the person is lost. */
function outcomes(hazard: number, loss: number, bins: number): readonly number[] {
  const weights = Array.from({ length: 2 * bins }, () => 0)
  let left = 1
  for (let bin = 0; bin < bins; bin += 1) {
    weights[bin] = left * hazard
    weights[bins + bin] = left * (1 - hazard) * (bin === bins - 1 ? 1 : loss)
    left *= (1 - hazard) * (1 - loss)
  }
  return weights
}

function histogram(person: () => number, { people, bins }: { people: number; bins: number }): number[] {
  const cells = Array.from({ length: 2 * bins }, () => 0)
  for (let one = 0; one < people; one += 1) {
    const place = person()
    cells[place] = (cells[place] ?? 0) + 1
  }
  return cells
}

test.each(settings)("survival, %s noise of deviation %d", (law, deviation) => {
  const [hazard, bins, people, curves] = [0.03, 16, 600, 1500]
  const person = drawer(outcomes(hazard, 0.02, bins))
  const covered = Array.from({ length: bins }, () => 0)
  let bias = 0
  for (let trial = 0; trial < curves; trial += 1) {
    const curve = survivalCurve(noisy(histogram(person, { people, bins }), law, deviation), miss)
    for (const [bin, { value = 0, low, high }] of curve.entries()) {
      const exact = (1 - hazard) ** (bin + 1)
      covered[bin] = (covered[bin] ?? 0) + Number(low <= exact && exact <= high)
      if (bin === bins / 2) bias += (value - exact) / curves
    }
  }
  for (const bin of [0, 3, 8, 15]) checkShare(covered[bin] ?? 0, curves, { from: least, to: 0.975 })
  // Clamping every hazard at 0 instead would pull it down by more than 0.03 at the larger noise.
  expect(Math.abs(bias)).toBeLessThan(0.01)
})

test.each(settings)(
  "the log-rank test rejects what is true at its level, %s noise of deviation %d",
  (law, deviation) => {
    const [bins, tests] = [16, 1500]
    const person = drawer(outcomes(0.03, 0.02, bins))
    let [rejected, given] = [0, 0]
    for (let trial = 0; trial < tests; trial += 1) {
      const groups = [900, 700].flatMap((people) => histogram(person, { people, bins }))
      const result = logRankTest(noisy(groups, law, deviation), 2)
      if (result === undefined) continue
      given += 1
      rejected += Number(result.pValue < 0.05)
    }
    expect(given).toBeGreaterThan(tests * 0.95)
    checkShare(rejected, given, { from: 0.03, to: 0.055 })
  },
)

test.each(settings)("the hazard ratio, %s noise of deviation %d", (law, deviation) => {
  const [bins, ratios, exact] = [16, 1000, Math.log(1 - 0.03) / Math.log(1 - 0.02)]
  const [slow, fast] = [0.02, 0.03].map((hazard) => drawer(outcomes(hazard, 0.02, bins)))
  let [covered, given] = [0, 0]
  for (let trial = 0; trial < ratios; trial += 1) {
    const groups = [slow, fast].flatMap((person) => histogram(person ?? (() => 0), { people: 1200, bins }))
    const { value, low, high } = hazardRatio(noisy(groups, law, deviation), miss)
    if (value === undefined) continue
    given += 1
    covered += Number(low <= exact && exact <= high)
  }
  expect(given).toBeGreaterThan(ratios * 0.95)
  checkShare(covered, given, { from: least, to: 0.975 })
})

test("without the variance of the noise the log-rank test would reject far too often", () => {
  const [bins, tests] = [16, 300]
  const person = drawer(outcomes(0.03, 0.02, bins))
  let rejected = 0
  for (let trial = 0; trial < tests; trial += 1) {
    const groups = [900, 700].flatMap((people) => histogram(person, { people, bins }))
    const { values } = noisy(groups, "gaussian", 12)
    const blind = { values, varianceOf: () => ({ normal: 0, laplace: 0 }) }
    rejected += Number((logRankTest(blind, 2)?.pValue ?? 1) < 0.05)
  }
  checkShare(rejected, tests, { from: 0.3, to: 1 })
})

test("and it finds what is there", () => {
  const [bins, tests] = [16, 200]
  const [slow, fast] = [0.02, 0.03].map((hazard) => drawer(outcomes(hazard, 0.02, bins)))
  let found = 0
  for (let trial = 0; trial < tests; trial += 1) {
    const groups = [slow, fast].flatMap((person) => histogram(person ?? (() => 0), { people: 3000, bins }))
    found += Number((logRankTest(noisy(groups, "gaussian", 5), 2)?.pValue ?? 1) < 0.05)
  }
  checkShare(found, tests, { from: 0.95, to: 1 })
})
