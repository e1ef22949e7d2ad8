// Tables are checked whole: every cell, every threshold, and the levels below them (in the short form those
// below some of the thresholds).

import { describe, expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import { sampleOf } from "../testing/suite/long-form.ts"
import {
  exactBinomialPmf,
  exactDiscreteGaussianPmf,
  exactGeometricPmf,
  exactHalfBellPmf,
  exactJumpCountPmf,
  exactLaplacePmf,
  exactPoissonPmf,
  exactRoundedGaussianPmf,
  lawBits,
  type ExactPmf,
} from "../testing/exact-laws.ts"
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import type { CdfOracle } from "./cdf-oracle.ts"
import {
  binomialOracle,
  discreteGaussianOracle,
  geometricOracle,
  halfBellOracle,
  jumpCountOracle,
  laplaceOracle,
  poissonOracle,
  roundedGaussianOracle,
  symmetricOutcome,
} from "./cdf-oracles.ts"
import { ambiguous, LazyTable } from "./lazy-table.ts"
import { exponentialTable, normalTable } from "./static-tables.ts"

interface Case {
  readonly name: string
  readonly oracle: CdfOracle
  /** P(outcome), with outcomes as the table counts them. */
  readonly pmf: ExactPmf
}

const fromMode =
  (pmf: ExactPmf, mode: number): ExactPmf =>
  (outcome) =>
    pmf(mode + outcome)

function poisson(mean: bigint, below = 1n): Case {
  const lambda = rational(mean, below)
  const name = `Poisson ${mean}/${below}`
  return { name, oracle: poissonOracle(lambda), pmf: fromMode(exactPoissonPmf(lambda), Number(mean / below)) }
}

function binomial(trials: number, n: bigint, d: bigint): Case {
  const p = rational(n, d)
  const oracle = binomialOracle(BigInt(trials), p)
  const name = `binomial ${trials}, ${n}/${d}`
  return { name, oracle, pmf: fromMode(exactBinomialPmf(trials, p), Number(oracle.mode)) }
}

const laplaceCases = [rational(1n, 50n), rational(1n, 2n), rational(1n), rational(3n, 2n), rational(10n)].map(
  (s): Case => ({
    name: `Laplace ${s.numerator}/${s.denominator}`,
    oracle: laplaceOracle(s),
    pmf: exactLaplacePmf(s),
  }),
)
const gaussianCases = [
  rational(1n, 300n),
  rational(1n, 4n),
  rational(1n),
  rational(10n),
  rational(22n, 7n),
].map((v): Case => ({
  name: `Gaussian ${v.numerator}/${v.denominator}`,
  oracle: roundedGaussianOracle(v),
  pmf: exactRoundedGaussianPmf(v),
}))

const shareCases: readonly Case[] = [
  ...[rational(1n, 4n), rational(22n, 7n), rational(10n)].map((v): Case => ({
    name: `discrete Gaussian ${v.numerator}/${v.denominator}`,
    oracle: discreteGaussianOracle(v),
    pmf: exactDiscreteGaussianPmf(v, 80),
  })),
  ...[
    [rational(1n, 50n), rational(1n)] as const,
    [rational(3n), rational(2n, 3n)] as const,
    [rational(10n), rational(2n)] as const,
  ].map(([scale, times]): Case => ({
    name: `jumps of scale ${scale.numerator}/${scale.denominator}, ${times.numerator}/${times.denominator}`,
    oracle: jumpCountOracle(scale, times),
    pmf: exactJumpCountPmf(scale, times),
  })),
]

const cases: readonly Case[] = [
  ...laplaceCases,
  ...gaussianCases,
  ...shareCases,
  poisson(1n, 1n << 50n),
  poisson(1n, 2n),
  poisson(10n),
  poisson(7n, 3n),
  binomial(1, 1n, 2n),
  binomial(2, 1n, 2n),
  binomial(4, 1n, 2n),
  binomial(3, 1n, 3n),
  binomial(100, 3n, 10n),
  binomial(1, 1n, 1n << 60n),
  binomial(2000, 1n, 1000n),
  {
    name: "geometric 1/5",
    oracle: geometricOracle(rational(1n, 5n)),
    pmf: exactGeometricPmf(rational(1n, 5n)),
  },
  {
    name: "half bell 1/50",
    oracle: halfBellOracle(rational(1n, 50n)),
    pmf: exactHalfBellPmf(rational(1n, 50n), 200),
  },
]

const levelShift = BigInt(lawBits - 48)
const cellShift = BigInt(lawBits - 16)
const whole = 1n << BigInt(lawBits)
const top = 2 ** 48

interface Sum {
  readonly outcome: number
  readonly lo: bigint
  readonly hi: bigint
}

/** C_k by rank, from single probabilities: the given number of ranks. */
function sumsOf({ oracle, pmf }: Case, ranks: number): readonly Sum[] {
  let [lo, hi] = [0n, 0n]
  return Array.from({ length: ranks }, (_, rank) => {
    const outcome = oracle.outcome(rank)
    const one = pmf(outcome)
    lo += one.lo
    hi += one.hi
    return { outcome, lo, hi: hi < whole ? hi : whole }
  })
}

function decide(table: LazyTable, cell: number, words: readonly number[]): number | "more" {
  try {
    return table.outcome(cell, replayBits(words))
  } catch (error) {
    if (error instanceof OutOfBits) return "more"
    throw error
  }
}

/** The outcome for 48 bits. */
function decideLevel(table: LazyTable, u: number): number | "more" {
  const cell = Math.floor(u / 2 ** 32)
  return decide(table, cell, [u - cell * 2 ** 32])
}

describe.each(cases)("the table of $name", (law) => {
  const table = new LazyTable(law.oracle)
  const { thresholds } = table
  const sums = sumsOf(law, thresholds.length)

  test("has the thresholds floor(2^48 C_k)", () => {
    for (const [k, threshold] of thresholds.entries()) {
      const { lo, hi } = sums[k] ?? { lo: -1n, hi: -1n }
      // A sum that ends within a hair of the grid is known only if the law is on the grid.
      const isOnGrid = hi - lo < 64n && (hi >> levelShift) - (lo >> levelShift) === 1n
      expect(
        BigInt(threshold) === hi >> levelShift || (!isOnGrid && threshold === Number(lo >> levelShift)),
      ).toBe(true)
    }
    expect(thresholds.length).toBeGreaterThan(0)
    expect(thresholds.at(-1)).toBeGreaterThanOrEqual(top - 1)
  })

  test("has in every one of its 65536 cells the outcome that the law has there", () => {
    let rank = 0
    const wrong: number[] = []
    let split = 0
    for (let cell = 0; cell < 65536; cell += 1) {
      const [from, to] = [BigInt(cell) << cellShift, BigInt(cell + 1) << cellShift]
      while (rank < sums.length && (sums[rank]?.hi ?? 0n) <= from + 64n) rank += 1
      const known = table.cells[cell] ?? 0
      const { lo = 0n, outcome = 0 } = sums[rank] ?? {}
      if (known < ambiguous) {
        split += 1
        // It must have been necessary: the cell is not inside one outcome, or touches the grid.
        if (lo > to + 64n && (sums[rank - 1]?.hi ?? 0n) < from - 64n) wrong.push(cell)
      } else if (known !== outcome || lo < to - 64n) {
        wrong.push(cell)
      }
    }
    expect(wrong).toEqual([])
    expect(table.splitShare).toBe(split / 65536)
    // The sums end at the last threshold; what is beyond is one cell at most.
    expect(split).toBeLessThanOrEqual(2 * sums.length + 1)
  })

  test("[N1] counts each outcome's share of the 2^48 strings to within two", () => {
    const counts = new Map<number, number>()
    let before = -1
    for (const [k, threshold] of thresholds.entries()) {
      const outcome = table.outcomeOfRank(k)
      const decided = Math.max(0, Math.min(threshold, top) - before - 1)
      counts.set(outcome, (counts.get(outcome) ?? 0) + decided)
      before = threshold
    }
    // The last rank is cut at 2^48 - 1: it holds what it holds, and the deeper levels the rest.
    for (const [k, { outcome }] of sums.entries()) {
      const { lo, hi } = law.pmf(outcome)
      const count = BigInt(counts.get(outcome) ?? 0)
      if (k < sums.length - 1 || thresholds.at(-1) === top) {
        expect(count - (hi >> levelShift)).toBeLessThanOrEqual(2n)
        expect((lo >> levelShift) - count).toBeLessThanOrEqual(2n)
      } else {
        expect(count).toBeLessThanOrEqual((hi >> levelShift) + 2n)
      }
    }
  })

  test("decides beside every threshold as the law does, and at it reads on", () => {
    for (const [k, threshold] of sampleOf([...thresholds.entries()], 64)) {
      if (threshold === top) continue
      if (threshold > (thresholds[k - 1] ?? -1) + 1) {
        expect(decideLevel(table, threshold - 1)).toBe(table.outcomeOfRank(k))
      }
      expect(decideLevel(table, threshold)).toBe("more")
      const next = thresholds.findIndex((other) => other > threshold + 1)
      if (next >= 0 && thresholds[next - 1] === threshold) {
        expect(decideLevel(table, threshold + 1)).toBe(table.outcomeOfRank(next))
      }
    }
  })

  test("reads on at a threshold until the bits differ from those of C_k", () => {
    for (const [k, threshold] of sampleOf([...thresholds.entries()], 64)) {
      const sum = sums[k]
      const next = sums.findIndex(({ lo }) => sum !== undefined && lo > sum.hi + 64n)
      if (sum === undefined || next < 0 || threshold >= top - 1 || thresholds[k + 1] === threshold) continue
      if (thresholds[k - 1] === threshold) continue
      const cell = Math.floor(threshold / 2 ** 32)
      const low = threshold - cell * 2 ** 32
      const digit = Number((sum.hi >> BigInt(lawBits - 80)) & 0xffffffffn)
      if (digit >= 2) expect(decide(table, cell, [low, digit - 2])).toBe(sum.outcome)
      if (digit <= 2 ** 32 - 3) expect(decide(table, cell, [low, digit + 2])).toBe(sums[next]?.outcome)
      const isOnGrid = sum.hi - sum.lo < 64n && (sum.hi & ((1n << 100n) - 1n)) < 64n
      if (!isOnGrid) expect(decide(table, cell, [low, digit])).toBe("more")
    }
  })

  test("has outcomes that are never -0, and samples what its cells say", () => {
    for (const [k] of thresholds.entries()) expect(Object.is(table.outcomeOfRank(k), -0)).toBe(false)
    const words = seededBits("sample")
    const again = seededBits("sample")
    const draws = Array.from({ length: 200 }, () => table.sample(words))
    expect(draws).toEqual(Array.from({ length: 200 }, () => table.outcome(again.word() >>> 16, again)))
  })
})

describe("the deepest level", () => {
  test("finds outcomes far in the tail, where 48 ones are only the beginning", () => {
    // Laplace with scale 1: after 48 + 32 ones and a digit, 1 - U = d 2^-112.
    const table = new LazyTable(laplaceOracle(rational(1n)))
    const pmf = exactLaplacePmf(rational(1n))
    for (const digit of [0, 1, 1000, 0x7fffffff, 0xfffffff0]) {
      const got = decide(table, 65535, [0xffffffff, 0xffffffff, digit])
      const u = ((1n << 112n) - (1n << 32n) + BigInt(digit)) << BigInt(lawBits - 112)
      let sum = 0n
      let rank = 0
      for (; ; rank += 1) {
        sum += pmf(symmetricOutcome(rank)).lo
        if (sum > u) break
      }
      expect(got).toBe(symmetricOutcome(rank))
    }
  })

  test("a law on the grid is decided at the grid: U = 1/2 is heads or tails, not both", () => {
    const coin = new LazyTable(binomialOracle(1n, rational(1n, 2n)))
    // Mode 1: the lower half is one success, the upper half none, counted from the mode.
    expect(decide(coin, 32767, [0xffffffff])).toBe(0)
    expect(decide(coin, 32768, [0, 0])).toBe(-1)
    expect(decide(coin, 32768, [1])).toBe(-1)
    expect(decide(coin, 65535, [0xffffffff])).toBe(-1)
    expect(coin.splitShare).toBe(1 / 65536)
  })
})

describe("the two static tables", () => {
  const laws: readonly (readonly [string, LazyTable, ExactPmf])[] = [
    ["e^(-h/64)", exponentialTable(), exactGeometricPmf(rational(1n, 64n))],
    ["e^(-h^2/8192)", normalTable(), exactHalfBellPmf(rational(1n, 8192n), 1400)],
  ]

  test.each(laws)("of %s have the thresholds floor(2^48 C_k), and cells below 1024", (_, table, pmf) => {
    const { thresholds } = table
    let sum = 0n
    for (const [k, threshold] of thresholds.entries()) {
      sum += pmf(k).lo
      expect(threshold).toBe(Number(sum >> levelShift))
    }
    expect(thresholds.at(-1)).toBe(top - 1)
    expect(Math.max(...table.cells)).toBeLessThan(1024)
    expect(table).toBe(table === exponentialTable() ? exponentialTable() : normalTable())
  })
})

test("bug/invariant: a law that its cells cannot hold is refused", () => {
  const bug = expect.objectContaining({ code: "bug/invariant" })
  const wide: CdfOracle = {
    outcome: (rank) => (rank === 0 ? 32768 : -rank),
    cumulative: (bits) => ({
      lo: [1n << BigInt(bits - 1), 1n << BigInt(bits)],
      hi: [1n << BigInt(bits - 1), 1n << BigInt(bits)],
    }),
  }
  expect(() => new LazyTable(wide)).toThrow(bug)
  // Twenty thousand outcomes, each in a cell that it shares with another.
  const many: CdfOracle = {
    outcome: (rank) => rank,
    cumulative: (bits) => {
      const sums = Array.from({ length: 20_000 }, (_, k) => (BigInt(2 * k + 1) << BigInt(bits)) / 40_001n)
      return { lo: sums, hi: sums }
    },
  }
  expect(() => new LazyTable(many)).toThrow(bug)
  // Enclosures that never become narrow.
  const rough: CdfOracle = {
    outcome: (rank) => rank,
    cumulative: (bits) => ({ lo: [1n << BigInt(bits - 2)], hi: [3n << BigInt(bits - 2)] }),
  }
  expect(() => new LazyTable(rough)).toThrow(bug)
})
