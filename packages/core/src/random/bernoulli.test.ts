import { expect, test } from "vitest"
import { parseDecimal } from "../exact/decimal.ts"
import { rational, type Rational } from "../exact/rational.ts"
import fixture from "../testing/fixtures/exact.json" with { type: "json" }
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { bernoulli, bernoulliExp, fillBernoulliBits } from "./bernoulli.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })
const exponentials = fixture.records.filter(({ group }) => group === "exp-negative")

/** floor(2^bits e^-x), from 320 digits that were computed elsewhere. */
function knownBits({ digits, exponent }: { digits: string; exponent: number }, bits: number): bigint {
  return exponent >= 0
    ? (BigInt(digits) * 10n ** BigInt(exponent)) << BigInt(bits)
    : (BigInt(digits) << BigInt(bits)) / 10n ** BigInt(-exponent)
}

function wordsOf(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Number((value >> BigInt(32 * (count - 1 - i))) & 0xffffffffn),
  )
}

function fractionOf(input: string): Rational {
  return parseDecimal(input, "x")
}

test.each(exponentials)("bernoulliExp compares with every bit of e^-x for x = $input", (record) => {
  const x = fractionOf(record.input)
  const flip = (value: bigint, words: number) => {
    const rng = replayBits(wordsOf(value, words))
    return { heads: bernoulliExp(x, rng), used: rng.used }
  }
  for (const words of [1, 2, 3, 5]) {
    const threshold = knownBits(record, 32 * words)
    const top = (1n << BigInt(32 * words)) - 1n
    // Two units below the threshold are below e^-x, one above is not; the threshold itself needs more bits.
    if (threshold > 1n) expect(flip(threshold - 2n, words).heads).toBe(true)
    if (threshold < top) expect(flip(threshold + 1n, words).heads).toBe(false)
    if (threshold > 0n && threshold < top) expect(() => flip(threshold, words)).toThrow(OutOfBits)
  }
})

test("bernoulliExp is decided by one word unless that word is the first of e^-x", () => {
  // e^-1 = 0.5e2d58d8 b3bcdf1a bad...
  const flip = (words: readonly number[]) => {
    const rng = replayBits(words)
    return { heads: bernoulliExp(rational(1n), rng), used: rng.used }
  }
  expect(flip([0x5e2d58d7])).toEqual({ heads: true, used: 1 })
  expect(flip([0x5e2d58d9])).toEqual({ heads: false, used: 1 })
  expect(flip([0x5e2d58d8, 0xb3bcdf19])).toEqual({ heads: true, used: 2 })
  expect(flip([0x5e2d58d8, 0xb3bcdf1b])).toEqual({ heads: false, used: 2 })
})

test("bernoulliExp knows its ends: e^0 is certain, and far out there is almost no chance", () => {
  expect(bernoulliExp(rational(0n), replayBits([0]))).toBe(true)
  expect(bernoulliExp(rational(0n), replayBits([0xfffffffe]))).toBe(true)
  expect(bernoulliExp(rational(0n), replayBits([0xffffffff, 0xfffffffe]))).toBe(true)
  const far = rational(10n ** 9n)
  expect(bernoulliExp(far, replayBits([1]))).toBe(false)
  expect(bernoulliExp(far, replayBits([0, 0, 0, 1]))).toBe(false)
  expect(() => bernoulliExp(rational(-1n), replayBits([0]))).toThrow(bug)
})

test("bernoulliExp is not fooled by fractions of long integers", () => {
  // 0.94..., with a numerator that a double holds and a denominator that none does.
  const long = rational(17n * 10n ** 307n + 1n, 18n * 10n ** 307n * 10n)
  const flip = (word: number) => bernoulliExp(long, replayBits([word]))
  // e^-0.0944 = 0.9098...
  expect(flip(Math.floor(0.9098 * 2 ** 32))).toBe(true)
  expect(flip(Math.floor(0.91 * 2 ** 32))).toBe(false)
  const both = rational(10n ** 400n + 1n, 10n ** 400n)
  expect(bernoulliExp(both, replayBits([0x5e2d58d7]))).toBe(true)
  expect(bernoulliExp(both, replayBits([0x5e2d58d9]))).toBe(false)
})

test("bernoulli compares with p: by counting for short denominators, bit by bit for long ones", () => {
  const half = rational(1n, 2n)
  expect(bernoulli(half, replayBits([0x7fffffff]))).toBe(true)
  expect(bernoulli(half, replayBits([0x80000000]))).toBe(false)
  const long = rational(1n, (1n << 40n) + 1n)
  expect(bernoulli(long, replayBits([1]))).toBe(false)
  // 2^32 / (2^40 + 1) is below 2^-8: the second word must be below 2^24.
  expect(bernoulli(long, replayBits([0, 2 ** 24 - 2]))).toBe(true)
  expect(bernoulli(long, replayBits([0, 2 ** 24]))).toBe(false)
  expect(() => bernoulli(long, replayBits([0, 2 ** 24 - 1]))).toThrow(OutOfBits)
})

test("bernoulli is certain at 0 and 1, and refuses what is no probability", () => {
  for (const word of [0, 1, 0xffffffff]) {
    expect(bernoulli(rational(0n), replayBits([word]))).toBe(false)
    expect(bernoulli(rational(1n), replayBits([word]))).toBe(true)
  }
  expect(() => bernoulli(rational(-1n, 2n), replayBits([0]))).toThrow(bug)
  expect(() => bernoulli(rational(3n, 2n), replayBits([0]))).toThrow(bug)
  expect(() => fillBernoulliBits(new Uint32Array(1), rational(3n, 2n), replayBits([]))).toThrow(bug)
  expect(() => fillBernoulliBits(new Uint32Array(1), rational(-1n, 2n), replayBits([]))).toThrow(bug)
})

/** Thirty-two comparisons U < p, lane by lane, each lane's bits taken from the words one after the other. */
function slowLanes(p: Rational, word: () => number): number {
  const lanes = Array.from({ length: 32 }, () => ({ u: 0n, below: false, done: false }))
  let rest = p.numerator
  for (let count = 1n; lanes.some(({ done }) => !done) && rest !== 0n; count += 1n) {
    const bits = word()
    rest = (rest * 2n) % p.denominator
    for (const [j, lane] of lanes.entries()) {
      if (lane.done) continue
      lane.u = lane.u * 2n + BigInt((bits >>> j) & 1)
      const scaled = p.numerator << count
      if ((lane.u + 1n) * p.denominator <= scaled) Object.assign(lane, { below: true, done: true })
      else if (lane.u * p.denominator >= scaled) lane.done = true
    }
  }
  return lanes.reduce((word32, { below }, j) => (below ? word32 + 2 ** j : word32), 0)
}

test.each(["1/3", "1/2", "3/4", "5/7", "1/1000", "999/1000", "1/1099511627776", "0.1", "0"])(
  "fillBernoulliBits compares each lane's own uniform with p = %s",
  (text) => {
    const p = parseDecimal(text, "p")
    const out = new Uint32Array(300).fill(0xdeadbeef)
    fillBernoulliBits(out, p, seededBits("lanes"))
    const words = seededBits("lanes")
    expect([...out]).toEqual(Array.from(out, () => slowLanes(p, () => words.word())))
  },
)

test("fillBernoulliBits sets every bit for p = 1, and reads nothing for it", () => {
  const out = new Uint32Array(3)
  fillBernoulliBits(out, rational(1n), replayBits([]))
  expect([...out]).toEqual([0xffffffff, 0xffffffff, 0xffffffff])
})
