// Operators between values: arithmetic, comparisons, dates and days, text.

import type { Span } from "@dosimeter/core"
import type { FunctionName } from "@dosimeter/proof/functions/function-name"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Binary, Row, Unary } from "../../parse/ast.ts"
import { makeCall, makeCast, types } from "../exprs/build.ts"
import { alike } from "../exprs/coerce.ts"
import type { Env } from "../scope/env.ts"

const comparisons: Readonly<Record<string, FunctionName>> = {
  "=": "equal",
  "<>": "not-equal",
  "<": "less",
  "<=": "less-or-equal",
  ">": "greater",
  ">=": "greater-or-equal",
}

const arithmetic: Readonly<Record<string, FunctionName>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "modulo",
  "^": "power",
}

/** x op y of a comparison; `operator` is one of = <> < <= > >=. */
export function compare(operator: string, left: Expr, right: Expr, at: Span): Expr {
  const name = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (name === undefined) return refuseOperator(operator, at)
  return makeCall(name, alike([left, right], at), at)
}

/** Binds an operator between two values. */
export function bindBinary(env: Env, { operator, left, right, at }: Binary): Expr {
  if (left.kind === "row" || right.kind === "row") {
    return left.kind === "row" && right.kind === "row"
      ? compareRows(env, operator, { left, right, at })
      : fail(
          "sql/wrong-count",
          { what: "a row is compared with one value", remedy: "write (a, b) = (1, 2)" },
          at,
        )
  }
  return combine(operator, [env.binders.expression(env, left), env.binders.expression(env, right)], at)
}

/** x op y of two bound values. */
export function combine(operator: string, [a, b]: readonly [Expr, Expr], at: Span): Expr {
  if (Object.hasOwn(comparisons, operator)) return compare(operator, a, b, at)
  if (operator === "||") return makeCall("concat", [asText(a, at), asText(b, at)], at)
  const name = Object.hasOwn(arithmetic, operator) ? arithmetic[operator] : undefined
  if (name === undefined) return refuseOperator(operator, at)
  return ofDates(operator, [a, b], at) ?? makeCall(name, numbers([a, b], at), at)
}

/** Rows are equal if all their parts are, and unequal otherwise. */
function compareRows(
  env: Env,
  operator: string,
  { left, right, at }: { readonly left: Row; readonly right: Row; readonly at: Span },
): Expr {
  if (left.items.length !== right.items.length || left.items.length === 0) {
    const what = `a row of ${left.items.length} values is compared with one of ${right.items.length}`
    fail("sql/wrong-count", { what, remedy: "give both rows as many values" }, at)
  }
  if (operator !== "=" && operator !== "<>") {
    const remedy = "write a < c OR (a = c AND b < d)"
    fail("sql/unsupported-syntax", { what: `rows compared with ${operator}`, remedy }, at)
  }
  const pairs = left.items.flatMap((item, index) => {
    const other = right.items[index]
    if (other === undefined) return []
    return [compare("=", env.binders.expression(env, item), env.binders.expression(env, other), at)]
  })
  const equal = makeCall("and", pairs, at)
  return operator === "=" ? equal : makeCall("not", [equal], at)
}

/** A value as text, for ||. */
export function asText(value: Expr, at: Span): Expr {
  const isText = value.domain.type.kind === "text" || value.domain.type.kind === "null"
  return isText ? value : makeCast(value, types.text, at)
}

/** Text in quotes beside a number is a number. */
function numbers(values: readonly Expr[], at: Span): readonly Expr[] {
  return values.some((value) => value.kind === "literal" && value.value.kind === "text")
    ? alike(values, at)
    : values
}

function ofDates(operator: string, [a, b]: readonly [Expr, Expr], at: Span): Expr | undefined {
  const kinds = [a.domain.type.kind, b.domain.type.kind] as const
  const isMoment = kinds.map((kind) => kind === "date" || kind === "timestamp")
  if (!isMoment[0] && !isMoment[1]) return undefined
  if (operator === "+") {
    const [moment, added] = isMoment[0] ? [a, b] : [b, a]
    return plus(moment, added, at)
  }
  if (operator !== "-" || !isMoment[0]) return undefined
  if (kinds[1] === "interval" || kinds[1] === "integer") return plus(a, negated(b, at), at)
  const [x, y] = alike([a, b], at)
  if (x === undefined || y === undefined) return undefined
  if (x.domain.type.kind === "date") return makeCall("days-between", [x, y], at)
  const remedy = "take the days with x::date - y::date, or the seconds with EXTRACT(EPOCH FROM x - y)"
  return fail("sql/unsupported-syntax", { what: "the interval between two timestamps", remedy }, at)
}

function plus(moment: Expr, added: Expr, at: Span): Expr | undefined {
  if (added.domain.type.kind === "interval") return makeCall("add-interval", [moment, added], at)
  if (moment.domain.type.kind !== "date") return undefined
  if (added.domain.type.kind === "null") return makeCall("add-days", [moment, added], at)
  return added.domain.type.kind === "integer" ? makeCall("add-days", [moment, added], at) : undefined
}

/** Minus a number of days or an interval. */
function negated(value: Expr, at: Span): Expr {
  if (value.kind === "literal" && value.value.kind === "interval") {
    const { months, days, micros } = value.value
    return { ...value, value: { kind: "interval", months: -months, days: -days, micros: -micros } }
  }
  return makeCall("negate", [value], at)
}

/** Binds -x and +x. */
export function bindUnary(env: Env, { operator, operand, at }: Unary): Expr {
  const value = env.binders.expression(env, operand)
  if (operator === "+") {
    makeCall("negate", [value], at) // It changes nothing, but must be a number.
    return value
  }
  if (operator === "-") return negated(value, at)
  return refuseOperator(operator, at)
}

function refuseOperator(operator: string, at: Span): never {
  const remedy = operator.startsWith("~")
    ? "write LIKE, ILIKE, or several of them with OR"
    : "docs/sql-reference.md lists all operators"
  return fail("sql/unsupported-syntax", { what: `the operator ${operator}`, remedy }, at)
}
