// Makes expressions with their domains, and says at which place a function has no result.

import type { Span } from "@dosimeter/core"
import { numberNearest, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { castResult } from "@dosimeter/proof/functions/cast"
import type { Argument, NoResult } from "@dosimeter/proof/functions/definition"
import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import { resultOf } from "@dosimeter/proof/functions/results"
import { isNoResult } from "@dosimeter/proof/functions/no-result"
import { unionDomain } from "@dosimeter/proof/functions/union-domain"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import { sameType, scaleMax, showType, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import { readBoolean, readDate, readInterval, readNumber, readTimestamp, roundTo } from "./read-literal.ts"

/** The few types that need no more words. */
export const types = {
  boolean: { kind: "boolean" },
  integer: { kind: "integer" },
  float: { kind: "float" },
  text: { kind: "text" },
  date: { kind: "date" },
  timestamp: { kind: "timestamp" },
  interval: { kind: "interval" },
  null: { kind: "null" },
} as const satisfies Record<string, SqlType>

/** A domain; fails at the place of what has none. */
export function held(result: Domain | NoResult, at: Span | undefined): Domain {
  return isNoResult(result) ? fail(result.code, { reason: result.reason, remedy: result.remedy }, at) : result
}

/** A call; fails at its place where the function has no result for such arguments. */
export function makeCall(name: FunctionName, args: readonly Expr[], at: Span | undefined): Expr {
  const domain = held(resultOf(name, args.map(argumentOf)), at)
  return { kind: "call", name, args, domain: withAuto(domain, args) }
}

/** What is computed from a value whose bounds may be learnt has such bounds too, where it has no others. */
function withAuto(domain: Domain, parts: readonly Expr[]): Domain {
  const { range, autoBounds } = domain
  const isDeclared = range !== undefined && range.min.declared && range.max.declared
  if (range === undefined || isDeclared || autoBounds === true) return domain
  return parts.some((part) => part.domain.autoBounds === true) ? { ...domain, autoBounds: true } : domain
}

/** AND of any number of conditions. */
export function makeAnd(conditions: readonly Expr[]): Expr | undefined {
  const [first, ...others] = conditions
  return others.length === 0 ? first : makeCall("and", conditions, undefined)
}

/** A condition and another one, if there is one. */
export function alsoWhere(condition: Expr, other: Expr | undefined): Expr {
  return other === undefined ? condition : makeCall("and", [condition, other], undefined)
}

/** x IS NOT NULL; nothing if it never is. */
export function isPresent(value: Expr): Expr | undefined {
  if (!value.domain.nullable) return undefined
  return makeCall("not", [makeCall("is-null", [value], undefined)], undefined)
}

/** CASE; all results must have a type in common. */
export function makeCase(
  branches: readonly { readonly when: Expr; readonly result: Expr }[],
  otherwise: Expr,
  at: Span | undefined,
): Expr {
  const results = [...branches.map(({ result }) => result), otherwise]
  const union = unionDomain(
    results.map((result) => result.domain),
    "CASE",
  )
  const domain = held(union, at)
  const cast = (result: Expr): Expr => makeCast(result, domain.type, at)
  return {
    kind: "case",
    branches: branches.map(({ when, result }) => ({ when, result: cast(result) })),
    otherwise: cast(otherwise),
    domain: withAuto(caseDomain(results.map(cast), domain.type), results),
  }
}

function caseDomain(results: readonly Expr[], type: SqlType): Expr["domain"] {
  const domain = unionDomain(
    results.map((result) => result.domain),
    "CASE",
  )
  return isNoResult(domain) ? { type, nullable: true } : domain
}

/** A constant of a type. */
export function makeLiteral(value: Constant, type: SqlType): LiteralExpr {
  return { kind: "literal", value, domain: literalDomain(value, type) }
}

/** A whole number. */
export function wholeLiteral(value: bigint): LiteralExpr {
  return makeLiteral({ kind: "number", value: rational(value) }, types.integer)
}

/** A number in the narrowest type: integer, decimal, or float where it has too many digits. */
export function numberLiteral(value: Rational): LiteralExpr {
  for (let scale = 0; scale <= scaleMax; scale += 1) {
    if (10n ** BigInt(scale) % value.denominator !== 0n) continue
    return makeLiteral({ kind: "number", value }, scale === 0 ? types.integer : { kind: "decimal", scale })
  }
  return floatLiteral(value)
}

/** A double, the nearest one. */
export function floatLiteral(value: Rational): LiteralExpr {
  const near = numberNearest(value)
  if (Math.abs(near) > 1e300) {
    const reason = "this number is beyond what a float holds"
    return fail("sql/may-overflow", { reason, remedy: "write a number between -1e300 and 1e300" })
  }
  return makeLiteral({ kind: "number", value: rationalOfNumber(near) }, types.float)
}

/** TRUE or FALSE. */
export function booleanLiteral(value: boolean): LiteralExpr {
  return makeLiteral({ kind: "boolean", value }, types.boolean)
}

/** NULL of a type. */
export function nullLiteral(type: SqlType): LiteralExpr {
  return makeLiteral({ kind: "null" }, type)
}

/** A value in another type. Constants are turned at once, and must have a value there. */
export function makeCast(value: Expr, type: SqlType, at: Span | undefined): Expr {
  if (sameType(value.domain.type, type)) return value
  if (value.kind === "literal") {
    const turned = castConstant(value.value, type)
    if (turned !== undefined) return makeLiteral(turned, type)
    if (value.value.kind === "text") failLiteral(value.value.value, type, at)
  }
  const domain = held(castResult(argumentOf(value), type), at)
  return { kind: "call", name: "cast", args: [value], domain: withAuto(domain, [value]) }
}

const forms: Readonly<Partial<Record<SqlType["kind"], string>>> = {
  boolean: "TRUE or FALSE",
  integer: "a whole number, such as 12",
  decimal: "a number, such as 12.5",
  float: "a number, such as 12.5",
  date: "DATE '2024-12-31'",
  timestamp: "TIMESTAMP '2024-12-31 23:59:59', without a time zone",
  interval: "INTERVAL '30 days'",
}

/** Says that text in quotes is no value of a type. */
export function failLiteral(text: string, type: SqlType, at: Span | undefined): never {
  const shown = text.length <= 40 ? text : `${text.slice(0, 37)}...`
  const form = forms[type.kind] ?? "a value of that type"
  return fail("sql/bad-literal", { text: shown, type: showType(type), form }, at)
}

/**
 * A constant in another type; undefined where only the database could say, or where there is no such
 * value.
 */
function castConstant(value: Constant, type: SqlType): Constant | undefined {
  if (value.kind === "null") return value
  if (value.kind === "text") return readConstant(value.value, type)
  if (value.kind === "number") return castNumber(value.value, type)
  if (value.kind === "date" && type.kind === "timestamp") {
    return { kind: "timestamp", micros: value.day * microsPerDay }
  }
  if (value.kind === "timestamp" && type.kind === "date") {
    const day = value.micros / microsPerDay
    return { kind: "date", day: day * microsPerDay > value.micros ? day - 1n : day }
  }
  return undefined
}

function castNumber(value: Rational, type: SqlType): Constant | undefined {
  switch (type.kind) {
    case "integer":
      return { kind: "number", value: roundTo(value, 0) }
    case "decimal":
      return { kind: "number", value: roundTo(value, type.scale) }
    case "float": {
      const near = numberNearest(value)
      return !Number.isFinite(near) ? undefined : { kind: "number", value: rationalOfNumber(near) }
    }
    default:
      return undefined
  }
}

function readConstant(text: string, type: SqlType): Constant | undefined {
  switch (type.kind) {
    case "boolean":
      return readBoolean(text)
    case "date":
      return readDate(text)
    case "timestamp":
      return readTimestamp(text)
    case "interval":
      return readInterval(text, undefined)
    case "integer":
    case "decimal":
    case "float": {
      const value = readNumber(text)
      if (value === undefined || (type.kind === "integer" && value.denominator !== 1n)) return undefined
      return castNumber(value, type)
    }
    case "text":
    case "null":
      return undefined
    default:
      return type satisfies never
  }
}

/** What a function may know of an argument. */
export function argumentOf(value: Expr): Argument {
  return { domain: value.domain, ...(value.kind === "literal" ? { literal: value.value } : {}) }
}
