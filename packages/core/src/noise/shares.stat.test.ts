// The laws that noise in shares is made of: the discrete Gaussian, jumps, and parts of a discrete Laplace,
// which must add up to a whole one.

import { expect, test } from "vitest"
import { rational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { checkSampler, checkUniformBits } from "../testing/check-sampler.ts"
import { discreteGaussianCdf, discreteLaplaceCdf, type IntegerCdf } from "../testing/laws.ts"
import { discreteGaussianOracle } from "./cdf-oracles.ts"
import { fillDiscreteGaussian, sampleDiscreteGaussian } from "./discrete-gaussian.ts"
import { fillLaplaceShares, sampleLaplaceShare, sampleLogarithmic } from "./laplace-share.ts"
import { LazyTable } from "./lazy-table.ts"
import { fillFromTable } from "./look-up.ts"
import { forgetTables } from "./table-cache.ts"

const draws = 40_000

const sigmas: readonly (readonly [string, Rational, number])[] = [
  ["1/2", rational(1n, 4n), 0.5],
  ["8", rational(64n), 8],
  ["1000", rational(1_000_000n), 1000],
  ["2^40", rational(1n << 80n), 2 ** 40],
]

test.each(sigmas)("[N1] discrete Gaussian with sigma %s has its law", (name, variance, about) => {
  const lawOf = (factor: number): IntegerCdf => discreteGaussianCdf((about * factor) ** 2)
  const mustReject = { "20 % too small": lawOf(0.8), "20 % too large": lawOf(1.25) }
  const claim = { draws, cdf: lawOf(1), mustReject }
  const draw = (rng: RandomBits) => sampleDiscreteGaussian(variance, rng)
  checkSampler({ ...claim, name: `one at a time, ${name}`, draw })
  const fill = (count: number, rng: RandomBits) => {
    const out = new Float64Array(count)
    // Without a table: rejection.
    forgetTables()
    for (let start = 0; start < count; start += 4096) {
      forgetTables()
      expect(fillDiscreteGaussian(out.subarray(start, start + 4096), variance, rng)).toEqual([])
    }
    return out
  }
  checkSampler({ ...claim, name: `batch, ${name}`, fill })
  if (about >= 1000) checkUniformBits({ name: `batch, ${name}`, draws: 20_000, fill })
  if (about > 64) return
  const table = new LazyTable(discreteGaussianOracle(variance))
  const tabled = (count: number, rng: RandomBits) => {
    const out = new Int32Array(count)
    expect(fillFromTable(out, table, rng)).toEqual([])
    return out
  }
  checkSampler({ ...claim, name: `by table, ${name}`, fill: tabled })
})

/** P(k) proportional to q^k / k, times what `factor` says: a wrong law where it is not 1. */
function logarithmicCdf(scale: number, factor: (k: number) => number = () => 1): IntegerCdf {
  const sums = [0]
  for (let k = 1; k <= 60 * scale + 60; k += 1) {
    sums.push((sums.at(-1) ?? 0) + (Math.exp(-k / scale) / k) * factor(k))
  }
  const total = sums.at(-1) ?? 1
  return (k) => (k < 1n ? 0 : (sums[Math.min(Number(k), sums.length - 1)] ?? 0) / total)
}

test.each([
  [rational(3n, 2n), 1.5],
  [rational(16n), 16],
])("[N1] jumps of scale %o have the logarithmic law", (scale, about) => {
  const top = 2 ** Math.ceil(Math.log2(Math.max(1, about)))
  checkSampler({
    name: `jumps of scale ${about}`,
    draws,
    cdf: logarithmicCdf(about),
    mustReject: {
      "half the scale": logarithmicCdf(about / 2),
      "twice the scale": logarithmicCdf(about * 2),
      "far blocks half as likely": logarithmicCdf(about, (k) => (k >= top ? 0.5 : 1)),
    },
    draw: (rng) => sampleLogarithmic(scale, rng),
  })
})

test.each([
  [rational(1n, 2n), 0.5, 3n],
  [rational(10n), 10, 2n],
  [rational(1n << 20n), 2 ** 20, 3n],
])("[N1] parts of a discrete Laplace of scale %o add up to it", (scale, about, parts) => {
  const lawOf = (factor: number): IntegerCdf => discreteLaplaceCdf(about * factor)
  const mustReject = { "half as wide": lawOf(0.5), "twice as wide": lawOf(2) }
  const claim = { draws: 12_000, cdf: lawOf(1), mustReject }
  const law = { scale, parts }
  const draw = (rng: RandomBits) => {
    let sum = 0n
    for (let part = 0n; part < parts; part += 1n) sum += sampleLaplaceShare(law, rng)
    return sum
  }
  checkSampler({ ...claim, name: `sum of ${parts}, one at a time`, draw })
  const fill = (count: number, rng: RandomBits) => {
    const sum = new Float64Array(count)
    const out = new Float64Array(count)
    for (let part = 0n; part < parts; part += 1n) {
      expect(fillLaplaceShares(out, law, rng)).toEqual([])
      for (const [index, x] of out.entries()) sum[index] = (sum[index] ?? 0) + x
    }
    return sum
  }
  checkSampler({ ...claim, name: `sum of ${parts}, batch`, fill })
})
