// The rule that reads a norm from noisy counts: where the crowd is, what its paths follow, which norm it
// takes, and when there is nothing to read.

import { seededBits } from "@dosimeter/core/testing"
import { describe, expect, test } from "vitest"
import { isReadable, recommendNorm } from "./choose-norm.ts"
import { crowdAt, fixedUniforms, ladderPaths } from "./ladder-paths.ts"
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

  test("is longer where more would be left out than there is noise, by sqrt 2 at most", () => {
    // A Pareto tail of index 1.2: the norm of least error leaves out more than twice the noise.
    const tail = Array.from({ length: 30 }, (_, h) => (h < 3 ? 0 : 4000 * 2 ** (-0.6 * (h - 3))))
    const heavy = { ...ladder, counts: tail }
    const few = { ...bounded, groups: 10 }
    const least = recommendNorm(heavy, few, "least-error")
    const below = recommendNorm(heavy, few, "below-noise")
    expect(least.leftOut.middle * 0.95).toBeGreaterThan(Math.sqrt(10) * 4.53 * least.bound)
    expect(below.bound).toBeGreaterThan(least.bound)
    expect(below.bound).toBeLessThanOrEqual(Math.SQRT2 * least.bound * (1 + 1e-9))
    expect(below.leftOut.middle).toBeLessThan(least.leftOut.middle)
  })

  test("is the norm of least error where that leaves out less than there is noise", () => {
    const [least, below] = (["least-error", "below-noise"] as const).map((aim) =>
      recommendNorm(ladder, bounded, aim),
    )
    expect((least?.leftOut.middle ?? Infinity) * 0.85).toBeLessThan(10 * 4.53 * (least?.bound ?? 0))
    expect(below).toEqual(least)
  })

  test("is not moved by few people far out, and what is left out stays within its limit", () => {
    const far = counts.map((count, h) => (h === 18 ? 6 : count))
    const [usual, moved] = [counts, [...far, 0, 0]].map((own) =>
      recommendNorm({ ...ladder, counts: own }, bounded, "least-error"),
    )
    expect(moved?.bound).toBeLessThan(1.5 * (usual?.bound ?? 0))
    const { middle = 0, high = Infinity } = moved?.leftOut ?? {}
    expect(high).toBeGreaterThanOrEqual(middle)
    expect(high).toBeLessThanOrEqual(2 * middle + 6 * ladder.deviation * (moved?.bound ?? 0) + 1e-9)
  })

  test.each(["laplace", "gaussian"] as const)("has another crowd far above the first (%s noise)", (law) => {
    // Of 3,000 people 150 have 200 rows, and all others 3; nobody is between.
    const crowds = Array.from({ length: 44 }, (_, h) => (h === 4 ? 2850 : h === 16 ? 150 : 0))
    const uniforms = fixedUniforms(3)
    const noisy = crowds.map((count) => {
      const at = uniforms() - 0.5
      return count - Math.sign(at) * 8.3 * Math.log(1 - 2 * Math.abs(at))
    })
    const read = { counts: noisy, deviation: 8.3 * Math.SQRT2, law }
    const { bound, leftOut } = recommendNorm(
      read,
      { norm: "l1", entries: "amounts", groups: 40, noise: 1.6 },
      "below-noise",
    )
    expect(bound).toBeGreaterThan(20)
    expect(leftOut.high).toBeGreaterThan(0.8 * 150 * Math.max(0, 200 - bound))
  })

  test("of people ends at the longest vector, where all of them count", () => {
    const crowd = { ...ladder, counts: [0, 0, 5, 40, 3000, 9000, ...counts.slice(12)] }
    const people = { ...bounded, entries: "people", groups: 20, longest: Math.sqrt(20) } as const
    for (const aim of ["least-error", "below-noise"] as const) {
      const { bound, leftOut } = recommendNorm(crowd, people, aim)
      expect(bound).toBe(Math.sqrt(20))
      expect(leftOut).toEqual({ middle: 0, high: 0 })
    }
  })

  test("of averages lets nobody count for much more than others, until there are so many people that noise is small", () => {
    // Row lengths of 2^10: nobody is below step 20.
    const far = [...Array.from({ length: 20 }, () => 0), ...counts]
    const average = { ...bounded, entries: "averages", groups: 20 } as const
    const boundOf = (times: number, entries: "averages" | "amounts" = "averages"): number => {
      const own = { ...ladder, counts: far.map((count) => times * count) }
      return recommendNorm(own, { ...average, entries }, "below-noise").bound
    }
    expect(boundOf(1)).toBeLessThan(boundOf(1, "amounts") / 2)
    // Most people are above the norm of few: they count alike.
    expect(boundOf(1)).toBeLessThan(2 ** 12)
    expect(boundOf(100)).toBeGreaterThan(1.5 * boundOf(1))
    expect(boundOf(10_000)).toBeGreaterThan(2 * boundOf(100))
  })

  test("of averages is as short in any steps, and for other noise as for other numbers of people", () => {
    const average = { ...bounded, entries: "averages", groups: 20 } as const
    const at = (shift: number, noise: number): number => {
      const own = [...Array.from({ length: shift }, () => 0), ...counts]
      return recommendNorm({ ...ladder, counts: own }, { ...average, noise }, "least-error").bound
    }
    expect(at(24, 4.53) / at(20, 4.53)).toBeCloseTo(4, 6)
    expect(at(20, 0.05)).toBeGreaterThan(1.5 * at(20, 4.53))
  })

  test("of averages is never far below the crowd, where every weight would be rounded to nothing", () => {
    const average = { ...bounded, entries: "averages", groups: 20 } as const
    for (const first of [50, 500, 5000]) {
      // As many on all steps as noise might show: a norm below all of them has the same error as any other.
      const own = [...Array.from({ length: 20 }, () => first / 100), first, first / 2]
      const { bound } = recommendNorm({ ...ladder, counts: own, deviation: 0.1 }, average, "least-error")
      expect(bound).toBeGreaterThanOrEqual(2 ** (crowdAt(own).mode / 2) / 8)
    }
    // A norm of nothing is as good as any where lengths do not matter, but for the first candidate of all.
    const [far] = [[...Array.from({ length: 30 }, () => 0), ...counts]]
    const { bound } = recommendNorm(
      { ...ladder, counts: far ?? [] },
      { ...average, noise: 1e3 },
      "least-error",
    )
    expect(bound).toBeGreaterThanOrEqual(2 ** (34 / 2) / 8)
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
