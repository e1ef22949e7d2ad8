// Estimates about a population: calls, aggregates and windows that stand over results only.

import type { Span } from "@dosimeter/core"
import type { EstimateName } from "@dosimeter/proof/functions/function-name"
import { numericOf } from "@dosimeter/proof/functions/numeric-domain"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { EstimateAggregate, WindowItem } from "@dosimeter/proof/algebra/rel"
import type * as ast from "../../parse/ast.ts"
import { makeCall, wholeLiteral } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"
import { survivalNames } from "./sql-names.ts"

const perDefault = 1000n
const remedy = "count people in a subquery with GROUP BY first, and use it over the results"

/** A call such as RISK_RATIO; RATE_PER is per 1000 unless it says otherwise. */
export function estimateCall(env: Env, call: ast.Call, name: EstimateName): Expr {
  refuseRows(env, call)
  const args = call.args.map((arg) => env.binders.expression(env, arg))
  const isShort = name === "rate-per" && args.length === 2
  return makeCall(name, isShort ? [...args, wholeLiteral(perDefault)] : args, call.at)
}

/** Over rows of people these functions would say something of each of them, and no database has them. */
function refuseRows(env: Env, { name, at }: Pick<ast.Call, "name" | "at">): void {
  if (env.block.relation.zone.kind === "private") failOverRows(name, at)
}

/** Fails: the function stands over rows of people. */
export function failOverRows(name: string, at: Span): never {
  return fail("sql/misplaced", { what: name.toUpperCase(), where: "over rows of people", remedy }, at)
}

/** The arguments of an aggregate that takes several, side by side. */
export function aggregateRow(env: Env, call: ast.Call, name: EstimateAggregate): Expr {
  const { args, at } = call
  const isRate = name === "standardised-rate"
  if (args.length !== 4 && !(isRate && args.length === 3)) {
    const form = isRate ? "(events, people, weight, 1000)" : "(events, censored, bin, group)"
    const what = `${call.name.toUpperCase()} does not take these arguments`
    return fail("sql/wrong-count", { what, remedy: `write ${call.name.toUpperCase()}${form}` }, at)
  }
  const parts = args.map((arg) => env.binders.expression(env, arg))
  const numbers = isRate ? parts.slice(0, 3) : parts.slice(0, 2)
  const wrong = numbers.find(({ domain }) => numericOf({ domain }) === undefined)
  if (wrong !== undefined) {
    const reason = `${call.name.toUpperCase()} needs numbers as its first ${isRate ? "three" : "two"} arguments`
    return fail("sql/type-mismatch", { reason, remedy: "give it counts, or sums of them" }, at)
  }
  const per = parts[3]
  if (isRate && per !== undefined && !isPositive(per)) {
    const reason = `${call.name.toUpperCase()} needs a constant above 0 as its fourth argument`
    return fail("sql/type-mismatch", { reason, remedy: "write 1000 there, for example" }, at)
  }
  return makeCall("row-of", isRate && per === undefined ? [...parts, wholeLiteral(perDefault)] : parts, at)
}

function isPositive(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value.kind === "number" && expr.value.value.numerator > 0n
}

/** Whether a function goes along time bins. */
export function isSurvivalName(name: string): boolean {
  return survivalNames.includes(name)
}

/** Checks a call of KAPLAN_MEIER or AT_RISK. */
export function checkSurvival(env: Env, call: ast.Call, place: Pick<WindowItem, "orderBy" | "frame">): void {
  const { args, at } = call
  const name = call.name.toUpperCase()
  refuseRows(env, call)
  if (args.length !== 2 || call.argument === "star") {
    const what = `${name} does not take these arguments`
    fail("sql/wrong-count", { what, remedy: `write ${name}(events, censored) OVER (ORDER BY bin)` }, at)
  }
  if (
    place.orderBy.length === 0 ||
    place.frame !== undefined ||
    call.filter !== undefined ||
    call.values === "distinct"
  ) {
    const form = `write ${name}(events, censored) OVER (PARTITION BY group ORDER BY bin)`
    fail(
      "sql/misplaced",
      { what: name, where: "without an order of bins, or with a frame or FILTER", remedy: form },
      at,
    )
  }
}

/** The item of KAPLAN_MEIER or AT_RISK. */
export function survivalItem(
  call: ast.Call,
  value: (part: ast.Expression) => Expr,
): Pick<WindowItem, "function" | "args"> {
  const args = call.args.map(value)
  if (args.some(({ domain }) => numericOf({ domain }) === undefined)) {
    const reason = `${call.name.toUpperCase()} needs numbers`
    return fail("sql/type-mismatch", { reason, remedy: "give it counts, or sums of them" }, call.at)
  }
  // Fails at its place where the two cannot be added.
  makeCall("add", args, call.at)
  return { function: call.name === "at_risk" ? "at-risk" : "kaplan-meier", args }
}
