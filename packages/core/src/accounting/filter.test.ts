import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { isLongForm } from "../testing/suite/long-form.ts"
import { numberNear, numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import { normalCdfUp } from "../exact/normal.ts"
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
  deltaLimit,
  odometerOf,
  openFilter,
  raisedBudget,
  shareForCharges,
  takeCharge,
  usualShareForCharges,
  type Accounting,
  type Budget,
  type FilterState,
} from "./filter.ts"
import { approxToMu, gdpToDelta, gdpToEpsilon } from "./conversions/gaussian-delta.ts"
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
  test("takes exactly as many equal parts as the whole has, thousands of them, and nothing after", () => {
    const count = isLongForm ? 100_000 : 5000
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
    for (const share of ["0", "0.5", "0.01", "0.99"]) {
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
      for (const deltaForCharges of [1, -1, 2]) {
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

describe("the split of delta", () => {
  test("is a fifth for charges, unless somebody says another", () => {
    for (const accounting of ["zcdp", "gdp"] as const) {
      const usual = budgetFor({ epsilon: 3, delta: "1e-5", accounting })
      expect(usual).toEqual(
        budgetFor({ epsilon: 3, delta: "1e-5", accounting, deltaForCharges: usualShareForCharges }),
      )
      expect(shareForCharges(usual)).toEqual(at("0.2"))
      expect(deltaLimit(usual)).toEqual(at("2e-6"))
    }
    expect(shareForCharges(budgetFor({ epsilon: 3, delta: "1e-5", accounting: "pure" }))).toEqual(one)
  })

  test("with none for charges takes no charge that has a delta, and all of delta is for the sum", () => {
    for (const accounting of ["zcdp", "gdp"] as const) {
      const state = openFilter(budgetFor({ epsilon: 1, delta: "1e-6", accounting, deltaForCharges: 0 }))
      expect(takeCharge(state, chargeOf(at("1e-9"), at("1e-300")))).toBeUndefined()
      const all = taken(state, chargeOf(limitOf(state)))
      expect(takeCharge(all, chargeOf(at("1e-30")))).toBeUndefined()
      // Composed without the filter: the conversion of the limit at all of delta gives epsilon.
      const mu = sqrtUp(limitOf(state), 100)
      const delta = accounting === "zcdp" ? zcdpToDelta(limitOf(state), one) : gdpToDelta(mu, one)
      expect(numberUp(delta) / 1e-6).toBeLessThan(1 + 1e-6)
      expect(numberUp(delta) / 1e-6).toBeGreaterThan(1 - 1e-6)
    }
  })

  // What an account at both of its limits has lost in all, worked out from the two without the filter.
  test("keeps delta with both limits reached: that of the sum and those of charges are no more", () => {
    const shares = fc.integer({ min: 0, max: 99 })
    fc.assert(
      fc.property(shares, fc.constantFrom("zcdp" as const, "gdp" as const), (share, accounting) => {
        const deltaForCharges = rational(BigInt(share), 100n)
        const budget = budgetFor({ epsilon: "1.5", delta: "1e-6", accounting, deltaForCharges })
        const amount = limitOf(openFilter(budget))
        const ofSum =
          accounting === "zcdp" ? zcdpToDelta(amount, at("1.5")) : gdpToDelta(sqrtUp(amount, 100), at("1.5"))
        const all = numberUp(add(ofSum, deltaLimit(budget)))
        expect(all / 1e-6).toBeLessThan(1 + 1e-6)
        expect(all / 1e-6).toBeGreaterThan(0.999)
      }),
      { numRuns: 30 },
    )
  })

  test("must not move with the answers: 1.94 times delta would be lost", () => {
    const [epsilon, delta] = [1, 1e-6]
    const mu = numberUp(approxToMu(at("1"), at("1e-6")))
    // Half of mu squared first, then the rest; or, by what was answered, all that is left of delta at once.
    const part = mu / Math.SQRT2
    const left = delta - hockeyStick(epsilon, part)
    const steps = 4000
    let [fixed, moving] = [0, 0]
    for (let step = 0; step < steps; step += 1) {
      const x = -8 + (16 * (step + 0.5)) / steps
      const weight = ((16 / steps) * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
      const loss = part * x + (part * part) / 2
      const goesOn = hockeyStick(epsilon - loss, part)
      const tells = Math.max(0, 1 - Math.exp(epsilon - loss)) * (1 - left) + left
      fixed += weight * goesOn
      moving += weight * Math.max(goesOn, tells)
    }
    expect(fixed / delta).toBeCloseTo(1, 4)
    expect(moving / delta).toBeCloseTo(1.936, 2)
  })
})

/** The delta at epsilon of N(mu, 1) against N(0, 1), for an epsilon of either sign. */
function hockeyStick(epsilon: number, mu: number): number {
  const below = (x: number): number => numberNear(normalCdfUp(rationalOfNumber(x), 64))
  return below(mu / 2 - epsilon / mu) - Math.exp(epsilon) * below(-mu / 2 - epsilon / mu)
}

describe("a raised budget", () => {
  const kinds = ["zcdp", "gdp"] as const
  const open = (accounting: Accounting, share: string): Budget =>
    budgetFor({ epsilon: 1, delta: "1e-6", accounting, deltaForCharges: share })

  test("has neither limit below what it was, whatever split is wished", () => {
    const numbers = fc.integer({ min: 0, max: 90 })
    fc.assert(
      fc.property(numbers, numbers, numbers, fc.constantFrom(...kinds), (was, wish, more, accounting) => {
        const before = open(accounting, `0.${`${was}`.padStart(2, "0")}`)
        const epsilon = add(one, rational(BigInt(more), 1000n))
        const after = raisedBudget(before, {
          epsilon,
          delta: at("1e-6"),
          deltaForCharges: rational(BigInt(wish), 100n),
        })
        expect(compare(limitOf(openFilter(after)), limitOf(openFilter(before)))).toBeGreaterThanOrEqual(0)
        expect(compare(deltaLimit(after), deltaLimit(before))).toBeGreaterThanOrEqual(0)
        expect(compare(deltaLimit(after), at("1e-6"))).toBeLessThan(0)
        expect(after).toMatchObject({ accounting, epsilon, delta: at("1e-6") })
        const rest = subtract(at("1e-6"), deltaLimit(after))
        const amount = limitOf(openFilter(after))
        const mu = sqrtUp(amount, 100)
        const kept = accounting === "zcdp" ? zcdpToEpsilon(amount, rest) : gdpToEpsilon(mu, rest)
        expect(numberUp(kept) / numberUp(epsilon)).toBeLessThan(1 + 1e-9)
      }),
      { numRuns: 40 },
    )
  })

  test("takes the wished split where that lowers nothing", () => {
    const raise = { epsilon: at("2"), delta: at("1e-6"), deltaForCharges: at("0.4") }
    for (const accounting of kinds) {
      const wished = budgetFor({ ...raise, accounting })
      expect(raisedBudget(open(accounting, "0.2"), raise)).toEqual(wished)
      // A smaller part for charges would be below what there was.
      const kept = budgetFor({ ...raise, accounting, deltaForCharges: "0.5" })
      expect(raisedBudget(open(accounting, "0.5"), raise)).toEqual(kept)
    }
  })

  test("is refused below what it was, and is the epsilon itself where epsilons add up", () => {
    const before = open("zcdp", "0.2")
    const wish = { epsilon: at("1"), delta: at("1e-6"), deltaForCharges: zero }
    expect(() => raisedBudget(before, { ...wish, epsilon: at("0.9") })).toThrow(/raised/)
    expect(() => raisedBudget(before, { ...wish, delta: at("1e-7") })).toThrow(/raised/)
    const pure = budgetFor({ epsilon: 1, delta: 0, accounting: "pure" })
    expect(raisedBudget(pure, { ...wish, epsilon: at("2"), delta: zero })).toEqual(
      budgetFor({ epsilon: 2, delta: 0, accounting: "pure" }),
    )
  })
})
