// What if ranges were false? Columns that claim far less than they hold, under every function that could
// fail: the real DuckDB gives a value or NULL for each row, never an error, and steps stay between their
// bounds.

import { sampleOf } from "@dosimeter/core/testing"
import type { DuckDBConnection } from "@duckdb/node-api"
import { parseDecimal, rational } from "@dosimeter/core/exact"
import { expect, test } from "vitest"
import type { Constant } from "../catalog/constant.ts"
import { castResult } from "../functions/cast.ts"
import type { FunctionName } from "../functions/function-name.ts"
import { resultOf } from "../functions/results.ts"
import { isNoResult } from "../functions/no-result.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { Expr } from "../algebra/expr.ts"
import {
  aggregateRel,
  columnExpr,
  ColumnIds,
  filterRel,
  projectRel,
  shareExpr,
  stepsExpr,
  windowRel,
} from "../algebra/make.ts"
import type { Rel, RelColumn, Values } from "../algebra/rel.ts"
import { openDuckdb, testRange } from "../testing/two-databases.ts"
import { printRel } from "./print.ts"

const integer = { kind: "integer" } as const
const number = (text: string): Constant => ({ kind: "number", value: parseDecimal(text, "value") })
const moment = (text: string): Constant => ({
  kind: "timestamp",
  micros: BigInt(Date.parse(`${text}Z`)) * 1000n,
})
const date = (text: string): Constant => ({ kind: "date", day: BigInt(Date.parse(text)) / 86_400_000n })

interface Claim {
  readonly type: SqlType
  /** The range that is claimed: it decides the stored type, and nothing else is true of it. */
  readonly range: readonly [bigint, bigint]
  readonly values: readonly Constant[]
}

const claims: Readonly<Record<string, Claim>> = {
  small: { type: integer, range: [0n, 2n], values: ["2147483647", "-2147483648", "1"].map(number) },
  long: {
    type: integer,
    range: [0n, 3n * 10n ** 9n],
    values: ["9223372036854775807", "-9223372036854775808", "0"].map(number),
  },
  huge: {
    type: integer,
    range: [0n, 10n ** 20n],
    values: ["170141183460469231731687303715884105727", "-170141183460469231731687303715884105727", "7"].map(
      number,
    ),
  },
  cents: {
    type: { kind: "decimal", scale: 2 },
    range: [0n, 1n],
    values: ["9999999999999999.99", "-9999999999999999.98", "9999999999999999.97"].map(number),
  },
  wide: {
    type: { kind: "decimal", scale: 12 },
    range: [0n, 10n ** 7n],
    values: [
      "99999999999999999999999999.999999999999",
      "-99999999999999999999999999.999999999999",
      "0.5",
    ].map(number),
  },
  float: { type: { kind: "float" }, range: [0n, 1n], values: ["1e300", "-1e300", "0.5"].map(number) },
  day: {
    type: { kind: "date" },
    range: [0n, 5n],
    values: ["0001-01-01", "9999-12-31", "1970-01-02"].map(date),
  },
  time: {
    type: { kind: "timestamp" },
    range: [0n, 5n],
    values: ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "1970-01-02T00:00:00"].map(moment),
  },
}

const names = Object.keys(claims)
const columns = Object.entries(claims).map(([name, { type, range }], index): RelColumn => ({
  id: index + 1,
  name,
  domain: { type, nullable: false, range: testRange(...range) },
}))
/** Every value of a column beside every value of the next. */
const input: Values = {
  kind: "values",
  columns,
  rows: [0, 1, 2].flatMap((turn) =>
    [0, 1, 2].map((row) =>
      Object.values(claims).map(
        ({ values }, index) => values[(row + turn * index) % 3] ?? { kind: "null" as const },
      ),
    ),
  ),
}
const connection: DuckDBConnection = await openDuckdb()

const col = (name: string): Expr =>
  columnExpr(
    columns[names.indexOf(name)] ?? { id: -1, name, domain: literalDomain({ kind: "null" }, integer) },
  )
const literal = (value: Constant, type: SqlType): Expr => ({
  kind: "literal",
  value,
  domain: literalDomain(value, type),
})
const whole = (value: string): Expr => literal(number(value), integer)

function calls(name: FunctionName, lists: readonly (readonly Expr[])[]): readonly Expr[] {
  return lists.flatMap((args) => {
    const domain = resultOf(
      name,
      args.map((arg) => ({ domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) })),
    )
    return isNoResult(domain) ? [] : [{ kind: "call", name, args, domain } as const]
  })
}

const numeric = ["small", "long", "huge", "cents", "wide", "float"].map(col)
const one = numeric.map((x) => [x])
const two = numeric.flatMap((x) => numeric.map((y) => [x, y]))
const days = ["day", "time"].map(col)
const intervals = [
  [1n, 0n, 0n],
  [-13n, 31n, 0n],
  [48_000n, 1_460_000n, 0n],
  [-48_000n, -1_460_000n, -120_000_000_000_000_000n],
].map(([months = 0n, dayCount = 0n, micros = 0n]) =>
  literal({ kind: "interval", months, days: dayCount, micros }, { kind: "interval" }),
)
const types: readonly SqlType[] = [
  integer,
  { kind: "decimal", scale: 0 },
  { kind: "decimal", scale: 12 },
  { kind: "float" },
  { kind: "text" },
  { kind: "boolean" },
  { kind: "date" },
  { kind: "timestamp" },
]

function expressions(): readonly Expr[] {
  const unary = [
    "negate",
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "trunc",
    "sqrt",
    "ln",
    "log10",
    "exp",
  ] as const
  const binary = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "modulo",
    "power",
    "greatest",
    "least",
    "equal",
    "less",
    "nullif",
    "coalesce",
  ] as const
  const digits = ["-30", "-18", "-1", "1", "5"].map(whole)
  const casts = [...numeric, ...days].flatMap((arg) =>
    types.flatMap((to): readonly Expr[] => {
      const domain = castResult({ domain: arg.domain }, to)
      return isNoResult(domain) ? [] : [{ kind: "call", name: "cast", args: [arg], domain }]
    }),
  )
  return [
    ...unary.flatMap((name) => calls(name, one)),
    ...binary.flatMap((name) => calls(name, two)),
    ...(["round", "trunc"] as const).flatMap((name) =>
      calls(
        name,
        numeric.flatMap((x) => digits.map((y) => [x, y])),
      ),
    ),
    ...calls(
      "clamp",
      numeric.map((x) => [x, whole("-5"), whole("5")]),
    ),
    ...calls(
      "add-days",
      numeric.map((n) => [col("day"), n]),
    ),
    ...calls(
      "add-interval",
      days.flatMap((x) => intervals.map((y) => [x, y])),
    ),
    ...(["days-between", "seconds-between", "age-years", "age-months"] as const).flatMap((name) =>
      calls(
        name,
        days.flatMap((x) => days.map((y) => [x, y])),
      ),
    ),
    ...["year", "epoch", "doy"].flatMap((field) =>
      calls(
        "extract",
        days.map((x) => [literal({ kind: "text", value: field }, { kind: "text" }), x]),
      ),
    ),
    ...casts,
  ]
}

async function failureOf(rel: Rel): Promise<string | undefined> {
  try {
    await connection.runAndReadAll(printRel(rel, "duckdb").text, [])
    return undefined
  } catch (error) {
    return `${error instanceof Error ? error.message.slice(0, 160) : "?"} ${printRel(rel, "duckdb").text.slice(-300)}`
  }
}

const all = expressions()
const projected = (value: Expr): Rel => projectRel(input, [{ name: "x", value }], new ColumnIds(100))

test("there are many expressions", () => {
  expect(all.length).toBeGreaterThan(500)
})

test("[Q7] no expression fails, whatever its columns hold", async () => {
  const failures: string[] = []
  for (const expr of sampleOf(all, 200)) {
    const failure = await failureOf(projected(expr))
    if (failure !== undefined) failures.push(failure)
  }
  expect(failures).toEqual([])
})

test("nor do conditions, sums over groups and windows, and shares", async () => {
  const failures: string[] = []
  const sums = numeric
    .filter(({ domain }) => domain.type.kind !== "float")
    .map((argument) => ({ function: "sum" as const, argument, name: "s" }))
  const window = { function: "sum" as const, partitionBy: [], orderBy: [], frame: undefined }
  const none: Expr = literal({ kind: "boolean", value: true }, { kind: "boolean" })
  const rels = [
    ...calls("less", two).map((condition) => filterRel(input, condition)),
    ...calls(
      "less",
      calls("multiply", two).map((x) => [x, whole("3")]),
    ).map((condition) => filterRel(input, condition)),
    aggregateRel(input, [], sums, new ColumnIds(100)),
    ...sums.map(({ argument }) => windowRel(input, { ...window, args: [argument] }, "w", new ColumnIds(100))),
    projected(shareExpr(col("small"), col("long"), 3n)),
    projected(shareExpr(col("long"), col("small"), 3n)),
    filterRel(input, none),
  ]
  for (const rel of rels) {
    const failure = await failureOf(rel)
    if (failure !== undefined) failures.push(failure)
  }
  expect(failures).toEqual([])
})

test("steps stay between their bounds, or are NULL", async () => {
  const problems: string[] = []
  const numbers = all.filter(({ domain }) => ["integer", "decimal", "float"].includes(domain.type.kind))
  const grids = [rational(1n), rational(1n, 100n), rational(1n, 1024n)]
  for (const [index, expr] of sampleOf([...numbers.entries()], 100)) {
    for (const grid of grids.slice(index % 3, (index % 3) + 1)) {
      const steps = stepsExpr(expr, grid, { lower: -3n, upper: 9n })
      const { text } = printRel(projected(steps), "duckdb")
      const reader = await connection.runAndReadAll(text)
      const found = reader
        .getRows()
        .map(([value]) => (value === null || value === undefined ? 0 : Number(value)))
      if (found.some((value) => value < -3 || value > 9)) problems.push(text.slice(-200))
    }
  }
  expect(problems).toEqual([])
})
