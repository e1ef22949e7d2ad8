import { expect, it } from "vitest"
import type { Constant } from "../catalog/constant.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { Expr } from "../algebra/expr.ts"
import { callExpr, columnExpr, ColumnIds, projectRel } from "../algebra/make.ts"
import type { Rel, Values } from "../algebra/rel.ts"
import { openDuckdb } from "../testing/two-databases.ts"
import { Dice } from "../testing/dice.ts"
import { printRel } from "./print.ts"

const type = { kind: "text" } as const
const text = (value: string): Constant => ({ kind: "text", value })
const literal = (value: string): Expr => ({
  kind: "literal",
  value: text(value),
  domain: literalDomain(text(value), type),
})

// Every way of matching, in a table of prefixes: nothing in common with what is printed.
function isLike(value: string, pattern: string, escape: string): boolean {
  const pieces: { readonly any: "text" | "character" | undefined; readonly own: string }[] = []
  const points = Array.from(pattern)
  for (let at = 0; at < points.length; at += 1) {
    const point = points[at] ?? ""
    if (point === escape) {
      at += 1
      pieces.push({ any: undefined, own: points[at] ?? "" })
    } else if (point === "%") pieces.push({ any: "text", own: "" })
    else if (point === "_") pieces.push({ any: "character", own: "" })
    else pieces.push({ any: undefined, own: point })
  }
  let reached = [true]
  const all = Array.from(value)
  for (const { any, own } of pieces) {
    const next: boolean[] = []
    for (let end = 0; end <= all.length; end += 1) {
      if (any === "text") next[end] = reached[end] === true || next[end - 1] === true
      else next[end] = reached[end - 1] === true && (any === "character" || all[end - 1] === own)
    }
    reached = next
  }
  return reached[all.length] === true
}

const letters = [
  "a",
  "b",
  "a",
  "b",
  "%",
  "_",
  "\\",
  ".",
  "*",
  "(",
  "[",
  "^",
  "$",
  "+",
  "é",
  "ß",
  "😀",
  "\n",
  "\r",
  "'",
  "A",
]

function written(dice: Dice, most: number, alphabet: readonly string[]): string {
  return Array.from({ length: dice.below(most + 1) }, () => dice.pick(alphabet)).join("")
}

/** A pattern that ends with no escape character. */
function randomPattern(dice: Dice, escape: string): string {
  const plain = [...letters, "a", "b", "a", "b"].filter((one) => one !== escape)
  const pieces = [...plain, ...Array.from({ length: 40 }, () => "%"), "_", "_"]
  const escaped = ["%", "_", ...(escape === "" ? [] : [escape])].map((one) => `${escape}${one}`)
  const more = dice.chance(0.5) ? `%${dice.pick(plain)}%${dice.pick(plain)}` : ""
  return more + written(dice, 6, escape === "" ? pieces : [...pieces, ...escaped])
}

function rowsOf(values: readonly string[]): Values {
  const column = { id: 1, name: "x", domain: { type, nullable: false } }
  return { kind: "values", rows: values.map((value) => [text(value)]), columns: [column] }
}

function matching(rows: Values, names: readonly ("like" | "like-any-case")[], args: readonly Expr[]): Rel {
  const [column] = rows.columns
  if (column === undefined) throw new Error("there is a column")
  const items = names.map((name) => ({ name, value: callExpr(name, [columnExpr(column), ...args]) }))
  return projectRel(rows, items, new ColumnIds(1))
}

it("matches as SQL says, whatever form a pattern is written in", async () => {
  const connection = await openDuckdb()
  const dice = new Dice("like")
  let searched = 0
  for (let turn = 0; turn < 300; turn += 1) {
    const escape = dice.pick(["\\", "\\", "!", ""])
    const pattern = randomPattern(dice, escape)
    const values = Array.from({ length: 25 }, () => written(dice, 9, [...letters, "a", "b", "a", "b"]))
    const args = [literal(pattern), ...(escape === "\\" ? [] : [literal(escape)])]
    const sql = printRel(matching(rowsOf(values), ["like", "like-any-case"], args), "duckdb").text
    if (sql.includes("regexp_full_match")) searched += 1
    const rows = (await connection.runAndReadAll(sql)).getRows()
    const lower = (one: string): string => one.replaceAll("A", "a")
    const expected = values.map((value) => [
      isLike(value, pattern, escape),
      isLike(lower(value), lower(pattern), escape),
    ])
    expect(rows, `${JSON.stringify(pattern)} ESCAPE ${JSON.stringify(escape)}`).toEqual(expected)
  }
  expect(searched).toBeGreaterThan(60)
})

it("[W1] goes through a text once, however many % there are", () => {
  const print = (pattern: string): string =>
    printRel(matching(rowsOf(["a"]), ["like", "like-any-case"], [literal(pattern)]), "duckdb").text
  for (const pattern of ["%a%b", "a%b%c", "%%a%_", "_%a%b%", "%a%a%a%b"]) {
    expect(print(pattern), pattern).not.toMatch(/ LIKE /)
  }
  // One place is looked for, or the rest is anything.
  for (const pattern of ["a%", "%a", "%a%", "a%b", "%%a%%", "a_b", "%"]) {
    expect(print(pattern), pattern).toMatch(/ LIKE .* LIKE /s)
  }
})

it("refuses a pattern whose length would multiply that of the text", () => {
  const like =
    (pattern: string): (() => Rel) =>
    () =>
      matching(rowsOf(["a"]), ["like"], [literal(pattern)])
  expect(like("a".repeat(1001))).toThrow("like has a result")
  expect(like(`%a${"_".repeat(9)}%b`)).toThrow("like has a result")
  expect(like(`%${"a".repeat(900)}%`)).not.toThrow()
  expect(like(`%${"_".repeat(900)}`)).not.toThrow()
})
