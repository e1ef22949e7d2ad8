import { rational } from "@dosimeter/core/exact"
import { formOf } from "@dosimeter/core/post"
import { linearSpread } from "@dosimeter/answers/cells/spread"
import { cellOf, publicCell, type Cell } from "@dosimeter/answers/cells/table"
import { describe, expect, test } from "vitest"
import { poolSites, type PoolWanted, type SiteTable } from "./pool-sites.ts"

// Thirteen trials of the BCG vaccine (Colditz and others 1994): cases and others, vaccinated and not.
const trials = [
  [4, 119, 11, 128],
  [6, 300, 29, 274],
  [3, 228, 11, 209],
  [62, 13536, 248, 12619],
  [33, 5036, 47, 5761],
  [180, 1361, 372, 1079],
  [8, 2537, 10, 619],
  [505, 87886, 499, 87892],
  [29, 7470, 45, 7232],
  [17, 1699, 65, 1600],
  [186, 50448, 141, 27197],
  [5, 2493, 3, 2338],
  [27, 16886, 29, 17825],
]

let draws = 0
/** A number with Gaussian noise of this variance in it; without any for 0. */
function number(value: number, variance = 0): Cell {
  const centre = rational(BigInt(value))
  if (variance === 0) return publicCell({ kind: "number", value: centre })
  draws += 1
  const form = formOf({
    id: draws,
    law: "gaussian",
    grid: rational(1n),
    variance: rational(BigInt(variance)),
  })
  const options = { slack: 0, mayBeNull: false, fromZero: true }
  return cellOf({ kind: "number", value: centre }, linearSpread(centre, form, options), "released")
}
const text = (value: string): Cell => publicCell({ kind: "text", value })

const tables = (variance = 0): readonly SiteTable[] =>
  trials.map(([a = 0, b = 0, c = 0, d = 0], index) => ({
    site: `trial ${index + 1}`,
    names: ["arm", "events", "n"],
    table: {
      columns: [],
      rows: [
        [text("bcg"), number(a, variance), number(a + b, variance)],
        [text("none"), number(c, variance), number(c + d, variance)],
      ],
    },
  }))
const wanted: PoolWanted = {
  measure: "risk-ratio",
  events: "events",
  count: "n",
  by: "arm",
  first: "bcg",
  second: "none",
}

describe("estimates of several sites", () => {
  test("without noise they are pooled as published", () => {
    const found = poolSites(tables(), wanted)
    expect(Math.log(found.fixed.value)).toBeCloseTo(-0.4303, 4)
    expect(Math.log(found.random.value)).toBeCloseTo(-0.7141, 4)
    expect(Math.log(found.random.high)).toBeCloseTo(-0.7141 + 1.959964 * 0.1787, 3)
    // t with 12 degrees.
    expect(Math.log(found.hartungKnapp.high)).toBeCloseTo(-0.7141 + 2.1788 * 0.1807, 3)
    expect([found.q, found.between, found.inconsistency]).toEqual([
      expect.closeTo(152.233, 3),
      expect.closeTo(0.3088, 4),
      expect.closeTo(0.9212, 4),
    ])
    expect(found.sites).toHaveLength(13)
    expect(found.sites.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
  })

  test("noise makes a site's variance larger by what it does to the estimate, to first order", () => {
    const [one] = poolSites(tables(4).slice(3, 5), wanted).sites
    const step = 4 + 1 / 12
    const expected = step * (1 / 62 ** 2 + 1 / 13598 ** 2 + 1 / 248 ** 2 + 1 / 12867 ** 2)
    expect(one?.noise).toBeCloseTo(expected, 10)
    expect(one?.sampling).toBeCloseTo(1 / 62 - 1 / 13598 + 1 / 248 - 1 / 12867, 10)
  })

  test("the noise that a simulation shows is the noise that is stated", () => {
    // A fixed list of normal quantiles in place of draws: each number moves by itself.
    const z = [-1.645, -1.036, -0.674, -0.385, -0.126, 0.126, 0.385, 0.674, 1.036, 1.645]
    const own = trials[5] ?? []
    for (const measure of ["risk-difference", "risk-ratio", "odds-ratio"] as const) {
      const valueAt = (moved: readonly number[]): number => {
        const [a = 0, b = 0, c = 0, d = 0] = own
        const [e1 = 0, n1 = 0, e0 = 0, n0 = 0] = [a, a + b, c, c + d].map(
          (count, at) => count + (moved[at] ?? 0),
        )
        if (measure === "risk-difference") return e1 / n1 - e0 / n0
        return measure === "risk-ratio"
          ? Math.log((e1 / n1) * (n0 / e0))
          : Math.log((e1 / (n1 - e1)) * ((n0 - e0) / e0))
      }
      const size = z.reduce((sum, one) => sum + one ** 2, 0) / z.length
      let variance = 0
      for (const place of [0, 1, 2, 3]) {
        const values = z.map((one) => valueAt([0, 1, 2, 3].map((at) => (at === place ? 5 * one : 0))))
        const mean = values.reduce((sum, one) => sum + one, 0) / z.length
        variance += values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / z.length / size
      }
      const [, found] = poolSites(tables(25).slice(4, 6), { ...wanted, measure }).sites
      expect((found?.noise ?? 0) / variance, measure).toBeCloseTo(1, 1)
    }
  })

  test("a site whose counts drown in the noise is left out by its name; two must be left", () => {
    const noisy = tables(400)
    const found = poolSites(noisy, wanted)
    expect(found.leftOut).toEqual([
      "trial 1",
      "trial 2",
      "trial 3",
      "trial 5",
      "trial 7",
      "trial 9",
      "trial 10",
      "trial 12",
      "trial 13",
    ])
    expect(() => poolSites(noisy.slice(0, 4), wanted)).toThrow(
      expect.objectContaining({ code: "federation/too-few-estimates" }),
    )
  })

  test("means, and their differences", () => {
    const sites = [
      [50, 100, 25],
      [54, 100, 100],
    ].map(([mean = 0, variance = 0, n = 0], index): SiteTable => ({
      site: `${index}`,
      names: ["mean", "v", "n"],
      table: { columns: [], rows: [[number(mean), number(variance), number(n)]] },
    }))
    const mean: PoolWanted = { measure: "mean", mean: "mean", variance: "v", count: "n" }
    const { fixed, sites: shown } = poolSites(sites, mean)
    expect(shown.map(({ sampling }) => sampling)).toEqual([4, 1])
    expect(fixed.value).toBeCloseTo((50 / 4 + 54) / (1 / 4 + 1), 12)
    const groups = sites.map((one) => ({
      ...one,
      names: ["arm", ...one.names],
      table: {
        columns: [],
        rows: [
          [text("a"), ...(one.table.rows[0] ?? [])],
          [text("b"), number(40), number(100), number(50)],
        ],
      },
    }))
    const difference: PoolWanted = { ...mean, measure: "mean-difference", by: "arm", first: "a", second: "b" }
    const found = poolSites(groups, difference)
    expect(found.sites.map(({ value, sampling }) => [value, sampling])).toEqual([
      [10, 6],
      [14, 3],
    ])
    expect(() => poolSites(groups, mean)).toThrow(expect.objectContaining({ code: "federation/not-one-row" }))
  })

  test("a column or a group that is not there is named", () => {
    expect(() => poolSites(tables(), { ...wanted, count: "all" })).toThrow(
      expect.objectContaining({ code: "federation/no-column" }),
    )
    expect(() => poolSites(tables(), { ...wanted, second: "placebo" })).toThrow(
      expect.objectContaining({ code: "federation/no-group" }),
    )
  })
})
