import { expect, test } from "vitest"
import { amountIn } from "./amount-in.ts"

test("decimals, fractions, and fractions that no double holds", () => {
  expect(amountIn("0.5")).toBe(0.5)
  expect(amountIn("1e-8")).toBe(1e-8)
  expect(amountIn("1/100000000")).toBeCloseTo(1e-8, 16)
  expect(amountIn("10809924348491898945/2361183241434822606848")).toBeCloseTo(0.00457818, 8)
  expect(amountIn(`${"3".padEnd(400, "0")}/${"4".padEnd(401, "0")}`)).toBeCloseTo(0.075, 12)
})
