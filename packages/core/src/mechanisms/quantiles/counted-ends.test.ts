import { describe, expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { rational, type Rational } from "../../exact/rational.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import {
  countedEnds,
  drawEnds,
  releaseCountedEnds,
  type CountedEnds,
  type CountedSpend,
} from "./counted-ends.ts"
import { eventsOf } from "../events-of.ts"
import { lossOf } from "../mechanism.ts"
import { grain, marginOf, provenEnds, type RowsNoise } from "./proven-ends.ts"
import { rankVariances } from "./quantile-tree.ts"
import { quantiles, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"

interface Asked {
  readonly wanted?: readonly string[]
  readonly cells?: number
  readonly rowsPerUnit?: number
  readonly groupsPerUnit?: number
  readonly neighbours?: Neighbours
  readonly spend?: CountedSpend
}

function specOf(asked: Asked): QuantilesSpec & { readonly counted: CountedEnds } {
  const { wanted = ["1/4", "3/4"], cells = 6, rowsPerUnit = 1, groupsPerUnit = 1 } = asked
  const { neighbours = "add-or-remove", spend = { kind: "pure", ends: "0.6", counts: "0.3" } } = asked
  const histogram = { quantiles: wanted, cells, rowsPerUnit, groupsPerUnit, neighbours }
  const spec = quantiles({ ...histogram, epsilon: 1 })
  const variances = rankVariances(spec.quantiles, spec.tree)
  return { ...spec, counted: countedEnds({ ...spec, variances }, { spend, miss: "0.05" }) }
}

describe("the loss of counted ends", () => {
  const cases = [
    ["add-or-remove", 1, 1],
    ["replace", 3, 2],
  ] as const
  test.each(cases)(
    "is what was asked, beside the values: %s, %i rows, %i groups",
    (...[neighbours, rows, groups]) => {
      const asked = { neighbours, rowsPerUnit: rows, groupsPerUnit: groups }
      const pure = specOf(asked)
      expect(numberNear(lossOf(pure).pure?.epsilon ?? rational(0n))).toBeCloseTo(1.9, 12)
      const { counted, ...values } = specOf({
        ...asked,
        spend: { kind: "rho", ends: "0.02", counts: "0.03" },
      })
      const [whole, alone] = [lossOf({ ...values, counted }), lossOf(values)]
      expect(whole.pure).toBeUndefined()
      expect(numberNear(whole.zcdp.rho) - numberNear(alone.zcdp.rho)).toBeCloseTo(0.05, 12)
      const gdp = (losses: typeof whole): number => numberNear(losses.gdp?.muSquared ?? rational(0n))
      // Gaussian counts: mu^2 = 2 rho; a draw's mu is at most 0.6267 epsilon.
      expect(gdp(whole) - gdp(alone)).toBeLessThan(0.06 + 8 * 0.02 * 0.6267 ** 2)
      expect(gdp(whole) - gdp(alone)).toBeGreaterThan(0.06)
    },
  )

  test("is in its events too", () => {
    const counts = (spec: QuantilesSpec): number[] => eventsOf(spec).map(({ count }) => count)
    expect(counts(specOf({ groupsPerUnit: 3 })).slice(-2)).toEqual([6, 3])
    const gaussian = specOf({ groupsPerUnit: 3, spend: { kind: "rho", ends: "0.02", counts: "0.03" } })
    expect(counts(gaussian).slice(-2)).toEqual([6, 1])
  })

  // The pairs among the small ones at which the loss is greatest.
  const hard = [
    ["add-or-remove", [3, 2, 1, 3, 0, 3, 1, 2, 0], 1.8],
    ["replace", [0, 1, 0, 3, 0, 3, 1, 0, 0], 1.1],
  ] as const
  test.each(hard)(
    "is that of two draws, however a row's changes are spread: %s",
    (neighbours, rows, least) => {
      const made = specOf({ cells: 9, neighbours, spend: { kind: "pure", ends: 3, counts: 1 } })
      const spec = { ...made, counted: { ...made.counted, shifts: [4n, 1n] } }
      const at = (change: readonly number[]): readonly (readonly number[])[] =>
        lawsOf(spec, { histogram: rows.map((count, i) => count + (change[i] ?? 0)), drawn: [2, 6] })
      const laws = at([])
      let worst = 0
      for (const to of rows.keys()) {
        const sources = rows.flatMap((count, i) => (count > 0 && i !== to ? [i] : []))
        for (const from of neighbours === "replace" ? sources : [-1]) {
          const others = at(rows.map((_, i) => (i === to ? 1 : 0) - (i === from ? 1 : 0)))
          // The draws are independent, given the values: the greatest ratio is the product of the greatest.
          const most = laws.map((law, which) =>
            Math.max(...law.map((p, i) => Math.abs(Math.log(p / (others[which]?.[i] ?? 0))))),
          )
          worst = Math.max(
            worst,
            most.reduce((sum, one) => sum + one, 0),
          )
        }
      }
      expect(worst).toBeLessThanOrEqual(3)
      expect(worst).toBeGreaterThan(least)
    },
  )
})

/** The laws of the four ends of two quantiles, each read off the mechanism with the others held. */
function lawsOf(
  spec: QuantilesSpec & { readonly counted: CountedEnds },
  { histogram, drawn }: { readonly histogram: readonly number[]; readonly drawn: readonly number[] },
): readonly (readonly number[])[] {
  const cells = histogram.map(BigInt)
  const anywhere = Math.floor(0.4142135623 * 2 ** 53)
  const [first = 0, second = 0] = drawn
  const reach = [first, second - first, second - first, histogram.length - 1 - second]
  return reach.map((farthest, which) => {
    const outcome = (u: number): number => {
      const uniforms = reach.map((_, i) => (i === which ? u : anywhere))
      const ends = drawEnds(spec, { histogram: cells, drawn }, bitsOfUniforms(uniforms))
      const { lower = 0, upper = 0 } = ends[which >> 1] ?? {}
      return which % 2 === 0 ? (drawn[which >> 1] ?? 0) - lower : upper - (drawn[which >> 1] ?? 0)
    }
    return inversionLaw(farthest + 1, outcome).map(({ probability }) => probability)
  })
}

describe("ends", () => {
  test("are aimed at so many rows outward, not counting the rows of a value itself", () => {
    const made = specOf({ cells: 9, spend: { kind: "pure", ends: 400, counts: 1 } })
    const spec = { ...made, counted: { ...made.counted, shifts: [3n, 5n] } }
    const histogram = [2n, 2n, 2n, 50n, 2n, 2n, 70n, 2n, 2n]
    const ends = drawEnds(spec, { histogram, drawn: [3, 6] }, seededBits("ends"))
    // Beyond the second value there are four rows: the last cell stands for all that is farther.
    expect(ends).toEqual([
      { lower: 1, upper: 5 },
      { lower: 3, upper: 8 },
    ])
  })

  test("draw nothing when the histogram does not fit", () => {
    const rows = { histogram: [1n, 2n], drawn: [0, 1] }
    expect(refusalOf(() => releaseCountedEnds(specOf({}), rows, untouchedBits())).code).toBe(
      "parameter/length",
    )
  })

  test("refuse a loss of nothing, and a miss of nothing or of everything", () => {
    const spec = specOf({})
    const made = (spend: CountedSpend, miss: string) => () =>
      countedEnds({ ...spec, variances: [1, 1] }, { spend, miss })
    for (const build of [
      made({ kind: "pure", ends: 0, counts: 1 }, "0.05"),
      made({ kind: "rho", ends: 1, counts: 0 }, "0.05"),
      made({ kind: "pure", ends: 1, counts: 1 }, "0"),
      made({ kind: "pure", ends: 1, counts: 1 }, "1"),
    ]) {
      expect(refusalOf(build).code).toMatch(/^parameter/)
    }
  })
})

describe("what counts prove", () => {
  const noise: RowsNoise = { law: "laplace", scale: rational(1n, 1000n) }
  const proven = (rows: readonly bigint[], ends: readonly { lower: number; upper: number }[]) =>
    provenEnds(
      { cuts: [10, 20, 30, 40], rows: rows.map((count) => grain * count), row: grain, cells: 50, noise },
      { quantiles: [rational(1n, 4n), rational(3n, 4n)], ends, missEach: rational(1n, 80n) },
    )
  const ends = [
    { lower: 10, upper: 19 },
    { lower: 30, upper: 39 },
  ]

  test("[M5] an end is one if so many rows are beyond it that every definition of a quantile agrees", () => {
    // Ranks 25 and 75 of 100.
    expect(proven([20n, 20n, 20n, 20n, 20n], ends)).toEqual([
      { lower: 10, upper: 19 },
      { lower: 30, upper: 39 },
    ])
    // 24 rows before the first cut are too many by a definition that takes row 24; so are 23 of 97.
    expect(proven([24n, 16n, 20n, 20n, 20n], ends)[0]).toEqual({ lower: 0, upper: 19 })
    expect(proven([23n, 17n, 20n, 20n, 20n], ends)[0]).toEqual({ lower: 10, upper: 19 })
    // 26 rows before the second cut are too few by one that takes row 27.
    expect(proven([10n, 16n, 34n, 20n, 20n], ends)[0]).toEqual({ lower: 10, upper: 39 })
    expect(proven([10n, 18n, 32n, 20n, 20n], ends)[0]).toEqual({ lower: 10, upper: 19 })
  })

  test("an end that holds for one quantile stands in for the next", () => {
    expect(proven([20n, 20n, 40n, 10n, 10n], ends)).toEqual([
      { lower: 10, upper: 19 },
      { lower: 10, upper: 39 },
    ])
  })

  test("the first and the last cell need no proof", () => {
    const wide = [
      { lower: 0, upper: 19 },
      { lower: 30, upper: 49 },
    ]
    const found = provenEnds(
      { cuts: [20, 30], rows: [0n, 0n, 0n], row: grain, cells: 50, noise },
      { quantiles: [rational(1n, 4n), rational(3n, 4n)], ends: wide, missEach: rational(1n, 80n) },
    )
    expect(found).toEqual([
      { lower: 0, upper: 49 },
      { lower: 0, upper: 49 },
    ])
  })
})

describe("the margin of a sum of noises", () => {
  /** P(sum > margin) of discrete Laplace noises, by adding up their laws on a lattice of quarters. */
  function tailOf(scale: number, weights: readonly number[], margin: number): number {
    let law = new Map([[0, 1]])
    for (const weight of weights) {
      const next = new Map<number, number>()
      for (let x = -120; x <= 120; x += 1) {
        const p = (Math.exp(-Math.abs(x) / scale) * (1 - Math.exp(-1 / scale))) / (1 + Math.exp(-1 / scale))
        for (const [at, q] of law) {
          const to = at + Math.round(4 * weight) * x
          next.set(to, (next.get(to) ?? 0) + p * q)
        }
      }
      law = next
    }
    return [...law].filter(([at]) => at / 4 > margin).reduce((sum, [, p]) => sum + p, 0)
  }

  test.each([
    ["1/2", 1, 1],
    ["1/4", 1, 3],
    ["3/4", 2, 2],
  ] as const)("holds for Laplace noise, and is not much too wide: %s, %i and %i", (q, below, above) => {
    const quantile = rational(BigInt(q.slice(0, 1)), BigInt(q.slice(2)))
    const weight = numberNear(quantile)
    const weights = [...Array<number>(below).fill(1 - weight), ...Array<number>(above).fill(-weight)]
    for (const miss of [rational(1n, 40n), rational(1n, 360n)]) {
      const margin = numberNear(
        marginOf({ law: "laplace", scale: rational(5n) }, { below, above, quantile }, miss),
      )
      expect(tailOf(5, weights, margin)).toBeLessThanOrEqual(numberNear(miss))
      expect(tailOf(5, weights, 0.5 * margin)).toBeGreaterThan(numberNear(miss))
    }
  })

  test("is that of the normal law for Gaussian noise, and what rounding adds", () => {
    const bins = { below: 3, above: 5, quantile: rational(1n, 4n) }
    const variance: Rational = rational(10_000n)
    const margin = numberNear(marginOf({ law: "gaussian", variance }, bins, rational(1n, 40n)))
    const exact = 1.959964 * 100 * Math.sqrt(3 * 0.75 ** 2 + 5 * 0.25 ** 2)
    expect(margin).toBeGreaterThanOrEqual(exact + (3 * 0.75 + 5 * 0.25) / 2)
    expect(margin).toBeLessThan(exact + 4)
  })
})

test("nine deciles have ends almost four times as near as drawn ones", () => {
  const wanted = Array.from({ length: 9 }, (_, i) => `${i + 1}/10`)
  const histogram = { quantiles: wanted, cells: 65_536, rowsPerUnit: 1, neighbours: "add-or-remove" } as const
  const drawn = quantiles({ ...histogram, epsilon: "1/2", ends: { epsilon: "1/2", miss: "0.05" } })
  const counted = specOf({ wanted, cells: 65_536, spend: { kind: "pure", ends: "0.225", counts: "0.15" } })
  expect(Number(counted.counted.shifts[4]) * 3.8).toBeLessThan(Number(drawn.ends?.shifts[4]))
})

test("intervals hold the values that they are for", () => {
  const spec = specOf({ cells: 40 })
  const histogram = Array.from({ length: 40 }, (_, cell) => BigInt((cell * 7) % 11) * 9n)
  const rng = seededBits("values")
  for (let i = 0; i < 20; i += 1) {
    const drawn = releaseQuantiles(spec, histogram, rng)
    for (const [which, { lower, upper }] of releaseCountedEnds(spec, { histogram, drawn }, rng).entries()) {
      expect(lower).toBeLessThanOrEqual(drawn[which] ?? -1)
      expect(upper).toBeGreaterThanOrEqual(drawn[which] ?? 99)
    }
  }
})
