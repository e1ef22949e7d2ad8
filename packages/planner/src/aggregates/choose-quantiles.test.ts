import { lossOf } from "@dosimeter/core"
import { compare, numberNear, rational, zero } from "@dosimeter/core/exact"
import { chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import { describe, expect, test } from "vitest"
import { chooseQuantiles } from "./choose-quantiles.ts"
import type { Allowance } from "../loss/share-out.ts"

const evenly = (count: number) =>
  Array.from({ length: count }, (_, i) => rational(BigInt(i) + 1n, BigInt(count) + 1n))

const allowanceOf = (accounting: Accounting): Allowance => ({
  accounting,
  amount: rational(1n, 10n),
  deltaForKeys: zero,
  deltaForSum: zero,
  deltaForNoise: zero,
})

function chosen(accounting: Accounting, count: number, cells = 65_536n) {
  const histogram = { fractions: evenly(count), cells, groups: 3n, rows: 2n, miss: rational(1n, 20n) }
  const allowance = allowanceOf(accounting)
  return chooseQuantiles(histogram, { neighbours: "replace" }, allowance, allowance.amount)
}

describe.each(["pure", "zcdp", "gdp"] as const)("quantiles with intervals, %s", (accounting) => {
  test.each([1, 2, 3, 9])("[L5] cost what they may, and no more: %i", (count) => {
    const { amount } = chargeAmount(lossOf(chosen(accounting, count)), accounting)
    expect(compare(amount, rational(1n, 10n))).toBeLessThanOrEqual(0)
    expect(numberNear(amount)).toBeGreaterThan(0.098)
  })

  test("have counted ends where these are nearer: many quantiles, many cells", () => {
    expect(chosen(accounting, 9).counted).toBeDefined()
    expect(chosen(accounting, 9).ends).toBeUndefined()
    expect(chosen(accounting, 2, 4n).counted).toBeUndefined()
    expect(chosen(accounting, 2, 4n).ends).toBeDefined()
  })
})
