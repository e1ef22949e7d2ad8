// Counts from 0 on, made of noise from the real samplers: intervals hold as often as they say in sparse and
// dense tables, errors are far below those of raw counts, and totals do not lean to one side.

import { exactly, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { fillDiscreteLaplace, fillRoundedGaussian } from "@dosimeter/core/noise"
import type { NoiseBase } from "@dosimeter/core/post"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { describe, expect, test } from "vitest"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { cellsFromZero } from "./from-zero.ts"
import { spreadOf } from "./spread.ts"
import type { Cell } from "./table.ts"

const alpha = 1e-9
/** P(|Z| > 6.2) < 1e-9. */
const deviations = 6.2
const confidence = 0.9
const tables = 40
const seed = freshSeed()
const rng = seededBits(seed)
const grid = rational(1n)
/** A standard deviation of about 22.5, as that of events by code in docs/accuracy.md. */
const deviation = 22.6

interface Law {
  readonly name: string
  readonly base: (id: number) => NoiseBase
  readonly fill: (out: Float64Array) => void
}

const scale: Rational = rational(16n)
const variance = exactly("510", "variance")
const laws: readonly Law[] = [
  {
    name: "laplace",
    base: (id) => ({ law: "laplace", id, grid, scale }),
    fill: (out) => void fillDiscreteLaplace(out, scale, rng),
  },
  {
    name: "gaussian",
    base: (id) => ({ law: "gaussian", id, grid, variance }),
    fill: (out) => void fillRoundedGaussian(out, variance, rng),
  },
]

const zipf = Array.from({ length: 1000 }, (_, place) => Math.floor(700 / (place + 1)))
const exactTables = {
  "1,000 groups, most of them small": zipf,
  "1,000 groups, one with all": [10_000, ...Array<number>(999).fill(0)],
  "twelve large groups": Array<number>(12).fill(1700),
}

interface Outcome {
  readonly exact: readonly number[]
  readonly raw: readonly number[]
  readonly shown: readonly number[]
  readonly held: readonly boolean[]
}

function outcomesOf({ base, fill }: Law, exact: readonly number[]): readonly Outcome[] {
  return Array.from({ length: tables }, () => {
    const noise = new Float64Array(exact.length)
    fill(noise)
    const raw = exact.map((value, index) => value + (noise[index] ?? 0))
    const cells = cellsFromZero(
      raw.map((value, index): Cell => {
        const measured = rationalOfNumber(value)
        return {
          value: { kind: "number", value: measured },
          spread: spreadOf(base(index), measured),
          state: "released",
        }
      }),
    )
    const shown = cells.map(({ value }) =>
      value.kind === "number" ? Number(value.value.numerator) : Number.NaN,
    )
    const held = cells.map((cell, index) => {
      const { low, high } = intervalOfCell(cell, confidence) ?? { low: Infinity, high: -Infinity }
      return low <= (exact[index] ?? 0) && (exact[index] ?? 0) <= high
    })
    return { exact, raw, shown, held }
  })
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const rootMean = (values: readonly number[], exact: readonly number[]): number =>
  Math.sqrt(mean(values.map((value, index) => (value - (exact[index] ?? 0)) ** 2)))

describe.each(laws)("$name noise", (law) => {
  test.each(Object.entries(exactTables))("intervals of %s hold as often as they say", (_, exact) => {
    const held = outcomesOf(law, exact).flatMap((outcome) => outcome.held)
    spendAlpha(alpha)
    // The noise of every cell is independent of all others, and cutting can only help.
    const { upper } = clopperPearson({ successes: held.filter(Boolean).length, trials: held.length, alpha })
    expect(upper, seed).toBeGreaterThanOrEqual(confidence)
  })

  test("errors of mostly small groups are below those of cutting each at 0", () => {
    const outcomes = outcomesOf(law, zipf)
    // 40,000 cells: the mean square differs by far less than a fifth from its expectation, which is at most
    // 0.75 of what is allowed.
    spendAlpha(alpha)
    expect(mean(outcomes.map(({ shown, exact }) => rootMean(shown, exact))), seed).toBeLessThan(12.5)
    expect(mean(outcomes.map(({ raw, exact }) => rootMean(raw, exact))), seed).toBeGreaterThan(20)
    const cut = outcomes.map(({ raw }) => raw.map((value) => Math.max(0, value)))
    expect(mean(cut.map((values) => rootMean(values, zipf))), seed).toBeGreaterThan(15)
    expect(mean(cut.map(sum)) - sum(zipf), seed).toBeGreaterThan(8 * deviation * Math.sqrt(zipf.length))
  })

  test("large groups are as they were measured, and totals do not lean to one side", () => {
    const outcomes = outcomesOf(law, zipf)
    for (const { raw, shown } of outcomes) {
      expect(shown.every((value) => value >= 0)).toBe(true)
      expect([shown[0], shown[1]]).toEqual([raw[0], raw[1]])
    }
    const off = outcomes.map(({ shown, exact }) => sum(shown) - sum(exact))
    spendAlpha(alpha)
    expect(Math.abs(mean(off)), seed).toBeLessThan(deviations * deviation * Math.sqrt(zipf.length / tables))
  })

  test("one large group among empty ones is not moved by them", () => {
    for (const { raw, shown, exact } of outcomesOf(law, exactTables["1,000 groups, one with all"])) {
      expect(shown[0]).toBe(raw[0])
      // All that may be left of the noise of 999 groups is what it adds up to.
      expect(sum(shown.slice(1))).toBeGreaterThanOrEqual(0)
      expect(exact.length).toBe(shown.length)
    }
  })
})
