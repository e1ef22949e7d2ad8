// Parts of a discrete Laplace draw, by known bits: which block a jump is in, how it is accepted, and how many
// jumps there are. Their laws are in shares.stat.test.ts.

import { expect, test } from "vitest"
import { encloseExpNegative } from "../exact/exp.ts"
import { rational } from "../exact/rational.ts"
import { exactJumpCountPmf, lawBits } from "../testing/exact-laws.ts"
import { replayBits } from "../testing/replay-bits.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { fillLaplaceShares, sampleLaplaceShare, sampleLogarithmic } from "./laplace-share.ts"

const [none, all] = [0, 0xffffffff]

test("[N1] a jump in a far block is taken with probability e^(-k/scale) 2^(g + 1)", () => {
  // Scale 1: there are far blocks alone, and block g holds 2^g .. 2^(g + 1) - 1. For g = 0, k = 1, no coin is
  // needed to choose k, one word decides, against 2 / e.
  const { lo } = encloseExpNegative(rational(1n), 64)
  const border = Number((2n * lo) >> 32n)
  const first = (decide: number): bigint => {
    // Choice among 1; a word with its top bit set: g = 0; 1 among 1; the coin 1 / 1; the decision. Then again
    // with g = 2, k = 4, and a decision that takes whatever comes.
    const words = [all, 0x80000000, all, decide, all, 0x20000000, none, none, none]
    return sampleLogarithmic(rational(1n), replayBits(words))
  }
  expect(first(border - 2)).toBe(1n)
  expect(first(none)).toBe(1n)
  expect(first(border + 2)).toBe(4n)
})

test("[N1] a law without jumps is as likely as its formula says", () => {
  const law = { scale: rational(10n), parts: 2n }
  const draws = new Float64Array(20_000)
  expect(fillLaplaceShares(draws, law, seededBits("jumps"))).toEqual([])
  // 0 without a jump, or with jumps that cancel: at least the first, and little more.
  const share = draws.filter((x) => x === 0).length / draws.length
  const bare = Number(exactJumpCountPmf(rational(10n), rational(1n))(0).lo >> BigInt(lawBits - 50)) / 2 ** 50
  expect(share).toBeGreaterThan(bare - 0.02)
  expect(share).toBeLessThan(bare + 0.08)
})

test("bug/invariant: scales and parts outside their ranges are refused", () => {
  const bug = expect.objectContaining({ code: "bug/invariant" })
  const rng = seededBits("refused")
  for (const law of [
    { scale: rational(0n), parts: 2n },
    { scale: rational(1n << 64n), parts: 2n },
    { scale: rational(1n), parts: 0n },
    { scale: rational(1n), parts: (1n << 20n) + 1n },
  ]) {
    expect(() => sampleLaplaceShare(law, rng)).toThrow(bug)
  }
})
