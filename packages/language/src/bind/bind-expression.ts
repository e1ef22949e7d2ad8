// Values: what an analyst wrote to typed expressions.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Between, Case, Expression, InList, Is, Like, Row } from "../parse/ast.ts"
import { bindCall } from "./calls/bind-call.ts"
import { bindCast } from "./calls/bind-cast.ts"
import { decimalOf, integerOf, parameterOf } from "./calls/bind-literal.ts"
import { bindBinary, bindUnary, compare } from "./calls/bind-operator.ts"
import { bindExists, bindIn, bindQuantified } from "./subqueries/bind-subquery.ts"
import { bindScalar } from "./subqueries/bind-scalar.ts"
import { booleanLiteral, makeCall, makeCase, makeLiteral, nullLiteral, types } from "./exprs/build.ts"
import { alike, toBoolean, unified } from "./exprs/coerce.ts"
import { limits, limitTo } from "./scope/context.ts"
import { resolveColumn, type Env, type Use } from "./scope/env.ts"

/** Binds a value. */
export function bindExpression(env: Env, value: Expression, use: Use = "value"): Expr {
  const { at } = value
  switch (value.kind) {
    case "integer":
      return integerOf(value)
    case "decimal":
      return decimalOf(value)
    case "string":
      return makeLiteral({ kind: "text", value: value.value }, types.text)
    case "boolean":
      return booleanLiteral(value.value)
    case "null":
      return nullLiteral(types.null)
    case "column":
      return resolveColumn(env, value.path, at)
    case "parameter":
      return parameterOf(env, value.index, at)
    case "unary":
      return bindUnary(env, value)
    case "binary":
      return bindBinary(env, value)
    case "logical": {
      const operands = value.operands.map((operand) => condition(env, operand, use))
      return makeCall(value.operator, operands, at)
    }
    case "not":
      return makeCall("not", [condition(env, value.operand, "value")], at)
    case "is":
      return bindIs(env, value)
    case "distinct-from": {
      const [left, right] = [bindExpression(env, value.left), bindExpression(env, value.right)]
      return makeCall("distinct-from", alike([left, right], at), at)
    }
    case "between":
      return bindBetween(env, value)
    case "in-list":
      return bindInList(env, value)
    case "in-query":
      return bindIn(env, value, use)
    case "like":
      return bindLike(env, value)
    case "case":
      return bindCase(env, value)
    case "cast":
      return bindCast(env, value)
    case "call":
      return bindCall(env, value)
    case "exists":
      return bindExists(env, value)
    case "scalar-query":
      return bindScalar(env, value)
    case "quantified":
      return bindQuantified(env, value, use)
    case "row":
      return refuseRow(value)
    default:
      return value satisfies never
  }
}

function condition(env: Env, value: Expression, use: Use): Expr {
  return toBoolean(bindExpression(env, value, use), value.at, "AND, OR and NOT")
}

function refuseRow({ at }: Row): never {
  const remedy = "compare rows with = or IN: (a, b) = (1, 2)"
  return fail("sql/unsupported-syntax", { what: "a row of values here", remedy }, at)
}

function bindIs(env: Env, { operand, test, at }: Is): Expr {
  const value = bindExpression(env, operand)
  if (test === "null") return makeCall("is-null", [value], at)
  const truth = toBoolean(value, operand.at, "IS TRUE")
  if (test === "unknown") return makeCall("is-null", [truth], at)
  return makeCall(test === "true" ? "is-true" : "is-false", [truth], at)
}

function bindBetween(env: Env, { operand, low, high, order, at }: Between): Expr {
  const value = bindExpression(env, operand)
  const [a, b] = [bindExpression(env, low), bindExpression(env, high)]
  const between = (from: Expr, to: Expr): Expr =>
    makeCall("and", [compare(">=", value, from, at), compare("<=", value, to, at)], at)
  return order === "given" ? between(a, b) : makeCall("or", [between(a, b), between(b, a)], at)
}

function bindInList(env: Env, { operand, items, at }: InList): Expr {
  limitTo(limits.items, items.length, {
    what: "items in one IN list",
    remedy: "put the values into a public table, and write IN (SELECT ... FROM it)",
    at,
  })
  if (operand.kind === "row") return rowInList(env, operand, { items, at })
  const values = [operand, ...items].map((item) => bindExpression(env, item))
  return makeCall("in-list", alike(values, at), at)
}

/** (a, b) IN ((1, 2), (3, 4)) is (a = 1 AND b = 2) OR (a = 3 AND b = 4), NULLs included. */
function rowInList(
  env: Env,
  operand: Row,
  { items, at }: { readonly items: readonly Expression[]; readonly at: Span },
): Expr {
  const values = operand.items.map((item) => bindExpression(env, item))
  const choices = items.map((item) => {
    if (item.kind !== "row" || item.items.length !== values.length) {
      const what = `each item of IN must be a row of ${values.length} values`
      return fail("sql/wrong-count", { what, remedy: "write (a, b) IN ((1, 2), (3, 4))" }, item.at)
    }
    const pairs = values.map((value, index) => {
      const part = item.items[index]
      return part === undefined ? value : compare("=", value, bindExpression(env, part), item.at)
    })
    return pairs.length === 1 ? (pairs[0] ?? booleanLiteral(true)) : makeCall("and", pairs, at)
  })
  return choices.length === 1 ? (choices[0] ?? booleanLiteral(false)) : makeCall("or", choices, at)
}

function bindLike(env: Env, { operand, pattern, escape, letters, at }: Like): Expr {
  const parts = [operand, pattern, ...(escape === undefined ? [] : [escape])]
  const args = parts.map((part) => bindExpression(env, part))
  return makeCall(letters === "exact" ? "like" : "like-any-case", args, at)
}

function bindCase(env: Env, { operand, branches, otherwise, at }: Case): Expr {
  const subject = operand === undefined ? undefined : bindExpression(env, operand)
  const whens = branches.map(({ when }) => {
    if (subject === undefined) {
      return toBoolean(bindExpression(env, when, "filter"), when.at, "WHEN")
    }
    return compare("=", subject, bindExpression(env, when), when.at)
  })
  const last = otherwise === undefined ? nullLiteral(types.null) : bindExpression(env, otherwise)
  const values = unified([...branches.map(({ result }) => bindExpression(env, result)), last], at)
  const end = values.at(-1) ?? last
  const arms = whens.map((when, index) => ({ when, result: values[index] ?? end }))
  return makeCase(arms, end, at)
}
