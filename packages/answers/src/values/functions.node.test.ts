// Every function on hostile values: TypeScript and DuckDB agree, and no value leaves its claimed domain.

import { sampleOf } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { parseDecimal, rational, rationalOfNumber } from "@dosimeter/core/exact"
import { dayOfCivil, firstDay, firstMicro, lastDay, lastMicro } from "@dosimeter/proof/catalog/civil-date"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import { castResult } from "@dosimeter/proof/functions/cast"
import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import { resultOf } from "@dosimeter/proof/functions/results"
import { isNoResult } from "@dosimeter/proof/functions/no-result"
import { unionDomain } from "@dosimeter/proof/functions/union-domain"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Project, Rel, RelColumn, Values } from "@dosimeter/proof/algebra/rel"
import { openDuckdb } from "@dosimeter/proof/testing/two-databases"
import { differences } from "../testing/against-duckdb.ts"

interface Pool {
  readonly type: SqlType
  readonly values: readonly Constant[]
}

const number = (text: string): Constant => ({ kind: "number", value: parseDecimal(text, "value") })
const float = (value: number): Constant => ({ kind: "number", value: rationalOfNumber(value) })
const text = (value: string): Constant => ({ kind: "text", value })
const date = (year: bigint, month: bigint, day: bigint): Constant => ({
  kind: "date",
  day: dayOfCivil({ year, month, day }),
})
const nothing: Constant = { kind: "null" }

function pool(type: SqlType, values: readonly Constant[]): Pool {
  return { type, values: [nothing, ...values] }
}

const integer = { kind: "integer" } as const
const decimal = (scale: number): SqlType => ({ kind: "decimal", scale })
const small = "0 1 -1 2 -2 3 7 -7 10 -12 100 499".split(" ")
const cents = "0 0.01 -0.01 0.05 1.25 -1.25 2.5 -2.5 0.5 -0.5 99.99 -499.99 1.15 12345678.91".split(" ")
const days = [
  "1-1-1 1-12-31 1899-12-31 1969-12-31 1970-1-1 2000-1-31 2000-2-29 2000-3-31 2001-2-28 2020-12-31",
  "2024-12-30 2027-1-3 9999-1-1 9999-12-31",
].flatMap((line) =>
  line.split(" ").map((one) => {
    const [year = 1n, month = 1n, day = 1n] = one.split("-").map(BigInt)
    return date(year, month, day)
  }),
)
const floats = [
  0, 5e-324, 1e-200, -1e-30, 9.9e-31, 1e-12, 0.1, -0.1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1, -1,
  2, 3.7, -3.7, 100, 123.456, 2.675, 1.005, 0.285, -2.675, 8.345,
]
const texts = [
  "|a|A|abc|ABC|a b| abc |ab|aab|zz|é|É|Zé|😀|a😀b|e\u0301|'|''|\"|\\|\\\\|%|_|a%b|a_b|a\\%b|ß|İ|ſ|Σς|ǅ",
  "--|\t|0|12| 12 |-7|+5|1.5|.5|-.25|5.|1e3|1E-2|NaN|inf|1e400|99999999999999999999|999999999999999999",
  "0.005|1.005|2.675|true|T|oN|of|no",
]

const pools = {
  boolean: pool(
    { kind: "boolean" },
    [true, false].map((value) => ({ kind: "boolean", value })),
  ),
  small: pool(integer, small.map(number)),
  tiny: pool(integer, "0 1 -1 2 3 -3 5".split(" ").map(number)),
  integer: pool(integer, [...small, "65536", "2147483647", "-2147483648"].map(number)),
  long: pool(
    integer,
    [...small, "9223372036854775807", "-9223372036854775808", "9007199254740993"].map(number),
  ),
  cents: pool(decimal(2), cents.map(number)),
  micros: pool(decimal(6), [...cents, "0.000001", "123456789012.999999", "-0.500005"].map(number)),
  float: pool(
    { kind: "float" },
    [...floats, 1e15, 9007199254740992, 4503599627370497.5, 1e19, -1e19, 1e30].map(float),
  ),
  weight: pool({ kind: "float" }, floats.map(float)),
  exponent: pool({ kind: "float" }, [-1000, -700, -699.5, -1, 0, 0.5, 1, 10, 500, 689].map(float)),
  text: pool(
    { kind: "text" },
    texts.flatMap((line) => line.split("|").map(text)),
  ),
  word: pool(
    { kind: "text" },
    "|a|A|ab|aab| abc |é|É|😀|a😀b|e\u0301|'|\\|%|a%b|a\\%b|ß|z".split("|").map(text),
  ),
  moments: pool(
    { kind: "text" },
    [
      ..."2020-02-29|2019-02-29|1900-02-29|2000-02-29| 2020-01-31 |2020-13-01|2020-00-10|2020-04-31|0000-01-01".split(
        "|",
      ),
      ..."0001-01-01|9999-12-31|2020-1-1|2020-01-31 23:59:59.5|2020-01-31T23:59|2020-01-31 24:00:00|x|".split(
        "|",
      ),
      ..."2020-01-31 23:60:00|2020-01-31 00:00:00.123456|2020-01-31 00:00:00.1234567|2020-01-31  01:00:00".split(
        "|",
      ),
    ].map(text),
  ),
  date: pool({ kind: "date" }, days),
  timestamp: pool({ kind: "timestamp" }, [
    ...days.flatMap((one) =>
      [0n, 1n, 43_200_500_000n, microsPerDay - 1n].map((time): Constant => ({
        kind: "timestamp",
        micros: (one.kind === "date" ? one.day : 0n) * microsPerDay + time,
      })),
    ),
    { kind: "timestamp", micros: firstMicro },
    { kind: "timestamp", micros: lastMicro },
  ]),
} satisfies Record<string, Pool>

type PoolName = keyof typeof pools
/** A pool stands for a column, a constant for a literal. */
type Part = PoolName | Constant

const whole = (value: number): Constant => float(value)
const interval = (months: bigint, dayCount: bigint, micros: bigint): Constant => ({
  kind: "interval",
  months,
  days: dayCount,
  micros,
})
const numbers: readonly PoolName[] = ["small", "long", "cents", "micros", "float"]
const pairs: readonly (readonly [PoolName, PoolName])[] = [
  ["small", "small"],
  ["long", "integer"],
  ["small", "cents"],
  ["cents", "micros"],
  ["integer", "float"],
  ["long", "float"],
  ["cents", "float"],
  ["float", "float"],
  ["cents", "small"],
  ["cents", "cents"],
]
const comparable: readonly (readonly [PoolName, PoolName])[] = [
  ...pairs,
  ["word", "word"],
  ["date", "date"],
  ["date", "timestamp"],
  ["timestamp", "timestamp"],
]

const signatures: Readonly<Partial<Record<FunctionName, readonly (readonly Part[])[]>>> = {
  and: [
    ["boolean", "boolean"],
    ["boolean", "boolean", "boolean"],
  ],
  or: [
    ["boolean", "boolean"],
    ["boolean", "boolean", "boolean"],
  ],
  not: [["boolean"]],
  "is-null": [["boolean"], ["small"], ["float"], ["text"], ["date"]],
  "is-true": [["boolean"]],
  "is-false": [["boolean"]],
  equal: [...comparable, ["boolean", "boolean"]],
  "not-equal": comparable,
  less: comparable,
  "less-or-equal": comparable,
  greater: comparable,
  "greater-or-equal": comparable,
  "distinct-from": comparable,
  "in-list": [
    ["small", whole(1), whole(7)],
    ["small", whole(1), nothing],
    ["cents", "small", "weight"],
    ["text", text("a"), text("é"), text("'")],
    ["date", "date", "timestamp"],
  ],
  coalesce: [...comparable, ["small", "cents", "weight"], ["boolean", "boolean"]],
  nullif: comparable,
  greatest: [...comparable, ["tiny", "cents", "weight"]],
  least: [...comparable, ["tiny", "cents", "weight"]],
  clamp: [
    ["small", whole(-2), whole(10)],
    ["small", number("-2.5"), number("9.75")],
    ["cents", whole(0), number("99.5")],
    ["float", whole(-1), whole(3)],
    ["date", date(1970n, 1n, 1n), date(2020n, 12n, 31n)],
  ],
  add: pairs,
  subtract: pairs,
  multiply: pairs,
  divide: [...pairs, ["small", "float"], ["float", "small"], ["micros", "long"]],
  modulo: [...pairs.filter(([, b]) => b !== "float"), ["long", "long"], ["small", "micros"]],
  negate: numbers.map((one) => [one]),
  abs: numbers.map((one) => [one]),
  sign: numbers.map((one) => [one]),
  round: [
    ...[...numbers, "weight" as const].map((one) => [one]),
    ...[-2, -1, 0, 1, 2, 3].flatMap((digits) =>
      (["small", "long", "cents", "micros"] as const).map((one) => [one, whole(digits)]),
    ),
    ...[0, 1, 2, 3, 6, 12].map((digits) => ["weight" as const, whole(digits)]),
  ],
  floor: [...numbers, "weight" as const].map((one) => [one]),
  ceil: [...numbers, "weight" as const].map((one) => [one]),
  trunc: [
    ...[...numbers, "weight" as const].map((one) => [one]),
    ...[-2, -1, 0, 1, 3].flatMap((digits) =>
      (["small", "cents", "micros"] as const).map((one) => [one, whole(digits)]),
    ),
  ],
  sqrt: numbers.map((one) => [one]),
  exp: [["small"], ["exponent"]].map(([one]) => [one === "small" ? "tiny" : "exponent"]),
  ln: numbers.map((one) => [one]),
  log10: numbers.map((one) => [one]),
  power: [
    ["small", "tiny"],
    ["weight", "tiny"],
    ["weight", number("0.5")],
    ["cents", whole(2)],
    ["tiny", "weight"],
  ],
  lower: [["text"]],
  upper: [["text"]],
  length: [["text"]],
  trim: [["text"], ["text", text("a é")], ["word", "word"]],
  "trim-start": [["text"], ["text", text("a😀")]],
  "trim-end": [["text"], ["text", text("b%")]],
  substring: [
    ["text", "tiny"],
    ["word", "tiny", "tiny"],
    ["text", whole(-1), whole(4)],
    ["text", whole(2), "long"],
  ],
  left: [
    ["text", "tiny"],
    ["word", "long"],
  ],
  right: [
    ["text", "tiny"],
    ["word", "long"],
  ],
  concat: [
    ["word", "word"],
    ["word", text("|"), "word"],
  ],
  position: [["word", "word"]],
  replace: [
    ["text", text("a"), text("bb")],
    ["text", text("é"), text("")],
    ["text", text(""), text("x")],
  ],
  "starts-with": [["word", "word"]],
  like: ["%", "a%", "_", "%b", "a\\%b", "", "%_%", "a_b", "\\\\", "%😀%"].map((one) => ["text", text(one)]),
  "like-any-case": ["A%", "%É", "_", "a\\%B", "ß"].map((one) => ["text", text(one)]),
  "add-days": [
    ["date", "integer"],
    ["date", "long"],
    ["date", "tiny"],
  ],
  "add-interval": [
    interval(0n, 0n, 0n),
    interval(1n, 0n, 0n),
    interval(-13n, 0n, 0n),
    interval(0n, 30n, 0n),
    interval(1n, -31n, 0n),
    interval(0n, 0n, 3_600_001_000n),
    interval(12_000n, 5n, -7000n),
    nothing,
  ].flatMap((one): readonly (readonly Part[])[] => [
    ["date", one],
    ["timestamp", one],
  ]),
  "days-between": [["date", "date"]],
  "seconds-between": [
    ["timestamp", "timestamp"],
    ["date", "timestamp"],
  ],
  extract: [
    ..."year quarter month week day dow isodow doy epoch"
      .split(" ")
      .flatMap((field): readonly (readonly Part[])[] => [
        [text(field), "date"],
        [text(field), "timestamp"],
      ]),
    ..."hour minute second".split(" ").map((field): readonly Part[] => [text(field), "timestamp"]),
  ],
  "date-trunc": [
    ..."day week month quarter year".split(" ").flatMap((unit): readonly (readonly Part[])[] => [
      [text(unit), "date"],
      [text(unit), "timestamp"],
    ]),
    ..."hour minute second".split(" ").map((unit): readonly Part[] => [text(unit), "timestamp"]),
  ],
  "age-years": [
    ["date", "date"],
    ["timestamp", "date"],
    ["timestamp", "timestamp"],
  ],
  "age-months": [
    ["date", "date"],
    ["date", "timestamp"],
    ["timestamp", "timestamp"],
  ],
}

/** Libraries differ in the last digits of these. */
const inexact: ReadonlySet<FunctionName> = new Set(["exp", "ln", "log10", "power"])
const connection = await openDuckdb()

/** A table with a column for each pool: all combinations of values. */
function tableOf(parts: readonly Part[]): { readonly rel: Values; readonly args: readonly Expr[] } {
  let rows: readonly (readonly Constant[])[] = [[]]
  const columns: RelColumn[] = [{ id: 1, name: "row", domain: literalDomain(whole(0), integer) }]
  const args = parts.map((part): Expr => {
    if (typeof part !== "string") return literal(part)
    const { type, values } = pools[part]
    rows = rows.flatMap((row) => values.map((value) => [...row, value]))
    const column = { id: columns.length + 1, name: part, domain: domainOfPool(pools[part]) }
    columns.push(column)
    expect(column.domain.type).toEqual(type)
    return columnExpr(column)
  })
  const count = { ...literalDomain(whole(0), integer), range: rangeOf(rows.length) }
  const rel: Values = {
    kind: "values",
    columns: [
      { id: 1, name: "row", domain: { type: integer, nullable: false, range: count.range } },
      ...columns.slice(1),
    ],
    rows: rows.map((row, index) => [whole(index), ...row]),
  }
  return { rel, args }
}

function rangeOf(rows: number): NonNullable<RelColumn["domain"]["range"]> {
  return {
    min: { value: rational(0n), declared: true },
    max: { value: rational(BigInt(rows)), declared: true },
  }
}

function domainOfPool({ type, values }: Pool): RelColumn["domain"] {
  const domain = unionDomain(
    values.map((value) => literalDomain(value, type)),
    "a pool",
  )
  if (isNoResult(domain)) throw new Error(domain.reason)
  const { values: _listed, ...rest } = domain
  return { ...rest, nullable: true }
}

function literal(value: Constant): Expr {
  const type = typeOf(value)
  return { kind: "literal", value, domain: literalDomain(value, type) }
}

function typeOf(value: Constant): SqlType {
  if (value.kind !== "number") return { kind: value.kind }
  const { denominator } = value.value
  const scale = [0, 1, 2, 3, 4, 5, 6].find((digits) => 10n ** BigInt(digits) % denominator === 0n)
  return scale === 0 ? integer : scale === undefined ? { kind: "float" } : { kind: "decimal", scale }
}

function projected(rel: Values, value: Expr): Project {
  const items = [...rel.columns.map(columnExpr), value]
  return {
    kind: "project",
    input: rel,
    items,
    columns: [...rel.columns, { id: 100, name: "x", domain: value.domain }],
  }
}

const cases = Object.entries(signatures).flatMap(([name, lists]) =>
  lists.map((parts) => [name, parts] as const),
)
const title = (parts: readonly Part[]): string =>
  parts
    .map((part) =>
      typeof part === "string"
        ? part
        : JSON.stringify(part, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
    )
    .join(", ")

test.each(
  sampleOf(cases, Math.ceil(cases.length / 4)).map(
    ([name, parts]) => [`${name}(${title(parts)})`, name, parts] as const,
  ),
)("%s", async (_, name, parts) => {
  const { rel, args } = tableOf(parts)
  if (!isName(name)) throw new Error("no such function")
  const domain = resultOf(
    name,
    args.map((arg) => ({ domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) })),
  )
  if (isNoResult(domain)) throw new Error(domain.reason)
  const rows = projected(rel, { kind: "call", name, args, domain })
  expect(
    await differences(connection, rows, { ordered: true, error: inexact.has(name) ? 1e-12 : 0 }),
  ).toEqual([])
})

function isName(name: string): name is Exclude<FunctionName, "cast"> {
  return Object.hasOwn(signatures, name)
}

const targets: readonly SqlType[] = [
  { kind: "boolean" },
  integer,
  decimal(0),
  decimal(2),
  decimal(6),
  { kind: "float" },
  { kind: "text" },
  { kind: "date" },
  { kind: "timestamp" },
]
const casts = Object.keys(pools).flatMap((name) =>
  isPool(name) ? targets.map((to) => [name, to] as const) : [],
)

function isPool(name: string): name is PoolName {
  return Object.hasOwn(pools, name)
}

test.each(sampleOf(casts, Math.ceil(casts.length / 2) + 1))("cast of %s to %o", async (name, to) => {
  const { rel, args } = tableOf([name])
  const domain = castResult({ domain: args[0]?.domain ?? literalDomain(nothing, { kind: "null" }) }, to)
  if (isNoResult(domain)) return
  const rows = projected(rel, { kind: "call", name: "cast", args, domain })
  expect(await differences(connection, rows, { ordered: true, error: 0 })).toEqual([])
})

test("a line feed in a text stays as it is", async () => {
  const column: RelColumn = { id: 1, name: "x", domain: { type: { kind: "text" }, nullable: false } }
  const rel: Values = {
    kind: "values",
    columns: [column],
    rows: [[text("a\nb")], [text("\n")], [text("a\n  b")]],
  }
  const found = { kind: "call", name: "equal", args: [columnExpr(column), literal(text("a\nb"))] } as const
  const kept: Rel = {
    kind: "filter",
    input: rel,
    condition: { ...found, domain: { type: { kind: "boolean" }, nullable: false } },
    columns: [column],
  }
  expect(await differences(connection, { kind: "union", inputs: [rel, kept], columns: [column] })).toEqual([])
})

test("the dates of the pools are the first and last ones too", () => {
  expect(days.some((one) => one.kind === "date" && one.day === firstDay)).toBe(true)
  expect(days.some((one) => one.kind === "date" && one.day === lastDay)).toBe(true)
})
