// Brings values together that are compared, chosen from or united: text in quotes becomes what the other side
// is, a bare NULL any type, a date a timestamp.

import type { Span } from "@dosimeter/core"
import { commonType } from "@dosimeter/proof/functions/union-domain"
import { showType, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { makeCast, types } from "./build.ts"

/** The values in one type. Numbers of several types stay as they are: comparing them is exact. */
export function alike(values: readonly Expr[], at: Span): readonly Expr[] {
  const type = typeOfAll(values, at)
  const isNumber = ["integer", "decimal", "float"].includes(type.kind)
  return values.map((value) => {
    const kind = value.domain.type.kind
    if (isNumber && value.kind !== "literal" && kind !== "null") return value
    return isNumber && value.kind === "literal" && value.value.kind === "number"
      ? value
      : makeCast(value, type, at)
  })
}

/** The values in exactly one type: what CASE, COALESCE and UNION need. */
export function unified(values: readonly Expr[], at: Span): readonly Expr[] {
  const type = typeOfAll(values, at)
  return values.map((value) => makeCast(value, type, at))
}

/** The type that all values have or can be read as. Text in quotes has no type of its own. */
export function typeOfAll(values: readonly Expr[], at: Span): SqlType {
  const isQuoted = (value: Expr): boolean => value.kind === "literal" && value.value.kind === "text"
  const typed = values.filter((value) => !isQuoted(value)).map((value) => value.domain.type)
  const common = commonType(typed)
  if (common === undefined) {
    const kinds = [...new Set(typed.map(showType))].join(" and ")
    const remedy = "CAST one of them to the type of the other"
    return fail("sql/type-mismatch", { reason: `${kinds} have no type in common`, remedy }, at)
  }
  if (common.kind !== "null") return common
  return values.some(isQuoted) ? types.text : common
}

/** A value that must be true, false or NULL. */
export function toBoolean(value: Expr, at: Span, place: string): Expr {
  const { type } = value.domain
  if (type.kind === "boolean") return value
  if (type.kind === "null" || (value.kind === "literal" && value.value.kind === "text")) {
    return makeCast(value, types.boolean, at)
  }
  const reason = `${place} needs a condition, and this is ${showType(type)}`
  return fail("sql/type-mismatch", { reason, remedy: "compare it with something, such as x = 1" }, at)
}

/** A value that can be a column: a bare NULL is a text, and intervals are for adding only. */
export function settled(value: Expr, at: Span): Expr {
  if (value.domain.type.kind === "interval") {
    const remedy = "add it to a date or timestamp, or write a number of days"
    fail("sql/type-mismatch", { reason: "an interval by itself is no value here", remedy }, at)
  }
  return value.domain.type.kind === "null" ? makeCast(value, types.text, at) : value
}
