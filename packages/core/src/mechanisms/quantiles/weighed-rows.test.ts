import { describe, expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { rational } from "../../exact/rational.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { eventsOf } from "../events-of.ts"
import { errorOf, lossOf } from "../mechanism.ts"
import { countedEnds, releaseCountedEnds } from "./counted-ends.ts"
import { hasEnds, releaseQuantileEnds } from "./quantile-ends.ts"
import { rankVariances } from "./quantile-tree.ts"
import { quantiles, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"

const full = 4n
const median = { quantiles: ["1/2"], cells: 3, rowsPerUnit: 2, epsilon: "0.8" } as const

/** The law of a single quantile, read off the mechanism. */
function lawOf(spec: QuantilesSpec, histogram: readonly bigint[]): readonly number[] {
  const drawn = (u: number): number => releaseQuantiles(spec, histogram, bitsOfUniforms([u]))[0] ?? -1
  return inversionLaw(histogram.length, drawn).map(({ probability }) => probability)
}

/** How far log ratios of two laws span, and their greatest size. */
function ratios(
  a: readonly number[],
  b: readonly number[],
): { readonly range: number; readonly size: number } {
  const logs = a.map((p, i) => Math.log(p / (b[i] ?? 0)))
  return { range: Math.max(...logs) - Math.min(...logs), size: Math.max(...logs.map(Math.abs)) }
}

/** All ways to put weights into three cells, so much in all at most. */
function weightsUpTo(most: number): readonly (readonly bigint[])[] {
  const each = Array.from({ length: most + 1 }, (_, i) => i)
  return each.flatMap((a) =>
    each.flatMap((b) =>
      each.filter((c) => a + b + c <= most).map((c) => [BigInt(a), BigInt(b), BigInt(c)] as const),
    ),
  )
}

// Whoever is added to the first cell brings it nearer to the median, and takes the last one away from it.
const start = [1n, 30n, 1n]
const plus = (unit: readonly bigint[]): readonly bigint[] => start.map((count, i) => count + (unit[i] ?? 0n))

describe.each(["add-or-remove", "replace"] as const)("%s", (neighbours: Neighbours) => {
  const spec = quantiles({ ...median, full, neighbours })

  test("[B2] a unit whose rows weigh a part of the most costs that part of epsilon, and all is reached", () => {
    const most = Number(full * spec.rowsPerUnit)
    let largest = 0
    for (const unit of weightsUpTo(most)) {
      const part = unit.reduce((sum, weight) => sum + Number(weight), 0) / most
      const others = neighbours === "replace" ? [start, plus([0n, 0n, BigInt(most)])] : [start]
      for (const other of others) {
        const { range, size } = ratios(lawOf(spec, plus(unit)), lawOf(spec, other))
        // Whoever is replaced leaves with all that it has.
        const allowed = 0.8 * (other === start ? part : 1)
        expect(Math.max(range, size), unit.join()).toBeLessThan(allowed + 1e-9)
        largest = Math.max(largest, range)
      }
    }
    expect(largest).toBeCloseTo(0.8, 6)
  })

  test("a unit with more than that is noticed", () => {
    const heavy = [3n * full * spec.rowsPerUnit, 0n, 0n]
    expect(ratios(lawOf(spec, plus(heavy)), lawOf(spec, start)).range).toBeGreaterThan(0.8)
  })
})

test("rows of full weight are rows: the very same draws, at the same loss and with the same error", () => {
  const options = {
    quantiles: ["1/4", "1/2", "3/4"],
    cells: 20,
    rowsPerUnit: 3,
    groupsPerUnit: 2,
    neighbours: "add-or-remove",
    epsilon: 1,
    ends: { epsilon: 1, miss: "0.1" },
  } as const
  const [plain, weighed] = [quantiles(options), quantiles({ ...options, full: 1n << 16n })]
  expect(lossOf(weighed)).toEqual(lossOf(plain))
  expect(errorOf(weighed, "0.95")).toEqual(errorOf(plain, "0.95"))
  expect(weighed.ends?.shifts).toEqual(plain.ends?.shifts)
  if (!hasEnds(plain) || !hasEnds(weighed)) throw new Error("both have ends")
  const rows = Array.from({ length: 20 }, (_, cell) => BigInt((cell * 7) % 13))
  const weights = rows.map((count) => count << 16n)
  const seed = freshSeed()
  for (let i = 0; i < 40; i += 1) {
    const [a, b] = [seededBits(`${seed} ${i}`), seededBits(`${seed} ${i}`)]
    expect(releaseQuantiles(weighed, weights, b)).toEqual(releaseQuantiles(plain, rows, a))
    expect(releaseQuantileEnds(weighed, weights, b)).toEqual(releaseQuantileEnds(plain, rows, a))
  }
})

describe("counted ends of weighed rows", () => {
  const spend = { kind: "pure", ends: "0.4", counts: "0.4" } as const
  const specOf = (weight: bigint | undefined): QuantilesSpec => {
    const more = weight === undefined ? {} : { full: weight }
    const options = { quantiles: ["1/4", "3/4"], cells: 30, rowsPerUnit: 2, epsilon: 1, ...more } as const
    const spec = quantiles({ ...options, groupsPerUnit: 3, neighbours: "add-or-remove" })
    const variances = rankVariances(spec.quantiles, spec.tree)
    return { ...spec, counted: countedEnds({ ...spec, variances }, { spend, miss: "0.1" }) }
  }
  const [plain, weighed] = [specOf(undefined), specOf(64n)]

  test("cost the same, with noise in finer units, and are aimed at the same rows", () => {
    expect(lossOf(weighed)).toEqual(lossOf(plain))
    const scaleOf = ({ counted }: QuantilesSpec): number =>
      counted?.noise.law === "laplace" ? numberNear(counted.noise.scale) : 0
    expect(scaleOf(weighed)).toBeCloseTo(64 * scaleOf(plain), 6)
    const shifts = (weighed.counted?.shifts ?? []).map((shift, i) => shift - (plain.counted?.shifts[i] ?? 0n))
    for (const difference of shifts) expect([-1n, 0n, 1n]).toContain(difference)
  })

  test("hold the rows of their quantiles, and no fewer rows are taken for proof", () => {
    const { counted } = weighed
    if (counted === undefined) throw new Error("ends are counted")
    // Noise of next to nothing: what counts decide is then exact.
    const sharp = {
      ...counted,
      noise: { law: "laplace", scale: rational(1n, 100n) },
      shifts: [9n, 9n],
    } as const
    const histogram = Array.from({ length: 30 }, () => 8n * 64n)
    const rng = seededBits(freshSeed())
    const found = releaseCountedEnds({ ...weighed, counted: sharp }, { histogram, drawn: [7, 22] }, rng)
    for (const [place, { lower, upper }] of found.entries()) {
      const rank = (240 * (place === 0 ? 0.25 : 0.75)) / 8
      expect(lower).toBeLessThanOrEqual(Math.floor(rank - 1 / 8))
      expect(upper).toBeGreaterThanOrEqual(Math.floor(rank + 1 / 8))
    }
  })
})

test("an accountant of a batch expects more histograms that differ, each by less", () => {
  const options = { ...median, groupsPerUnit: 3, neighbours: "add-or-remove" } as const
  const counts = [quantiles(options), quantiles({ ...options, full })].map((spec) =>
    eventsOf(spec).map(({ count }) => count),
  )
  expect(counts).toEqual([[3], [5]])
})
