import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import type { Losses } from "../privacy/loss.ts"
import vectors from "../testing/fixtures/rdp.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { seededBits } from "../testing/seeded-bits.ts"
import { checkRecord, recordsOf } from "../testing/vectors.ts"
import {
  approxToRho,
  budgetFor,
  chargesLeft,
  odometerOf,
  openFilter,
  takeCharge,
  type Accounting,
  type FilterState,
} from "./filter.ts"
import { gdpToDelta, gdpToEpsilon } from "./conversions/gaussian-delta.ts"
import { zcdpToDelta, zcdpToEpsilon } from "./conversions/zcdp-to-approx.ts"

const at = (text: string): Rational => exactly(text, "x")
const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]

/** A release whose loss is the same amount in every accounting, with a delta of its own. */
const chargeOf = (amount: Rational, delta: Rational = zero): Losses => ({
  ...(delta.numerator === 0n
    ? { pure: { measure: "pure", epsilon: amount } }
    : { approx: { measure: "approx", epsilon: amount, delta } }),
  zcdp: { measure: "zcdp", rho: amount, delta },
  gdp: { measure: "gdp", muSquared: amount, delta },
})

const limitOf = ({ budget: { limit } }: FilterState): Rational =>
  limit.measure === "pure" ? limit.epsilon : limit.measure === "zcdp" ? limit.rho : limit.muSquared

const opened = (accounting: Accounting, epsilon = "1", delta = "1e-6"): FilterState =>
  openFilter(budgetFor({ epsilon, delta, accounting }))

/** Takes a charge that must fit. */
function taken(state: FilterState, charge: Losses): FilterState {
  const next = takeCharge(state, charge)
  if (next === undefined) throw new Error("the charge does not fit")
  return next
}

describe.each(accountings)("an account in %s", (accounting) => {
  test("takes exactly a hundred thousand parts of a hundred thousand, and nothing after", () => {
    const count = 100_000
    let state = opened(accounting)
    const charge = chargeOf(divide(limitOf(state), rational(BigInt(count))))
    expect(chargesLeft(state, charge)).toBe(BigInt(count))
    for (let i = 0; i < count; i += 1) state = taken(state, charge)
    expect(state.spent).toEqual(limitOf(state))
    expect(takeCharge(state, charge)).toBeUndefined()
    expect(chargesLeft(state, charge)).toBe(0n)
    // The least positive double, and far less.
    expect(takeCharge(state, chargeOf(rationalOfNumber(5e-324)))).toBeUndefined()
    expect(takeCharge(state, chargeOf(rational(1n, 10n ** 400n)))).toBeUndefined()
  })

  test("a tenth ten times is one, and a third three times", () => {
    for (const n of [10n, 3n, 7n]) {
      let state = opened(accounting)
      const charge = chargeOf(divide(limitOf(state), rational(n)))
      for (let i = 0n; i < n; i += 1n) state = taken(state, charge)
      expect(takeCharge(state, charge)).toBeUndefined()
    }
  })

  test("keeps a tiny charge beside a large one", () => {
    const state = opened(accounting)
    const tiny = rational(1n, 10n ** 60n)
    const nearly = taken(state, chargeOf(subtract(limitOf(state), tiny)))
    expect(chargesLeft(nearly, chargeOf(tiny))).toBe(1n)
    const full = taken(nearly, chargeOf(tiny))
    expect(takeCharge(full, chargeOf(tiny))).toBeUndefined()
    expect(takeCharge(nearly, chargeOf(multiply(tiny, rational(2n))))).toBeUndefined()
  })

  test("counts deltas beside, against their own limit", () => {
    const state = opened(accounting, "1", "1e-6")
    const limit = state.budget.limit.measure === "pure" ? state.budget.delta : state.budget.limit.delta
    const charge = chargeOf(divide(limitOf(state), rational(1000n)), divide(limit, rational(4n)))
    expect(chargesLeft(state, charge)).toBe(4n)
    let next = state
    for (let i = 0; i < 4; i += 1) next = taken(next, charge)
    expect(next.deltaSpent).toEqual(limit)
    expect(takeCharge(next, charge)).toBeUndefined()
    // Without a delta there is room.
    expect(takeCharge(next, chargeOf(divide(limitOf(state), rational(1000n))))).toBeDefined()
    // A charge of a delta only is one too.
    const only = chargeOf(zero, divide(limit, rational(3n)))
    expect(chargesLeft(state, only)).toBe(3n)
    expect(chargesLeft(next, only)).toBe(0n)
  })

  test("refuses a charge of nothing, and one that would be a refund", () => {
    const state = taken(opened(accounting), chargeOf(rational(1n, 1000n)))
    const tenth = rational(1n, 10n ** 9n)
    for (const [charge, code] of [
      [chargeOf(zero), "parameter/not-positive"],
      [chargeOf(negate(tenth)), "parameter/negative"],
      [chargeOf(tenth, negate(tenth)), "parameter/negative"],
      [chargeOf(rational(-1n), tenth), "parameter/negative"],
    ] as const) {
      expect(refusalOf(() => takeCharge(state, charge)).code).toBe(code)
      expect(refusalOf(() => chargesLeft(state, charge)).code).toBe(code)
    }
  })

  test("knows how many charges are left without taking them", () => {
    const parts = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(parts, parts, parts, (spent, size, deltaSize) => {
        const state = opened(accounting)
        const deltas = state.budget.limit.measure === "pure" ? state.budget.delta : state.budget.limit.delta
        const part = (of: Rational, n: number): Rational =>
          divide(multiply(of, rational(BigInt(n))), rational(61n))
        const charge = chargeOf(part(limitOf(state), size), part(deltas, deltaSize))
        let next = taken(state, chargeOf(part(limitOf(state), spent), part(deltas, 61 - spent)))
        const left = chargesLeft(next, charge)
        for (let i = 0n; i < left; i += 1n) next = taken(next, charge)
        expect(takeCharge(next, charge)).toBeUndefined()
      }),
      { numRuns: 40 },
    )
  })

  test("reads more on its odometer after each charge, and never more than was promised", () => {
    let state = opened(accounting, "2", "1e-6")
    expect(odometerOf(state)).toEqual({ epsilon: zero, delta: zero })
    const charge = chargeOf(divide(limitOf(state), rational(12n)))
    let last = zero
    while (chargesLeft(state, charge) > 0n) {
      state = taken(state, charge)
      const { epsilon, delta } = odometerOf(state)
      expect(compare(epsilon, last)).toBe(1)
      expect(compare(epsilon, state.budget.epsilon)).toBeLessThanOrEqual(0)
      expect(compare(delta, state.budget.delta)).toBeLessThanOrEqual(0)
      last = epsilon
    }
    expect(numberUp(last)).toBeGreaterThan(2 * (1 - 1e-6))
  })

  test("[A1] stays within its promise when each charge is chosen from the answers before", () => {
    const bits = seededBits(`adaptive ${accounting}`)
    let state = opened(accounting, "1.5", "1e-5")
    let sum = zero
    let refused = 0
    // An analyst who goes on with what was refused, asks for more after a high answer and for crumbs near the
    // end.
    for (let step = 0, answer = 0; step < 3000; step += 1) {
      const left = subtract(limitOf(state), state.spent)
      const share = answer > 3e9 ? rational(1n, 3n) : rational(BigInt(1 + (answer % 97)), 500n)
      const wish = refused % 7 === 6 ? multiply(left, rational(101n, 100n)) : multiply(limitOf(state), share)
      answer = bits.word()
      if (wish.numerator === 0n) break
      const next = takeCharge(state, chargeOf(wish))
      if (next === undefined) {
        refused += 1
        // What is left to the last crumb may still be had, once.
        if (refused > 200) state = taken(state, chargeOf(left))
        if (refused > 200) break
        continue
      }
      sum = add(sum, wish)
      state = next
    }
    expect(refused).toBeGreaterThan(0)
    expect(compare(state.spent, limitOf(state))).toBeLessThanOrEqual(0)
    expect(compare(sum, state.spent)).toBeLessThanOrEqual(0)
    expect(compare(odometerOf(state).epsilon, at("1.5"))).toBeLessThanOrEqual(0)
  })
})

describe("a promise as a budget", () => {
  const promises = [
    ["1", "1e-6"],
    ["0.1", "1e-9"],
    ["10", "1e-5"],
    ["1e-3", "1e-12"],
    ["3", "0.2"],
  ] as const

  test.each(promises)("(%s, %s) in rho turns back into no more", (epsilon, delta) => {
    for (const share of ["0.5", "0.01", "0.99"]) {
      const { limit } = budgetFor({ epsilon, delta, accounting: "zcdp", deltaForCharges: share })
      if (limit.measure !== "zcdp") throw new Error("a zCDP budget is in rho")
      const rest = subtract(at(delta), limit.delta)
      expect(limit.delta).toEqual(multiply(at(delta), at(share)))
      expect(compare(zcdpToEpsilon(limit.rho, rest), at(epsilon))).toBeLessThanOrEqual(0)
      expect(numberUp(zcdpToDelta(limit.rho, at(epsilon))) / numberUp(rest)).toBeLessThan(1 + 1e-6)
      // And nothing much is given away.
      const more = multiply(limit.rho, at("1.0001"))
      expect(compare(zcdpToEpsilon(more, rest), at(epsilon))).toBe(1)
    }
  })

  test.each(promises)("(%s, %s) in mu squared turns back into no more", (epsilon, delta) => {
    const { limit } = budgetFor({ epsilon, delta, accounting: "gdp" })
    if (limit.measure !== "gdp") throw new Error("a GDP budget is in mu squared")
    const rest = subtract(at(delta), limit.delta)
    const mu = sqrtUp(limit.muSquared, 100)
    // sqrtUp may be the least bit above the mu that was squared.
    expect(numberUp(gdpToDelta(mu, at(epsilon))) / numberUp(rest)).toBeLessThan(1 + 1e-9)
    expect(numberUp(gdpToEpsilon(mu, rest)) / Number(epsilon)).toBeLessThan(1 + 1e-9)
    expect(compare(gdpToDelta(multiply(mu, at("1.0001")), at(epsilon)), rest)).toBe(1)
  })

  test("in pure losses is the epsilon itself, with or without a delta", () => {
    expect(budgetFor({ epsilon: "1/3", delta: 0, accounting: "pure" })).toEqual({
      accounting: "pure",
      epsilon: rational(1n, 3n),
      delta: zero,
      limit: { measure: "pure", epsilon: rational(1n, 3n) },
    })
    expect(budgetFor({ epsilon: 1, delta: "0", accounting: "pure" }).delta).toEqual(zero)
    expect(budgetFor({ epsilon: 1, delta: "1e-9", accounting: "pure" }).delta).toEqual(at("1e-9"))
    // A delta that is not there takes no charge that has one.
    const state = openFilter(budgetFor({ epsilon: 1, delta: 0, accounting: "pure" }))
    expect(takeCharge(state, chargeOf(at("0.1"), at("1e-30")))).toBeUndefined()
  })

  test("is refused unless it is one", () => {
    for (const accounting of accountings) {
      for (const epsilon of [0, -0, -1, Number.NaN, Infinity, "1e-401", "", "0.0"]) {
        expect(() => budgetFor({ epsilon, delta: "1e-6", accounting })).toThrow(/epsilon/)
      }
      for (const delta of [-1, 1, 2, Number.NaN, Infinity, "1", "-1e-9"]) {
        expect(() => budgetFor({ epsilon: 1, delta, accounting })).toThrow(/delta/)
      }
    }
    for (const accounting of ["zcdp", "gdp"] as const) {
      expect(refusalOf(() => budgetFor({ epsilon: 1, delta: 0, accounting })).code).toBe(
        "parameter/out-of-range",
      )
      for (const deltaForCharges of [0, 1, -1, 2]) {
        expect(() => budgetFor({ epsilon: 1, delta: "1e-6", accounting, deltaForCharges })).toThrow(/share/)
      }
    }
  })
})

test("a charge without a loss in the account's measure is refused, never guessed", () => {
  const gaussian: Losses = {
    zcdp: { measure: "zcdp", rho: rational(1n, 100n), delta: zero },
    gdp: { measure: "gdp", muSquared: rational(1n, 50n), delta: zero },
  }
  const refusal = refusalOf(() => takeCharge(opened("pure"), gaussian))
  expect(refusal.code).toBe("privacy/no-such-loss")
  expect(refusal.message).toContain("pure")
  const { gdp: _, ...rest } = gaussian
  expect(refusalOf(() => takeCharge(opened("gdp"), rest)).code).toBe("privacy/no-such-loss")
  expect(refusalOf(() => chargesLeft(opened("gdp"), rest)).code).toBe("privacy/no-such-loss")
  expect(takeCharge(opened("zcdp"), gaussian)).toBeDefined()
  expect(takeCharge(opened("gdp"), gaussian)).toBeDefined()
})

test("a pure account charges the pure loss where there is one, and the approximate one otherwise", () => {
  const both: Losses = {
    pure: { measure: "pure", epsilon: rational(1n, 4n) },
    approx: { measure: "approx", epsilon: rational(1n, 8n), delta: at("1e-9") },
    zcdp: { measure: "zcdp", rho: one, delta: zero },
  }
  const state = taken(opened("pure"), both)
  expect([state.spent, state.deltaSpent]).toEqual([rational(1n, 4n), zero])
  const { pure: _, ...rest } = both
  const other = taken(opened("pure"), rest)
  expect([other.spent, other.deltaSpent]).toEqual([rational(1n, 8n), at("1e-9")])
})

test.each(recordsOf(vectors, "convert.approx_to_zcdp_budget"))("$id", (record) => {
  const got = approxToRho(at(String(record.inputs["epsilon"])), at(String(record.inputs["delta"])))
  checkRecord({ record, field: "rho_optimal", got: numberUp(got), unsafeTolerance: 1e-12 })
})

test("rho for known promises, to the digits printed", () => {
  for (const [epsilon, rho] of [
    ["0.1", 0.000321],
    ["0.5", 0.006642],
    ["1", 0.024356],
    ["2", 0.088153],
    ["5", 0.463065],
    ["10", 1.539279],
  ] as const) {
    expect(Math.abs(numberUp(approxToRho(at(epsilon), at("1e-6"))) - rho)).toBeLessThan(6e-7)
  }
})
