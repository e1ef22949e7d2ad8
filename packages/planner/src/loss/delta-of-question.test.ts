import {
  budgetFor,
  chargesLeft,
  deltaLimit,
  openFilter,
  takeCharge,
  type Accounting,
  type Budget,
  type FilterState,
} from "@dosimeter/core/accounting"
import { compare, divide, exactly, numberNear, rational, zero, type Rational } from "@dosimeter/core/exact"
import { lossOf } from "@dosimeter/core/mechanisms"
import { describe, expect, test } from "vitest"
import { lossesOf } from "../explain/price.ts"
import { chooseKeys } from "../keys/choose-keys.ts"
import { allowanceOf, type Allowance } from "./share-out.ts"

const at = (text: string): Rational => exactly(text, "x")
const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const budgetOf = (accounting: Accounting, share = "0.2"): Budget =>
  budgetFor({ epsilon: 3, delta: "1e-5", accounting, deltaForCharges: share })

function allowed(budget: Budget, epsilon: string, selectsKeys = true): Allowance {
  return allowanceOf(budget, { epsilon: at(epsilon), delta: at("1e-6"), selectsKeys })
}

/** How many questions of this epsilon and delta 1e-6 fit, all with keys that are selected, or none. */
function fit(budget: Budget, epsilon: string, selectsKeys: boolean): number {
  const { accounting, amount, deltaForKeys } = allowed(budget, epsilon, selectsKeys)
  const delta = selectsKeys ? deltaForKeys : zero
  return Number(chargesLeft(openFilter(budget), lossesOf({ accounting, amount, delta })))
}

describe("the delta of a question", () => {
  test.each([
    ["pure", 30, 30],
    ["zcdp", 684, 684],
    ["gdp", 666, 666],
  ] as const)("in %s: %i questions of (0.1, 1e-6) fit (3, 1e-5), %i with keys", (accounting, plain, keys) => {
    const budget = budgetOf(accounting)
    expect([fit(budget, "0.1", false), fit(budget, "0.1", true)]).toEqual([plain, keys])
  })

  test("more fit where no delta is kept for keys", () => {
    expect(fit(budgetOf("zcdp", "0"), "0.1", false)).toBe(698)
    expect(fit(budgetOf("gdp", "0"), "0.1", false)).toBe(681)
  })

  // The second way: mechanisms are made and their own losses charged one by one, until something runs out.
  test.each(accountings)(
    "in %s runs out no sooner than the loss, in whatever order questions come",
    (kind) => {
      const budget = budgetOf(kind)
      let state: FilterState = openFilter(budget)
      const orders = ["0.5", "0.02", "0.3", "0.1", "0.9"]
      for (let turn = 0; turn < 5000; turn += 1) {
        const allowance = allowed(budget, orders[turn % orders.length] ?? "0.1")
        const spec = chooseKeys({ groupsPerUnit: 1n, neighbours: "add-or-remove" }, allowance, {
          amount: allowance.amount,
          wantsCount: true,
          canWeigh: false,
        })
        const next = takeCharge(state, lossOf(spec))
        if (next === undefined) {
          const tried = { ...state, deltaSpent: zero }
          expect(takeCharge(tried, lossOf(spec))).toBeUndefined()
          expect(compare(state.deltaSpent, deltaLimit(budget))).toBeLessThanOrEqual(0)
          expect(turn).toBeGreaterThan(4)
          return
        }
        state = next
      }
      throw new Error("the budget never ran out")
    },
  )

  test("is at most half of the question's, or all of it where nothing is turned into epsilon", () => {
    for (const accounting of accountings) {
      const budget = budgetFor({ epsilon: 1, delta: "0.001", accounting })
      const { deltaForKeys, deltaForSum } = allowed(budget, "1")
      expect(deltaForKeys).toEqual(accounting === "pure" ? at("1e-6") : at("5e-7"))
      expect(deltaForSum).toEqual(accounting === "pure" ? zero : at("5e-7"))
    }
  })

  test("is at least a ten-thousandth of what there is, however little is lost", () => {
    for (const accounting of accountings) {
      const budget = budgetOf(accounting)
      const { deltaForKeys } = allowed(budget, "0.00001")
      expect(deltaForKeys).toEqual(divide(deltaLimit(budget), rational(10_000n)))
    }
  })

  test("has two digits, and what keys do not take turns the loss into epsilon", () => {
    const { deltaForKeys, deltaForSum } = allowed(budgetOf("zcdp"), "0.1")
    expect(deltaForKeys).toEqual(at("2.7e-9"))
    expect(numberNear(deltaForSum)).toBeCloseTo(1e-6 - 2.7e-9, 15)
  })

  test("is what is asked for, within the owner's limit", () => {
    const asked = { epsilon: at("0.1"), delta: at("1e-6"), selectsKeys: true }
    for (const accounting of accountings) {
      const budget = budgetOf(accounting)
      const wished = allowanceOf(budget, { ...asked, keysDelta: at("4e-7") })
      expect(wished.deltaForKeys).toEqual(at("4e-7"))
      expect(() => allowanceOf(budget, { ...asked, keysDelta: at("2e-6") })).toThrow(/delta for keys/)
      expect(() => allowanceOf(budget, { ...asked, keysDelta: zero })).toThrow(/delta for keys/)
      const plain = { ...asked, selectsKeys: false }
      expect(allowanceOf(budget, { ...plain, keysDelta: at("4e-7") })).toEqual(allowanceOf(budget, plain))
    }
  })

  test("is refused where there is none", () => {
    const asked = { epsilon: at("0.1"), delta: at("1e-6"), selectsKeys: true }
    for (const accounting of ["zcdp", "gdp"] as const) {
      const none = budgetOf(accounting, "0")
      expect(() => allowanceOf(none, asked)).toThrow(/no delta to select them/)
      expect(allowanceOf(none, { ...asked, selectsKeys: false }).deltaForSum).toEqual(at("1e-6"))
    }
    const pure = budgetFor({ epsilon: 1, delta: 0, accounting: "pure" })
    expect(() => allowanceOf(pure, { ...asked, delta: zero })).toThrow(/no delta to select them/)
    expect(allowanceOf(pure, { ...asked, delta: zero, selectsKeys: false }).deltaForKeys).toEqual(zero)
  })
})
