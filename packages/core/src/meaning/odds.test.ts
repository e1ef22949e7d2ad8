import fc from "fast-check"
import { expect, test } from "vitest"
import { exactly, type Numeric } from "../exact/decimal.ts"
import type { Rational } from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"
import anonymity from "../testing/fixtures/anonymity.json" with { type: "json" }
import { normalCdf } from "../testing/laws.ts"
import { checkRecord, numberInput, recordsOf } from "../testing/vectors.ts"
import { groupFactor, posteriorBounds } from "./odds.ts"

const of = (value: Numeric): Rational => exactly(value, "value")
const zero = of(0)
const pure = (epsilon: Numeric): Loss => ({ measure: "pure", epsilon: of(epsilon) })
const approx = (epsilon: Numeric, delta: Numeric): Loss => ({
  measure: "approx",
  epsilon: of(epsilon),
  delta: of(delta),
})
const gdp = (muSquared: Numeric): Loss => ({ measure: "gdp", muSquared: of(muSquared), delta: zero })
const zcdp = (rho: Numeric): Loss => ({ measure: "zcdp", rho: of(rho), delta: zero })

test("gives the reference posteriors, rounded against ourselves", () => {
  for (const record of recordsOf(anonymity, "bayes.posterior")) {
    const prior = numberInput(record, "prior")
    const bounds = posteriorBounds({ loss: pure(numberInput(record, "epsilon")), prior })
    const check = { unsafeTolerance: 1e-14 }
    checkRecord({
      ...check,
      record: { ...record, safe_direction: "ge" },
      field: "posterior_max",
      got: bounds.upper,
    })
    checkRecord({
      ...check,
      record: { ...record, safe_direction: "le" },
      field: "posterior_min",
      got: bounds.lower,
    })
    expect(bounds.failure).toBe(0)
  }
})

test("gives the reference factors for groups", () => {
  for (const record of recordsOf(anonymity, "bayes.group")) {
    const got = groupFactor(numberInput(record, "epsilon"), numberInput(record, "k"))
    checkRecord({
      record: { ...record, safe_direction: "ge" },
      field: "odds_factor",
      got,
      unsafeTolerance: 1e-14,
    })
  }
  expect(groupFactor("1000", 1000)).toBe(Infinity)
  expect(groupFactor(0, 7)).toBeCloseTo(1, 12)
  expect(() => groupFactor(1, 0)).toThrow("k must lie in the integers from 1, and is 0")
})

test("a pure loss needs no failure, and neither does an approximate one with delta 0", () => {
  const bounds = posteriorBounds({ loss: pure(1), prior: "0.5" })
  expect(posteriorBounds({ loss: pure(1), prior: "0.5", failure: "0.1" })).toEqual(bounds)
  expect(posteriorBounds({ loss: approx(1, 0), prior: "0.5" })).toEqual(bounds)
  expect(posteriorBounds({ loss: zcdp(0), prior: "0.5" })).toEqual({
    lower: 0.5,
    upper: 0.5,
    oddsFactor: 1,
    failure: 0,
  })
})

test("an approximate loss approaches the pure one as the failure allowed grows beyond delta", () => {
  const factor = (failure: string): number =>
    posteriorBounds({ loss: approx(1, "1e-9"), prior: "0.5", failure }).oddsFactor
  expect(factor("1e-3")).toBeGreaterThan(Math.E)
  expect(factor("1e-3")).toBeLessThan(Math.E * 1.00001)
  expect(factor("2e-9")).toBeGreaterThan(factor("1e-8"))
  expect(factor("1.0000001e-9")).toBeLessThan(1e8)
})

test("the bounds cover the Gaussian mechanism but for the failure", () => {
  // The log-likelihood ratio of N(mu, 1) and N(0, 1) is normal with mean mu^2/2 and variance mu^2.
  for (const mu of [0.1, 0.5, 1, 2]) {
    for (const failure of ["0.1", "1e-3", "1e-6"]) {
      for (const loss of [gdp(mu * mu), zcdp((mu * mu) / 2)]) {
        const exponent = Math.log(posteriorBounds({ loss, prior: "0.5", failure }).oddsFactor)
        const above = normalCdf(-(exponent - (mu * mu) / 2) / mu)
        const below = normalCdf((-exponent - (mu * mu) / 2) / mu)
        expect(above + below).toBeLessThanOrEqual(Number(failure))
        // Not idle either: within a factor of 20 of the failure allowed.
        expect((above + below) * 20).toBeGreaterThan(Number(failure))
      }
    }
  }
})

test("the bounds cover the worst approximate mechanism but for the failure, and no more", () => {
  // An event of probability f under one neighbour and (f - delta) / e^epsilon under the other is allowed.
  const [delta, failure] = [1e-4, 1.5e-4]
  const { oddsFactor } = posteriorBounds({ loss: approx(1, delta), prior: "0.5", failure })
  const worst = (Math.E * failure) / (failure - delta)
  expect(oddsFactor).toBeGreaterThanOrEqual(worst)
  expect(oddsFactor).toBeLessThan(worst + delta / (failure - delta) + 1e-9)
})

test("bounds widen with the loss and narrow as more failure is allowed", () => {
  const amounts = fc.double({ min: 1e-4, max: 4, noNaN: true })
  const failures = fc.double({ min: 1e-8, max: 0.3, noNaN: true })
  const makers = fc.constantFrom(zcdp, gdp, (epsilon: Numeric) => approx(epsilon, "1e-9"))
  const prior = fc.double({ min: 0.001, max: 0.999, noNaN: true })
  fc.assert(
    fc.property(
      makers,
      fc.tuple(amounts, amounts),
      fc.tuple(failures, failures),
      prior,
      (make, two, pair, p) => {
        const at = (amount: number, failure: number): ReturnType<typeof posteriorBounds> =>
          posteriorBounds({ loss: make(amount), prior: p, failure })
        const [small, large] = [Math.min(...two), Math.max(...two)]
        const wide = at(large, Math.min(...pair))
        expect(wide.lower).toBeLessThanOrEqual(p)
        expect(wide.upper).toBeGreaterThanOrEqual(p)
        // The exponents tried are a grid, so neighbours may cross by a hair.
        expect(at(small, Math.min(...pair)).oddsFactor).toBeLessThanOrEqual(wide.oddsFactor * 1.01)
        expect(at(large, Math.max(...pair)).oddsFactor).toBeLessThanOrEqual(wide.oddsFactor * 1.01)
      },
    ),
    { numRuns: 8 },
  )
})

test("a loss without limit promises nothing, at once", () => {
  const nothing = { lower: 0, upper: 1, oddsFactor: Infinity }
  for (const loss of [pure("1e9"), approx("1e9", "1e-9"), zcdp("1e9"), gdp("1e9"), zcdp(4000)])
    expect(posteriorBounds({ loss, prior: "0.01", failure: "1e-3" })).toMatchObject(nothing)
  expect(posteriorBounds({ loss: pure(800), prior: "0.5" })).toMatchObject({ upper: 1, oddsFactor: Infinity })
})

test("refuses a failure that the loss's delta rules out", () => {
  const ask = (failure?: Numeric): unknown =>
    posteriorBounds({ loss: approx(1, "1e-5"), prior: "0.5", ...(failure === undefined ? {} : { failure }) })
  const range = "(0.00001, 1), above the delta of the loss"
  expect(() => ask("1e-5")).toThrow(`failure must lie in ${range}, and is 0.00001`)
  expect(() => ask(0)).toThrow(`failure must lie in ${range}, and is 0`)
  expect(() => ask(1)).toThrow(`failure must lie in ${range}, and is 1`)
  expect(() => ask()).toThrow(`failure must lie in ${range}, and is not given`)
  expect(() => ask()).toThrow(expect.objectContaining({ help: `choose failure from ${range}` }))
  expect(() => posteriorBounds({ loss: zcdp(-1), prior: "0.5" })).toThrow(
    "the loss's rho must not be negative",
  )
  expect(() => posteriorBounds({ loss: pure(1), prior: 0 })).toThrow(
    "prior must lie in the open interval (0, 1)",
  )
})
