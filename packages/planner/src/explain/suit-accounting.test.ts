import { budgetFor, openFilter, takeCharge, type Accounting } from "@dosimeter/core/accounting"
import { exactly, rationalOfNumber, zero, type Rational } from "@dosimeter/core/exact"
import {
  boundedSensitivity,
  errorOf,
  gaussianOfVariance,
  laplace,
  lossOf,
  type MechanismSpec,
} from "@dosimeter/core/mechanisms"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { describe, expect, test } from "vitest"
import { countsBestPure, suitAccounting, type AdviceFacts, type PlannedKind } from "./suit-accounting.ts"

const at = (text: string): Rational => exactly(text, "x")
const usual = at("0.2")

function factsOf(delta = "1e-5", keysShare = usual): AdviceFacts {
  const accounting: Accounting = "pure"
  const isZero = delta === "0"
  const terms: Terms = {
    budget: budgetFor({ epsilon: 3, delta: isZero ? 0 : delta, accounting }),
    question: {
      epsilonDefault: at("1"),
      epsilonMax: at("3"),
      delta: isZero ? zero : at("1e-6"),
      confidence: at("0.95"),
    },
    bounding: { groupsPerUnit: 4n, rowsPerGroup: 1n, groupsPerUnitMax: 100n, rowsPerGroupMax: 1000n },
  }
  return { terms, neighbours: "add-or-remove", keysShare }
}

const deviationOf = (questions: number, kind: PlannedKind, accounting: Accounting): number =>
  suitAccounting([{ questions, kind }], factsOf()).planned[0]?.noise[accounting]?.deviation ?? Number.NaN

/** How many mechanisms fit the budget, charged one by one. */
function fitting(spec: MechanismSpec, accounting: Accounting): number {
  let state = openFilter(budgetFor({ epsilon: 3, delta: "1e-5", accounting, deltaForCharges: usual }))
  for (let count = 0; ; count += 1) {
    const next = takeCharge(state, lossOf(spec))
    if (next === undefined) return count
    state = next
  }
}

describe("which accounting suits what is planned", () => {
  test("one count has the least noise in pure, a hundred in gdp", () => {
    expect(suitAccounting([{ questions: 1, kind: "count" }], factsOf()).best).toBe("pure")
    expect(suitAccounting([{ questions: 100, kind: "count" }], factsOf()).best).toBe("gdp")
    expect(suitAccounting([{ questions: 100, kind: "keys" }], factsOf()).best).toBe("gdp")
  })

  // The second way: noise a hair larger than stated fits as often as is planned, and a hair smaller does not.
  test.each([
    [7, "count"],
    [40, "count"],
    [12, "by-group"],
  ] as const)(
    "of %i questions (%s), the noise is the least that fits the budget so often",
    (questions, kind) => {
      const groupsPerUnit = kind === "count" ? 1n : 4n
      const bounds = { groupsPerUnit, neighbours: "add-or-remove", lower: 0n, upper: 1n } as const
      const sensitivity = boundedSensitivity(kind === "count" ? { ...bounds, groupsInAll: 1n } : bounds)
      for (const accounting of ["zcdp", "gdp"] as const) {
        const told = deviationOf(questions, kind, accounting)
        const fits = (factor: number): number => {
          const deviation = factor * Math.sqrt(told ** 2 - roundingVariance)
          const variance = rationalOfNumber(deviation ** 2)
          return fitting(gaussianOfVariance({ sensitivity, variance }), accounting)
        }
        expect(fits(1.0001)).toBeGreaterThanOrEqual(questions)
        expect(fits(0.9999)).toBeLessThan(questions)
      }
      const noise = (epsilon: number): MechanismSpec =>
        laplace({ sensitivity, epsilon: rationalOfNumber(epsilon) })
      const stated = errorOf(laplace({ sensitivity, epsilon: 3 / questions }), "0.5").standardDeviation
      // In pure accounting Gaussian noise may be smaller, never larger.
      expect(deviationOf(questions, kind, "pure")).toBeLessThanOrEqual(stated * (1 + 1e-9))
      expect(fitting(noise(2.9999 / questions), "pure")).toBeGreaterThanOrEqual(questions)
    },
  )

  test("the number of counts up to which pure is best is where the best changes", () => {
    const most = countsBestPure(factsOf())
    expect(most).toBe(9)
    const best = (questions: number): Accounting =>
      suitAccounting([{ questions, kind: "count" }], factsOf()).best
    expect([best(most), best(most + 1)]).toEqual(["pure", "gdp"])
  })

  test("where there is no delta nothing else can be chosen, and keys cannot be selected", () => {
    const { planned, best } = suitAccounting(
      [
        { questions: 100, kind: "count" },
        { questions: 1, kind: "keys" },
      ],
      factsOf("0"),
    )
    expect(best).toBe("pure")
    expect(planned[0]?.noise).toMatchObject({ zcdp: undefined, gdp: undefined })
    expect(planned[0]?.noise.pure?.deviation).toBeGreaterThan(1)
    expect(planned[1]?.noise).toEqual({ pure: undefined, zcdp: undefined, gdp: undefined })
    expect(countsBestPure(factsOf("0"))).toBeGreaterThan(60_000)
  })

  test("where no delta is kept for keys, they can be selected in pure alone", () => {
    const plan = [{ questions: 3, kind: "keys" }] as const
    const { planned, best } = suitAccounting(plan, factsOf("1e-5", zero))
    expect(best).toBe("pure")
    expect(planned[0]?.noise).toMatchObject({ zcdp: undefined, gdp: undefined })
    expect(planned[0]?.noise.pure?.shownFrom).toBeGreaterThan(1)
  })

  test("a mixed plan shares the budget among all of it", () => {
    const mixed = suitAccounting(
      [
        { questions: 6, kind: "count" },
        { questions: 4, kind: "by-group" },
      ],
      factsOf(),
    )
    expect(mixed.planned[0]?.noise.zcdp?.deviation).toBeCloseTo(deviationOf(10, "count", "zcdp"), 9)
    expect(mixed.planned[1]?.noise.gdp?.deviation).toBeCloseTo(deviationOf(10, "by-group", "gdp"), 9)
  })
})

/** What rounding to whole numbers adds to the variance of Gaussian noise that is not small. */
const roundingVariance = 1 / 12
