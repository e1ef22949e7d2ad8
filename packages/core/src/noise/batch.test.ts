import { beforeEach, describe, expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { slowExponential, slowNormal } from "../testing/slow-draws.ts"
import { drawOne, fillBatch, type WordSampler } from "./batch.ts"
import { fillDiscreteGaussian } from "./discrete-gaussian.ts"
import { fillDiscreteLaplace } from "./discrete-laplace.ts"
import { fillGeometric } from "./geometric.ts"
import { LazyExponential } from "./lazy-exponential.ts"
import { LazyNormal } from "./lazy-normal.ts"
import { storeDraw, type NoiseArray } from "./noise-array.ts"
import { fillRoundedGaussian } from "./rounded-gaussian.ts"
import { doubles, integers, words } from "./scratch.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })

/** The draw is the first word, unless that is a multiple of 10: then it waits, and `late` says what it is. */
function fake(perDraw: 2 | 3, late: (word: number) => number | bigint): WordSampler {
  const run = (from: Uint32Array, out: NoiseArray, count: number, pending: Uint32Array) => {
    let waiting = 0
    for (let i = 0; i < count; i += 1) {
      const word = from[i * perDraw] ?? 0
      if (word % 10 === 0) pending[waiting++] = i
      else out[i] = word
    }
    return waiting
  }
  return { words: perDraw, runTwo: run, runThree: run, complete: (from, at) => late(from[at] ?? 0) }
}

/** Counts words up from 1. */
function counting(): RandomBits {
  let next = 0
  const word = () => (next += 1)
  return {
    word,
    fill: (into) => {
      for (let i = 0; i < into.length; i += 1) into[i] = word()
    },
  }
}

// Other files of the same worker may have written into the shared memory.
beforeEach(() => {
  for (const buffer of [words, integers, doubles]) buffer.fill(0)
})

describe.each([2, 3] as const)("a batch of %d words a draw", (perDraw) => {
  test.each([0, 1, 5461, 5462, 8192, 8193, 20_000])("puts %d draws in their places", (length) => {
    const out = new Float64Array(length).fill(-1)
    expect(
      fillBatch(
        out,
        fake(perDraw, (word) => -word),
        counting(),
      ),
    ).toEqual([])
    const expected = Array.from(out, (_, i) => {
      const word = i * perDraw + 1
      return word % 10 === 0 ? -word : word
    })
    expect(out.every((value, i) => value === expected[i])).toBe(true)
    expect(words.every((word) => word === 0)).toBe(true)
    expect(integers.subarray(0, length).every((value) => value === 0)).toBe(true)
    expect(doubles.subarray(0, length).every((value) => value === 0)).toBe(true)
  })

  test("leaves nothing behind where the random source fails on the way", () => {
    const bits = counting()
    let left = 1
    const failing: RandomBits = {
      word: bits.word,
      fill: (into) => {
        bits.fill(into)
        if (left === 0) throw new Error("no more bits")
        left -= 1
      },
    }
    expect(() =>
      fillBatch(
        new Float64Array(20_000),
        fake(perDraw, (word) => -word),
        failing,
      ),
    ).toThrow("no more bits")
    expect(words.every((word) => word === 0)).toBe(true)
    expect(integers.subarray(0, 20_000).every((value) => value === 0)).toBe(true)
    expect(doubles.subarray(0, 20_000).every((value) => value === 0)).toBe(true)
  })

  test("hands back draws that the array cannot hold, by place, and keeps the nearest value", () => {
    const huge = 1n << 60n
    const sampler = fake(perDraw, (word) => (word % 20 === 0 ? huge : -huge))
    for (const out of [new Int32Array(9000), new Float64Array(9000)]) {
      const spills = fillBatch(out, sampler, counting())
      const limit = out instanceof Int32Array ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER
      const late = [...out.keys()].filter((i) => (i * perDraw + 1) % 10 === 0)
      expect(spills.map(({ index }) => index)).toEqual(late)
      for (const { index, value } of spills) {
        expect(out[index]).toBe(value > 0n ? limit : -limit)
        expect(value).toBe((index * perDraw + 1) % 20 === 0 ? huge : -huge)
      }
    }
  })

  test("draws one value without leaving it behind", () => {
    const sampler = fake(perDraw, (word) => BigInt(word) << 70n)
    expect(drawOne(sampler, { word: () => 7, fill: () => {} })).toBe(7n)
    expect(drawOne(sampler, { word: () => 10, fill: () => {} })).toBe(10n << 70n)
    expect([integers[0], doubles[0]]).toEqual([0, 0])
  })
})

test.each([
  [7, 7, undefined],
  [-7n, -7, undefined],
  [2 ** 31 - 1, 2 ** 31 - 1, undefined],
  [2 ** 31, 2 ** 31 - 1, 2n ** 31n],
  [-(2n ** 31n), -(2 ** 31) + 1, -(2n ** 31n)],
  [2n ** 31n - 1n, 2 ** 31 - 1, undefined],
])("an Int32Array stores %d as %d", (value, stored, spilled) => {
  const out = new Int32Array(2)
  expect(storeDraw(out, 1, value)).toEqual(spilled === undefined ? undefined : { index: 1, value: spilled })
  expect([...out]).toEqual([0, stored])
})

test.each([
  [2 ** 31, 2 ** 31, undefined],
  [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER, undefined],
  [2n ** 53n, Number.MAX_SAFE_INTEGER, 2n ** 53n],
  [2 ** 53, Number.MAX_SAFE_INTEGER, 2n ** 53n],
  [-(2n ** 80n) - 1n, -Number.MAX_SAFE_INTEGER, -(2n ** 80n) - 1n],
])("a Float64Array stores %d as %d", (value, stored, spilled) => {
  const out = new Float64Array(1)
  expect(storeDraw(out, 0, value)).toEqual(spilled === undefined ? undefined : { index: 0, value: spilled })
  expect(out[0]).toBe(stored)
})

test("a batch is the exact draws of its words, in order, then of the bits that follow", () => {
  const count = 2000
  for (const n of [3n, 1000n, 100_000n, 1n << 40n]) {
    const scale = rational(n)
    const sampler = new LazyExponential(scale, "two-sided")
    const normal = new LazyNormal(rational(n * n))
    const [out, outNormal] = [new Float64Array(count), new Float64Array(count)]
    expect(fillBatch(out, sampler, seededBits("batch"))).toEqual([])
    expect(fillBatch(outNormal, normal, seededBits("batch"))).toEqual([])
    expect([...out]).toEqual(
      slowBatch(sampler, count, (given, bits) =>
        slowExponential({ scale, sign: "two-sided", words: given }, bits),
      ),
    )
    expect([...outNormal]).toEqual(
      slowBatch(normal, count, (given, bits) =>
        slowNormal({ variance: rational(n * n), words: given }, bits),
      ),
    )
  }
})

/** The kernel's sure draws do not read on; the others do so in order. */
function slowBatch(
  sampler: WordSampler,
  count: number,
  slow: (words: Uint32Array, bits: RandomBits) => bigint,
): number[] {
  const rng = seededBits("batch")
  const drawn = new Uint32Array(count * sampler.words)
  rng.fill(drawn)
  const waiting = new Uint32Array(count + 1)
  const howMany =
    sampler.words === 2
      ? sampler.runTwo(drawn, new Int32Array(count), count, waiting)
      : sampler.runThree(drawn, new Float64Array(count), count, waiting)
  const late = new Set(waiting.subarray(0, howMany))
  const unread: RandomBits = { word: () => 0, fill: () => {} }
  return Array.from({ length: count }, (_, i) => {
    const given = drawn.subarray(i * sampler.words, (i + 1) * sampler.words)
    return Number(slow(given, late.has(i) ? rng : unread))
  })
}

test("bug/invariant: a batch whose scale its array cannot hold is refused, and so is a scale of 0", () => {
  const rng = seededBits("refused")
  const [small, large] = [new Int32Array(1), new Float64Array(1)]
  const above24 = rational((1n << 24n) + 1n)
  const above46 = rational((1n << 46n) + 1n)
  for (const fill of [fillDiscreteLaplace, fillGeometric]) {
    expect(() => fill(small, above24, rng)).toThrow(bug)
    expect(() => fill(large, above46, rng)).toThrow(bug)
    expect(() => fill(large, rational(0n), rng)).toThrow(bug)
    expect(fill(small, rational(1n << 24n), rng)).toEqual([])
    expect(fill(large, rational(1n << 46n), rng)).toEqual([])
  }
  expect(() => fillRoundedGaussian(small, rational((1n << 48n) + (1n << 25n)), rng)).toThrow(bug)
  expect(() => fillRoundedGaussian(large, rational((1n << 92n) + (1n << 70n)), rng)).toThrow(bug)
  expect(() => fillRoundedGaussian(large, rational(-1n), rng)).toThrow(bug)
  expect(fillRoundedGaussian(small, rational(1n << 48n), rng)).toEqual([])
  expect(fillRoundedGaussian(large, rational(1n << 92n), rng)).toEqual([])
  expect(() => fillDiscreteGaussian(small, rational((1n << 48n) + (1n << 25n)), rng)).toThrow(bug)
  expect(() => fillDiscreteGaussian(large, rational(1n << 92n), rng)).toThrow(bug)
  expect(fillDiscreteGaussian(small, rational(1n << 48n), rng)).toEqual([])
  expect(fillDiscreteGaussian(large, rational((1n << 92n) - 1n), rng)).toEqual([])
})

test("scales of long integers, tiny scales and tiny variances fill arrays, with a table or without", () => {
  const rng = seededBits("long")
  const long = rational(10n ** 350n + 1n, 3n * 10n ** 350n + 1n)
  for (const length of [10, 40_000]) {
    const out = new Int32Array(length)
    for (const fill of [fillDiscreteLaplace, fillGeometric, fillRoundedGaussian]) {
      expect(fill(out, long, rng)).toEqual([])
      expect(length === 10 || out.some((value) => value !== 0)).toBe(true)
      for (const tiny of [rational(1n, 50n), rational(1n, 10n ** 9n), rational(1n, 10n ** 400n)]) {
        expect(fill(out, tiny, rng)).toEqual([])
      }
      expect(out.every((value) => value === 0)).toBe(true)
    }
  }
})
