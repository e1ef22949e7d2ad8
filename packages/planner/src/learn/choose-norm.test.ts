// The rule that reads a norm from noisy counts: where the crowd is, what its paths follow, which norm it
// takes, and when there is nothing to read.

import { seededBits } from "@dosimeter/core/testing"
import { describe, expect, test } from "vitest"
import { isReadable, recommendNorm } from "./choose-norm.ts"
import { crowdAt, ladderPaths } from "./ladder-paths.ts"
import { ladderShare } from "./ladder-share.ts"

describe("a ladder", () => {
  const counts = [0, 0, 50, 400, 1000, 700, 300, 120, 50, 20, 8, 3, 1, 0, 0, 0, 0, 0, 0, 0]
  const ladder = { counts, deviation: 5, law: "gaussian" } as const
  const bounded = { norm: "l2", entries: "amounts", groups: 100, noise: 4.53 } as const

  test("has its mode where most people are", () => expect(crowdAt(counts).mode).toBe(4))

  test("is followed by all paths where counts are plain, and ends where nobody is", () => {
    for (const path of ladderPaths(ladder)) {
      expect(Math.abs((path[5] ?? 0) - 700)).toBeLessThan(100)
      expect(path.at(-1)).toBeLessThan(10)
    }
  })

  test("gives the same bound again, and a larger one for less noise", () => {
    const { bound } = recommendNorm(ladder, bounded, "least-error")
    expect(recommendNorm(ladder, bounded, "least-error").bound).toBe(bound)
    expect(recommendNorm(ladder, { ...bounded, noise: 1 }, "least-error").bound).toBeGreaterThan(bound)
  })

  test("leaves out less if that shall be below the noise of a tenth of the groups", () => {
    const few = { ...bounded, groups: 10 }
    const below = recommendNorm(ladder, few, "below-noise")
    expect(below.leftOut.high * 0.95).toBeLessThanOrEqual(Math.sqrt(10) * 4.53 * below.bound)
    expect(below.leftOut.middle).toBeLessThanOrEqual(below.leftOut.high)
  })

  test("is not read where a crowd may be noise", () => {
    const bits = seededBits("no crowd")
    for (let turn = 0; turn < 200; turn += 1) {
      const noise = counts.map(() => 10 * (bits.word() / 2 ** 32 + bits.word() / 2 ** 32 - 1))
      expect(isReadable({ ...ladder, counts: noise })).toBe(false)
    }
    expect(isReadable(ladder)).toBe(true)
    expect(isReadable({ ...ladder, deviation: 500 })).toBe(false)
  })

  test("costs a small share of the loss, a larger one for few groups", () => {
    const shares = [1000, 50, 49].map((groups) => ladderShare("zcdp", groups))
    expect(shares).toEqual([0.05, 0.05, 0.2])
    expect([50, 12].map((groups) => ladderShare("pure", groups))).toEqual([0.05, 0.12])
  })
})
