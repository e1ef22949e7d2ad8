import { parseDecimal, rational, showRational } from "@dosimeter/core/exact"
import { describe, expect, it } from "vitest"
import { dayOfCivil } from "../catalog/civil-date.ts"
import type { Constant } from "../catalog/constant.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import { castResult } from "./cast.ts"
import type { Argument } from "./definition.ts"
import type { FunctionName } from "./function-name.ts"
import { resultOf } from "./results.ts"

const integer: SqlType = { kind: "integer" }
const float: SqlType = { kind: "float" }
const decimal2: SqlType = { kind: "decimal", scale: 2 }

/** "0..500", "?-5..500" (the lower end is not declared), "0..?500". */
function rangeOf(text: string): Range {
  const [min = "0", max = "0"] = text.split("..")
  const end = (part: string): Range["min"] => ({
    value: parseDecimal(part.replace("?", ""), "end"),
    declared: !part.includes("?"),
  })
  return { min: end(min), max: end(max) }
}

function showRange({ range }: Domain): string {
  if (range === undefined) return "none"
  const end = ({ value, declared }: Range["min"]): string => `${declared ? "" : "?"}${showRational(value)}`
  return `${end(range.min)}..${end(range.max)}`
}

const arg = (type: SqlType, range: string, more: Partial<Domain> = {}): Argument => ({
  domain: { type, nullable: false, range: rangeOf(range), ...more },
})
const int = (value: bigint): Argument => constant({ kind: "number", value: rational(value) }, integer)
const text = (value: string): Argument => constant({ kind: "text", value }, { kind: "text" })
const constant = (literal: Constant, type: SqlType): Argument => ({
  literal,
  domain: literalDomain(literal, type),
})
const none: Argument = constant({ kind: "null" }, { kind: "null" })
const words = (...list: readonly string[]): Argument => ({
  domain: { type: { kind: "text" }, nullable: true, values: list.map((value) => ({ kind: "text", value })) },
})
const free: Argument = { domain: { type: { kind: "text" }, nullable: true, freeText: true } }
const truth: Argument = { domain: { type: { kind: "boolean" }, nullable: true } }
const date = (from: readonly [bigint, bigint, bigint], to: readonly [bigint, bigint, bigint]): Argument => {
  const at = ([year, month, day]: readonly [bigint, bigint, bigint]): bigint =>
    dayOfCivil({ year, month, day })
  return arg({ kind: "date" }, `${at(from)}..${at(to)}`)
}

function resultFor(name: FunctionName, ...args: readonly Argument[]): Domain {
  const result = resultOf(name, args)
  if ("kind" in result) throw new Error(result.reason)
  return result
}

function shown(name: FunctionName, ...args: readonly Argument[]): string {
  const result = resultOf(name, args)
  if ("kind" in result) return result.code
  const { type, nullable, values } = result
  const list = values?.map((value) =>
    "value" in value
      ? typeof value.value === "object"
        ? showRational(value.value)
        : String(value.value)
      : value.kind,
  )
  return [
    `${type.kind === "decimal" ? `decimal(${type.scale})` : type.kind}${nullable ? "?" : ""}`,
    ...(result.range === undefined ? [] : [showRange(result)]),
    ...(list === undefined ? [] : [`[${list.join(" ")}]`]),
    ...(result.calendar === undefined ? [] : [result.calendar]),
    ...(result.freeText === true ? ["free"] : []),
  ].join(" ")
}

describe("logic", () => {
  it("is unknown if a part is, but for tests", () => {
    expect(shown("and", truth, none)).toBe("boolean?")
    expect(shown("not", truth)).toBe("boolean?")
    expect(shown("is-true", truth)).toBe("boolean")
    expect(shown("is-null", free)).toBe("boolean")
    expect(shown("equal", int(1n), int(2n))).toBe("boolean")
    expect(shown("equal", int(1n), none)).toBe("boolean?")
    expect(shown("distinct-from", int(1n), none)).toBe("boolean")
    expect(shown("in-list", text("a"), text("b"), none)).toBe("boolean?")
  })

  it("compares values that have a type in common", () => {
    expect(shown("less", int(1n), text("a"))).toBe("sql/type-mismatch")
    expect(shown("less", date([2000n, 1n, 1n], [2000n, 1n, 2n]), int(1n))).toBe("sql/type-mismatch")
    expect(shown("and", int(1n))).toBe("sql/type-mismatch")
    expect(shown("less", arg(decimal2, "0..5"), arg(float, "0..5"))).toBe("boolean")
    // Thirty-six digits before the point and two after it are too many.
    expect(shown("less", arg(integer, "0..1e36"), arg(decimal2, "0..5"))).toBe("sql/may-overflow")
  })
})

describe("choice", () => {
  it("unites ranges and lists", () => {
    expect(shown("coalesce", arg(integer, "0..5", { nullable: true }), arg(integer, "?-3..2"))).toBe(
      "integer ?-3..5",
    )
    expect(shown("coalesce", words("a"), text("b"))).toBe("text [a b]")
    expect(shown("coalesce", words("a"), none)).toBe("text? [a]")
    expect(shown("coalesce", free, text("b"))).toBe("text free")
    expect(shown("nullif", arg(integer, "0..5"), int(3n))).toBe("integer? 0..5")
  })

  it("bounds LEAST and GREATEST by constants only: a NULL drops out", () => {
    const count = arg(integer, "0..?1000")
    expect(shown("least", count, int(5n))).toBe("integer 0..5")
    expect(shown("greatest", count, int(5n))).toBe("integer 5..?1000")
    expect(shown("least", count, arg(integer, "2..3"))).toBe("integer 0..?1000")
    expect(shown("least", count, none)).toBe("integer 0..?1000")
    expect(shown("greatest", truth, truth)).toBe("sql/type-mismatch")
  })

  it("clamps to declared ends", () => {
    const wide = arg(integer, "?-1000..?1000", { nullable: true })
    expect(shown("clamp", wide, int(0n), int(500n))).toBe("integer? 0..500")
    expect(shown("clamp", arg(integer, "?3..?1000"), int(0n), int(500n))).toBe("integer 3..500")
    expect(shown("clamp", arg(integer, "?700..?1000"), int(0n), int(500n))).toBe("integer 500..500")
    expect(shown("clamp", wide, int(5n), int(0n))).toBe("sql/type-mismatch")
    expect(shown("clamp", wide, wide, int(0n))).toBe("sql/type-mismatch")
    expect(shown("clamp", wide, none, int(0n))).toBe("sql/type-mismatch")
  })
})

describe("arithmetic", () => {
  it("adds, subtracts and multiplies ranges exactly, and remembers which ends are declared", () => {
    const [a, b] = [arg(integer, "0..?10"), arg(integer, "-2..3")]
    expect(shown("add", a, b)).toBe("integer -2..?13")
    expect(shown("subtract", a, b)).toBe("integer -3..?12")
    expect(shown("multiply", a, b)).toBe("integer ?-20..?30")
    expect(shown("multiply", arg(integer, "0..?10"), arg(integer, "0..3"))).toBe("integer 0..?30")
    expect(shown("multiply", arg(decimal2, "0..1.5"), arg(decimal2, "-1..2"))).toBe("decimal(4) -3/2..3")
    expect(
      shown(
        "multiply",
        arg({ kind: "decimal", scale: 7 }, "0..1"),
        arg({ kind: "decimal", scale: 7 }, "0..1"),
      ),
    ).toBe("float 0..1")
    expect(shown("add", a, none)).toBe("integer? 0..?10")
    expect(shown("add", text("a"), a)).toBe("sql/type-mismatch")
  })

  it("refuses what could overflow", () => {
    const long = arg(integer, "?-9223372036854775808..?9223372036854775807")
    expect(shown("add", long, long)).toContain("integer")
    expect(shown("multiply", long, long)).toBe("sql/may-overflow")
    const huge = arg(float, "?-1e200..?1e200")
    expect(shown("multiply", huge, huge)).toBe("sql/may-overflow")
    expect(shown("divide", int(1n), huge)).toBe("sql/may-overflow")
  })

  it("divides away from zero", () => {
    expect(shown("divide", arg(integer, "-7..20"), arg(integer, "-2..3"))).toBe("integer? -20..20")
    expect(shown("divide", arg(integer, "0..120"), int(10n))).toBe("integer 0..12")
    expect(shown("divide", arg(integer, "0..120"), int(0n))).toBe("integer? 0..0")
    const { range } = resultFor("divide", arg(decimal2, "0..1"), arg(decimal2, "0..1"))
    expect(range?.max.value.numerator).toBeGreaterThan(99n)
    expect(resultFor("divide", arg(float, "0..1"), arg(float, "0..1")).nullable).toBe(true)
  })

  it("keeps lists through arithmetic with a constant: bands of ages are few", () => {
    const bands = resultFor(
      "multiply",
      { domain: resultFor("divide", arg(integer, "0..39"), int(10n)) },
      int(10n),
    )
    expect(bands.values?.length).toBe(4)
    expect(shown("modulo", arg(integer, "-7..9"), int(4n))).toBe("integer -3..3")
    expect(shown("modulo", arg(integer, "0..2"), int(4n))).toBe("integer 0..2")
    expect(shown("modulo", arg(float, "0..2"), int(4n))).toBe("sql/type-mismatch")
  })

  it("knows signs and sizes", () => {
    expect(shown("negate", arg(integer, "-2..?5"))).toBe("integer ?-5..2")
    expect(shown("abs", arg(integer, "-2..?1"))).toBe("integer 0..2")
    expect(shown("abs", arg(integer, "?-9..-2"))).toBe("integer 2..?9")
    expect(shown("sign", arg(integer, "?0..?5"))).toBe("integer 0..1")
  })
})

describe("rounding and other functions of numbers", () => {
  it("makes integers, so that bands of measurements have public keys", () => {
    expect(shown("floor", arg(float, "-0.5..9.5"))).toBe("integer -1..9")
    expect(shown("ceil", arg(decimal2, "-0.5..9.5"))).toBe("integer 0..10")
    expect(shown("trunc", arg(decimal2, "-1.5..9.5"))).toBe("integer -1..9")
    expect(shown("round", arg(decimal2, "-1.5..2.5"))).toBe("integer -2..3")
    // Floats go to even, so either side of a half may occur.
    expect(shown("round", arg(float, "2.5..3.5"))).toBe("integer 2..4")
    expect(shown("floor", arg(float, "0..1e30"))).toContain("float")
    expect(shown("round", arg({ kind: "decimal", scale: 4 }, "0..1.2345"), int(2n))).toBe(
      "decimal(2) 0..123/100",
    )
    expect(shown("round", arg(integer, "0..34"), int(-1n))).toBe("integer 0..30 [0 10 20 30]")
    expect(shown("round", arg(integer, "0..34"), arg(integer, "0..2"))).toBe("sql/type-mismatch")
    expect(shown("trunc", arg(float, "0..34"), int(1n))).toBe("sql/type-mismatch")
    expect(shown("round", arg(float, "0..34.5"), int(1n))).toBe("decimal(1) 0..69/2")
  })

  it("encloses roots, powers and logarithms", () => {
    const inside = (name: FunctionName, values: readonly number[], ...args: readonly Argument[]): void => {
      const { range } = resultFor(name, ...args)
      const [min, max] = [
        Number(range?.min.value.numerator) / Number(range?.min.value.denominator),
        Number(range?.max.value.numerator) / Number(range?.max.value.denominator),
      ]
      for (const value of values) expect([name, value >= min && value <= max]).toEqual([name, true])
    }
    inside("sqrt", [0, 1.5], arg(float, "-5..2.25"))
    inside("exp", [0, Math.E, Math.exp(-1)], arg(float, "-1e5..1"))
    inside("ln", [Math.log(5e-324), Math.log(5)], arg(float, "0..5"))
    inside("ln", [Math.log(0.01), Math.log(5)], arg(decimal2, "-3..5"))
    inside("log10", [0, 2], arg(integer, "-1..100"))
    inside("power", [-8, 8, 0, 1], arg(integer, "-2..2"), arg(integer, "0..3"))
    inside("power", [1e30, 0.5], arg(float, "0..2"), int(-1n))
    expect(resultFor("sqrt", arg(float, "-5..2")).nullable).toBe(true)
    expect(shown("exp", arg(float, "0..1000"))).toBe("sql/may-overflow")
    expect(shown("power", arg(integer, "0..1000"), arg(integer, "0..1000"))).toBe("sql/may-overflow")
    expect(shown("ln", text("a"))).toBe("sql/type-mismatch")
  })
})

describe("text", () => {
  it("maps listed texts, and keeps free text free", () => {
    expect(shown("lower", words("A", "b"))).toBe("text? [a b]")
    expect(shown("lower", words("É"))).toBe("text?")
    expect(shown("lower", free)).toBe("text? free")
    expect(shown("left", words("abc", "abd", "😀x"), int(2n))).toBe("text? [ab 😀x]")
    expect(shown("right", words("abc"), int(-1n))).toBe("text? [bc]")
    expect(shown("substring", words("abcd"), int(0n), int(3n))).toBe("text? [ab]")
    expect(shown("substring", words("abcd"), int(2n))).toBe("text? [bcd]")
    expect(shown("substring", words("abcd"), int(2n), int(-1n))).toBe("text?")
    expect(shown("trim", words(" a ", "a"))).toBe("text? [a]")
    expect(shown("trim-start", words("xxa"), text("x"))).toBe("text? [a]")
    expect(shown("trim-end", words("axx"), text("x"))).toBe("text? [a]")
    expect(shown("replace", words("a-b"), text("-"), text("+"))).toBe("text? [a+b]")
    expect(shown("concat", words("a", "b"), text("-"), words("x"))).toBe("text? [a-x b-x]")
    expect(shown("concat", text("a"), free)).toBe("text? free")
  })

  it("counts, and takes patterns that are constants only", () => {
    expect(shown("length", free)).toBe("integer? 0..?2147483647")
    expect(shown("position", free, text("a"))).toBe("integer? 0..?2147483647")
    expect(shown("starts-with", text("ab"), text("a"))).toBe("boolean")
    expect(shown("like", free, text("a%"))).toBe("boolean?")
    expect(shown("like", free, free)).toBe("sql/type-mismatch")
    expect(shown("like", free, text("a\\"))).toBe("sql/type-mismatch")
    expect(shown("like", free, text("a"), text("xy"))).toBe("sql/type-mismatch")
    expect(shown("like-any-case", text("a"), none)).toBe("boolean?")
    expect(shown("replace", free, free, text("a"))).toBe("sql/type-mismatch")
    expect(shown("lower", int(1n))).toBe("sql/type-mismatch")
  })
})

describe("dates", () => {
  const visit = date([1999n, 5n, 17n], [2008n, 12n, 31n])
  const born = date([1900n, 1n, 1n], [2000n, 2n, 29n])
  const day = (year: bigint, month: bigint, ofMonth: bigint): bigint =>
    dayOfCivil({ year, month, day: ofMonth })
  const interval = (months: bigint, days: bigint, micros = 0n): Argument =>
    constant({ kind: "interval", months, days, micros }, { kind: "interval" })

  it("moves dates, and gives NULL outside of the years 0001 to 9999", () => {
    expect(shown("add-days", visit, int(1n))).toBe(`date ${day(1999n, 5n, 18n)}..${day(2009n, 1n, 1n)}`)
    expect(shown("add-days", date([9999n, 1n, 1n], [9999n, 12n, 31n]), int(1n))).toBe(
      `date? ${day(9999n, 1n, 2n)}..?${day(9999n, 12n, 31n)}`,
    )
    expect(shown("add-interval", born, interval(12n, 0n))).toBe(
      `date ${day(1901n, 1n, 1n)}..${day(2001n, 2n, 28n)}`,
    )
    expect(shown("add-interval", born, interval(0n, 0n, 1000n))).toContain("timestamp ")
    expect(shown("add-interval", born, interval(0n, 0n, 1n))).toBe("sql/type-mismatch")
    expect(shown("add-interval", born, interval(10n ** 9n, 0n))).toBe("sql/type-mismatch")
    expect(shown("days-between", visit, born)).toContain("integer ")
    expect(shown("seconds-between", visit, born)).toContain("decimal(6) ")
  })

  it("takes dates apart", () => {
    expect(shown("extract", text("Year"), visit)).toBe("integer 1999..2008")
    expect(shown("extract", text("dow"), visit)).toBe("integer 0..6")
    expect(shown("extract", text("week"), visit)).toBe("integer 1..53")
    expect(shown("extract", text("epoch"), visit)).toContain("float ")
    expect(shown("extract", text("hour"), visit)).toBe("sql/type-mismatch")
    expect(shown("extract", text("century"), visit)).toBe("sql/type-mismatch")
    expect(shown("date-trunc", text("month"), visit)).toBe(
      `date ${day(1999n, 5n, 1n)}..${day(2008n, 12n, 1n)} month`,
    )
    expect(shown("date-trunc", text("week"), visit)).toBe(
      `date ${day(1999n, 5n, 17n)}..${day(2008n, 12n, 29n)} week`,
    )
    expect(shown("date-trunc", text("hour"), visit)).toBe("sql/type-mismatch")
  })

  it("counts whole years and months", () => {
    expect(shown("age-years", visit, born)).toBe("integer 0..108")
    expect(shown("age-years", born, visit)).toBe("integer -108..0")
    expect(shown("age-months", visit, born)).toBe("integer -9..1307")
  })
})

describe("casts", () => {
  const cast = (from: Argument, to: SqlType): string => {
    const result = castResult(from, to)
    return "kind" in result
      ? result.code
      : `${result.type.kind}${result.nullable ? "?" : ""} ${showRange(result)} ${result.values?.length ?? "-"}`
  }

  it("keeps what is known", () => {
    expect(cast(arg(integer, "0..5"), decimal2)).toBe("decimal 0..5 -")
    expect(cast(arg(decimal2, "-0.5..2.49"), integer)).toBe("integer -1..2 -")
    expect(cast(arg(float, "-0.5..2.5"), integer)).toBe("integer -1..3 -")
    expect(cast(arg(float, "0..1e30"), integer)).toBe("integer? 0..9200000000000000000 -")
    expect(cast(int(5n), { kind: "text" })).toBe("text none 1")
    expect(cast(truth, { kind: "text" })).toBe("text? none 2")
    expect(cast(truth, integer)).toBe("integer? 0..1 -")
    expect(cast(free, integer)).toBe("integer? ?-1000000000000000000..?1000000000000000000 -")
    expect(cast(arg(float, "0..5"), { kind: "text" })).toBe("sql/type-mismatch")
    expect(cast(arg(integer, "0..1e36"), decimal2)).toBe("sql/may-overflow")
    expect(cast(none, { kind: "date" })).toBe("date? 0..0 0")
    expect(cast(arg(integer, "0..1"), { kind: "decimal", scale: 20 })).toBe("sql/type-mismatch")
    expect(cast(date([2000n, 1n, 1n], [2000n, 1n, 2n]), { kind: "timestamp" })).toBe(
      "timestamp 946684800000000..946771200000000 -",
    )
    expect(cast(arg({ kind: "timestamp" }, "-1..86400000000"), { kind: "date" })).toBe("date -1..1 -")
  })
})
