import { describe, expect, test } from "vitest"
import { metaAnalysis, type SiteEstimate } from "./meta-analysis.ts"

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
const bcg = trials.map(([a = 0, b = 0, c = 0, d = 0]): SiteEstimate => ({
  value: Math.log(a / (a + b) / (c / (c + d))),
  sampling: 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d),
  noise: 0,
}))

describe("estimates of several sites", () => {
  test("the trials of the BCG vaccine, as published", () => {
    const { fixed, random, q, between, inconsistency, hartungKnapp, degrees } = metaAnalysis(bcg)
    expect(fixed.value).toBeCloseTo(-0.4303, 4)
    expect(fixed.standardError).toBeCloseTo(0.0405, 4)
    expect(q).toBeCloseTo(152.233, 3)
    expect(between).toBeCloseTo(0.3088, 4)
    expect(random.value).toBeCloseTo(-0.7141, 4)
    expect(random.standardError).toBeCloseTo(0.1787, 4)
    expect(inconsistency).toBeCloseTo(0.9212, 4)
    expect(hartungKnapp).toBeCloseTo(0.1807, 4)
    expect(degrees).toBe(12)
  })

  test("noise counts as sampling does: a noisy site has less weight, and the interval is wider", () => {
    const noisy = bcg.map((one, index) => ({ ...one, noise: index === 7 ? 0.05 : 0 }))
    const swapped = noisy.map(({ value, sampling, noise }) => ({ value, sampling: noise, noise: sampling }))
    expect(metaAnalysis(swapped).fixed).toEqual(metaAnalysis(noisy).fixed)
    expect(metaAnalysis(noisy).fixed.standardError).toBeGreaterThan(metaAnalysis(bcg).fixed.standardError)
    expect(metaAnalysis(noisy).fixed.weights[7]).toBeLessThan(metaAnalysis(bcg).fixed.weights[7] ?? 0)
  })

  test("sites that agree have nothing between them", () => {
    const alike = [1, 1, 1].map((value) => ({ value, sampling: 0.25, noise: 0.75 }))
    const { fixed, random, between, hartungKnapp, inconsistency } = metaAnalysis(alike)
    expect([between, hartungKnapp, inconsistency]).toEqual([0, 0, 0])
    expect(random).toEqual(fixed)
    expect(fixed.standardError).toBeCloseTo(Math.sqrt(1 / 3), 12)
  })

  test("refuses one estimate, and those without an error", () => {
    const one = { value: 1, sampling: 1, noise: 0 }
    for (const bad of [[one], [one, { ...one, sampling: 0 }], [one, { ...one, value: NaN }]]) {
      expect(() => metaAnalysis(bad)).toThrow(expect.objectContaining({ code: "bug/invariant" }))
    }
  })
})
