import { expect, test } from "vitest"
import { typeOfTexts, typeOfValues } from "./guess-type.ts"

test.each([
  [["1", "-2", "+3"], "BIGINT"],
  [["1", "2.5", ""], "DOUBLE"],
  [["1e3", ".5"], "DOUBLE"],
  [["true", "FALSE"], "BOOLEAN"],
  [["2020-01-31", "2021-02-28"], "DATE"],
  [["2020-01-31 10:00", "2020-01-31T10:00:00.5Z"], "TIMESTAMP"],
  [["1", "x"], "VARCHAR"],
  [["2020-01-31", "2020"], "VARCHAR"],
  [["12345678901234567890"], "DOUBLE"],
  [["", ""], "VARCHAR"],
  [[" 7 ", "8"], "BIGINT"],
])("texts %j are %s", (values, name) => {
  expect(typeOfTexts(values).typeName).toBe(name)
})

test.each([
  [[1, 2, null], "BIGINT"],
  [[1, 2.5], "DOUBLE"],
  [[true, false], "BOOLEAN"],
  [["1", "2"], "VARCHAR"],
  [["true"], "VARCHAR"],
  [["2020-01-31"], "DATE"],
  [[[1], 2], "JSON"],
  [[{ a: 1 }], "JSON"],
  [[1, "x"], "VARCHAR"],
  [[null, undefined], "VARCHAR"],
])("values %j are %s", (values, name) => {
  expect(typeOfValues(values).typeName).toBe(name)
})
