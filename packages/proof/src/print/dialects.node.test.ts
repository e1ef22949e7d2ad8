import { isLongForm } from "@dosimeter/core/testing"
import { rational } from "@dosimeter/core"
import { TrinoSQL } from "dt-sql-parser/dist/parser/trino/index.js"
import { describe, expect, it } from "vitest"
import type { Constant } from "../catalog/constant.ts"
import { castResult } from "../functions/cast.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { Expr } from "../algebra/expr.ts"
import {
  callExpr,
  ColumnIds,
  columnExpr,
  integerLiteral,
  keyedHash,
  projectRel,
  shareExpr,
  stepsExpr,
  windowRel,
} from "../algebra/make.ts"
import type { Join, Mark, Rel, Sort } from "../algebra/rel.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { hostileTable, scanOf } from "../testing/two-databases.ts"
import { sourceText } from "@dosimeter/language/text/source"
import { printRel } from "./print.ts"

const scan = scanOf(
  hostileTable,
  hostileTable.columns.map(({ name }) => name),
)
const col = (name: string): Expr => {
  const found = scan.columns.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no column ${name}`)
  return columnExpr(found)
}
const literal = (value: Constant, type: SqlType): Expr => ({
  kind: "literal",
  value,
  domain: literalDomain(value, type),
})
const text = (value: string): Expr => literal({ kind: "text", value }, { kind: "text" })
const cast = (arg: Expr, to: SqlType): Expr => {
  const domain = castResult({ domain: arg.domain }, to)
  if ("kind" in domain) throw new Error(domain.reason)
  return { kind: "call", name: "cast", args: [arg], domain }
}
const five = integerLiteral(5n)
const interval = literal({ kind: "interval", months: 1n, days: -2n, micros: 5000n }, { kind: "interval" })
const [born, moment, word, weight] = [col("born"), col("moment"), col("word"), col("weight")]

const expressions: readonly Expr[] = [
  callExpr("and", [callExpr("less", [word, text('it\'s \\ "x"')]), callExpr("is-true", [col("flag")])]),
  callExpr("distinct-from", [col("small"), col("price")]),
  callExpr("in-list", [word, text("a"), text("é😀")]),
  callExpr("greatest", [word, col("other")]),
  callExpr("clamp", [weight, five, integerLiteral(50n)]),
  callExpr("divide", [col("long"), col("plain")]),
  callExpr("divide", [weight, col("double")]),
  callExpr("modulo", [col("price"), col("exact")]),
  callExpr("multiply", [col("price"), col("exact")]),
  callExpr("round", [col("exact"), integerLiteral(2n)]),
  callExpr("round", [col("plain"), integerLiteral(-1n)]),
  callExpr("round", [weight]),
  callExpr("trunc", [col("exact"), integerLiteral(2n)]),
  callExpr("power", [weight, integerLiteral(-1n)]),
  ...(["lower", "length", "trim"] as const).map((name) => callExpr(name, [word])),
  callExpr("trim", [word, text("x")]),
  callExpr("substring", [word, col("plain"), col("small")]),
  callExpr("left", [word, col("plain")]),
  callExpr("right", [word, col("plain")]),
  callExpr("concat", [word, text("\\")]),
  callExpr("position", [word, text("a")]),
  callExpr("replace", [word, text("a"), text("b")]),
  callExpr("like", [word, text("a\\%_%")]),
  callExpr("like-any-case", [word, text("A%")]),
  callExpr("add-days", [born, col("small")]),
  callExpr("add-interval", [moment, interval]),
  callExpr("days-between", [born, col("seen")]),
  callExpr("seconds-between", [moment, born]),
  ...["year", "dow", "epoch"].map((field) => callExpr("extract", [text(field), moment])),
  callExpr("date-trunc", [text("week"), born]),
  callExpr("age-years", [moment, born]),
  callExpr("age-months", [born, col("seen")]),
  ...(["integer", "float", "boolean", "date", "timestamp"] as const).map((kind) => cast(word, { kind })),
  ...[born, moment, col("price"), col("flag")].map((arg) => cast(arg, { kind: "text" })),
  cast(weight, { kind: "integer" }),
  cast(word, { kind: "decimal", scale: 2 }),
  stepsExpr(weight, rational(1n, 1024n), { lower: -5n, upper: 2n ** 61n }),
  stepsExpr(col("price"), rational(1n, 100n), { lower: 0n, upper: 50_000n }),
  shareExpr(col("long"), col("small"), 3n),
  keyedHash([word, col("price"), moment, weight]),
]

const project = projectRel(
  scan,
  expressions.map((value, index) => ({ name: `x${index}`, value })),
  new ColumnIds(1000),
)
const other = scanOf(hostileTable, ["small", "word"], 5000)
const windowed = windowRel(
  other,
  {
    function: "lag",
    args: [columnExpr({ id: 5000, name: "small", domain: other.columns[0]?.domain ?? five.domain })],
    partitionBy: [],
    orderBy: [],
    frame: undefined,
  },
  "lag",
  new ColumnIds(6000),
)
const few = scanOf(hostileTable, ["word", "flag"], 8000)
const condition = callExpr("less", [
  columnExpr({ id: 5001, name: "word", domain: word.domain }),
  columnExpr({ id: 8000, name: "word", domain: word.domain }),
])
const join: Join = {
  kind: "join",
  type: "full",
  left: few,
  right: windowed,
  condition,
  columns: [...few.columns, ...windowed.columns],
}
const mark: Mark = {
  kind: "mark",
  left: few,
  right: other,
  condition,
  columns: [...few.columns, { id: 7000, name: "m", domain: { type: { kind: "boolean" }, nullable: false } }],
}
const sort: Sort = {
  kind: "sort",
  input: project,
  orderBy: [
    {
      value: columnExpr(project.columns[14] ?? { id: 0, name: "", domain: five.domain }),
      direction: "descending",
      nulls: "first",
    },
  ],
  limit: 5n,
  offset: 2n,
  columns: project.columns,
}
const relations: Readonly<Record<string, Rel>> = { sort, join, mark }

describe("printed SQL", () => {
  it.each(Object.entries(relations))("parses with PostgreSQL's grammar: %s", async (_, rel) => {
    const grammar = await testGrammar()
    expect(grammar.parse(sourceText(printRel(rel, "postgres").text)).statements.length).toBe(1)
  })

  it.runIf(isLongForm)("parses with Trino's grammar", () => {
    const parser = new TrinoSQL()
    for (const [name, rel] of Object.entries(relations)) {
      const errors = parser.validate(printRel(rel, "trino").text)
      expect([name, errors.slice(0, 2)]).toEqual([name, []])
    }
  })

  it("has no name without quotes, and no constant but literals", () => {
    for (const dialect of ["duckdb", "postgres", "trino"] satisfies readonly Dialect[]) {
      const { text: sql, parameters } = printRel(sort, dialect)
      expect(parameters.length).toBe(1)
      expect(sql.match(/\bc\d+\b/g)?.length).toBe(sql.match(/"c\d+"/g)?.length)
      expect(sql).toContain("it''s ")
    }
    expect(printRel(sort, "postgres").text).toContain(`E'it''s \\\\ "x"'`)
  })

  it("refuses SQL that grows beyond all bounds", () => {
    let deep = weight
    for (let level = 0; level < 40; level += 1)
      deep = callExpr("clamp", [deep, integerLiteral(0n), integerLiteral(300n)])
    const rel = projectRel(scan, [{ name: "deep", value: deep }], new ColumnIds(1000))
    expect(() => printRel(rel, "duckdb")).toThrow("more than 1000000 characters")
  })
})
