import fc from "fast-check"
import { expect, test } from "vitest"
import { exactly, type Numeric } from "../exact/decimal.ts"
import type { Rational } from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"
import anonymity from "../testing/fixtures/anonymity.json" with { type: "json" }
import gaussian from "../testing/fixtures/gaussian.json" with { type: "json" }
import { normalCdf } from "../testing/laws.ts"
import { checkRecord, numberInput, recordsOf } from "../testing/vectors.ts"
import { balancedAccuracy, membershipAdvantage, truePositiveRate } from "./attacker.ts"

const of = (value: Numeric): Rational => exactly(value, "value")
const pure = (epsilon: Numeric): Loss => ({ measure: "pure", epsilon: of(epsilon) })
const approx = (epsilon: Numeric, delta: Numeric): Loss => ({
  measure: "approx",
  epsilon: of(epsilon),
  delta: of(delta),
})
const zcdp = (rho: Numeric, delta: Numeric = 0): Loss => ({ measure: "zcdp", rho: of(rho), delta: of(delta) })
const gdp = (muSquared: Numeric, delta: Numeric = 0): Loss => ({
  measure: "gdp",
  muSquared: of(muSquared),
  delta: of(delta),
})
const rate = (loss: Loss, falsePositiveRate: Numeric): number => truePositiveRate({ loss, falsePositiveRate })

test("gives the reference advantages, rounded up", () => {
  for (const reference of recordsOf(anonymity, "hypothesis.advantage")) {
    const record = { ...reference, safe_direction: "ge" } as const
    const loss = approx(numberInput(record, "epsilon"), numberInput(record, "delta"))
    const check = { record, unsafeTolerance: 1e-14 }
    checkRecord({ ...check, field: "max_membership_advantage", got: membershipAdvantage(loss) })
    checkRecord({ ...check, field: "max_accuracy_balanced", got: balancedAccuracy(loss) })
  }
})

test("gives the reference true positive rates, rounded up", () => {
  for (const reference of recordsOf(anonymity, "hypothesis.tpr")) {
    const record = { ...reference, safe_direction: "ge" } as const
    const loss = approx(numberInput(record, "epsilon"), numberInput(record, "delta"))
    const got = rate(loss, numberInput(record, "fpr"))
    checkRecord({ record, field: "max_tpr", got, unsafeTolerance: 1e-14 })
  }
})

test("gives the reference trade-off of Gaussian noise, rounded up", () => {
  for (const reference of recordsOf(gaussian, "gaussian.gdp_tradeoff")) {
    const record = { ...reference, safe_direction: "le" } as const
    const mu = numberInput(record, "mu")
    const got = 1 - rate(gdp(mu * mu), numberInput(record, "type1_error"))
    // 1 - rate has the absolute precision of doubles below 1.
    checkRecord({ record, field: "type2_error", got, unsafeTolerance: 1e-12 })
  }
})

test("the advantage of the Gaussian mechanism is 2 F(mu/2) - 1", () => {
  for (const mu of [0.01, 0.5, 1, 3]) {
    expect(membershipAdvantage(gdp(mu * mu))).toBeCloseTo(2 * normalCdf(mu / 2) - 1, 12)
    expect(membershipAdvantage(gdp(mu * mu, "0.01"))).toBeCloseTo(2 * normalCdf(mu / 2) - 0.99, 12)
    // The same mechanism in a coarser measure.
    expect(membershipAdvantage(zcdp((mu * mu) / 2))).toBeGreaterThanOrEqual(membershipAdvantage(gdp(mu * mu)))
  }
})

test("textbook: epsilon ln 3 lets an attacker be right three times in four", () => {
  expect(balancedAccuracy(pure("1.0986122886681098"))).toBeCloseTo(0.75, 12)
  expect(membershipAdvantage(pure(0))).toBe(0)
  expect(balancedAccuracy(pure(0))).toBe(0.5)
})

test("false positive rates of 0 and 1", () => {
  for (const loss of [pure(1), zcdp(1), gdp(1)]) {
    expect(rate(loss, 0)).toBe(0)
    expect(rate(loss, 1)).toBe(1)
  }
  for (const loss of [approx(1, "0.25"), zcdp(1, "0.25"), gdp(1, "0.25")]) {
    expect(rate(loss, 0)).toBe(0.25)
    expect(rate(loss, 1)).toBe(1)
  }
})

test("a loss of 0 leaves the attacker with the false positive rate", () => {
  for (const loss of [pure(0), zcdp(0), gdp(0)]) expect(rate(loss, "0.3")).toBeCloseTo(0.3, 14)
})

test("losses without limit and rates without measure are answered at once", () => {
  for (const huge of ["1e4", "1e9", "1e100"]) {
    for (const loss of [pure(huge), approx(huge, "1e-9"), zcdp(huge), gdp(huge)]) {
      expect(membershipAdvantage(loss)).toBe(1)
      expect(rate(loss, "0.01")).toBe(1)
      expect(rate(loss, "1e-300")).toBe(1)
    }
  }
  expect(rate(gdp(1), "1e-300")).toBeLessThan(1e-280)
  expect(rate(gdp(1), { numerator: 10n ** 300n - 1n, denominator: 10n ** 300n })).toBe(1)
})

test("[W1] under zCDP no test of the Gaussian mechanism does better, and the bound is near", () => {
  for (const mu of [0.1, 2]) {
    for (const falsePositives of [1e-6, 0.01, 0.9]) {
      const bound = rate(zcdp((mu * mu) / 2), falsePositives)
      const reached = rate(gdp(mu * mu), falsePositives)
      expect(bound).toBeGreaterThanOrEqual(reached)
      expect(bound).toBeLessThan(reached * 3)
    }
  }
  // The best test at rho 1/2 and rate 1/100 is 0.12459, from the divergences of a coin at all orders.
  expect(rate(zcdp("0.5"), "0.01")).toBeGreaterThan(0.12459)
  expect(rate(zcdp("0.5"), "0.01")).toBeLessThan(0.1265)
})

test("rates grow with the loss and with the false positives, and never fall below them", () => {
  const unit = fc.double({ min: 1e-6, max: 1, noNaN: true })
  const amounts = fc.double({ min: 1e-3, max: 5, noNaN: true })
  const makers = fc.constantFrom(
    pure,
    (e: Numeric) => approx(e, "1e-5"),
    (m: Numeric) => gdp(m),
  )
  const property = (runs: number, make: fc.Arbitrary<(amount: Numeric) => Loss>): void =>
    fc.assert(
      fc.property(make, fc.tuple(amounts, amounts), fc.tuple(unit, unit), (of, two, at) => {
        const got = rate(of(Math.max(...two)), Math.max(...at))
        expect(got).toBeGreaterThanOrEqual(Math.max(...at))
        expect(got).toBeLessThanOrEqual(1)
        expect(rate(of(Math.min(...two)), Math.max(...at))).toBeLessThanOrEqual(got * (1 + 1e-3))
        expect(rate(of(Math.max(...two)), Math.min(...at))).toBeLessThanOrEqual(got * (1 + 1e-3))
        expect(got - Math.max(...at)).toBeLessThanOrEqual(membershipAdvantage(of(Math.max(...two))) + 1e-12)
      }),
      { numRuns: runs },
    )
  property(60, makers)
  property(
    5,
    fc.constant((rho: Numeric) => zcdp(rho)),
  )
})

test("refuses rates outside [0, 1]", () => {
  expect(() => rate(pure(1), "1.5")).toThrow("the false positive rate must lie in [0, 1], and is 1.5")
  expect(() => rate(pure(1), -1)).toThrow("the false positive rate must lie in [0, 1], and is -1")
  expect(() => rate(pure(-1), "0.5")).toThrow("the loss's epsilon must not be negative")
})
