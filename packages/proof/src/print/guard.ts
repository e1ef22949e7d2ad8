// The second guard against failures: what could fail if a range were false is asked for inside TRY.

import { unreachable } from "@dosimeter/core/errors"
import type { FunctionName } from "../functions/function-name.ts"
import { sameType } from "../catalog/sql-type.ts"
import type { CallExpr, Expr } from "../algebra/expr.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"

/**
 * What is written for an expression, so that a failure is NULL.
 *
 * Guarantee: where the database has TRY, no row makes the expression fail, even if a derived range is false.
 * Needs: what is guarded is a function of one row: TRY takes no aggregate, window or subquery. Relations keep
 *   those apart from expressions.
 * Proof: spellings have a result for every row because ranges are facts; if one were false, a cast or a
 *   product could fail for the row that leaves it, and the failure would show that the row is there. NULL
 *   stands in place of it, and is sound everywhere: a condition that is NULL keeps no row, NULL adds nothing
 *   to a sum (proveExtract counts it as 0), NULL is a key like any other. Every call is guarded by itself,
 *   and casts of its arguments give NULL by themselves (coerce): DuckDB computes what is written twice only
 *   once, and takes it out of the TRY around both.
 * Numerics: none.
 * Source: this file; tried over false ranges in guard.node.test.ts.
 */
export function guarded(text: string, expr: Expr, { casts: { attempt } }: DialectSpelling): string {
  return attempt !== undefined && mayFail(expr) ? attempt(text) : text
}

/** Has a result for every value of the arguments' stored types, whatever ranges say. */
const harmless: ReadonlySet<FunctionName> = new Set<FunctionName>([
  "and",
  "or",
  "not",
  "is-null",
  "is-true",
  "is-false",
  "lower",
  "upper",
  "length",
  "trim",
  "trim-start",
  "trim-end",
  "concat",
  "starts-with",
  "like",
  "like-any-case",
  "extract",
  "date-trunc",
])

/** The same, where all arguments have one type: then the casts between them only widen. */
const harmlessAlike: ReadonlySet<FunctionName> = new Set<FunctionName>([
  "equal",
  "not-equal",
  "less",
  "less-or-equal",
  "greater",
  "greater-or-equal",
  "distinct-from",
  "in-list",
  "coalesce",
])

/** Whether an expression could fail by itself, its parts aside, if a range were false. */
export function mayFail(expr: Expr): boolean {
  switch (expr.kind) {
    case "call":
      return !isHarmless(expr)
    case "case":
      return !areAlike(expr, [...expr.branches.map(({ result }) => result), expr.otherwise])
    case "share":
    case "weight":
      return true
    // Steps have a result for every value of their operand's stored type.
    case "steps":
    case "column":
    case "literal":
    case "keyed-hash":
      return false
    default:
      return unreachable(expr)
  }
}

function isHarmless(call: CallExpr): boolean {
  return (
    harmless.has(call.name) || (harmlessAlike.has(call.name) && areAlike(call.args[0] ?? call, call.args))
  )
}

function areAlike({ domain: { type } }: Expr, others: readonly Expr[]): boolean {
  return others.every(({ domain }) => domain.type.kind === "null" || sameType(domain.type, type))
}
