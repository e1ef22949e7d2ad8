import { describe, expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { divide, rational } from "../../exact/rational.ts"
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { eventsOf } from "../events-of.ts"
import { lossOf } from "../mechanism.ts"
import { selection } from "../choices/selection.ts"
import { quantiles } from "./quantile.ts"
import { hasEnds, releaseQuantileEnds, type QuantilesWithEnds } from "./quantile-ends.ts"

function specOf(options: {
  readonly wanted: readonly string[]
  readonly cells: number
  readonly neighbours?: Neighbours
  readonly epsilon?: string
  readonly miss?: string
  readonly rowsPerUnit?: number
}): QuantilesWithEnds {
  const {
    wanted,
    cells,
    neighbours = "add-or-remove",
    epsilon = "1.2",
    miss = "0.1",
    rowsPerUnit = 1,
  } = options
  const ends = { epsilon, miss }
  const spec = quantiles({ quantiles: wanted, cells, rowsPerUnit, neighbours, epsilon: 1, ends })
  if (!hasEnds(spec)) throw new Error("the spec has ends")
  return spec
}

/** All histograms of at most `rows` rows in `cells` cells. */
function histograms(cells: number, rows: number): number[][] {
  if (cells === 0) return [[]]
  return Array.from({ length: rows + 1 }, (_, here) => here).flatMap((here) =>
    histograms(cells - 1, rows - here).map((rest) => [here, ...rest]),
  )
}

function neighboursOf(histogram: readonly number[], kind: Neighbours): number[][] {
  const cells = histogram.map((_, i) => i)
  const move = (from: number, to: number) =>
    histogram.map((count, i) => count + (i === to ? 1 : 0) - (i === from ? 1 : 0))
  if (kind === "add-or-remove") return cells.map((to) => move(-1, to))
  return cells
    .flatMap((from) => cells.map((to) => move(from, to)))
    .filter((h) => h.every((count) => count >= 0))
}

/** For the draw that is not looked at: on no border, so that each draw reads two words. */
const other = Math.floor(0.4142135623 * 2 ** 53)

/** The laws of both ends of a single quantile, read off the mechanism. */
function lawsOf(spec: QuantilesWithEnds, histogram: readonly number[]): { lower: number[]; upper: number[] } {
  const counts = histogram.map(BigInt)
  const last = histogram.length - 1
  const at = (uniforms: readonly number[]) => releaseQuantileEnds(spec, counts, bitsOfUniforms(uniforms))[0]
  const lower = inversionLaw(histogram.length, (u) => at([u, other])?.lower ?? -1)
  // Drawn on the histogram turned round.
  const upper = inversionLaw(histogram.length, (u) => last - (at([other, u])?.upper ?? -1))
  return {
    lower: lower.map(({ probability }) => probability),
    upper: upper.map(({ probability }) => probability).toReversed(),
  }
}

function spanOf(law: readonly number[], beside: readonly number[]): { worst: number; span: number } {
  const logs = law.map((p, i) => Math.log(p / (beside[i] ?? 0)))
  return { worst: Math.max(...logs.map(Math.abs)), span: Math.max(...logs) - Math.min(...logs) }
}

describe("the ends of an interval", () => {
  const cases = ["1/2", "1/4", "9/10"].flatMap((q) =>
    (["add-or-remove", "replace"] as const).map((neighbours) => [q, neighbours] as const),
  )
  test.each(cases)("of %s keep their loss over all small histograms, and spend it: %s", (q, neighbours) => {
    // A miss that likely makes the shift small: then small histograms have rows on both sides of it.
    const spec = specOf({ wanted: [q], cells: 3, neighbours, epsilon: "8", miss: "0.9" })
    expect(spec.ends.epsilonPerEnd).toEqual(rational(4n))
    let [worst, widest] = [0, 0]
    const known = new Map<string, ReturnType<typeof lawsOf>>()
    const at = (histogram: readonly number[]): ReturnType<typeof lawsOf> => {
      const laws = known.get(histogram.join()) ?? lawsOf(spec, histogram)
      known.set(histogram.join(), laws)
      return laws
    }
    for (const histogram of histograms(3, 8)) {
      for (const neighbour of neighboursOf(histogram, neighbours)) {
        for (const end of ["lower", "upper"] as const) {
          const found = spanOf(at(histogram)[end], at(neighbour)[end])
          worst = Math.max(worst, found.worst)
          widest = Math.max(widest, found.span)
        }
      }
    }
    // The law is read to 2^-50, and the least of it is about e^-20.
    expect(worst).toBeLessThanOrEqual(4 * (1 + 1e-4))
    expect(widest).toBeLessThanOrEqual(4 * (1 + 1e-4))
    expect(widest).toBeGreaterThan(3.2)
  })

  test.each(["1/2", "1/10", "0.995"])("[E1] hold the quantile %s on every histogram", (q) => {
    const miss = 0.2
    const spec = specOf({ wanted: [q], cells: 4, epsilon: "8", miss: `${miss}` })
    let worst = 0
    for (const histogram of histograms(4, 5)) {
      const rows = histogram.reduce((a, b) => a + b, 0)
      if (rows === 0) continue
      const [first, last] = rowsOf(fraction(q), rows).map((row) => cellOf(histogram, row))
      const { lower, upper } = lawsOf(spec, histogram)
      const above = lower.slice((first ?? 0) + 1).reduce((a, b) => a + b, 0)
      const below = upper.slice(0, last ?? 0).reduce((a, b) => a + b, 0)
      worst = Math.max(worst, above, below)
    }
    expect(worst).toBeLessThanOrEqual(miss / 2)
  })

  test("are no further out than a worst case needs, but for one row", () => {
    const cells = 30
    const spec = specOf({ wanted: ["1/2"], cells, epsilon: "2", miss: "0.1" })
    const shift = Number(spec.ends.shifts[0])
    // All rows below the median in one cell, one row in the next, then nothing up to the last.
    const histogram = Array.from({ length: cells }, (_, cell) =>
      cell === 0 ? 1000 : cell === 1 ? 1 : cell === cells - 1 ? 1001 : 0,
    )
    const { lower } = lawsOf(spec, histogram)
    const above = lower.slice(2).reduce((a, b) => a + b, 0)
    expect(above).toBeLessThanOrEqual(0.05)
    expect(above).toBeGreaterThan(0.05 * Math.exp(-2.5))
    expect(shift).toBe(Math.ceil(Math.log((29 * 0.95) / 0.05)) + 1)
  })

  test("are the ends of the range where there are few rows, or none", () => {
    const spec = specOf({ wanted: ["1/2"], cells: 100, epsilon: "0.2", miss: "0.05" })
    const few = Array.from({ length: 100 }, (_, cell) => (cell === 50 ? 4n : 0n))
    for (const histogram of [few, few.map(() => 0n)]) {
      const rng = seededBits(freshSeed())
      const drawn = Array.from({ length: 200 }, () => releaseQuantileEnds(spec, histogram, rng)[0])
      expect(drawn.every((one) => one !== undefined && one.lower >= 0 && one.upper < 100)).toBe(true)
    }
    // So few rows cannot show where they are: the law is as good as that of no rows at all.
    const narrow = specOf({ wanted: ["1/2"], cells: 6, epsilon: "0.2", miss: "0.05" })
    expect(lawsOf(narrow, Array<number>(6).fill(0)).lower[0]).toBeGreaterThan(0.97)
  })

  test("of several quantiles grow with them", () => {
    const spec = specOf({ wanted: ["0.4", "0.5", "0.6"], cells: 50, epsilon: "3", miss: "0.05" })
    const histogram = Array.from({ length: 50 }, (_, cell) => BigInt(cell % 5))
    const rng = seededBits(freshSeed())
    for (let i = 0; i < 50; i += 1) {
      const drawn = releaseQuantileEnds(spec, histogram, rng)
      expect(drawn).toHaveLength(3)
      for (const [place, { lower, upper }] of drawn.entries()) {
        expect(lower).toBeGreaterThanOrEqual(drawn[place - 1]?.lower ?? 0)
        expect(upper).toBeGreaterThanOrEqual(drawn[place - 1]?.upper ?? 0)
      }
    }
  })

  test("of units with several rows are aimed further out, in proportion", () => {
    const shift = (rowsPerUnit: number): number =>
      Number(specOf({ wanted: ["1/2"], cells: 50, epsilon: "0.01", rowsPerUnit }).ends.shifts[0])
    expect((shift(10) - 1) / (shift(1) - 1)).toBeCloseTo(10, 0)
  })
})

test("the loss of intervals is that of two draws for each quantile, beside the points", () => {
  const spec = specOf({ wanted: ["1/4", "1/2", "3/4"], cells: 10, epsilon: "0.6", miss: "0.05" })
  const { ends, ...points } = spec
  const [whole, alone] = [lossOf(spec), lossOf(points)]
  expect(numberNear(whole.pure?.epsilon ?? rational(0n))).toBeCloseTo(1.6, 12)
  expect(numberNear(whole.zcdp.rho) - numberNear(alone.zcdp.rho)).toBeCloseTo((6 * 0.1 * 0.1) / 8, 12)
  const gdp =
    numberNear(whole.gdp?.muSquared ?? rational(0n)) - numberNear(alone.gdp?.muSquared ?? rational(0n))
  const one = lossOf({
    ...points,
    quantiles: spec.quantiles.slice(0, 1),
    tree: { which: 0, epsilon: ends.epsilonPerEnd },
  })
  expect(gdp).toBeCloseTo(6 * numberNear(one.gdp?.muSquared ?? rational(0n)), 12)
  expect(ends.epsilonPerEnd).toEqual(divide(rational(6n, 10n), rational(6n)))
  expect(eventsOf(spec).map(({ count }) => count)).toEqual([1, 1, 6])
})

test("refuses ends without a loss or without a miss", () => {
  for (const ends of [
    { epsilon: 0, miss: "0.05" },
    { epsilon: 1, miss: 0 },
    { epsilon: 1, miss: 1 },
  ]) {
    const options = {
      quantiles: ["1/2"],
      cells: 4,
      rowsPerUnit: 1,
      neighbours: "replace",
      epsilon: 1,
      ends,
    } as const
    expect(refusalOf(() => quantiles(options)).code).toMatch(/^parameter/)
  }
})

test("draws no ends when the histogram does not fit", () => {
  const spec = specOf({ wanted: ["1/2"], cells: 4 })
  expect(refusalOf(() => releaseQuantileEnds(spec, [1n, 2n], untouchedBits())).code).toBe("parameter/length")
})

function fraction(q: string): number {
  const [a = "0", b = "1"] = q.split("/")
  return Number(a) / Number(b)
}

/** The first and the last row, from 1, that PERCENTILE_CONT or PERCENTILE_DISC look at. */
function rowsOf(q: number, rows: number): [number, number] {
  const place = 1 + (rows - 1) * q
  const step = Math.max(1, Math.ceil(q * rows - 1e-9))
  return [Math.min(Math.floor(place + 1e-9), step), Math.max(Math.ceil(place - 1e-9), step)]
}

/** The cell of a row. */
function cellOf(histogram: readonly number[], row: number): number {
  let below = 0
  return histogram.findIndex((count) => (below += count) >= row)
}

test("a unit with rows in several groups costs as much in each of them", () => {
  const options = { quantiles: ["1/2"], cells: 10, rowsPerUnit: 3, neighbours: "add-or-remove" } as const
  const ends = { epsilon: 1, miss: "0.05" }
  const one = quantiles({ ...options, epsilon: 1, ends })
  const many = quantiles({ ...options, groupsPerUnit: 4, epsilon: 1, ends })
  expect(many.tree.epsilon).toEqual(rational(1n, 4n))
  expect(many.ends?.epsilonPerEnd).toEqual(rational(1n, 8n))
  // The same pure loss in all, and a quarter of the rho: four times a sixteenth.
  expect(lossOf(many).pure?.epsilon).toEqual(lossOf(one).pure?.epsilon)
  expect(numberNear(lossOf(many).zcdp.rho)).toBeCloseTo(numberNear(lossOf(one).zcdp.rho) / 4, 12)
  expect(eventsOf(many).map(({ count }) => count)).toEqual([4, 8])
  const choice = selection({
    method: "exponential",
    epsilon: "1/2",
    groupsPerUnit: 3,
    sensitivity: 2,
    scores: "any",
    candidates: 5,
  })
  expect(lossOf(choice).pure?.epsilon).toEqual(rational(3n, 2n))
  expect(lossOf(choice).zcdp.rho).toEqual(rational(3n, 32n))
  expect(eventsOf(choice).map(({ count }) => count)).toEqual([3])
})
