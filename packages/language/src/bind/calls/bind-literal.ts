// Numbers and parameters: constants with the types that they have by themselves.

import type { Span } from "@dosimeter/core"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { floatMax, unscaledMax } from "@dosimeter/proof/functions/numeric-domain"
import { scaleMax, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import type { DecimalLiteral, IntegerLiteral } from "../../parse/ast.ts"
import { floatLiteral, makeLiteral, types, wholeLiteral } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"
import { readNumber, scaleOf } from "../exprs/read-literal.ts"

/** A number with a point or an exponent: a decimal, or a float where it has too many digits. */
export function decimalOf({ text, at }: DecimalLiteral): Expr {
  const value = readNumber(text)
  if (value === undefined) {
    const remedy = "write a number of at most 300 digits and an exponent of at most three"
    return fail("sql/type-mismatch", { reason: "this number is too long", remedy }, at)
  }
  const written = /\.(\d*)/.exec(text)?.[1]?.length ?? 0
  const scale = Math.max(scaleOf(value) ?? scaleMax + 1, /e/i.test(text) ? 0 : written)
  const literal =
    scale > scaleMax
      ? floatLiteral(value)
      : makeLiteral({ kind: "number", value }, { kind: "decimal", scale })
  return held(literal, at)
}

/** A whole number, if databases can hold it. */
export function integerOf({ value, at }: IntegerLiteral): Expr {
  return held(wholeLiteral(value), at)
}

/** Numbers with too many digits are floats; those that are too large even for that are refused. */
function held(literal: LiteralExpr, at: Span): Expr {
  const { value, domain } = literal
  if (value.kind !== "number") return literal
  const { numerator, denominator } = value.value
  const size = (numerator < 0n ? -numerator : numerator) / denominator
  const { type } = domain
  const digits = type.kind === "decimal" ? type.scale : 0
  if (type.kind !== "float" && size * 10n ** BigInt(digits) < unscaledMax) return literal
  if (type.kind === "decimal") return held(floatLiteral(value.value), at)
  if (type.kind === "float" && size < floatMax.numerator) return literal
  const remedy = "write a smaller number, or one with a point: 1e40 is a float"
  return fail("sql/may-overflow", { reason: "this number is too large", remedy }, at)
}

/** Parameters are constants that were sent beside the SQL. Text has no type of its own, as in quotes. */
export function parameterOf({ context }: Env, index: number, at: Span): Expr {
  const value = context.parameters[index - 1]
  if (value === undefined) return fail("sql/parameter-missing", { name: `$${index}` }, at)
  return held(makeLiteral(value, typeOfConstant(value)), at)
}

function typeOfConstant(value: Constant): SqlType {
  if (value.kind !== "number") return { kind: value.kind }
  const scale = scaleOf(value.value)
  if (scale === undefined || scale > scaleMax) return types.float
  return scale === 0 ? types.integer : { kind: "decimal", scale }
}
