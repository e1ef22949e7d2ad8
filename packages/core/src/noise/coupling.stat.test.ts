// Fresh words, thousands for each scale: the samplers and the slow, exact ones must agree on all of them.
// No statistics, so no false alarm; the seed is printed because it is fresh.

import { expect, test } from "vitest"
import { rational, square, type Rational } from "../exact/rational.ts"
import { couple, type CoupledSampler } from "../testing/couple.ts"
import { freshSeed, seededBits } from "../testing/seeded-bits.ts"
import { slowExponential, slowNormal, TooNear } from "../testing/slow-draws.ts"
import { LazyExponential } from "./lazy-exponential.ts"
import { LazyNormal } from "./lazy-normal.ts"

const draws = 20_000

const scales: readonly (readonly [string, Rational])[] = [
  ["1/3", rational(1n, 3n)],
  ["1", rational(1n)],
  ["10", rational(10n)],
  ["1000", rational(1000n)],
  ["65535", rational(65535n)],
  ["65537", rational(65537n)],
  ["10^6", rational(1_000_000n)],
  ["2^30 + 1", rational((1n << 30n) + 1n)],
  ["2^40", rational(1n << 40n)],
  ["2^46", rational(1n << 46n)],
  ["2^53 + 1", rational((1n << 53n) + 1n)],
  ["2^80", rational(1n << 80n)],
]

function checkFresh(sampler: CoupledSampler, slow: Parameters<typeof couple>[1]): void {
  const rng = seededBits(freshSeed())
  let pending = 0
  for (let i = 0; i < draws; i += 1) {
    const words = Array.from({ length: sampler.words }, () => rng.word())
    try {
      if (couple(sampler, slow, { words, after: [] }).isPending) pending += 1
    } catch (error) {
      if (error instanceof TooNear) continue
      throw new Error(`SEED=${rng.seed}, draw ${i}`, { cause: error })
    }
  }
  expect(pending).toBeGreaterThan(0)
}

test.each(scales)("scale %s: exponential draws are those of exact arithmetic", (_, scale) => {
  checkFresh(new LazyExponential(scale, "two-sided"), (words, bits) =>
    slowExponential({ scale, sign: "two-sided", words }, bits),
  )
})

test.each(scales)("sigma %s: normal draws are those of exact arithmetic", (_, sigma) => {
  const variance = square(sigma)
  checkFresh(new LazyNormal(variance), (words, bits) => slowNormal({ variance, words }, bits))
})
