import { describe, expect, test } from "vitest"
import { encloseExpNegative } from "../exact/exp.ts"
import { multiply, rational, type Rational } from "../exact/rational.ts"
import { bitsAfter } from "../testing/couple.ts"
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { sampleNoisyArgmax, sampleSoftmax, type Candidates } from "./argmax.ts"
import { exponentialTable } from "./static-tables.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })
const sumBits = 300

/** Cumulative probabilities of weight_i e^(rate score_i), in units of 2^-300, one exponential each. */
function softmaxSums({ scores, weights }: Candidates, rate: Rational): readonly bigint[] {
  const top = scores.reduce((most, score) => (score > most ? score : most))
  const terms = scores.map((score, i) => {
    // Weights are up to 2^1100: as many more bits.
    const power = encloseExpNegative(multiply(rate, rational(top - score)), sumBits + 1400)
    return power.lo * (weights?.[i] ?? 1n)
  })
  const total = terms.reduce((sum, term) => sum + term, 0n)
  let sum = 0n
  return terms.map((term) => ((sum += term) << BigInt(sumBits)) / total)
}

/** The words that make U these bits: 27 and 26 of them in the first two words, 32 in each of the others. */
function wordsOfUniform(bits: bigint, more: number): number[] {
  const count = 53 + 32 * more
  const part = (from: number, length: number) =>
    Number((bits >> BigInt(count - from - length)) & ((1n << BigInt(length)) - 1n))
  const rest = Array.from({ length: more }, (_, i) => part(53 + 32 * i, 32))
  return [part(0, 27) * 32, part(27, 26) * 64, ...rest]
}

const tables: readonly (readonly [string, Candidates, Rational])[] = [
  ["two equal scores", { scores: [0n, 0n] }, rational(1n)],
  ["three scores", { scores: [3n, 1n, 0n] }, rational(1n, 2n)],
  ["negative scores", { scores: [-300n, -299n, -310n, -298n] }, rational(7n, 10n)],
  ["a tiny rate", { scores: [10n, 0n, 5n] }, rational(1n, 10n ** 12n)],
  ["weights", { scores: [0n, 2n, 1n], weights: [5n, 1n, 1_000_000n] }, rational(3n, 2n)],
  ["scores far beyond doubles", { scores: [1n << 1100n, 0n, 1n << 1099n] }, rational(1n, 1n << 1100n)],
  ["scores and a rate at the end of doubles", { scores: [1n << 1023n, 0n] }, rational(1n, 1n << 1024n)],
  ["a rate of long integers", { scores: [1n, 0n] }, rational(17n * 10n ** 307n + 1n, 18n * 10n ** 307n)],
  ["a rate of longer integers", { scores: [1n, 0n] }, rational(10n ** 400n + 1n, 10n ** 400n)],
  ["weights that make up for e^-701", { scores: [701n, 0n], weights: [1n, 1n << 1010n] }, rational(1n)],
  ["weights beyond doubles", { scores: [800n, 0n], weights: [1n, 1n << 1150n] }, rational(1n)],
]

describe.each(tables)("softmax with %s", (_, candidates, rate) => {
  const sums = softmaxSums(candidates, rate)
  const draw = (bits: bigint, more: number) => {
    return sampleSoftmax(candidates, rate, bitsAfter(wordsOfUniform(bits, more), "softmax"))
  }

  test("chooses as the exact cumulative probabilities do, on both sides of each", () => {
    for (const [i, sum] of sums.slice(0, -1).entries()) {
      for (const more of [1, 2, 3]) {
        const border = sum >> BigInt(sumBits - 53 - 32 * more)
        expect(draw(border - 3n, more)).toBe(i)
        expect(draw(border + 3n, more)).toBe(i + 1)
      }
    }
  })

  test("chooses at once away from the borders, or after one more word where doubles cannot judge", () => {
    for (let k = 0n; k < 64n; k += 1n) {
      const u = (k << 47n) + 12345n
      const index = sums.findIndex((sum) => sum >> BigInt(sumBits - 53) > u)
      const near = sums.some((sum) => {
        const distance = (sum >> BigInt(sumBits - 53)) - u
        return distance < 1n << 20n && distance > -(1n << 20n)
      })
      if (!near) expect(draw(u << 32n, 1)).toBe(index)
    }
  })
})

test("softmax reads two words when they are enough, and goes on from them when they are not", () => {
  const rng = bitsAfter([0x40000000, 0], "softmax")
  expect(sampleSoftmax({ scores: [0n, 0n] }, rational(1n), rng)).toBe(0)
  expect(rng.used).toBe(2)
  // U begins like 1/2, the border, for 53 and for 85 bits.
  const ask = (words: readonly number[]) =>
    sampleSoftmax({ scores: [0n, 0n] }, rational(1n), replayBits(words))
  expect(() => ask([0x80000000, 0])).toThrow(OutOfBits)
  expect(() => ask([0x80000000, 0, 0])).toThrow(OutOfBits)
  expect(ask([0x80000000, 0, 1])).toBe(1)
  expect(ask([0x80000000, 0, 0, 1])).toBe(1)
  expect(ask([0x7fffffff, 0xffffffff, 0xfffffffe])).toBe(0)
})

test("softmax of one candidate is that one", () => {
  expect(sampleSoftmax({ scores: [-5n] }, rational(1n), replayBits([0, 0]))).toBe(0)
  expect(sampleSoftmax({ scores: [-5n] }, rational(1n), replayBits([0xffffffff, 0xffffffff, 0]))).toBe(0)
})

test("bug/invariant: no candidate, no rate, or wrong weights are refused", () => {
  const rng = replayBits([0, 0, 0])
  const one = rational(1n)
  expect(() => sampleSoftmax({ scores: [] }, one, rng)).toThrow(bug)
  expect(() => sampleSoftmax({ scores: [1n] }, rational(0n), rng)).toThrow(bug)
  expect(() => sampleSoftmax({ scores: [1n], weights: [1n, 1n] }, one, rng)).toThrow(bug)
  expect(() => sampleSoftmax({ scores: [1n], weights: [0n] }, one, rng)).toThrow(bug)
  expect(() => sampleSoftmax({ scores: [1n], weights: [-1n] }, one, rng)).toThrow(bug)
  expect(() => sampleNoisyArgmax([], one, "laplace", rng)).toThrow(bug)
  expect(() => sampleNoisyArgmax([1n], rational(-1n), "laplace", rng)).toThrow(bug)
})

const { cells } = exponentialTable()

/** The words of an exponential (h + u) / 64 that is accepted at once: V = 0, u of 20 bits. */
function runner(h: number, u: number): number[] {
  return [cells.indexOf(h), u * 4096]
}

describe("the noisy argmax", () => {
  const one = rational(1n)
  const race = (scores: readonly bigint[], words: readonly number[], rate = one) => {
    const rng = replayBits(words)
    return { winner: sampleNoisyArgmax(scores, rate, "exponential", rng), used: rng.used }
  }

  test("is the greatest of rate score + noise", () => {
    // Noise 1, 2 and 3; gaps are worth 64 cells each.
    const words = [...runner(64, 0), ...runner(128, 0), ...runner(192, 0)]
    expect(race([0n, 0n, 0n], words)).toEqual({ winner: 2, used: 6 })
    expect(race([3n, 0n, 0n], words)).toEqual({ winner: 0, used: 6 })
    expect(race([1n, 2n, 0n], words)).toEqual({ winner: 1, used: 6 })
    expect(race([-7n], runner(64, 0))).toEqual({ winner: 0, used: 2 })
  })

  test("a tie in the first bits is decided by the next ones, of the contenders only", () => {
    const tie = [...runner(64, 7), ...runner(10, 0), ...runner(64, 7)]
    // Each contender goes on to 84 bits, two words each.
    expect(race([0n, 0n, 0n], [...tie, 5, 0, 4, 0xfffffff0])).toEqual({ winner: 0, used: 10 })
    expect(race([0n, 0n, 0n], [...tie, 4, 0xfffffff0, 5, 0])).toEqual({ winner: 2, used: 10 })
    // Equal to 84 bits: two words more each, to 148.
    const again = [...tie, 5, 6, 5, 6]
    expect(race([0n, 0n, 0n], [...again, 0, 0, 0, 9])).toEqual({ winner: 2, used: 14 })
    expect(() => race([0n, 0n, 0n], again)).toThrow(OutOfBits)
  })

  test("a gap that equals a difference of noise to 20 bits is decided exactly", () => {
    // Gap 1 at rate 1/3 is 64/3 cells = 21 + 0x55555.5.../2^20.
    const third = rational(1n, 3n)
    const near = [...runner(100, 0), ...runner(121, 0x55555)]
    expect(race([1n, 0n], [...near, 0, 0, 0x55555554, 0], third).winner).toBe(0)
    expect(race([1n, 0n], [...near, 0, 0, 0x55555556, 0], third).winner).toBe(1)
    expect(race([1n, 0n], [...near, 0, 0, 0x55555555, 0x55555550], third).winner).toBe(0)
    expect(race([1n, 0n], [...near, 0, 0, 0x55555555, 0x5555555a], third).winner).toBe(1)
  })

  test("contenders with different numbers of known bits are compared on one scale", () => {
    // The first runner's acceptance is undecided for 80 bits of V, so 148 bits of its u = 2^-20 are read:
    // zeros after the first 20. The second has the same 20 bits and then ones, so it is greater.
    const border = encloseExpNegative(rational(1n, 64n << 20n), 160).lo
    const digit = (from: number) => Number((border >> BigInt(160 - from - 32)) & 0xffffffffn)
    const v16 = Number(border >> 144n)
    const first = [
      v16 * 65536 + cells.indexOf(64),
      1 * 4096,
      digit(16),
      0,
      0,
      digit(48),
      0,
      digit(80) - 1000,
      0,
    ]
    const second = runner(64, 1)
    const ones = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]
    const rng = bitsAfter([...first, ...second, ...ones], "uneven")
    expect(sampleNoisyArgmax([0n, 0n], one, "exponential", rng)).toBe(1)
    expect(rng.used).toBe(first.length + second.length + ones.length)
  })

  test("with Laplace noise the sign is one more word, and the greater size loses when it is set", () => {
    const plus = 0
    const minus = 0x80000000
    const ask = (words: readonly number[]) => sampleNoisyArgmax([0n, 0n], one, "laplace", replayBits(words))
    expect(ask([...runner(64, 0), plus, ...runner(128, 0), plus])).toBe(1)
    expect(ask([...runner(64, 0), plus, ...runner(128, 0), minus])).toBe(0)
    expect(ask([...runner(64, 0), minus, ...runner(128, 0), minus])).toBe(0)
    const tie = [...runner(64, 7), minus, ...runner(64, 7), minus]
    expect(ask([...tie, 5, 0, 4, 0])).toBe(1)
    expect(ask([...tie, 4, 0, 5, 0])).toBe(0)
    // Around 0: sizes below 2^-26 of either sign.
    const zero = [...runner(0, 0), minus, ...runner(0, 0), plus]
    expect(ask([...zero, 0, 0, 0, 0, 0, 1, 0, 1])).toBe(1)
  })

  test("rates and scores beyond doubles are compared in integers", () => {
    const words = [...runner(64, 0), ...runner(128, 1)]
    const more = Array.from({ length: 80 }, () => 7)
    const huge = 1n << 1100n
    // A gap of 1: the noise 2 beats the noise 1, by a hair beyond the gap.
    expect(race([huge, 0n], [...words, ...more], rational(1n, huge)).winner).toBe(1)
    expect(race([huge + (huge >> 10n), 0n], [...words, ...more], rational(1n, huge)).winner).toBe(0)
    // A rate beyond doubles: only the greatest score can win.
    expect(race([0n, 1n], [...words, ...more], rational(huge)).winner).toBe(1)
    expect(race([1n, 0n], [...words, ...more], rational(huge)).winner).toBe(0)
    // A huge gap at an ordinary rate.
    expect(race([huge, 0n], [...words, ...more]).winner).toBe(0)
  })
})
