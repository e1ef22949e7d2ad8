import fc from "fast-check"
import { expect, test } from "vitest"
import { gdpToDelta } from "../accounting/conversions/gaussian-delta.ts"
import { pureToZcdp } from "../accounting/conversions/pure-to-zcdp.ts"
import { exactly, type Numeric } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { compare, one, rational, zero, type Rational } from "../exact/rational.ts"
import { laplace, laplaceLoss } from "../mechanisms/additive/laplace.ts"
import type { Loss } from "../privacy/loss.ts"
import { countSensitivity } from "../privacy/sensitivity.ts"
import { discreteLaplacePmf } from "../testing/laws.ts"
import { deltaAt } from "./delta-curve.ts"

const of = (text: Numeric): Rational => exactly(text, "value")
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
const curve = (loss: Loss, epsilon: Numeric): number => numberNear(deltaAt(loss, epsilon))

/** At least `least`, and no more than a 1e-9 part above. */
function expectJustAbove(got: number, least: number): void {
  expect(got).toBeGreaterThanOrEqual(least * (1 - 1e-14))
  expect(got).toBeLessThanOrEqual(least * (1 + 1e-9))
}

test("a pure loss has the curve of randomized response", () => {
  for (const [loss, epsilon] of [
    [1, 0],
    [1, 0.5],
    [3, 2.999],
    [0.001, 0],
    [20, 7],
  ] as const) {
    // (e^loss - e^epsilon) / (1 + e^loss), in a form that does not cancel.
    expectJustAbove(curve(pure(loss), epsilon), -Math.expm1(epsilon - loss) / (1 + Math.exp(-loss)))
  }
  expect(deltaAt(pure(1), 1)).toEqual(zero)
  expect(deltaAt(pure(1), 2)).toEqual(zero)
  expect(deltaAt(pure(0), 0)).toEqual(zero)
})

test("an approximate loss shows everything with probability delta, and else is pure", () => {
  expectJustAbove(curve(approx(1, "1e-3"), "0.25"), 1e-3 + 0.999 * curve(pure(1), "0.25"))
  expect(deltaAt(approx(1, "1e-3"), 1)).toEqual(of("1e-3"))
  expect(deltaAt(approx(1, "1e-3"), 50)).toEqual(of("1e-3"))
  expect(deltaAt(approx(0, "0.25"), 0)).toEqual(of("0.25"))
})

test("a Gaussian loss has the exact Gaussian curve", () => {
  expect(deltaAt(gdp(4), 1)).toEqual(gdpToDelta(of(2), of(1)))
  expectJustAbove(curve(gdp(4, "1e-6"), 1), numberNear(gdpToDelta(of(2), of(1))) + 1e-6)
  // 2 F(1/2) - 1.
  expectJustAbove(curve(gdp(1), 0), 0.38292492254802624)
})

test("total variation under zCDP is attained by randomized response", () => {
  for (const epsilon of ["0.001", "0.1", "1", "3", "10", "40"]) {
    const rho = pureToZcdp(of(epsilon))
    expectJustAbove(curve(zcdp(rho), 0), Math.tanh(Number(epsilon) / 2))
  }
})

test("total variation under zCDP is below the bounds of Pinsker and of Bretagnolle and Huber", () => {
  for (const rho of [1e-25, 1e-9, 0.01, 0.3, 1, 2, 5, 30]) {
    const got = curve(zcdp(rho), 0)
    expect(got).toBeLessThanOrEqual(Math.min(Math.sqrt(rho / 2), Math.sqrt(-Math.expm1(-rho))) * (1 + 1e-12))
    // The Gaussian mechanism has this rho.
    expect(got).toBeGreaterThanOrEqual(curve(gdp(2 * rho), 0))
  }
})

test("the curve of a zCDP loss lies above that of every mechanism with this loss", () => {
  const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
  for (const scale of [0.5, 1, 4]) {
    const { zcdp: loss } = laplaceLoss(laplace({ sensitivity, epsilon: 1 / scale }))
    const pmf = discreteLaplacePmf(scale)
    for (const epsilon of [0, 0.1, 0.2, 0.5, 1, 1.5]) {
      let exact = 0
      for (let k = -300n; k <= 300n; k += 1n) exact += Math.max(0, pmf(k) - Math.exp(epsilon) * pmf(k - 1n))
      expect(curve(loss, epsilon)).toBeGreaterThanOrEqual(exact - 1e-12)
      expect(curve(pure(1 / scale), epsilon)).toBeGreaterThanOrEqual(exact - 1e-12)
    }
  }
  for (const epsilon of [0, 0.5, 1, 3, 8])
    expect(curve(zcdp("0.5"), epsilon)).toBeGreaterThanOrEqual(curve(gdp(1), epsilon))
})

const amounts = fc.double({ min: 1e-6, max: 8, noNaN: true })
const losses: fc.Arbitrary<(amount: number) => Loss> = fc.constantFrom(
  (amount: number) => pure(amount),
  (amount: number) => approx(amount, "1e-5"),
  (amount: number) => zcdp(amount),
  (amount: number) => zcdp(amount, "1e-5"),
  (amount: number) => gdp(amount),
)

test("delta falls as epsilon grows, grows with the loss, and is a probability", () => {
  fc.assert(
    fc.property(losses, fc.tuple(amounts, amounts), fc.tuple(amounts, amounts), (make, two, at) => {
      const [small, large] = [Math.min(...two), Math.max(...two)]
      const [near, far] = [Math.min(...at), Math.max(...at)]
      const delta = deltaAt(make(large), near)
      // The search for an order and the seams of the bounds may cost a small part.
      const slack = (value: Rational): number => numberNear(value) * (1 + 1e-6)
      expect(compare(delta, one)).toBeLessThanOrEqual(0)
      expect(numberNear(deltaAt(make(large), far))).toBeLessThanOrEqual(slack(delta))
      expect(numberNear(deltaAt(make(small), near))).toBeLessThanOrEqual(slack(delta))
    }),
    { numRuns: 150 },
  )
})

test("extreme arguments are answered at once", () => {
  for (const huge of ["1000", "1e6", "1e9", "1e100"]) {
    for (const loss of [pure(huge), approx(huge, "1e-9"), zcdp(huge), gdp(huge)]) {
      expect(deltaAt(loss, 0)).toEqual(one)
      expect(compare(deltaAt(loss, "1e100"), one)).toBeLessThanOrEqual(0)
    }
    for (const loss of [zcdp("1e-9"), zcdp(1), zcdp(50), gdp("1e-9"), gdp(1), gdp(900)])
      expect(curve(loss, huge)).toBeLessThan(1e-20)
  }
  expect(curve(zcdp("1e-300"), 0)).toBeLessThan(1e-149)
  expect(curve(gdp("1e-300"), 0)).toBeLessThan(1e-149)
})

test("the quick bounds join the exact curve", () => {
  // t = epsilon/mu - mu/2 = 14 is the seam; the curve falls by e^14 for each unit of t there.
  for (const mu of [0.01, 1, 20, 30]) {
    const at = (t: number): number => Math.log(curve(gdp(mu * mu), mu * (t + mu / 2)))
    expect(at(13.99)).toBeGreaterThanOrEqual(at(14.01))
    expect(at(13.99) - at(14.01)).toBeLessThan(0.9)
  }
})

test("a loss of 0 has delta 0, or its own", () => {
  expect(deltaAt(zcdp(0), 0)).toEqual(zero)
  expect(deltaAt(gdp(0), 0)).toEqual(zero)
  expect(deltaAt(gdp(0, "0.1"), 5)).toEqual(rational(1n, 10n))
})

test("refuses negative amounts and deltas that are no probability", () => {
  expect(() => deltaAt(pure(-1), 0)).toThrow("the loss's epsilon must not be negative, and is -1")
  expect(() => deltaAt(zcdp(-1), 0)).toThrow("the loss's rho must not be negative, and is -1")
  expect(() => deltaAt(gdp(-1), 0)).toThrow("the loss's mu squared must not be negative, and is -1")
  expect(() => deltaAt(approx(1, 1), 0)).toThrow("the loss's delta must lie in [0, 1), and is 1")
  expect(() => deltaAt(pure(1), -1)).toThrow("epsilon must not be negative, and is -1")
})
