import { expect, test } from "vitest"
import { csvText } from "./csv-text.ts"

test.each([
  ["a", "a"],
  ["", '""'],
  [" a", '" a"'],
  ['a "b", c', '"a ""b"", c"'],
  ["two\nlines", '"two\nlines"'],
  ["-5", "-5"],
  ["+1.5e-3", "+1.5e-3"],
  ["-.5", "-.5"],
  ["2026-01-01", "2026-01-01"],
])("%j is written as %j", (text, written) => {
  expect(csvText(text)).toBe(written)
})

test.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["+HYPERLINK", "'+HYPERLINK"],
  ['=HYPERLINK("http://evil.example/","n")', `"'=HYPERLINK(""http://evil.example/"",""n"")"`],
  ["\t=1", "'\t=1"],
])("%j is no formula: %j", (text, written) => {
  expect(csvText(text)).toBe(written)
})
