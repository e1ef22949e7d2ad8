// Every sampler of noise against its law: one at a time and in batches, into both kinds of array, by table
// and without, at scales from one half to 2^40. An error of 10 % in the scale must be seen.

import { describe, expect, test } from "vitest"
import { multiply, rational, square, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { checkSampler, checkUniformBits } from "../testing/check-sampler.ts"
import { discreteLaplaceCdf, geometricCdf, roundedGaussianCdf, type IntegerCdf } from "../testing/laws.ts"
import { fillBatch, type WordSampler } from "./batch.ts"
import { laplaceOracle, roundedGaussianOracle } from "./cdf-oracles.ts"
import { fillDiscreteLaplace, sampleDiscreteLaplace } from "./discrete-laplace.ts"
import { fillGeometric, sampleGeometric } from "./geometric.ts"
import { LazyExponential } from "./lazy-exponential.ts"
import { LazyNormal } from "./lazy-normal.ts"
import { LazyTable } from "./lazy-table.ts"
import { fillFromTable } from "./look-up.ts"
import type { NoiseArray, Spill } from "./noise-array.ts"
import { fillRoundedGaussian, sampleRoundedGaussian } from "./rounded-gaussian.ts"

const draws = 150_000

const scales: readonly (readonly [string, Rational, number])[] = [
  ["1/2", rational(1n, 2n), 0.5],
  ["1", rational(1n), 1],
  ["10", rational(10n), 10],
  ["1000", rational(1000n), 1000],
  ["10^6", rational(1_000_000n), 1e6],
  ["2^40", rational(1n << 40n), 2 ** 40],
]

function tenPercent(lawOf: (factor: number) => IntegerCdf): {
  readonly cdf: IntegerCdf
  readonly mustReject: Readonly<Record<string, IntegerCdf>>
} {
  return { cdf: lawOf(1), mustReject: { "10 % too small": lawOf(0.9), "10 % too large": lawOf(1.1) } }
}

type Fill = (out: NoiseArray, rng: RandomBits) => readonly Spill[]

/** A fill as checkSampler wants it; nothing may spill. */
function into(make: (count: number) => NoiseArray, fill: Fill) {
  return (count: number, rng: RandomBits): NoiseArray => {
    const out = make(count)
    expect(fill(out, rng)).toEqual([])
    return out
  }
}

const int32 = (count: number) => new Int32Array(count)
const float64 = (count: number) => new Float64Array(count)

interface Law {
  readonly name: string
  readonly about: number
  readonly claim: ReturnType<typeof tenPercent>
  readonly draw: (rng: RandomBits) => bigint
  readonly fill: Fill
  readonly sampler: WordSampler
  readonly table: (() => LazyTable) | undefined
}

function check({ name, about, claim, draw, fill, sampler, table }: Law): void {
  checkSampler({ name: `${name}, one at a time`, draws, draw, ...claim })
  checkSampler({ name: `${name}, Float64Array`, draws, fill: into(float64, fill), ...claim })
  if (about <= 2 ** 24)
    checkSampler({ name: `${name}, Int32Array`, draws, fill: into(int32, fill), ...claim })
  const batch = into(float64, (out, rng) => fillBatch(out, sampler, rng))
  if (about <= 64) checkSampler({ name: `${name}, no table`, draws, fill: batch, ...claim })
  if (table !== undefined) {
    const tabled = into(int32, (out, rng) => fillFromTable(out, table(), rng))
    checkSampler({ name: `${name}, by table`, draws, fill: tabled, ...claim })
  }
  if (about >= 1000) {
    checkUniformBits({ name: `${name}, one at a time`, draws: 40_000, draw })
    checkUniformBits({ name: `${name}, Float64Array`, draws: 40_000, fill: into(float64, fill) })
  }
}

test.each(scales)("[N1] discrete Laplace with scale %s has its law", (name, scale, about) => {
  check({
    name: `Laplace ${name}`,
    about,
    claim: tenPercent((factor) => discreteLaplaceCdf(about * factor)),
    draw: (rng) => sampleDiscreteLaplace(scale, rng),
    fill: (out, rng) => fillDiscreteLaplace(out, scale, rng),
    sampler: new LazyExponential(scale, "two-sided"),
    table: about <= 64 ? () => new LazyTable(laplaceOracle(scale)) : undefined,
  })
})

test.each(scales)("[N1] rounded Gaussian with sigma %s has its law", (name, sigma, about) => {
  const variance = square(sigma)
  check({
    name: `Gaussian ${name}`,
    about,
    claim: tenPercent((factor) => roundedGaussianCdf((about * factor) ** 2)),
    draw: (rng) => sampleRoundedGaussian(variance, rng),
    fill: (out, rng) => fillRoundedGaussian(out, variance, rng),
    sampler: new LazyNormal(variance),
    table: about <= 64 ? () => new LazyTable(roundedGaussianOracle(variance)) : undefined,
  })
})

test.each(scales.filter(([, , about]) => about !== 1))(
  "geometric with scale %s has its law",
  (name, scale, about) => {
    const claim = tenPercent((factor) => geometricCdf(about * factor))
    const fill = into(float64, (out, rng) => fillGeometric(out, scale, rng))
    checkSampler({ name: `geometric ${name}`, draws, draw: (rng) => sampleGeometric(scale, rng), ...claim })
    checkSampler({ name: `geometric ${name}, batch`, draws, fill, ...claim })
  },
)

describe("a variance that is no square, and scales beyond the arrays", () => {
  test("rounded Gaussian with variance 2 has its law", () => {
    const claim = tenPercent((factor) => roundedGaussianCdf(2 * factor * factor))
    const draw = (rng: RandomBits) => sampleRoundedGaussian(rational(2n), rng)
    checkSampler({ name: "Gaussian variance 2", draws, draw, ...claim })
  })

  test("2^57 + 1 is drawn to the last bit, one at a time", () => {
    const scale = rational((1n << 57n) + 1n)
    const few = 30_000
    const laplace = (rng: RandomBits) => sampleDiscreteLaplace(scale, rng)
    const normal = (rng: RandomBits) => sampleRoundedGaussian(multiply(scale, scale), rng)
    const half: IntegerCdf = discreteLaplaceCdf(2 ** 56)
    const cdf = discreteLaplaceCdf(2 ** 57)
    checkSampler({ name: "Laplace 2^57", draws: few, draw: laplace, cdf, mustReject: { half } })
    checkUniformBits({ name: "Laplace 2^57", draws: few, draw: laplace })
    checkUniformBits({ name: "Gaussian 2^57", draws: few, draw: normal })
  })

  test("a scale of long integers is drawn at that scale", () => {
    const scale = rational(15n * 10n ** 308n + 1n, 10n ** 309n)
    const few = 20_000
    checkSampler({
      name: "Laplace 1.5 with 309 places",
      draws: few,
      draw: (rng) => sampleDiscreteLaplace(scale, rng),
      cdf: discreteLaplaceCdf(1.5),
      mustReject: { "nearly no noise": discreteLaplaceCdf(0.5) },
    })
    checkSampler({
      name: "Gaussian variance 1.5 with 309 places",
      draws: few,
      draw: (rng) => sampleRoundedGaussian(scale, rng),
      cdf: roundedGaussianCdf(1.5),
      mustReject: { "nearly no noise": roundedGaussianCdf(0.5) },
    })
  })
})
