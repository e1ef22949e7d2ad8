import fc from "fast-check"
import { expect, test } from "vitest"
import { numberNear } from "../exact/dyadic.ts"
import { boundedSensitivity, type Sensitivity } from "../privacy/sensitivity.ts"
import { bestEpsilon } from "./best-epsilon.ts"

const upTo = (upper: number): Sensitivity =>
  boundedSensitivity({ groupsPerUnit: 1, lower: 0, upper, neighbours: "add-or-remove" })

test("approaches the closed form of the continuous law where the sensitivity is large", () => {
  for (const [errorCost, price] of [
    [1, 1e6],
    [3, 5e5],
    [0.01, 100],
  ] as const) {
    const best = bestEpsilon({ sensitivity: upTo(10_000), errorCost, privacyCost: { kind: "linear", price } })
    const closed = Math.sqrt((errorCost * 10_000) / price)
    expect(numberNear(best.epsilon) / closed).toBeCloseTo(1, 3)
    // At the optimum of c/epsilon + p epsilon the two parts are equal.
    expect(best.errorPart / best.privacyPart).toBeCloseTo(1, 2)
  }
})

test("no other epsilon is cheaper, by the exact law", () => {
  const amounts = fc.double({ min: 0.01, max: 1000, noNaN: true })
  const kinds = fc.constantFrom("linear", "odds")
  fc.assert(
    fc.property(
      amounts,
      amounts,
      kinds,
      fc.integer({ min: 1, max: 100 }),
      (errorCost, price, kind, upper) => {
        const best = bestEpsilon({ sensitivity: upTo(upper), errorCost, privacyCost: { kind, price } })
        const costAt = (epsilon: number): number =>
          errorCost / Math.sinh(epsilon / upper) + price * (kind === "odds" ? Math.expm1(epsilon) : epsilon)
        const chosen = numberNear(best.epsilon)
        expect(best.total / costAt(chosen)).toBeCloseTo(1, 10)
        for (const factor of [0.5, 0.9, 0.99, 1.01, 1.1, 2])
          expect(costAt(chosen * factor)).toBeGreaterThanOrEqual(best.total * (1 - 1e-6))
      },
    ),
  )
})

test("says what the parts are, for the spec that it returns", () => {
  const best = bestEpsilon({ sensitivity: upTo(1), errorCost: 1, privacyCost: { kind: "linear", price: 1 } })
  expect(numberNear(best.epsilon)).toBe(1.061)
  expect(best.expectedError).toBeCloseTo(1 / Math.sinh(1.061), 12)
  expect(best.errorPart + best.privacyPart).toBe(best.total)
  expect(numberNear(best.spec.scale)).toBeCloseTo(1 / 1.061, 12)
})

test("refuses costs that are not positive, and extremes", () => {
  const ask = (errorCost: number, price: number) => () =>
    bestEpsilon({ sensitivity: upTo(1), errorCost, privacyCost: { kind: "odds", price } })
  expect(ask(0, 1)).toThrow("error cost must be greater than 0, not 0")
  expect(ask(1, 0)).toThrow("privacy cost must be greater than 0, not 0")
  expect(ask(1, 1e200)).toThrow("privacy cost must lie in 1e-100 to 1e100")
  expect(ask(1e99, 1e-99)().total).toBeLessThan(Infinity)
})
