// Proposals of the discrete Gaussian are accepted as integers say, whatever the doubles before them; and what
// a batch does with proposals that are not.

import { expect, test } from "vitest"
import { encloseExpNegative } from "../exact/exp.ts"
import { divide, multiply, rational, square, subtract, type Rational } from "../exact/rational.ts"
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { bellOf, fillDiscreteGaussian, isAccepted, sampleDiscreteGaussian } from "./discrete-gaussian.ts"
import { forgetTables } from "./table-cache.ts"

const variances: readonly (readonly [string, Rational])[] = [
  ["1/9", rational(1n, 9n)],
  ["1", rational(1n)],
  ["64", rational(64n)],
  ["1000 + 1/3", rational(3001n, 3n)],
  ["2^40 + 1", rational((1n << 40n) + 1n)],
  ["10^13 / 7", rational(10n ** 13n, 7n)],
  ["2^92 - 1/3", rational((3n << 92n) - 1n, 3n)],
  ["2^2200", rational(1n << 2200n)],
]

/** floor(sqrt(n)) by counting digits of two: nothing of the trusted base. */
function root(n: bigint): bigint {
  let found = 0n
  for (let bit = BigInt(n.toString(2).length); bit >= 0n; bit -= 1n) {
    const more = found | (1n << bit)
    if (more * more <= n) found = more
  }
  return found
}

test.each(variances)("[N1] accepts |y| with probability e^(-(|y| - V/t)^2 / 2V), V = %s", (_, variance) => {
  const bell = bellOf(variance)
  const t = root(variance.numerator / variance.denominator) + 1n
  expect(bell.proposal).toEqual(rational(t))
  for (const size of [0n, 1n, t / 2n, t, 2n * t + 1n, 5n * t, 30n * t]) {
    const off = square(subtract(rational(size), divide(variance, rational(t))))
    const chance = encloseExpNegative(divide(off, multiply(rational(2n), variance)), 96)
    // The first of three words that is not below the chance, and its neighbours.
    const border = chance.lo >> 64n
    for (const first of [border - 3n, border - 1n, border, border + 1n, border + 3n]) {
      if (first < 0n || first > 0xffffffffn) continue
      for (const rest of [0n, chance.lo & 0xffffffffffffffffn, 0xffffffffffffffffn]) {
        const u = (first << 64n) | rest
        if (u >= chance.lo - 2n && u <= chance.hi + 2n) continue
        const words = [first, rest >> 32n, rest & 0xffffffffn].map(Number)
        for (const given of size < 1n << 53n ? [size, Number(size)] : [size]) {
          const decide = (): boolean => isAccepted(given, bell, replayBits(words))
          expect([size, first - border, decide()]).toEqual([size, first - border, u < chance.lo])
        }
      }
    }
  }
})

test("a draw far from its border needs one word, and one on it more", () => {
  const bell = bellOf(rational(64n))
  expect(isAccepted(9, bell, replayBits([0]))).toBe(true)
  expect(isAccepted(90, bell, replayBits([0xffffffff]))).toBe(false)
  const { lo } = encloseExpNegative(divide(square(rational(9n * 9n - 64n, 9n)), rational(128n)), 32)
  expect(() => isAccepted(9, bell, replayBits([Number(lo)]))).toThrow(OutOfBits)
})

test("a batch fills every place, with the draws that single ones make from the same law", () => {
  forgetTables()
  const variance = rational(5000n)
  const out = new Float64Array(20_000)
  expect(fillDiscreteGaussian(out, variance, seededBits("batch"))).toEqual([])
  const square = out.reduce((sum, x) => sum + x * x, 0) / out.length
  expect(square / 5000).toBeGreaterThan(0.9)
  expect(square / 5000).toBeLessThan(1.1)
  expect(out.some((x) => x > 0) && out.some((x) => x < 0)).toBe(true)
  expect(
    Object.is(
      out.find((x) => x === 0),
      -0,
    ),
  ).toBe(false)
})

test("bug/invariant: a variance of 0, and one that its array cannot hold, are refused", () => {
  const bug = expect.objectContaining({ code: "bug/invariant" })
  expect(() => sampleDiscreteGaussian(rational(0n), seededBits("x"))).toThrow(bug)
  expect(() => fillDiscreteGaussian(new Int32Array(2), rational(1n << 50n), seededBits("x"))).toThrow(bug)
  expect(() => fillDiscreteGaussian(new Float64Array(2), rational(1n << 94n), seededBits("x"))).toThrow(bug)
})
