import { parseDecimal, rational } from "@dosimeter/core/exact"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dayOfCivil } from "../catalog/civil-date.ts"
import type { Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"
import { castResult } from "../functions/cast.ts"
import type { FunctionName } from "../functions/function-name.ts"
import { resultOf } from "../functions/results.ts"
import { isNoResult } from "../functions/no-result.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { Expr } from "../algebra/expr.ts"
import type { Project, Scan } from "../algebra/rel.ts"
import { numberOf, outsideDomain } from "../testing/in-domain.ts"
import { hostileTable, scanOf, TwoDatabases, type TextCell } from "../testing/two-databases.ts"

const names = hostileTable.columns.map(({ name }) => name)
const scan: Scan = scanOf(hostileTable, names)

function col(name: string): Expr {
  const column = scan.columns.find((one) => one.name === name)
  if (column === undefined) throw new Error(`there is no column ${name}`)
  return { kind: "column", id: column.id, domain: column.domain }
}

function literal(value: Constant, type: SqlType): Expr {
  return { kind: "literal", value, domain: literalDomain(value, type) }
}

const int = (value: bigint): Expr => literal({ kind: "number", value: rational(value) }, { kind: "integer" })
const dec = (text: string): Expr =>
  literal(
    { kind: "number", value: parseDecimal(text, "x") },
    { kind: "decimal", scale: (text.split(".")[1] ?? "").length },
  )
const dbl = (text: string): Expr =>
  literal({ kind: "number", value: parseDecimal(text, "x") }, { kind: "float" })
const text = (value: string): Expr => literal({ kind: "text", value }, { kind: "text" })
const bool = (value: boolean): Expr => literal({ kind: "boolean", value }, { kind: "boolean" })
const day = (year: bigint, month: bigint, ofMonth: bigint): Expr =>
  literal({ kind: "date", day: dayOfCivil({ year, month, day: ofMonth }) }, { kind: "date" })
const nothing = literal({ kind: "null" }, { kind: "null" })
const interval = (months: bigint, days: bigint, micros = 0n): Expr =>
  literal({ kind: "interval", months, days, micros }, { kind: "interval" })

function call(name: FunctionName, ...args: readonly Expr[]): Expr {
  const domain = resultOf(
    name,
    args.map((arg) => ({ domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) })),
  )
  if (isNoResult(domain)) throw new Error(`${name}: ${domain.reason}`)
  return { kind: "call", name, args, domain }
}

function cast(arg: Expr, to: SqlType): Expr {
  const domain = castResult(
    { domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) },
    to,
  )
  if (isNoResult(domain)) throw new Error(domain.reason)
  return { kind: "call", name: "cast", args: [arg], domain }
}

let both: TwoDatabases

beforeAll(async () => {
  both = await TwoDatabases.open(240)
})
afterAll(async () => both.close())

function projectOf(items: readonly Expr[]): Project {
  const all = [col("id"), ...items]
  const columns = all.map(({ domain }, index) => ({ id: 1000 + index, name: `x${index}`, domain }))
  return { kind: "project", input: scan, items: all, columns }
}

/**
 * Runs expressions over all hostile rows in both databases: no error, equal results, inside of their
 * domains.
 */
async function check(items: Readonly<Record<string, Expr>>): Promise<void> {
  const exprs = Object.values(items)
  const { duckdb, postgres } = await both.run(projectOf(exprs))
  const byId = new Map(postgres.map((row) => [row[0], row]))
  const problems: string[] = []
  expect(duckdb.length).toBe(postgres.length)
  for (const row of duckdb) {
    for (const [index, [name, expr]] of Object.entries(items).entries()) {
      const [a, b] = [row[index + 1] ?? null, byId.get(row[0] ?? "")?.[index + 1] ?? null]
      const outside = outsideDomain(a, expr.domain) ?? outsideDomain(b, expr.domain)
      if (outside !== undefined)
        problems.push(`${name}: ${outside}: duckdb ${a}, postgres ${b}, row ${row[0]}`)
      else if (!areEqual(a, b, expr.domain))
        problems.push(`${name}: duckdb ${a}, postgres ${b}, row ${row[0]}`)
    }
  }
  expect(problems.slice(0, 20)).toEqual([])
}

function areEqual(a: TextCell, b: TextCell, { type }: Domain): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  if (type.kind === "timestamp")
    return String(numberOf(a, "timestamp")?.numerator) === String(numberOf(b, "timestamp")?.numerator)
  if (type.kind === "decimal") return Number(a) === Number(b) && BigInt(digitsOf(a)) === BigInt(digitsOf(b))
  if (type.kind !== "float") return false
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= 1e-12 * Math.max(Math.abs(x), Math.abs(y)) + 1e-130
}

/** The digits of a decimal, without the zeros that only some databases show. */
function digitsOf(cell: string): string {
  return (cell.includes(".") ? cell.replace(/0+$/, "") : cell).replace(".", "").replace(/^-?$/, "0")
}

const numbers = ["small", "plain", "long", "price", "exact", "double", "weight", "cost"]
const pairs = ["small", "plain", "price", "weight", "cost", "exact"]

function each(list: readonly string[], make: (name: string) => Expr): Readonly<Record<string, Expr>> {
  return named(list.map((name) => [name, make(name)]))
}

function named(entries: readonly (readonly [string, Expr])[]): Readonly<Record<string, Expr>> {
  return Object.fromEntries(entries)
}

function eachPair(list: readonly string[], make: (a: Expr, b: Expr) => Expr): Readonly<Record<string, Expr>> {
  return named(list.flatMap((a) => list.map((b) => [`${a}, ${b}`, make(col(a), col(`${b}_2`))] as const)))
}

const all = names.filter((name) => !name.endsWith("_2"))

describe("[Q7] every function gives the same in DuckDB and PostgreSQL, inside its domain, for hostile rows", () => {
  it("reads columns inside their domains", async () => {
    await check(each(all.slice(1), col))
  })

  it("logic", async () => {
    const [p, q] = [col("flag"), col("flag_2")]
    await check({
      and: call("and", p, q, nothing),
      or: call("or", p, q),
      not: call("not", p),
      isNull: call("is-null", p),
      isTrue: call("is-true", p),
      isFalse: call("is-false", p),
      nothing: call("is-true", nothing),
      ...each(all, (name) => call("is-null", col(name))),
    })
  })

  const comparisons = [
    "equal",
    "not-equal",
    "less",
    "less-or-equal",
    "greater",
    "greater-or-equal",
    "distinct-from",
  ] as const
  it.each(comparisons)("%s", async (name) => {
    await check({
      ...eachPair(pairs, (a, b) => call(name, a, b)),
      long: call(name, col("long"), col("long_2")),
      long2: call(name, col("long"), col("double_2")),
      text: call(name, col("word"), col("other_2")),
      bool: call(name, col("flag"), col("flag_2")),
      date: call(name, col("born"), col("seen_2")),
      mixed: call(name, col("born"), col("moment_2")),
      moment: call(name, col("moment"), col("moment_2")),
      none: call(name, col("small"), nothing),
      constant: call(name, col("small"), dec("12.5")),
      wide: call(name, col("plain"), int(5_000_000_000n)),
    })
  })

  it("in-list", async () => {
    await check({
      number: call("in-list", col("plain"), int(1n), int(7n), dec("2.0")),
      text: call("in-list", col("word"), text("a"), text("'"), text("\\"), text("😀")),
      none: call("in-list", col("word"), text("a"), nothing),
      orNull: call("coalesce", call("in-list", col("word"), text("a"), text("'"), text("")), bool(true)),
      orNot: call("coalesce", call("in-list", col("word"), text("a"), text("'")), bool(false)),
      noneOrNull: call("coalesce", call("in-list", col("word"), text("a"), nothing), bool(true)),
      date: call("in-list", col("born"), day(2000n, 2n, 29n), day(9999n, 12n, 31n)),
    })
  })

  it("choice", async () => {
    await check({
      coalesce: call("coalesce", col("small"), col("price_2"), int(3n)),
      coalesceText: call("coalesce", col("word"), col("other_2"), text("-")),
      coalesceDate: call("coalesce", col("born"), col("moment_2")),
      nullif: call("nullif", col("small"), int(7n)),
      nullifMixed: call("nullif", col("small"), dec("7.0")),
      nullifText: call("nullif", col("word"), text("a")),
      ...named(
        (["greatest", "least"] as const).flatMap((name) => [
          [name, call(name, col("small"), col("plain_2"), int(5n))],
          [`${name} mixed`, call(name, col("small"), col("weight_2"), col("price"))],
          [`${name} text`, call(name, col("word"), col("other_2"))],
          [`${name} date`, call(name, col("born"), col("moment_2"))],
          [`${name} one`, call(name, col("small"), int(5n))],
        ]),
      ),
      ...each(numbers, (name) => call("clamp", col(name), int(-2n), int(50n))),
      clampDecimal: call("clamp", col("double"), dec("0.1"), dec("0.7")),
      clampWide: call("clamp", col("small"), int(-5_000_000_000n), int(5n)),
      clampDate: call("clamp", col("born"), day(1990n, 1n, 1n), day(2001n, 1n, 1n)),
      clampMoment: call("clamp", col("moment"), day(1990n, 1n, 1n), day(2001n, 1n, 1n)),
    })
  })

  it.each(["add", "subtract", "multiply", "divide"] as const)("%s", async (name) => {
    await check({
      ...eachPair([...pairs, "double"], (a, b) => call(name, a, b)),
      long: call(name, col("long"), col("plain_2")),
      none: call(name, col("plain"), nothing),
      constant: call(name, col("plain"), int(7n)),
      decimal: call(name, col("price"), dec("0.25")),
      float: call(name, col("weight"), dbl("0.001")),
    })
  })

  it("chains of arithmetic", async () => {
    const w = col("weight")
    const square = call("multiply", w, w)
    await check({
      power4: call("multiply", square, square),
      bmi: call("divide", w, call("multiply", col("weight_2"), col("weight_2"))),
      quotients: call("divide", call("divide", w, col("double")), col("weight_2")),
      bands: call("multiply", call("divide", col("small"), int(10n)), int(10n)),
      negative: call("subtract", int(0n), call("negate", call("negate", col("small")))),
    })
  })

  it("modulo, signs and sizes", async () => {
    const exact = ["small", "plain", "price", "exact", "cost"]
    await check({
      ...eachPair(exact, (a, b) => call("modulo", a, b)),
      long: call("modulo", col("long"), col("long_2")),
      byMinusOne: call("modulo", col("long"), int(-1n)),
      ...named(
        (["negate", "abs", "sign"] as const).flatMap((name) =>
          numbers.map((column) => [`${name} ${column}`, call(name, col(column))] as const),
        ),
      ),
    })
  })

  it("rounding", async () => {
    const roundings = ["round", "floor", "ceil", "trunc"] as const
    const exact = ["small", "plain", "long", "price", "exact"]
    await check({
      ...named(
        roundings.flatMap((name) =>
          numbers.map((column) => [`${name} ${column}`, call(name, col(column))] as const),
        ),
      ),
      ...named(
        (["round", "trunc"] as const).flatMap((name) =>
          exact.flatMap((column) =>
            [-2n, -1n, 0n, 1n, 2n, 5n].map(
              (digits) => [`${name} ${column} ${digits}`, call(name, col(column), int(digits))] as const,
            ),
          ),
        ),
      ),
    })
  })

  it("floats on decimal grids", async () => {
    await check({
      weight: call("round", col("weight"), int(1n)),
      none: call("round", col("weight"), int(0n)),
    })
  })

  it("roots, powers and logarithms", async () => {
    await check({
      ...each(numbers, (name) => call("sqrt", col(name))),
      ...named(numbers.map((name) => [`ln ${name}`, call("ln", col(name))])),
      ...named(numbers.map((name) => [`log10 ${name}`, call("log10", col(name))])),
      exp: call("exp", col("weight")),
      expSmall: call("exp", call("negate", call("multiply", col("small"), int(100n)))),
      square: call("power", col("weight"), int(2n)),
      root: call("power", col("weight"), dec("0.5")),
      inverse: call("power", col("weight"), int(-1n)),
      ninth: call("power", col("double"), int(9n)),
      general: call("power", col("weight"), call("clamp", col("weight_2"), int(-3n), int(3n))),
      decimal: call("power", col("price"), int(-3n)),
    })
  })

  it("text", async () => {
    const w = col("word")
    await check({
      lower: call("lower", w),
      upper: call("upper", w),
      length: call("length", w),
      trim: call("trim", w),
      trimSet: call("trim", w, text("a \\'")),
      trimColumn: call("trim-start", w, col("other_2")),
      trimEnd: call("trim-end", w, text("b😀")),
      concat: call("concat", w, text("'\\"), col("other_2")),
      position: call("position", w, col("other_2")),
      replace: call("replace", w, text("a"), text("'bb")),
      replaceNothing: call("replace", w, text(""), text("x")),
      startsWith: call("starts-with", w, col("other_2")),
      none: call("concat", w, nothing),
    })
  })

  it("parts of text", async () => {
    const w = col("word")
    const starts = [-2n, 0n, 1n, 2n, 100n, 5_000_000_000n]
    await check({
      ...named(starts.map((start) => [`from ${start}`, call("substring", w, int(start))])),
      ...named(
        starts.flatMap((start) =>
          [-1n, 0n, 1n, 3n, 5_000_000_000n].map((count) => [
            `${start} ${count}`,
            call("substring", w, int(start), int(count)),
          ]),
        ),
      ),
      columns: call("substring", w, col("plain"), col("plain_2")),
      longs: call("substring", w, col("long"), col("small_2")),
      column: call("substring", w, col("long")),
      ...named(starts.map((count) => [`left ${count}`, call("left", w, int(count))])),
      ...named(starts.map((count) => [`right ${count}`, call("right", w, int(count))])),
      left: call("left", w, col("long")),
      right: call("right", w, col("long")),
    })
  })

  it("patterns", async () => {
    const patterns = ["a%", "%b", "_", "__", "a\\%b", "a\\_b", "\\\\", "%'%", "", "%", "é", "\\a"]
    await check({
      ...named(patterns.map((one) => [`like ${one}`, call("like", col("word"), text(one))])),
      ...named(patterns.map((one) => [`ilike ${one}`, call("like-any-case", col("word"), text(one))])),
      escape: call("like", col("word"), text("a!%b"), text("!")),
      noEscape: call("like", col("word"), text("a\\%b"), text("")),
      none: call("like", col("word"), nothing),
      oddEscape: call("like", col("word"), text("%%"), text("%")),
    })
  })

  it("dates", async () => {
    const [b, s, m] = [col("born"), col("seen"), col("moment")]
    await check({
      addDays: call("add-days", b, int(1n)),
      addSmall: call("add-days", s, col("small")),
      addLong: call("add-days", b, col("long")),
      daysBetween: call("days-between", b, col("seen_2")),
      secondsBetween: call("seconds-between", m, col("moment_2")),
      secondsMixed: call("seconds-between", m, b),
      ...named(
        (
          [
            [1n, 0n],
            [-1n, 0n],
            [12n, 5n],
            [0n, -30n],
            [-25n, 40n],
            [48_000n, 0n],
            [-48_000n, 0n],
          ] as const
        ).flatMap(([months, days]) => [
          [`born ${months} ${days}`, call("add-interval", b, interval(months, days))],
          [`seen ${months} ${days}`, call("add-interval", s, interval(months, days))],
          [`moment ${months} ${days}`, call("add-interval", m, interval(months, days))],
        ]),
      ),
      hours: call("add-interval", m, interval(1n, 1n, 3_600_000_000n)),
      dateHours: call("add-interval", b, interval(0n, 0n, -90_000_000_000n)),
      noInterval: call("add-interval", b, literal({ kind: "null" }, { kind: "interval" })),
    })
  })

  it("parts of dates", async () => {
    const fields = ["year", "quarter", "month", "week", "day", "dow", "isodow", "doy", "epoch"]
    const units = ["day", "week", "month", "quarter", "year"]
    await check({
      ...named(
        ["born", "seen", "moment"].flatMap((name) =>
          fields.map((field) => [`${field} ${name}`, call("extract", text(field), col(name))] as const),
        ),
      ),
      ...named(
        ["born", "seen", "moment"].flatMap((name) =>
          units.map((unit) => [`trunc ${unit} ${name}`, call("date-trunc", text(unit), col(name))] as const),
        ),
      ),
      ...named(
        ["hour", "minute", "second"].map((field) => [field, call("extract", text(field), col("moment"))]),
      ),
      ...named(
        ["hour", "minute", "second"].map((unit) => [
          `trunc ${unit}`,
          call("date-trunc", text(unit), col("moment")),
        ]),
      ),
    })
  })

  it("ages", async () => {
    const moments = ["born", "seen", "moment"]
    await check({
      ...named(
        moments.flatMap((a) =>
          moments.flatMap((b) => [
            [`years ${a} ${b}`, call("age-years", col(a), col(`${b}_2`))],
            [`months ${a} ${b}`, call("age-months", col(a), col(`${b}_2`))],
          ]),
        ),
      ),
    })
  })

  it("casts", async () => {
    const types: readonly SqlType[] = [
      ...([{ kind: "integer" }, { kind: "float" }, { kind: "boolean" }, { kind: "text" }] as const),
      ...([{ kind: "date" }, { kind: "timestamp" }, { kind: "decimal", scale: 0 }] as const),
      ...([
        { kind: "decimal", scale: 2 },
        { kind: "decimal", scale: 7 },
      ] as const),
    ]
    const cases = all.flatMap((name) =>
      types.flatMap((to) => {
        const from = col(name)
        const domain = castResult({ domain: from.domain }, to)
        // Floats become decimals with different care in the sixteenth digit: see the next test.
        const isLoose = from.domain.type.kind === "float" && to.kind === "decimal"
        return isNoResult(domain) || isLoose
          ? []
          : [[`${name} ${JSON.stringify(to)}`, cast(from, to)] as const]
      }),
    )
    expect(cases.length).toBeGreaterThan(60)
    await check(named(cases))
  })

  it("constants: what a database works out beforehand is no error either", async () => {
    const words = ["abc", "12", "2020-02-30", "2020-02-29", "yes", ""].map(text)
    const kinds = ["integer", "float", "boolean", "date", "timestamp"] as const
    const last = day(9999n, 12n, 31n)
    await check({
      ...named(
        words.flatMap((word, at) => kinds.map((kind) => [`${kind} ${at}`, cast(word, { kind })] as const)),
      ),
      quotient: call("divide", int(1n), int(0n)),
      remainder: call("modulo", int(1n), int(0n)),
      floatQuotient: call("divide", dbl("1"), dbl("0")),
      tiny: call("multiply", dbl("1e-200"), dbl("1e-200")),
      root: call("sqrt", int(-1n)),
      log: call("ln", int(0n)),
      power: call("power", int(0n), int(-1n)),
      oddPower: call("power", int(-8n), dec("0.3")),
      exp: call("exp", int(-10_000n)),
      days: call("add-days", last, int(5n)),
      months: call("add-interval", last, interval(1n, 0n)),
      part: call("substring", text("abc"), int(1n), int(-1n)),
      pattern: call("like", text("abc"), text("a%")),
      letters: call("concat", call("lower", text("ABC")), text("'")),
      least: call("least", text("b"), text("a")),
      order: call("less", text("a"), text("B")),
      length: call("length", text("abc")),
      position: call("position", text("abc"), text("c")),
      trim: call("trim", text(" abc ")),
      replace: call("replace", text("abc"), text("b"), text("")),
      starts: call("starts-with", text("abc"), text("a")),
      first: call("coalesce", nothing, text("a")),
      beyond: cast(dbl("1e25"), { kind: "integer" }),
      year: call("extract", text("year"), last),
      age: call("age-years", last, day(1n, 1n, 1n)),
    })
  })

  it("case", async () => {
    const domain: Domain = { ...col("price").domain, type: { kind: "decimal", scale: 2 } }
    const choice: Expr = {
      kind: "case",
      branches: [
        { when: call("greater", col("small"), int(100n)), result: col("price") },
        { when: nothing, result: int(1n) },
      ],
      otherwise: nothing,
      domain: { ...domain, nullable: true },
    }
    await check({ choice, constant: call("and", bool(true), bool(false)) })
  })
})
