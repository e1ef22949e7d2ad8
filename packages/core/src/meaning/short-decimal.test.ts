import fc from "fast-check"
import { expect, test } from "vitest"
import { exactly, showParameter } from "../exact/decimal.ts"
import { rationalOfNumber } from "../exact/dyadic.ts"
import { compare, divide, isLess, multiply, rational, subtract } from "../exact/rational.ts"
import { decimalDown, decimalUp, greatestDecimal, leastDecimal } from "./short-decimal.ts"

const of = (text: string) => exactly(text, "value")

test("rounds to significant digits in the direction said", () => {
  const shown = [
    ["0.53817", "0.5382", "0.5381"],
    ["123456", "123500", "123400"],
    ["99999", "100000", "99990"],
    ["0.1", "0.1", "0.1"],
    ["1000", "1000", "1000"],
    ["0.00012345", "0.0001235", "0.0001234"],
  ] as const
  for (const [value, up, down] of shown) {
    expect(showParameter(decimalUp(of(value), 4))).toBe(up)
    expect(showParameter(decimalDown(of(value), 4))).toBe(down)
  }
})

test("is within one part in 10^(digits - 1), and keeps what is short already", () => {
  const values = fc.double({ min: 1e-300, max: 1e300, noNaN: true })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 12 }), (value, digits) => {
      const exact = rationalOfNumber(value)
      const [up, down] = [decimalUp(exact, digits), decimalDown(exact, digits)]
      expect(compare(down, exact)).toBeLessThanOrEqual(0)
      expect(compare(exact, up)).toBeLessThanOrEqual(0)
      const gap = divide(subtract(up, down), exact)
      expect(isLess(gap, multiply(rational(1_0001n, 1_0000n), rational(10n, 10n ** BigInt(digits))))).toBe(
        true,
      )
      expect(decimalUp(up, digits)).toEqual(up)
      expect(decimalDown(down, digits)).toEqual(down)
    }),
  )
})

test("walks one unit of the last digit at a time", () => {
  const above = (limit: string) => leastDecimal(of("0.99871"), 4, (value) => compare(value, of(limit)) >= 0)
  expect(["0.9", "0.99871", "0.9989", "1", "1.0005"].map((limit) => showParameter(above(limit)))).toEqual([
    "0.9988",
    "0.9988",
    "0.9989",
    "1",
    "1.001",
  ])
  const below = (limit: string) => greatestDecimal(of("1.0019"), 4, (value) => compare(value, of(limit)) <= 0)
  expect(["2", "1.001", "1", "0.99985"].map((limit) => showParameter(below(limit)))).toEqual([
    "1.001",
    "1.001",
    "1",
    "0.9998",
  ])
})
