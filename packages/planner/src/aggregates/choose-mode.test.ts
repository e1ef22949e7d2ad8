import { lossOf } from "@dosimeter/core"
import { compare, exactly, rational } from "@dosimeter/core/exact"
import { chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import { describe, expect, test } from "vitest"
import { chooseMode, missOf } from "./choose-mode.ts"
import type { Allowance } from "../loss/share-out.ts"

const chosen = (accounting: Accounting, amount: string, cells = 10n) => {
  const allowance: Allowance = {
    accounting,
    amount: exactly(amount, "amount"),
    deltaForKeys: rational(0n),
    deltaForSum: rational(0n),
    deltaForNoise: rational(0n),
  }
  const spec = chooseMode(
    { cells, groups: 4n, rows: 3n },
    { neighbours: "add-or-remove" },
    allowance,
    allowance.amount,
  )
  expect(compare(chargeAmount(lossOf(spec), accounting).amount, allowance.amount)).toBeLessThanOrEqual(0)
  return spec.method
}

test("epsilons buy permute-and-flip", () => {
  for (const amount of ["0.01", "1", "20"]) expect(chosen("pure", amount)).toBe("permute-and-flip")
})

test("rho and mu squared buy twice the epsilon of the exponential mechanism, until rho is large", () => {
  for (const amount of ["0.001", "0.1", "1"]) {
    expect(chosen("zcdp", amount)).toBe("exponential")
    expect(chosen("gdp", amount)).toBe("exponential")
  }
  expect(chosen("zcdp", "30")).toBe("permute-and-flip")
})

describe("the probability of missing the best", () => {
  /** Every order of n candidates, the first of which is the best. */
  const ordersOf = (n: number): readonly (readonly number[])[] =>
    n === 0
      ? [[]]
      : ordersOf(n - 1).flatMap((order) =>
          Array.from({ length: n }, (_, place) => [...order.slice(0, place), n - 1, ...order.slice(place)]),
        )

  test.each([2, 3, 4, 5])("of permute-and-flip is that of all orders of %s", (n) => {
    for (const odds of [0.01, 0.3, 0.9]) {
      const orders = ordersOf(n)
      // The best stops the walk; each one before it does so with the odds.
      const found = orders.map((order) => (1 - odds) ** order.indexOf(0)).reduce((a, b) => a + b)
      expect(missOf("permute-and-flip", odds, n)).toBeCloseTo(1 - found / orders.length, 12)
    }
  })

  test("is never smaller for permute-and-flip than for the exponential mechanism at twice the epsilon", () => {
    for (let n = 2; n <= 40; n += 1) {
      for (const odds of [0.001, 0.1, 0.5, 0.9, 0.99]) {
        const twice = missOf("exponential", odds * odds, n)
        expect(missOf("permute-and-flip", odds, n)).toBeGreaterThanOrEqual(twice - 1e-12)
        expect(missOf("permute-and-flip", odds, n)).toBeLessThanOrEqual(
          missOf("exponential", odds, n) + 1e-12,
        )
      }
    }
  })
})
