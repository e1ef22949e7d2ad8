import { describe, expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { quantiles, quantilesError, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"

/** All histograms of at most `rows` rows in `cells` cells. */
function histograms(cells: number, rows: number): number[][] {
  if (cells === 0) return [[]]
  return Array.from({ length: rows + 1 }, (_, here) => here).flatMap((here) =>
    histograms(cells - 1, rows - here).map((rest) => [here, ...rest]),
  )
}

/** The histograms with one row more, or with one row elsewhere. */
function neighboursOf(histogram: readonly number[], kind: Neighbours): number[][] {
  const move = (from: number, to: number) =>
    histogram.map((count, i) => count + (i === to ? 1 : 0) - (i === from ? 1 : 0))
  const cells = histogram.map((_, i) => i)
  if (kind === "add-or-remove") return cells.map((to) => move(-1, to))
  return cells
    .flatMap((from) => cells.map((to) => move(from, to)))
    .filter((h) => h.every((count) => count >= 0))
}

const release = (spec: QuantilesSpec, histogram: readonly number[], uniforms: readonly number[]): number[] =>
  releaseQuantiles(spec, histogram.map(BigInt), bitsOfUniforms(uniforms))

/** For the draws that are not looked at: on no border, so that each draw reads two words. */
const half = Math.floor(0.4142135623 * 2 ** 53)

/** The joint law of one or three quantiles, read off the mechanism: the middle one is drawn first. */
function lawOf(spec: QuantilesSpec, histogram: readonly number[]): Map<string, number> {
  const cells = histogram.length
  const law = new Map<string, number>()
  if (spec.quantiles.length === 1) {
    const entries = inversionLaw(cells, (u) => release(spec, histogram, [u])[0] ?? -1)
    for (const [cell, { probability }] of entries.entries()) law.set(`${cell}`, probability)
    return law
  }
  const middle = inversionLaw(cells, (u) => release(spec, histogram, [u, half, half])[1] ?? -1)
  for (const [cell, { probability, uniform }] of middle.entries()) {
    const low = inversionLaw(cell + 1, (u) => release(spec, histogram, [uniform, u, half])[0] ?? -1)
    const high = inversionLaw(
      cells - cell,
      (u) => (release(spec, histogram, [uniform, half, u])[2] ?? -1) - cell,
    )
    for (const [a, { probability: p }] of low.entries()) {
      for (const [b, { probability: q }] of high.entries()) {
        law.set(`${a} ${cell} ${cell + b}`, probability * p * q)
      }
    }
  }
  return law
}

/** By the cell of the middle quantile: the laws of the two draws that follow it. */
function secondLevel(spec: QuantilesSpec, histogram: readonly number[]): number[][][] {
  const key = histogram.join()
  const known = secondLevels.get(key)
  if (known !== undefined) return known
  const cells = histogram.length
  const middle = inversionLaw(cells, (u) => release(spec, histogram, [u, half, half])[1] ?? -1)
  const laws = middle.map(({ uniform }, cell) => {
    const low = inversionLaw(cell + 1, (u) => release(spec, histogram, [uniform, u, half])[0] ?? -1)
    const high = inversionLaw(
      cells - cell,
      (u) => (release(spec, histogram, [uniform, half, u])[2] ?? -1) - cell,
    )
    return [low, high].map((law) => law.map(({ probability }) => probability))
  })
  secondLevels.set(key, laws)
  return laws
}
const secondLevels = new Map<string, number[][][]>()

/** The range of the log ratios of two laws. */
function spanOf(law: readonly number[], other: readonly number[]): number {
  const logs = law.map((p, i) => Math.log(p / (other[i] ?? 0)))
  return Math.max(...logs) - Math.min(...logs)
}

interface Extremes {
  readonly worst: number
  readonly widest: number
}

/** The largest log ratio and the widest range of log ratios over all histograms and their neighbours. */
function extremes(spec: QuantilesSpec, all: readonly number[][], spread = 1): Extremes {
  const known = new Map<string, Map<string, number>>()
  const at = (histogram: readonly number[]): Map<string, number> => {
    const fine = histogram.flatMap((count) => Array<number>(spread).fill(count))
    const law = known.get(fine.join()) ?? lawOf(spec, fine)
    known.set(fine.join(), law)
    return law
  }
  let [worst, widest] = [0, 0]
  for (const histogram of all) {
    for (const neighbour of neighboursOf(histogram, spec.neighbours)) {
      const other = at(neighbour)
      const logs = [...at(histogram)].map(([outcome, p]) => Math.log(p / (other.get(outcome) ?? 0)))
      worst = Math.max(worst, ...logs.map(Math.abs))
      widest = Math.max(widest, Math.max(...logs) - Math.min(...logs))
    }
  }
  return { worst, widest }
}

const kinds = ["add-or-remove", "replace"] as const

describe("one quantile", () => {
  const cases = ["1/2", "1/4", "9/10", "1/3"].flatMap((q) =>
    kinds.map((neighbours) => [q, neighbours] as const),
  )
  test.each(cases)("%s keeps its loss over all small histograms, and spends it: %s", (q, neighbours) => {
    const spec = quantiles({ quantiles: [q], cells: 4, rowsPerUnit: 1, neighbours, epsilon: "0.6" })
    const { worst, widest } = extremes(spec, histograms(4, 4))
    expect(worst).toBeLessThanOrEqual(0.6 * (1 + 1e-9))
    expect(widest).toBeLessThanOrEqual(0.6 * (1 + 1e-9))
    // Four rows are too few for the ninth decile to be reached from both sides.
    expect(widest).toBeGreaterThan(q === "9/10" ? 0.4 : 0.59)
  })

  test("of units with several rows is drawn at a lower rate, in proportion", () => {
    const spec = (rowsPerUnit: number, epsilon: string) =>
      quantiles({ quantiles: ["1/2"], cells: 4, rowsPerUnit, neighbours: "replace", epsilon })
    expect(lawOf(spec(3, "1.5"), [3, 0, 1, 5])).toEqual(lawOf(spec(1, "0.5"), [3, 0, 1, 5]))
  })
})

describe("three quantiles", () => {
  test.each(kinds)("keep their loss over all small histograms: %s", (neighbours) => {
    const wanted = ["1/4", "1/2", "3/4"]
    const options = { quantiles: wanted, cells: 3, rowsPerUnit: 1, neighbours, epsilon: "1.2" }
    // One slot a cell, so that the law can be read off.
    const spec: QuantilesSpec = { ...quantiles(options), slots: 1n }
    const { worst } = extremes(spec, histograms(3, 3))
    expect(worst).toBeLessThanOrEqual(1.2 * (1 + 1e-9))
    expect(worst).toBeGreaterThan(0.6)
  })

  test("[M5] use each row for one draw a level only", () => {
    const options = { cells: 5, rowsPerUnit: 1, neighbours: "add-or-remove", epsilon: "1.2" } as const
    const spec: QuantilesSpec = { ...quantiles({ ...options, quantiles: ["1/4", "1/2", "3/4"] }), slots: 1n }
    let widest = 0
    // Rows on both sides of each quantile, so that one row more moves scores both up and down.
    const lists = [
      [1, 3, 1, 3, 1],
      [1, 3, 0, 3, 1],
      [0, 2, 0, 2, 0],
      [2, 0, 5, 0, 2],
    ]
    for (const histogram of lists) {
      for (const neighbour of neighboursOf(histogram, "add-or-remove")) {
        for (const [cell, laws] of secondLevel(spec, histogram).entries()) {
          const others = secondLevel(spec, neighbour)[cell] ?? []
          const spans = laws.map((law, i) => spanOf(law, others[i] ?? []))
          widest = Math.max(
            widest,
            spans.reduce((a, b) => a + b, 0),
          )
        }
      }
    }
    // Both draws of the second level together have the loss of one, what the first has left, and reach it.
    const left = 1.2 - numberNear(spec.tree.epsilon)
    expect(widest).toBeLessThanOrEqual(left * (1 + 1e-9))
    expect(widest).toBeGreaterThan(0.99 * left)
  })

  test("keep their loss when rows are spread over slots", () => {
    // Two slots a cell are one cell each with every row in both, at half the rate.
    const options = {
      quantiles: ["1/4", "1/2", "3/4"],
      cells: 2,
      neighbours: "add-or-remove",
      epsilon: "1.2",
    } as const
    const slotted: QuantilesSpec = { ...quantiles({ ...options, rowsPerUnit: 1 }), slots: 2n }
    const spread: QuantilesSpec = { ...quantiles({ ...options, cells: 4, rowsPerUnit: 2 }), slots: 1n }
    const seed = freshSeed()
    for (let i = 0; i < 50; i += 1) {
      const [a, b] = [seededBits(`${seed} ${i}`), seededBits(`${seed} ${i}`)]
      const fine = releaseQuantiles(spread, [2n, 2n, 1n, 1n], a).map((slot) => Math.floor(slot / 2))
      expect(releaseQuantiles(slotted, [2n, 1n], b)).toEqual(fine)
    }
    expect(extremes(spread, histograms(2, 3), 2).worst).toBeLessThanOrEqual(1.2 * (1 + 1e-9))
  })

  test("come out in order, also when some are asked for twice", () => {
    const wanted = ["0.9", "0.1", "0.5", "0.5", "0.5", "0.25"]
    const spec = quantiles({
      quantiles: wanted,
      cells: 30,
      rowsPerUnit: 1,
      neighbours: "replace",
      epsilon: 1,
    })
    const rng = seededBits(freshSeed())
    for (let i = 0; i < 20; i += 1) {
      const chosen = releaseQuantiles(
        spec,
        Array.from({ length: 30 }, (_, cell) => BigInt(cell % 4)),
        rng,
      )
      expect(chosen).toHaveLength(6)
      expect(chosen).toEqual(chosen.toSorted((a, b) => a - b))
      expect(chosen.every((cell) => cell >= 0 && cell < 30)).toBe(true)
    }
  })

  test("of rows that all share a cell are that cell", () => {
    const wanted = ["0.1", "0.25", "0.5", "0.75", "0.9"]
    const spec = quantiles({
      quantiles: wanted,
      cells: 100,
      rowsPerUnit: 1,
      neighbours: "add-or-remove",
      epsilon: 50,
    })
    const constant = Array.from({ length: 100 }, (_, cell) => (cell === 3 ? 100_000n : 0n))
    expect(releaseQuantiles(spec, constant, seededBits(freshSeed()))).toEqual([3, 3, 3, 3, 3])
  })

  test("are right beside a cell that holds most rows", () => {
    const spec = quantiles({
      quantiles: ["0.2", "0.5", "0.8"],
      cells: 50,
      rowsPerUnit: 1,
      neighbours: "add-or-remove",
      epsilon: 50,
    })
    // 30 % at 10, 40 % at 20, 30 % at 30: the median's cell holds rows on either side of it.
    const shares = new Map([
      [10, 30_000n],
      [20, 40_000n],
      [30, 30_000n],
    ])
    const histogram = Array.from({ length: 50 }, (_, cell) => shares.get(cell) ?? 0n)
    expect(releaseQuantiles(spec, histogram, seededBits(freshSeed()))).toEqual([10, 20, 30])
  })
})

test("cuts cells into slots only where several quantiles are drawn, and never into too many", () => {
  const slots = (wanted: string[], cells: number): bigint =>
    quantiles({ quantiles: wanted, cells, rowsPerUnit: 1, neighbours: "replace", epsilon: 1 }).slots
  expect(slots(["0.5"], 10)).toBe(1n)
  expect(slots(["0.4", "0.5"], 10)).toBe(64n)
  expect(slots(["0.4", "0.5"], 10_000)).toBe(6n)
  expect(slots(["0.4", "0.5"], 1_000_000)).toBe(1n)
})

test("states a rank error of ln(cells / miss) 2 S / (epsilon b) rows", () => {
  const spec = quantiles({
    quantiles: ["3/4"],
    cells: 100,
    rowsPerUnit: 2,
    neighbours: "add-or-remove",
    epsilon: "0.5",
  })
  const { units } = quantilesError(spec, exactly("0.05", "miss"))
  expect(Number(units)).toBe(Math.ceil((Math.log(100 / 0.05) * 2 * 0.75 * 2) / 0.5))
})

test("draws nothing when the histogram does not fit", () => {
  const spec = quantiles({ quantiles: ["1/2"], cells: 4, rowsPerUnit: 1, neighbours: "replace", epsilon: 1 })
  for (const histogram of [[], [1n, 2n, 3n], [1n, 2n, 3n, 4n, 5n]]) {
    expect(refusalOf(() => releaseQuantiles(spec, histogram, untouchedBits())).code).toBe("parameter/length")
  }
})

test("an empty histogram gives any cell", () => {
  const spec = quantiles({ quantiles: ["1/2"], cells: 4, rowsPerUnit: 1, neighbours: "replace", epsilon: 1 })
  for (const probability of lawOf(spec, [0, 0, 0, 0]).values()) expect(probability).toBeCloseTo(0.25, 12)
})
