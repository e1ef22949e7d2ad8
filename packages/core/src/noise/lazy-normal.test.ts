// The normal sampler against slowNormal on words that aim at every border, and known answers.

import { describe, expect, test } from "vitest"
import { sqrtDown } from "../exact/log.ts"
import { compare, divide, rational, type Rational } from "../exact/rational.ts"
import { bitsAfter, couple, type Coupled } from "../testing/couple.ts"
import { replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { acceptanceBorder, slowNormal, TooNear } from "../testing/slow-draws.ts"
import { LazyNormal } from "./lazy-normal.ts"
import { ambiguous } from "./lazy-table.ts"
import { sampleRoundedGaussian } from "./rounded-gaussian.ts"
import { normalTable } from "./static-tables.ts"

const variances: readonly (readonly [string, Rational])[] = [
  ["1/9", rational(1n, 9n)],
  ["1", rational(1n)],
  ["2", rational(2n)],
  ["100", rational(100n)],
  ["10^6", rational(1_000_000n)],
  ["65537^2", rational(65537n ** 2n)],
  ["10^12", rational(10n ** 12n)],
  ["2^40", rational(1n << 40n)],
  ["2^40 + 1", rational((1n << 40n) + 1n)],
  ["10^13 / 7", rational(10n ** 13n, 7n)],
  ["2^61 + 1", rational((1n << 61n) + 1n)],
  ["2^80", rational(1n << 80n)],
  ["2^92 - 1/3", rational((3n << 92n) - 1n, 3n)],
  ["2^110 + 1", rational((1n << 110n) + 1n)],
  ["2^160", rational(1n << 160n)],
  ["1/10^30", rational(1n, 10n ** 30n)],
  ["a fraction of long integers", rational(10n ** 400n + 1n, 3n * 10n ** 399n)],
  ["0.15 with 309 places", rational(15n * 10n ** 307n + 1n, 10n ** 309n)],
]

const { cells } = normalTable()
const plainCells = [0, 1, 2, 40, 120, 200].map((h) => cells.indexOf(h)).filter((cell) => cell >= 0)
const splitCells = [...cells.keys()].filter((cell) => (cells[cell] ?? 0) < ambiguous)

interface Setting {
  readonly variance: Rational
  readonly sampler: LazyNormal
}

interface Aim {
  readonly v: number
  readonly cell: number
  /** 63 bits; a sampler of two words takes the first 31. */
  readonly u: bigint
  readonly sign: 0 | 1
  readonly after?: readonly number[]
}

function check({ variance, sampler }: Setting, { v, cell, u, sign, after = [] }: Aim): Coupled | undefined {
  const second = Number(u >> 32n) * 2 + sign
  const words = [v * 65536 + cell, second, ...(sampler.words === 3 ? [Number(u & 0xffffffffn)] : [])]
  try {
    return couple(sampler, (given, bits) => slowNormal({ variance, words: given }, bits), { words, after })
  } catch (error) {
    if (error instanceof TooNear) return undefined
    throw error
  }
}

/** u (2h + u) / 8192 for u of 31 bits. */
function exponentOf(h: bigint, u: bigint): Rational {
  return rational(u * ((h << 32n) + u), 8192n << 62n)
}

describe.each(variances)("variance %s", (_, variance) => {
  const setting = { variance, sampler: new LazyNormal(variance) }
  const rng = seededBits(`aim ${variance.numerator}`)
  const bits63 = () => (BigInt(rng.word() >>> 1) << 32n) | BigInt(rng.word())
  const sign = () => (rng.word() % 2 === 0 ? 0 : 1)

  test("agrees with exact arithmetic where V is at the border of acceptance", () => {
    let pendingCount = 0
    for (let i = 0; i < 24; i += 1) {
      const cell = plainCells[i % plainCells.length] ?? 0
      const h = BigInt(cells[cell] ?? 0)
      const u = bits63()
      const upper = acceptanceBorder(exponentOf(h, u >> 32n)).hi
      const lower = acceptanceBorder(exponentOf(h, (u >> 32n) + 1n)).lo
      const inside = lower + ((upper - lower) * BigInt(i)) / 24n
      for (const v48 of [lower - 200n, lower - 60n, lower, inside, upper, upper + 60n, upper + 200n]) {
        const v = v48 < 1n << 48n ? v48 : (1n << 48n) - 1n
        const aim = { v: Number(v >> 32n), cell, u, sign: sign(), after: [Number(v & 0xffffffffn)] } as const
        if (check(setting, aim)?.isPending === true) pendingCount += 1
      }
    }
    expect(pendingCount).toBeGreaterThan(50)
  })

  test("agrees where sigma (h + u)/64 is within a hair of a half", () => {
    // A half n + 1/2, the cell h with h <= 64 (n + 1/2) / sigma < h + 1, and u to 63 bits and beside it.
    const inverse = sqrtDown(divide(rational(4096n), variance), 400)
    const most = (200n * inverse.denominator) / inverse.numerator
    for (let i = 0; i < 60; i += 1) {
      const n = (BigInt(rng.word()) * most) / (1n << 32n)
      const exact = (((2n * n + 1n) * inverse.numerator) << 62n) / inverse.denominator
      const cell = cells.indexOf(Number(exact >> 63n))
      for (const off of [-(1n << 33n), -(1n << 32n), -3n, -1n, 0n, 1n, 2n, 1n << 32n]) {
        const u = (exact & ((1n << 63n) - 1n)) + off
        if (u < 0n || u >> 63n !== 0n || cell < 0) continue
        check(setting, { v: rng.word() >>> 20, cell, u, sign: sign() })
      }
    }
    expect(most > 0n || compare(variance, rational(1n)) < 0).toBe(true)
  })

  test("agrees in split cells, far out in the tail, and at 0", () => {
    for (let i = 0; i < 60; i += 1) {
      const cell = splitCells[(i * 11) % splitCells.length] ?? 0
      check(setting, { v: rng.word() >>> 17, cell, u: bits63(), sign: sign() })
    }
    const tails = [
      [0xffffffff, 0xffffffff, 0xfffffff0],
      [0xffffffff, 0xffff0000],
      [0xffffffff, 0],
      [0xfffffffe],
    ]
    for (const after of tails) check(setting, { v: 7, cell: 65535, u: bits63(), sign: 1, after })
    for (const minus of [0, 1] as const) {
      expect(check(setting, { v: 0, cell: plainCells[0] ?? 0, u: 0n, sign: minus, after: [0] })).toBeDefined()
    }
  })

  test("agrees on words as they come", () => {
    for (let i = 0; i < 300; i += 1) {
      const word = rng.word()
      check(setting, { v: word >>> 16, cell: word & 0xffff, u: bits63(), sign: sign() })
    }
  })
})

test("two words are drawn up to sigma 2^20, three above", () => {
  expect(new LazyNormal(rational(1n << 40n)).words).toBe(2)
  expect(new LazyNormal(rational((1n << 40n) + (1n << 20n))).words).toBe(3)
})

test("a third word that was looked at is used, not drawn again", () => {
  // sigma / 64 = 2^40: the third word's bits are worth 2^8 down to 2^-23. At 5 + 1/2 and just below it the
  // kernel gives up, having seen them; what comes next may not replace them.
  const sampler = new LazyNormal(rational(1n << 92n))
  const ask = (third: number) => {
    const words = Uint32Array.of(cells.indexOf(1), 0, third)
    expect(sampler.runThree(words, new Float64Array(1), 1, new Uint32Array(2))).toBe(1)
    return BigInt(sampler.complete(words, 0, bitsAfter([0x12345678, 0x9abcdef0], "third"))) - (1n << 40n)
  }
  expect(ask(5 * 2 ** 23 + 2 ** 22)).toBe(6n)
  expect(ask(5 * 2 ** 23 + 2 ** 22 - 1)).toBe(5n)
})

test("after a rejection all bits are fresh, the cell's too", () => {
  const sampler = new LazyNormal(rational(4096n))
  const cell = cells.indexOf(200)
  const words = Uint32Array.of(0xffff0000 + cell, 0xffffffff)
  // Rejected; then h = 40, V = 0, u = 1/4, positive: round(64 (40 + 1/4) / 64) = 40.
  const bits = bitsAfter([0xffffffff, cells.indexOf(40), 0x40000000, 0], "rejected")
  expect(BigInt(sampler.complete(words, 0, bits))).toBe(40n)
  expect(bits.used).toBe(4)
})

// Words in, integer out. A change here is a change in how bits are used: old recordings no longer replay.
const answers: readonly (readonly [string, Rational, readonly number[], bigint])[] = [
  ["1/9", rational(1n, 9n), [0xd5cc7f34, 0xfc130764], 0n],
  ["1/9", rational(1n, 9n), [0xffffd2c5, 0x8b31f00a, 0xc6fe1753, 0x637e1525, 0x7eaad3dc, 0x0c39a30a], 0n],
  ["1", rational(1n), [0x6a74b9d9, 0x610e00ba], 1n],
  ["1", rational(1n), [0xffff01de, 0xd7107bf3, 0x6205e98a, 0xfbc03294, 0x573aa89f, 0xb92e88df], 0n],
  ["100", rational(100n), [0x7c643bb2, 0x68d2e8a5], -3n],
  ["100", rational(100n), [0xffff48b9, 0x43d6a193, 0x4cb7bb92, 0xbcea5077, 0xf2b58e25, 0x6f12d445], -4n],
  ["10^6", rational(1_000_000n), [0x7b809466, 0x8d05432b], -805n],
  [
    "10^6",
    rational(1_000_000n),
    [0xffff0ca7, 0x32286726, 0x50706af7, 0xa1fb8b50, 0xd4a2c323, 0x868a262d],
    -747n,
  ],
  ["2^40 + 1", rational((1n << 40n) + 1n), [0xa8d84f88, 0xade301c8, 0x139dcf56], 420729n],
  [
    "2^40 + 1",
    rational((1n << 40n) + 1n),
    [0xffff7b91, 0x91f52ccf, 0x3761fa0e, 0x564052e2, 0xb04b92dc, 0xd2b6b1f5, 0x4297f0e6, 0xddf50de9],
    -849070n,
  ],
  ["2^80", rational(1n << 80n), [0x690947e3, 0xba143d92, 0xb3d8a0a1], 407624545870n],
  [
    "2^80",
    rational(1n << 80n),
    [
      0xffff2edb, 0xf87d30d6, 0x78e7a7b7, 0x11a1eba9, 0xff07f381, 0xada1181c, 0x79e0d938, 0x852bba9d,
      0xf726d92e, 0x9ebdd2d2, 0x080e4f5b, 0xb2d7ad6a,
    ],
    1591200926536n,
  ],
  ["2^92 - 1/3", rational((3n << 92n) - 1n, 3n), [0x21964019, 0xdfb42eff, 0x4a2ce5f0], -22951033241236n],
  [
    "2^92 - 1/3",
    rational((3n << 92n) - 1n, 3n),
    [0xffff5bd4, 0xfdf52e26, 0xf1a51d12, 0x96fa3381, 0x8948bfcc, 0xa7927be5, 0x6b2a3909, 0xbe7ed218],
    -80984065959126n,
  ],
  [
    "2^160",
    rational(1n << 160n),
    [0xfc70282e, 0xdd6282f5, 0xb4eb95ba, 0xc48dd6a4, 0x39bce7f2],
    -243008906962092692459982n,
  ],
  [
    "2^160",
    rational(1n << 160n),
    [
      0xffff305b, 0x3139a52a, 0xfb9a3802, 0x7ec2b1a1, 0x51449112, 0x0c3e08a7, 0xee0ca0c6, 0xa8ee7ea5,
      0x9052143c,
    ],
    -945376620318242795566211n,
  ],
]

test.each(answers)("known answers for variance %s", (_, variance, words, draw) => {
  expect(sampleRoundedGaussian(variance, replayBits(words))).toBe(draw)
})

test("a variance of long integers gives noise: it is not taken for 0", () => {
  const variance = rational(15n * 10n ** 307n + 1n, 10n ** 309n)
  const rng = seededBits("long")
  const draws = Array.from({ length: 300 }, () => sampleRoundedGaussian(variance, rng))
  // P(0) = 0.80: all 300 have a chance of e^-66.
  expect(draws.some((draw) => draw !== 0n)).toBe(true)
})

test("bug/invariant: a variance is positive", () => {
  for (const variance of [rational(0n), rational(-1n)]) {
    expect(() => sampleRoundedGaussian(variance, replayBits([]))).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
  }
})
