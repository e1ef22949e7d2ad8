import { expect, test } from "vitest"
import { fixedNumber, lossNumber, percentOf, placesFor, sureOf } from "./format-number.ts"

test("a number has the digits that its interval deserves", () => {
  expect(placesFor([3, 12], [4.2])).toBe(0)
  expect(placesFor([3.14159, 2.5], [0.034, 1])).toBe(3)
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
  expect(sureOf(0.95, "en")).toBe("95 %")
})
