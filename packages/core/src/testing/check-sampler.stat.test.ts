import { expect, test } from "vitest"
import { drainAlpha, spendAlpha } from "./alpha-budget.ts"
import { bitSourceOf } from "./bit-source.ts"
import { checkSampler, checkUniformBits } from "./check-sampler.ts"
import { discreteLaplaceCdf } from "./laws.ts"
import { referenceDiscreteLaplace } from "./reference-samplers.ts"
import { seededBits } from "./seeded-bits.ts"
import type { RandomBits } from "../random/random-bits.ts"

const scaleOf = (numerator: bigint, denominator: bigint) => ({ numerator, denominator })
const laplaceDraw = (numerator: bigint, denominator: bigint) => (rng: RandomBits) =>
  referenceDiscreteLaplace(scaleOf(numerator, denominator), bitSourceOf(rng))

const laplaceThree = {
  name: "discrete Laplace, scale 3",
  draws: 60_000,
  cdf: discreteLaplaceCdf(3),
  mustReject: { "20 % too small": discreteLaplaceCdf(2.4), "20 % too large": discreteLaplaceCdf(3.6) },
}

test("accepts the right law and spends its alpha", () => {
  const fit = checkSampler({ ...laplaceThree, draw: laplaceDraw(3n, 1n) })
  expect(fit.distance).toBeLessThanOrEqual(fit.threshold)
  expect(fit.seed).toMatch(/./)
  checkSampler({ ...laplaceThree, alpha: 1e-10, draw: laplaceDraw(3n, 1n) })
  const spent = drainAlpha()
  expect(spent).toBe(1e-9 + 1e-10)
  spendAlpha(spent) // These draws were fresh, so the suite must count them.
})

// Seeds are fixed where a failure is expected: these cases test the check, not a sampler.
const rng = () => seededBits("check-sampler")

test.each([
  ["scale 20 % too small", laplaceDraw(12n, 5n)],
  ["scale 20 % too large", laplaceDraw(18n, 5n)],
  ["shifted by one", (bits: RandomBits) => laplaceDraw(3n, 1n)(bits) + 1n],
  [
    "zero twice as likely",
    (bits: RandomBits) => laplaceDraw(3n, 1n)(bits) * BigInt(bits.word() % 8 === 0 ? 0 : 1),
  ],
  ["no noise", () => 0],
])("rejects a wrong sampler and prints the seed: %s", (_, draw) => {
  expect(() => checkSampler({ ...laplaceThree, draw, rng: rng() })).toThrow("SEED=check-sampler")
  drainAlpha()
})

test("refuses to check without power, and without a wrong law", () => {
  const draw = laplaceDraw(3n, 1n)
  const near = { "1 % too small": discreteLaplaceCdf(2.97) }
  expect(() => checkSampler({ ...laplaceThree, draw, mustReject: near })).toThrow(
    'no power against "1 % too small"',
  )
  expect(() => checkSampler({ ...laplaceThree, draw, draws: 100 })).toThrow("no power")
  expect(() => checkSampler({ ...laplaceThree, draw, mustReject: {} })).toThrow("names no wrong law")
  expect(drainAlpha()).toBe(0)
})

test("rejects what is not an integer, a batch of the wrong length, and a cdf that gives NaN", () => {
  expect(() => checkSampler({ ...laplaceThree, draw: () => 0.5, rng: rng() })).toThrow(
    "0.5 is not an integer",
  )
  const short = (count: number) => new Int32Array(count - 1)
  expect(() => checkSampler({ ...laplaceThree, fill: short })).toThrow("59999 values")
  const holed = (k: bigint) => (k === 99n ? Number.NaN : laplaceThree.cdf(k))
  expect(() => checkSampler({ ...laplaceThree, cdf: holed, draw: () => 99, rng: rng() })).toThrow("NaN away")
  drainAlpha()
})

test("accepts batches of every kind of array", () => {
  const values = (count: number, bits: RandomBits) => Array.from({ length: count }, () => bits.word() >>> 28)
  const check = {
    name: "uniform",
    draws: 20_000,
    cdf: (k: bigint) => Math.min(1, Math.max(0, (Number(k) + 1) / 16)),
    mustReject: { "one value missing": (k: bigint) => Math.min(1, Math.max(0, (Number(k) + 1) / 15)) },
  }
  checkSampler({ ...check, fill: (count, bits) => Int32Array.from(values(count, bits)) })
  checkSampler({ ...check, fill: (count, bits) => BigInt64Array.from(values(count, bits), BigInt) })
})

test("checks low bits, which the distance between distribution functions does not see", () => {
  const wide = (bits: RandomBits) => (bits.word() % 2 === 0 ? 1 : -1) * (bits.word() >>> 8)
  const even = (bits: RandomBits) => wide(bits) * 2
  expect(() => checkUniformBits({ name: "even", draws: 20_000, draw: even, rng: rng() })).toThrow(
    "even, low bits",
  )
  expect(() => checkUniformBits({ name: "few", draws: 1000, draw: wide })).toThrow("no power")
  expect(drainAlpha()).toBe(1e-9)
  checkUniformBits({ name: "wide", draws: 20_000, draw: wide })
})
