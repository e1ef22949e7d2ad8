import { DosimeterError, type Issue } from "@dosimeter/core"
import { expect, test } from "vitest"
import { drawError, drawIssue } from "./caret.ts"
import { sourceText } from "./source.ts"

function check(sql: string, marked: string, expected: string): void {
  const start = sql.indexOf(marked)
  const issue: Issue = { code: "a/b", message: "no", at: { start, end: start + marked.length }, facts: {} }
  expect(`\n${drawIssue(issue, sourceText(sql))}`).toBe(`\nerror[a/b]: no\n${expected}`)
}

test("draws an issue as the style page shows it", () => {
  const sql = "-- fees\nSELECT region, SUM(fee)\nFROM visits"
  const issue: Issue = {
    code: "privacy/unbounded-sum",
    message: "SUM(fee) has no bounds, so one patient could change it without limit",
    help: "write SUM(CLAMP(fee, 0, 500)), or ask the owner to declare bounds for visits.fee",
    at: { start: sql.indexOf("SUM"), end: sql.indexOf("\nFROM") },
    facts: {},
  }
  expect(drawIssue(issue, sourceText(sql))).toBe(
    `error[privacy/unbounded-sum]: SUM(fee) has no bounds, so one patient could change it without limit
  2 | SELECT region, SUM(fee)
    |                ^^^^^^^^
help: write SUM(CLAMP(fee, 0, 500)), or ask the owner to declare bounds for visits.fee`,
  )
})

test("a span over lines is marked to the end of the first", () => {
  check("SELECT (a +\n  b)", "(a +\n  b)", "  1 | SELECT (a +\n    |        ^^^^")
})

test("tabs, wide and combining characters keep the mark in its place", () => {
  check("\tSELECT\tx", "x", "  1 |     SELECT  x\n    |             ^")
  check("SELECT '患者' x", "x", "  1 | SELECT '患者' x\n    |               ^")
  check("SELECT 'e\u0301' x", "x", "  1 | SELECT 'e\u0301' x\n    |            ^")
  check("SELECT '患者'", "'患者'", "  1 | SELECT '患者'\n    |        ^^^^^^")
})

test("characters that could forge or hide a line are shown as such", () => {
  check("SELECT '\u202e\u001b[31m' x", "x", "  1 | SELECT '\ufffd\ufffd[31m' x\n    |                 ^")
})

test("long lines are cut around the place", () => {
  const filler = "abcdefghi ".repeat(20)
  const left = `${filler}HERE`
  check(left, "HERE", `  1 | ...${left.slice(-94)}\n    | ${" ".repeat(93)}^^^^`)
  const right = `HERE ${filler}`
  check(right, "HERE", `  1 | ${right.slice(0, 94)}...\n    | ^^^^`)
  const both = `${filler}HERE ${filler}`
  const drawn = drawIssue(
    { code: "a/b", message: "no", at: { start: 200, end: 204 }, facts: {} },
    sourceText(both),
  )
  const [, line = "", carets = ""] = drawn.split("\n")
  expect(line.length).toBeLessThanOrEqual(106)
  expect(line).toMatch(/^ {2}1 \| \.\.\..*\.\.\.$/)
  expect(line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe("HERE")
})

test("a mark longer than the line can be is cut as well", () => {
  const sql = `x ${"y".repeat(500)}`
  const issue: Issue = { code: "a/b", message: "no", at: { start: 2, end: 502 }, facts: {} }
  const [, line = "", carets = ""] = drawIssue(issue, sourceText(sql)).split("\n")
  expect(line).toHaveLength(106)
  expect(line.endsWith("y...")).toBe(true)
  expect(carets).toBe(`    | ${" ".repeat(3)}${"^".repeat(94)}`)
})

test("an empty place and a place at the end get one mark", () => {
  const issue: Issue = { code: "a/b", message: "no", at: { start: 8, end: 8 }, facts: {} }
  expect(drawIssue(issue, sourceText("SELECT 1"))).toBe("error[a/b]: no\n  1 | SELECT 1\n    |         ^")
})

test("line numbers of four digits widen the margin", () => {
  check(`${"\n".repeat(1233)}SELECT x`, "x", "1234 | SELECT x\n     |        ^")
})

test("several issues and notes are drawn one after the other", () => {
  const error = new DosimeterError("invalid", [
    { code: "a/b", message: "first", help: "mend it", at: { start: 0, end: 1 }, facts: {} },
    {
      code: "c/d",
      message: "second",
      facts: {},
      notes: [{ message: "because of this", at: { start: 2, end: 3 } }, { message: "and that" }],
    },
  ])
  expect(drawError(error, sourceText("a b"))).toBe(
    `error[a/b]: first
  1 | a b
    | ^
help: mend it
error[c/d]: second
note: because of this
  1 | a b
    |   ^
note: and that`,
  )
})
