import type { AnswerCell, AnswerColumn, AnswerTable } from "@dosimeter/engine"
import { describe, expect, test } from "vitest"
import { bar, shorten, widthOf, wrap } from "./layout.ts"
import { costNumber, fixedNumber, placesFor, shortNumber } from "./numbers.ts"
import { constantOf } from "../ask/question.ts"
import { uniqueNames } from "../../../answers/answer-value.ts"
import { showAnswer } from "./show-answer.ts"
import { hasWords, onOneLine, splitStatements } from "@dosimeter/language/text/statements"

const key: AnswerColumn = { name: "ward", type: "text", kind: "key" }
const noisy: AnswerColumn = { name: "n", type: "integer", kind: "noisy" }
const rate: AnswerColumn = { name: "rate", type: "float", kind: "derived" }
const cell = (
  value: AnswerCell["value"],
  low?: AnswerCell["low"],
  high?: AnswerCell["high"],
): AnswerCell => ({
  value,
  ...(low === undefined ? {} : { low }),
  ...(high === undefined ? {} : { high }),
  state: "released",
})
const below: AnswerCell = { value: null, state: "below-threshold" }

describe("a table", () => {
  const table: AnswerTable = {
    columns: [key, noisy, rate],
    rows: [
      [cell("Cardiology"), cell(12345, 12325, 12365), cell(0.1234567, 0.1, 0.15)],
      [cell("内科"), cell(-7, -27, 13), cell(0.5, null, null)],
      [cell(null), below, cell(null)],
      [cell("line\nbreak \u001B[31m"), cell(3), cell(0.25, 0.2, null)],
    ],
  }

  test("aligns numbers and intervals, whatever the letters", () => {
    expect(showAnswer(table, { intervals: false })).toEqual([
      "ward                   n             rate",
      "----------------  ---------------  ---------------------",
      "Cardiology        12,345 ± 20       0.123 [0.100, 0.150]",
      "内科                  -7 ± 20       0.500 ± unknown",
      "(null)            below threshold  (null)",
      "line\ufffdbreak \ufffd[31m       3            0.250 [0.200, ?]",
    ])
  })

  test("writes years together, and thousands apart", () => {
    const columns: AnswerTable["columns"] = [
      { name: "middle", type: "integer", kind: "noisy", mechanism: "exponential" },
      { name: "year_of_birth", type: "float", kind: "derived" },
      { name: "rate", type: "float", kind: "derived" },
    ]
    const rows = [[cell(1978, 1970, 1990), cell(1974.25, 1970.5, 1979), cell(1002, 900, 1100)]]
    expect(showAnswer({ columns, rows }, { intervals: false }).at(-1)).toBe(
      "  1978 [1970, 1990]         1974.3 [1970.5, 1979.0]  1,002 [900, 1,100]",
    )
  })

  test("shows a mode as it is, and two digits of every interval of a ratio", () => {
    const columns: AnswerTable["columns"] = [
      { name: "mode", type: "integer", kind: "noisy", mechanism: "permute-and-flip" },
      { name: "ratio", type: "float", kind: "derived" },
    ]
    const rows = [[cell(9202, null, null), cell(2, 1.005, 4.02)]]
    expect(showAnswer({ columns, rows }, { intervals: false }).at(-1)).toBe("9,202    2.0 [1.0, 4.0]")
  })

  test("cuts long texts, and nothing else, to fit a screen", () => {
    const wide: AnswerTable = { columns: [key, noisy], rows: [[cell("x".repeat(100)), cell(1, 0, 2)]] }
    const lines = showAnswer(wide, { intervals: false, columns: 40 })
    expect(lines.map(widthOf)).toEqual([expect.any(Number), 40, 40])
    expect(lines[2]).toMatch(/^x+…  1 ± 1$/)
    expect(showAnswer(wide, { intervals: false })[2]).toContain("x".repeat(100))
  })

  test("of no rows is a head", () => {
    expect(showAnswer({ columns: [key, noisy], rows: [] }, { intervals: false })).toEqual([
      "ward  n",
      "----  -",
    ])
  })

  test("shows numbers that no double holds as they are", () => {
    const rows = [[cell("123456789012345678901234567890")]]
    expect(showAnswer({ columns: [noisy], rows }, { intervals: true })[2]).toBe(
      "123456789012345678901234567890",
    )
  })
})

test("names are made different", () => {
  expect(uniqueNames(["a", "a", "a_2", "b", "a"])).toEqual(["a", "a_2", "a_2_2", "b", "a_3"])
})

test("numbers for people", () => {
  expect(fixedNumber(1234567.891, 1)).toBe("1,234,567.9")
  expect(fixedNumber(-0.001, 2)).toBe("0.00")
  expect(fixedNumber(1e21, 0)).toBe("1e+21")
  expect([shortNumber(12345.6), shortNumber(0.123456), shortNumber(Infinity)]).toEqual([
    "12,346",
    "0.1235",
    "Infinity",
  ])
  expect([costNumber(0.5), costNumber(0.45915501), costNumber(5e-9), costNumber(0)]).toEqual([
    "0.5",
    "0.4592",
    "5e-9",
    "0",
  ])
  expect([placesFor(237), placesFor(0.0116), placesFor(0)]).toEqual([0, 3, 0])
})

test("a bar is empty only if nothing is spent, and full only if nothing is left", () => {
  expect([0, 0.0001, 0.5, 0.9999, 1, 2].map((share) => bar(share, 4, true))).toEqual([
    "[....]",
    "[#...]",
    "[##..]",
    "[###.]",
    "[####]",
    "[####]",
  ])
  expect(bar(0.5, 4, false)).toBe("██░░")
})

test("texts are cut and wrapped by the columns that they take", () => {
  expect(shorten("内科内科", 5)).toBe("内科…")
  expect(wrap("one two three four", 9, "  ")).toBe("one two\n  three\n  four")
})

test("statements end at a semicolon that stands by itself", () => {
  const text = `SELECT ';' AS "a;b" -- not; here\n/* nor; here */ FROM t; SELECT 'it''s;';;  SELECT 3`
  expect(splitStatements(text)).toEqual({
    statements: [`SELECT ';' AS "a;b" -- not; here\n/* nor; here */ FROM t`, "SELECT 'it''s;'"],
    rest: "  SELECT 3",
  })
  expect(splitStatements("SELECT 'open;\n;")).toMatchObject({ statements: [] })
  expect([hasWords(" -- x\n/* y */ "), hasWords("a")]).toEqual([false, true])
  expect(onOneLine("SELECT  'a  b' -- c\n  FROM /* d */ t")).toBe("SELECT 'a  b' FROM t")
})

test("parameters are what they look like", () => {
  expect(constantOf("null")).toEqual({ kind: "null" })
  expect(constantOf("TRUE")).toEqual({ kind: "boolean", value: true })
  expect(constantOf("-0.5")).toEqual({ kind: "number", value: { numerator: -1n, denominator: 2n } })
  expect(constantOf("1970-01-02")).toEqual({ kind: "date", day: 1n })
  expect(constantOf("2021-02-30")).toEqual({ kind: "text", value: "2021-02-30" })
  expect(constantOf("'it''s 5'")).toEqual({ kind: "text", value: "it's 5" })
  expect(constantOf("A")).toEqual({ kind: "text", value: "A" })
})
