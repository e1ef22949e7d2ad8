// Facts of one function over a narrow range, on the real DuckDB: nothing fails, no value leaves the range,
// and what is said to be never NULL is not. Where these were false, one person's row showed.

import { parseDecimal, rational } from "@dosimeter/core/exact"
import { expect, test } from "vitest"
import type { Constant } from "../catalog/constant.ts"
import { castResult } from "../functions/cast.ts"
import type { FunctionName } from "../functions/function-name.ts"
import { resultOf } from "../functions/results.ts"
import { isNoResult } from "../functions/no-result.ts"
import { unionDomain } from "../functions/union-domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { Expr } from "../algebra/expr.ts"
import { columnExpr, shareExpr, stepsExpr } from "../algebra/make.ts"
import type { Project, RelColumn, Values } from "../algebra/rel.ts"
import { differences } from "@dosimeter/answers/testing/against-duckdb"
import { openDuckdb } from "../testing/two-databases.ts"

const integer = { kind: "integer" } as const
const float = { kind: "float" } as const
const decimal = (scale: number): SqlType => ({ kind: "decimal", scale })
const connection = await openDuckdb()

const number = (text: string): Constant => ({ kind: "number", value: parseDecimal(text, "value") })
const moment = (text: string): Constant => ({
  kind: "timestamp",
  micros: BigInt(Date.parse(`${text.replace(" ", "T")}Z`)) * 1000n,
})
const interval = (months: bigint, days: bigint, micros: bigint): Expr => {
  const value: Constant = { kind: "interval", months, days, micros }
  return { kind: "literal", value, domain: literalDomain(value, { kind: "interval" }) }
}
const literal = (text: string, type: SqlType = integer): Expr => ({
  kind: "literal",
  value: number(text),
  domain: literalDomain(number(text), type),
})

interface Column {
  readonly type: SqlType
  readonly values: readonly Constant[]
}

const numbers = (type: SqlType, ...texts: readonly string[]): Column => ({ type, values: texts.map(number) })
const moments = (...texts: readonly string[]): Column => ({
  type: { kind: "timestamp" },
  values: texts.map(moment),
})

/** Columns whose ranges just hold their values; row i has the values i. */
function rowsOf(columns: readonly Column[]): Values {
  const rows = columns[0]?.values.map((_, row) =>
    columns.map(({ values }) => values[row] ?? { kind: "null" as const }),
  )
  return {
    kind: "values",
    rows: rows ?? [],
    columns: columns.map(({ type, values }, index): RelColumn => {
      const domain = unionDomain(
        values.map((value) => literalDomain(value, type)),
        "a column",
      )
      if (isNoResult(domain)) throw new Error(domain.reason)
      const { values: _listed, ...rest } = domain
      return { id: index + 1, name: `x${index}`, domain: rest }
    }),
  }
}

function argumentsOf(args: readonly Expr[]): Parameters<typeof resultOf>[1] {
  return args.map((arg) => ({
    domain: arg.domain,
    ...(arg.kind === "literal" ? { literal: arg.value } : {}),
  }))
}

function call(name: FunctionName, ...args: readonly Expr[]): Expr {
  const domain = resultOf(name, argumentsOf(args))
  if (isNoResult(domain)) throw new Error(domain.reason)
  return { kind: "call", name, args, domain }
}

function cast(arg: Expr, to: SqlType): Expr {
  const domain = castResult({ domain: arg.domain }, to)
  if (isNoResult(domain)) throw new Error(domain.reason)
  return { kind: "call", name: "cast", args: [arg], domain }
}

/** What is wrong with an expression over these rows: differences to our own evaluation, values outside. */
async function wrong(input: Values, value: Expr): Promise<readonly string[]> {
  const columns = [{ id: 100, name: "x", domain: value.domain }]
  const rows: Project = { kind: "project", input, items: [value], columns }
  return differences(connection, rows, { ordered: true, error: 1e-14 })
}

/** A function of all columns, and of constants after them; nothing is wrong with what is refused. */
async function wrongCall(
  name: FunctionName,
  columns: readonly Column[],
  constants: readonly Expr[] = [],
): Promise<readonly string[]> {
  const input = rowsOf(columns)
  const args = [...input.columns.map(columnExpr), ...constants]
  return isNoResult(resultOf(name, argumentsOf(args))) ? [] : wrong(input, call(name, ...args))
}

async function wrongCast(column: Column, to: SqlType): Promise<readonly string[]> {
  const input = rowsOf([column])
  const [x = literal("0")] = input.columns.map(columnExpr)
  return wrong(input, cast(x, to))
}

test.each([-1n, 1n, 11n, -13n, 48n])(
  "%i months bring moments of a month's last days out of order",
  async (months) => {
    const days = moments("2020-03-30 23:59:59", "2020-03-31 00:00:02", "2020-03-31 00:00:03")
    expect(await wrongCall("add-interval", [days], [interval(months, 0n, 0n)])).toEqual([])
    const more = moments(
      "2023-01-28 00:00:00",
      "2023-01-28 23:00:00",
      "2023-01-29 01:00:00",
      "2023-01-31 00:00:00",
    )
    expect(await wrongCall("add-interval", [more], [interval(months, 0n, 0n)])).toEqual([])
  },
)

test("months, days and hours that end around the first and the last year", async () => {
  const first = moments(
    "0001-03-28 00:00:00",
    "0001-03-28 11:59:59",
    "0001-03-28 12:00:00",
    "0001-03-29 06:00:00",
    "0001-03-31 12:00:00",
    "0001-03-31 11:00:00",
  )
  expect(await wrongCall("add-interval", [first], [interval(-1n, -58n, -43_200_000_000n)])).toEqual([])
  const last = moments(
    "9999-10-28 00:00:00",
    "9999-10-31 11:59:59",
    "9999-10-31 12:00:00",
    "9999-10-29 13:00:00",
    "9999-11-01 00:00:00",
  )
  expect(await wrongCall("add-interval", [last], [interval(1n, 31n, 43_200_000_000n)])).toEqual([])
})

const ends = [
  ["age", numbers(integer, "0", "37", "120")],
  ["32 bits", numbers(integer, "2147483647", "2147483640", "1499999999")],
  ["32 bits, low", numbers(integer, "-2147483648", "-2147483647", "-5")],
  ["64 bits", numbers(integer, "9223372036854775807", "9223372036854775800", "9150000000000000000")],
  ["64 bits, low", numbers(integer, "-9223372036854775808", "-9223372036854775800")],
  [
    "37 digits",
    numbers(integer, "9999999999999999999999999999999999999", "-9999999999999999999999999999999999998"),
  ],
  [
    "short decimal",
    numbers(decimal(2), "9999999999999999.99", "-9999999999999999.99", "0.05", "14.99", "15"),
  ],
  ["long decimal", numbers(decimal(12), "9999999999999999999999999.999999999999", "-0.5", "5.5")],
] as const

test.each(ends)("ROUND and TRUNC to every number of digits: %s", async (_, column) => {
  for (let digits = -30; digits <= 13; digits += 1) {
    for (const name of ["round", "trunc"] as const) {
      expect(await wrongCall(name, [column], [literal(`${digits}`)]), `${name} ${digits}`).toEqual([])
    }
  }
})

test.each(ends)("arithmetic at the ends of types: %s", async (_, column) => {
  for (const [, other] of ends) {
    const size = Math.min(column.values.length, other.values.length)
    const pair = [column, other].map(({ type, values }) => ({ type, values: values.slice(0, size) }))
    for (const name of ["add", "subtract", "multiply", "divide", "modulo", "greatest", "equal"] as const) {
      expect(await wrongCall(name, pair), name).toEqual([])
    }
  }
})

test("nothing times a wide decimal", async () => {
  const wide = numbers(decimal(1), "999999999999999999999999998.0", "1.0")
  for (const none of [numbers(decimal(1), "0", "0"), numbers(integer, "0", "0")]) {
    expect(await wrongCall("multiply", [none, wide])).toEqual([])
    expect(await wrongCall("multiply", [wide, none])).toEqual([])
  }
})

const unevenDoubles = [
  numbers(decimal(12), "-9007199254740994.290263346258"),
  numbers(decimal(12), "9007199254740994.290263346258", "9007199254740994.290263346259"),
  numbers(decimal(1), "18014398509481987.9"),
  numbers(decimal(6), "-72057594037927945.999999"),
  numbers(integer, "9007199254740993"),
  numbers(integer, "5316911983139663491615228241121378303"),
]

test.each(unevenDoubles)("doubles beside exact numbers (%#)", async (column) => {
  const input = rowsOf([column])
  const [x = literal("0")] = input.columns.map(columnExpr)
  if (isNoResult(castResult({ domain: x.domain }, float))) return
  expect(await wrongCast(column, float)).toEqual([])
  expect(await wrong(input, call("add", x, literal("0", float)))).toEqual([])
  expect(await wrong(input, call("greatest", x, literal("0", float)))).toEqual([])
  expect(await wrong(input, call("divide", x, literal("1", float)))).toEqual([])
})

test("a float at the very end of what has an integer", async () => {
  for (const value of ["9200000000000000000", "-9200000000000000000"]) {
    expect(await wrongCast(numbers(float, value), integer)).toEqual([])
    expect(await wrongCast(numbers(float, value, "5"), integer)).toEqual([])
  }
})

test("seconds since 1970 as doubles, in centuries to come", async () => {
  const at: Constant = { kind: "timestamp", micros: 250_236_426_994_548_432n }
  const input = rowsOf([{ type: { kind: "timestamp" }, values: [at] }])
  const epoch: Constant = { kind: "text", value: "epoch" }
  const field: Expr = { kind: "literal", value: epoch, domain: literalDomain(epoch, { kind: "text" }) }
  expect(await wrong(input, call("extract", field, ...input.columns.map(columnExpr)))).toEqual([])
})

test.each([integer, decimal(2)])("steps of nothing, with a factor that does not fit them", async (type) => {
  const input = rowsOf([numbers(type, "0", "0")])
  const [x = literal("0")] = input.columns.map(columnExpr)
  const grid = rational(1n, 10n ** 20n)
  expect(await wrong(input, stepsExpr(x, grid, { lower: -5n, upper: 5n }))).toEqual([])
  if (type.kind === "integer") expect(await wrong(input, shareExpr(x, x, 10n ** 12n))).toEqual([])
})
