import { test } from "vitest"
import { rational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { checkSampler } from "../testing/check-sampler.ts"
import type { IntegerCdf } from "../testing/laws.ts"
import { sampleBinomial } from "./binomial.ts"
import { fillPoisson, fillSkellam, samplePoisson, sampleSkellam } from "./poisson.ts"

const draws = 150_000

/** Sums up weights by their ratios to the right, from the least to the greatest value that counts. */
function cdfOfRatios(first: number, last: number, ratio: (k: number) => number): IntegerCdf {
  // Logarithms, so that far ends do not overflow.
  const logs = new Float64Array(last - first + 1)
  for (let i = 1; i < logs.length; i += 1) logs[i] = (logs[i - 1] ?? 0) + Math.log(ratio(first + i - 1))
  const most = logs.reduce((a, b) => Math.max(a, b))
  const sums = new Float64Array(logs.length)
  let sum = 0
  for (const [i, log] of logs.entries()) sums[i] = sum += Math.exp(log - most)
  return (k) => {
    const i = Number(k) - first
    return i < 0 ? 0 : i >= sums.length ? 1 : (sums[i] ?? 0) / sum
  }
}

function poissonCdf(mean: number): IntegerCdf {
  const spread = 12 * Math.sqrt(mean) + 30
  return cdfOfRatios(Math.max(0, Math.floor(mean - spread)), Math.ceil(mean + spread), (k) => mean / (k + 1))
}

function binomialCdf(trials: number, p: number): IntegerCdf {
  const spread = 12 * Math.sqrt(trials * p * (1 - p)) + 30
  const [first, last] = [Math.max(0, Math.floor(trials * p - spread)), Math.min(trials, trials * p + spread)]
  return cdfOfRatios(first, Math.floor(last), (k) => (((trials - k) / (k + 1)) * p) / (1 - p))
}

/** The difference of two Poisson variables, by adding up over the second. */
function skellamCdf(mean: number): IntegerCdf {
  const cdf = poissonCdf(mean)
  const last = Math.ceil(mean + 12 * Math.sqrt(mean) + 30)
  const chances = Array.from({ length: last }, (_, k) => cdf(BigInt(k)) - cdf(BigInt(k - 1)))
  return (k) => chances.reduce((sum, chance, j) => sum + chance * cdf(k + BigInt(j)), 0)
}

const means: readonly (readonly [string, Rational, number])[] = [
  ["1/2", rational(1n, 2n), 0.5],
  ["10", rational(10n), 10],
  ["1000", rational(1000n), 1000],
]

test.each(means)("Poisson with mean %s has its law", (name, mean, about) => {
  const mustReject = { "10 % too small": poissonCdf(about * 0.9), "10 % too large": poissonCdf(about * 1.1) }
  const claim = { draws, cdf: poissonCdf(about), mustReject }
  checkSampler({ ...claim, name: `Poisson ${name}`, draw: (rng) => samplePoisson(mean, rng) })
  const fill = (count: number, rng: RandomBits) => {
    const out = new Int32Array(count)
    fillPoisson(out, mean, rng)
    return out
  }
  checkSampler({ ...claim, name: `Poisson ${name}, batch`, fill })
})

test("Skellam has its law", () => {
  const mean = rational(10n)
  const mustReject = { "20 % too small": skellamCdf(8), "20 % too large": skellamCdf(12) }
  const claim = { draws, cdf: skellamCdf(10), mustReject }
  checkSampler({ ...claim, name: "Skellam 10", draw: (rng) => sampleSkellam(mean, rng) })
  const fill = (count: number, rng: RandomBits) => {
    const out = new Int32Array(count)
    fillSkellam(out, mean, rng)
    return out
  }
  checkSampler({ ...claim, name: "Skellam 10, batch", fill })
})

const trials: readonly (readonly [number, Rational, number])[] = [
  [1, rational(1n, 2n), 0.5],
  [4, rational(1n, 2n), 0.5],
  [100, rational(3n, 10n), 0.3],
  [2 ** 20, rational(3n, 10n), 0.3],
  [2 ** 21 + 1000, rational(1n, 1000n), 0.001],
]

test.each(trials)("binomial with %d trials has its law", (n, p, about) => {
  checkSampler({
    name: `binomial ${n}`,
    draws,
    draw: (rng) => sampleBinomial(BigInt(n), p, rng),
    cdf: binomialCdf(n, about),
    mustReject: {
      "10 % too small": binomialCdf(n, about * 0.9),
      "10 % too large": binomialCdf(n, about * 1.1),
    },
  })
})
