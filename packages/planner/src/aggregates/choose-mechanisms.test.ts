import { errorOf, lossOf } from "@dosimeter/core"
import { exactly, rational, zero } from "@dosimeter/core/exact"
import { chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import { expect, test } from "vitest"
import { chooseAdditive } from "./choose-mechanisms.ts"
import type { Allowance } from "../loss/share-out.ts"

const delta = exactly("1e-6", "delta")
const allowance = (accounting: Accounting, deltaForNoise = zero): Allowance => ({
  accounting,
  amount: rational(1n),
  deltaForKeys: delta,
  deltaForSum: zero,
  deltaForNoise,
})
const bounds = (groupsPerUnit: bigint) => ({
  groupsPerUnit,
  groupsInAll: undefined,
  neighbours: "add-or-remove" as const,
  lower: 0n,
  upper: 1n,
})

// accuracy: Gaussian noise wins above 8.9 groups per unit at epsilon 1, delta 1e-6.
test.each([
  [1n, "laplace"],
  [8n, "laplace"],
  [9n, "gaussian"],
  [16n, "gaussian"],
])("with %s groups per unit the smaller noise of a pure account is %s", (groups, kind) => {
  const spec = chooseAdditive(bounds(groups), allowance("pure", delta), rational(1n))
  expect(spec.kind).toBe(kind)
  const charge = chargeAmount(lossOf(spec), "pure")
  expect(charge.amount).toEqual(rational(1n))
  expect(charge.delta.numerator * delta.denominator <= delta.numerator * charge.delta.denominator).toBe(true)
})

test("without a delta for noise a pure account has Laplace noise", () => {
  expect(chooseAdditive(bounds(64n), allowance("pure"), rational(1n)).kind).toBe("laplace")
})

test.each(["zcdp", "gdp"] as const)(
  "under %s Gaussian noise is smaller, but for large losses",
  (accounting) => {
    const at = (amount: string) => {
      const spec = chooseAdditive(bounds(1n), allowance(accounting), exactly(amount, "amount"))
      const { amount: paid } = chargeAmount(lossOf(spec), accounting)
      const asked = exactly(amount, "amount")
      expect(paid.numerator * asked.denominator <= asked.numerator * paid.denominator).toBe(true)
      return spec
    }
    expect(at("0.01").kind).toBe("gaussian")
    expect(at("0.6").kind).toBe("gaussian")
    const large = at("6")
    expect(large.kind).toBe(accounting === "zcdp" ? "laplace" : "gaussian")
    expect(errorOf(large, "0.95").standardDeviation).toBeLessThan(0.5)
  },
)
