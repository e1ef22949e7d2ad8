import { expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import { percent, percentDown, percentUp, wordsDown, wordsUp } from "./words.ts"

test("numbers have three digits, rounded as said", () => {
  expect([2.71828, 0, 1, 123456, 1e-9, Infinity].map(wordsUp)).toEqual([
    "2.72",
    "0",
    "1",
    "124000",
    "1e-9",
    "Infinity",
  ])
  expect([2.71828, 0, 1, 123456, 0.07].map(wordsDown)).toEqual(["2.71", "0", "1", "123000", "0.07"])
})

test("probabilities are percentages", () => {
  expect([0.73105, 0.07, 1, 0.99999].map(percentUp)).toEqual(["73.2 %", "7 %", "100 %", "100 %"])
  expect([0.73105, 0.07, 0.99999].map(percentDown)).toEqual(["73.1 %", "7 %", "99.9 %"])
  expect(percent(rational(999n, 1000n))).toBe("99.9 %")
  expect(percent(rational(1n, 3n))).toBe("33.333333333333336 %")
})
