import { expect, test } from "vitest"
import {
  atMostPercent,
  factorNumber,
  fixedNumber,
  lossNumber,
  percentOf,
  placesFor,
  roundedDown,
  roundedUp,
  sureOf,
} from "./format-number.ts"

test("a number has the digits that its interval deserves", () => {
  expect(placesFor([3, 12], [4.2])).toBe(0)
  expect(placesFor([3.14159, 2.5], [0.034, 1])).toBe(3)
  expect(placesFor([2.5], [])).toBe(2)
  expect(placesFor([2.5], [1e-30])).toBe(8)
  expect(placesFor([2.5], [1e9])).toBe(0)
  expect(fixedNumber(1234.5678, placesFor([1234.5678], [0.5]), "en")).toBe("1,234.57")
})

test("little is not nothing, and almost all is not all", () => {
  expect(percentOf(0.0004, "en")).toBe("< 1 %")
  expect(percentOf(0.9996, "en")).toBe("> 99 %")
  expect([percentOf(0, "en"), percentOf(1, "en"), percentOf(0.416, "en")]).toEqual(["0 %", "100 %", "42 %"])
  expect([lossNumber(0, "en"), lossNumber(1.23456, "en"), lossNumber(1e-7, "en")]).toEqual([
    "0",
    "1.23",
    "1e-7",
  ])
  expect(lossNumber(0.00096, "en")).toBe("9.6e-4")
  expect(sureOf(0.95, "en")).toBe("95 %")
  expect(sureOf(0.9973, "zh-Hans")).toBe("99.73 %")
})

test("what is not passed is rounded up, by no more than it takes", () => {
  expect(atMostPercent(0.0701, "en")).toBe("7.1 %")
  // 0.07 times 1000 is a little more than 70 in doubles.
  expect(atMostPercent(0.07, "en")).toBe("7 %")
  expect(factorNumber(2.7182818, "en")).toBe("2.72")
  expect(factorNumber(1.1, "en")).toBe("1.1")
  expect(factorNumber(148.41, "en")).toBe("149")
  for (let tenths = 0; tenths <= 1000; tenths += 1) {
    expect(roundedUp((tenths / 1000) * 1000)).toBe(tenths)
    expect(roundedDown((tenths / 1000) * 1000)).toBe(tenths)
  }
})
