// The exponential sampler against slowExponential on words that aim at every border, and known answers.

import { describe, expect, test } from "vitest"
import { encloseExpNegative } from "../exact/exp.ts"
import { compare, divide, rational, type Rational } from "../exact/rational.ts"
import { bitsAfter, couple, type Coupled } from "../testing/couple.ts"
import { replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { acceptanceBorder, slowExponential, TooNear } from "../testing/slow-draws.ts"
import { sampleDiscreteLaplace } from "./discrete-laplace.ts"
import { sampleGeometric } from "./geometric.ts"
import { drawExponential, LazyExponential } from "./lazy-exponential.ts"
import { ambiguous } from "./lazy-table.ts"
import { exponentialTable } from "./static-tables.ts"

const scales: readonly (readonly [string, Rational])[] = [
  ["1/3", rational(1n, 3n)],
  ["1", rational(1n)],
  ["10", rational(10n)],
  ["1000", rational(1000n)],
  ["65535", rational(65535n)],
  ["65536", rational(65536n)],
  ["65537", rational(65537n)],
  ["10^6", rational(1_000_000n)],
  ["10^9/7", rational(1_000_000_000n, 7n)],
  ["2^30 + 1", rational((1n << 30n) + 1n)],
  ["2^40", rational(1n << 40n)],
  ["2^46", rational(1n << 46n)],
  ["2^46 - 1/3", rational((3n << 46n) - 1n, 3n)],
  ["2^55 + 1", rational((1n << 55n) + 1n)],
  ["2^80", rational(1n << 80n)],
  ["1/10^30", rational(1n, 10n ** 30n)],
  ["a fraction of long integers", rational(10n ** 400n + 1n, 3n * 10n ** 399n)],
]

const { cells } = exponentialTable()
const plainCells = [0, 1, 2, 40, 200, 400].map((h) => cells.indexOf(h)).filter((cell) => cell >= 0)
const splitCells = [...cells.keys()].filter((cell) => (cells[cell] ?? 0) < ambiguous)

interface Setting {
  readonly scale: Rational
  readonly sign: "one-sided" | "two-sided"
  readonly sampler: LazyExponential
}

function settingOf(scale: Rational, sign: Setting["sign"] = "two-sided"): Setting {
  return { scale, sign, sampler: new LazyExponential(scale, sign) }
}

interface Aim {
  readonly v: number
  readonly cell: number
  /** 52 bits; a sampler of two words takes the first 20. */
  readonly u: bigint
  readonly r: number
  readonly after?: readonly number[]
}

function check({ scale, sign, sampler }: Setting, { v, cell, u, r, after = [] }: Aim): Coupled | undefined {
  const first = v * 65536 + cell
  const second = Number(u >> 32n) * 4096 + r
  const words = [first, second, ...(sampler.words === 3 ? [Number(u & 0xffffffffn)] : [])]
  try {
    return couple(sampler, (given, bits) => slowExponential({ scale, sign, words: given }, bits), {
      words,
      after,
    })
  } catch (error) {
    if (error instanceof TooNear) return undefined
    throw error
  }
}

/** The r at which the sign needs more bits: floor(4096 q / (1 + q)), q = e^(-1/s). */
function signCell(scale: Rational): number {
  const q = encloseExpNegative(divide(rational(1n), scale), 400).lo
  return Number((4096n * q) / ((1n << 400n) + q))
}

describe.each(scales)("scale %s", (_, scale) => {
  const setting = settingOf(scale)
  const rng = seededBits(`aim ${scale.numerator}`)
  const bits52 = () => (BigInt(rng.word() >>> 12) << 32n) | BigInt(rng.word())

  test("agrees with exact arithmetic where V is at the border of acceptance", () => {
    const isLong = setting.sampler.words === 3
    const outcomes = new Set<boolean>()
    for (let i = 0; i < 24; i += 1) {
      const u = bits52()
      // The border for the u that is known: e^-(u/64) at both ends of its interval.
      const [value, unit] = isLong ? [u, 64n << 52n] : [u >> 32n, 64n << 20n]
      const upper = acceptanceBorder(rational(value, unit)).hi
      const lower = acceptanceBorder(rational(value + 1n, unit)).lo
      const inside = lower + ((upper - lower) * BigInt(i)) / 24n
      for (const v48 of [lower - 40n, lower - 10n, lower, inside, upper, upper + 10n, upper + 40n]) {
        const v = v48 < 1n << 48n ? v48 : (1n << 48n) - 1n
        const cell = plainCells[i % plainCells.length] ?? 0
        const aim = { v: Number(v >> 32n), cell, u, r: 5, after: [Number(v & 0xffffffffn)] }
        outcomes.add(check(setting, aim)?.isPending ?? false)
      }
    }
    expect(outcomes.has(true)).toBe(true)
  })

  test("agrees where s(h + u)/64 is within a hair of an integer", () => {
    // An integer n, the cell h with h <= 64 n / s < h + 1, and u = 64 n / s - h to 52 bits and beside it.
    const most = (400n * scale.numerator) / (64n * scale.denominator)
    for (let i = 0; i < (most > 0n ? 60 : 0); i += 1) {
      const n = 1n + (BigInt(rng.word()) * most) / (1n << 32n)
      const exact = ((64n * n * scale.denominator) << 52n) / scale.numerator
      const cell = cells.indexOf(Number(exact >> 52n))
      for (const off of [-(1n << 33n), -(1n << 32n), -3n, -1n, 0n, 1n, 2n, 1n << 32n]) {
        const u = (exact & ((1n << 52n) - 1n)) + off
        if (u < 0n || u >> 52n !== 0n || cell < 0) continue
        check(setting, { v: rng.word() >>> 17, cell, u, r: i % 2 === 0 ? 5 : 4000 })
      }
    }
    expect(most > 0n || compare(scale, rational(1n)) < 0).toBe(true)
  })

  test("agrees where the sign, the cell or both need more bits, and far out in the tail", () => {
    const sign = signCell(scale)
    let pendingCount = 0
    for (let i = 0; i < 40; i += 1) {
      const split = splitCells[(i * 37) % splitCells.length] ?? 0
      for (const r of [sign, Math.max(0, sign - 1), sign + 1]) {
        for (const cell of [split, plainCells[1] ?? 0]) {
          const got = check(setting, { v: rng.word() >>> 17, cell, u: bits52(), r })
          if (got?.isPending === true) pendingCount += 1
        }
      }
    }
    expect(pendingCount).toBeGreaterThan(80)
    const tails = [
      [0xffffffff, 0xffffffff, 0xfffffff0],
      [0xffffffff, 0xffff0000],
      [0xffffffff, 0],
      [0xfffffffe],
      [0xfff00000],
    ]
    for (const after of tails) check(setting, { v: 7, cell: 65535, u: bits52(), r: 5, after })
  })

  test("agrees without a sign", () => {
    const plain = settingOf(scale, "one-sided")
    for (let i = 0; i < 300; i += 1) {
      const word = rng.word()
      const aim = { v: word >>> 16, cell: word & 0xffff, u: bits52(), r: rng.word() >>> 20 }
      const got = check(plain, aim)
      expect(got === undefined || got.draw >= 0n).toBe(true)
    }
  })
})

test("two words are drawn up to scale 65536, three above", () => {
  expect(settingOf(rational(65536n)).sampler.words).toBe(2)
  expect(settingOf(rational(65537n)).sampler.words).toBe(3)
})

test("bits after a rejection are fresh, bits before it are kept", () => {
  // V = 65535 and u near 1 are rejected; h = 0 stays.
  const cell = plainCells[0] ?? 0
  const words = Uint32Array.of(0xffff0000 + cell, 0xfffff000)
  const bits = bitsAfter([0xffffffff, 0x00000000, 0x80000000, 0], "rejected")
  const sampler = new LazyExponential(rational(640n), "one-sided")
  // After it V = 0, u = 1/2: floor(640 / 64 (0 + 1/2)) = 5.
  expect(BigInt(sampler.complete(words, 0, bits))).toBe(5n)
  expect(bits.used).toBe(4)
})

// Words in, integer out. A change here is a change in how bits are used: old recordings no longer replay.
const answers: readonly (readonly [string, Rational, readonly number[], bigint, bigint])[] = [
  ["1/3", rational(1n, 3n), [0x374dc98b, 0x16e6f17f], 0n, 0n],
  ["1/3", rational(1n, 3n), [0xfffd12f2, 0xff2c6478, 0xa3d6004e, 0xa9341e42, 0xab596b68, 0xca238258], 0n, 0n],
  ["1", rational(1n), [0x6a74b9d9, 0x610e00ba], -2n, 1n],
  ["1", rational(1n), [0xfff201de, 0xd7107bf3, 0x6205e98a, 0xfbc03294, 0x573aa89f, 0xb92e88df], 0n, 0n],
  ["10", rational(10n), [0x3d9c53ac, 0xf06dba07], 4n, 4n],
  ["10", rational(10n), [0xfff7f342, 0xffe9d092, 0xeb7f4fa4, 0x5bc6b19a, 0xe553ddc3, 0xac60c3f6], -31n, 30n],
  ["1000", rational(1000n), [0x3ab6c883, 0x2ef86b79], 1518n, 1518n],
  [
    "1000",
    rational(1000n),
    [0xfff3bfc4, 0xffa07322, 0xdcd1708e, 0x40a64359, 0x47a8cd96, 0x59aea3d5],
    -1380n,
    1379n,
  ],
  ["65537", rational(65537n), [0x8ff42492, 0x52a4b15f, 0x48b527c8], -9547n, 9546n],
  [
    "65537",
    rational(65537n),
    [0xfff8c33a, 0xffc25fa3, 0x9ae4ac34, 0xc7195b45, 0xa5889117, 0x558a497a, 0xcb173c7c, 0x06a466a8],
    94551n,
    94551n,
  ],
  ["2^40", rational(1n << 40n), [0x8f5aec85, 0xc34b5451, 0x7cfc0684], -2830604525376n, 2830604525375n],
  [
    "2^40",
    rational(1n << 40n),
    [0xfff3bc27, 0xff94d9f1, 0x638be6e3, 0x412fc4a7, 0x769cc390, 0x2c7d3017, 0x1b1142cc, 0x3aac19b0],
    1446094620356n,
    1446094620356n,
  ],
  [
    "2^46 - 1/3",
    rational((3n << 46n) - 1n, 3n),
    [0x11bed88a, 0x37f46858, 0x430a3530],
    131082207113378n,
    131082207113378n,
  ],
  [
    "2^46 - 1/3",
    rational((3n << 46n) - 1n, 3n),
    [0xfffb7a98, 0xff8af3fe, 0x3a30d6a3, 0xd7b23c6a, 0xb5d60875, 0x410190c0, 0x117b0f8d, 0x2b57c2f2],
    -45359175899057n,
    45359175899056n,
  ],
  [
    "2^80",
    rational(1n << 80n),
    [0x690947e3, 0xba143d92, 0xb3d8a0a1, 0x86f9268e, 0xbb957e71],
    410408993458159979783519n,
    410408993458159979783519n,
  ],
  [
    "2^80",
    rational(1n << 80n),
    [
      0xfffc2edb, 0xff7d30d6, 0x78e7a7b7, 0x11a1eba9, 0xff07f381, 0xada1181c, 0x79e0d938, 0x852bba9d,
      0xf726d92e, 0x9ebdd2d2, 0x080e4f5b, 0xb2d7ad6a, 0x5770eebf,
    ],
    -238386643727484156501052n,
    238386643727484156501051n,
  ],
]

test.each(answers)("known answers for scale %s", (_, scale, words, laplace, geometric) => {
  expect(sampleDiscreteLaplace(scale, replayBits(words))).toBe(laplace)
  expect(sampleGeometric(scale, replayBits(words))).toBe(geometric)
})

test("bug/invariant: a scale is positive", () => {
  const bug = expect.objectContaining({ code: "bug/invariant" })
  for (const scale of [rational(0n), rational(-1n)]) {
    expect(() => sampleDiscreteLaplace(scale, replayBits([]))).toThrow(bug)
    expect(() => sampleGeometric(scale, replayBits([]))).toThrow(bug)
  }
})

describe("a lazy exponential", () => {
  test("shows 20 bits of u, and more only where acceptance needed them", () => {
    const cell = cells.indexOf(64)
    const plain = drawExponential(replayBits([cell, 0x80000fff]))
    expect(plain).toEqual({ h: 64, u: { value: 0x80000, bits: 20 } })
    // V = 65535 with u = 0: accepted after 32 more bits of V, which are not all ones.
    const slow = drawExponential(replayBits([0xffff0000 + cell, 0, 0]))
    expect(slow).toEqual({ h: 64, u: { value: 0, bits: 20 } })
    const again = drawExponential(replayBits([0xffff0000 + cell, 0xfffff000, 0xffffffff, 0, 0x00001000]))
    expect(again).toEqual({ h: 64, u: { value: 1, bits: 20 } })
  })
})
