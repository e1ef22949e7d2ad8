// Calls of functions. Aggregates and windows mean what the place says (env.ts); dates have forms of their
// own.

import type { Span } from "@dosimeter/core"
import { isEstimate } from "@dosimeter/proof/functions/estimates"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Call } from "../../parse/ast.ts"
import { ancestorCall } from "./ancestor-call.ts"
import { asText, combine } from "./bind-operator.ts"
import { makeCall, makeCase, makeCast, makeLiteral, types, wholeLiteral } from "../exprs/build.ts"
import { toBoolean, unified } from "../exprs/coerce.ts"
import type { Env } from "../scope/env.ts"
import { estimateCall, isSurvivalName } from "./estimate-calls.ts"
import { nearNames } from "../scope/near-names.ts"
import {
  allFunctionNames,
  clockFunctions,
  isAggregateName,
  plainFunctions,
  refusedAggregates,
  volatileFunctions,
  windowNames,
} from "./sql-names.ts"

/** Binds a call. */
export function bindCall(env: Env, call: Call): Expr {
  const { name, at } = call
  if (call.over !== undefined) return env.window(call, env)
  if (isAggregateName(name)) return env.aggregate(call)
  if (name === "grouping") return groupingOf(env, call)
  if (Object.hasOwn(windowNames, name) || isSurvivalName(name)) {
    const remedy = `write ${name.toUpperCase()}() OVER (PARTITION BY ... ORDER BY ...)`
    return fail("sql/misplaced", { what: `${name.toUpperCase()}()`, where: "without OVER", remedy }, at)
  }
  refuseKnown(call)
  if (
    call.values === "distinct" ||
    call.orderPlace !== "none" ||
    call.filter !== undefined ||
    call.argument === "star"
  ) {
    const remedy = "drop DISTINCT, ORDER BY, FILTER and *: they belong to aggregates"
    return fail(
      "sql/misplaced",
      { what: "what aggregates have", where: `in ${name.toUpperCase()}()`, remedy },
      at,
    )
  }
  const special = Object.hasOwn(specials, name) ? specials[name] : undefined
  if (special !== undefined) return special(env, call)
  const plain = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined
  if (plain === undefined) {
    const near = nearNames(name, allFunctionNames())
    return fail("sql/unknown-function", { name, near }, at)
  }
  countArgs(call, plain.least, plain.most)
  if (isEstimate(plain.name)) return estimateCall(env, call, plain.name)
  const args = call.args.map((arg) => env.binders.expression(env, arg))
  return makeCall(plain.name, plain.together === true ? unified(args, at) : args, at)
}

function groupingOf(env: Env, call: Call): Expr {
  if (env.grouping !== undefined && call.args.length > 0) return env.grouping(call, env)
  const remedy = "use it in the select list, HAVING or ORDER BY of a query with GROUP BY"
  return fail("sql/misplaced", { what: "GROUPING()", where: "here", remedy }, call.at)
}

function refuseKnown({ name, at }: Call): void {
  if (clockFunctions.has(name)) fail("sql/clock", { name: name.toUpperCase() }, at)
  if (volatileFunctions.has(name)) {
    const remedy = "drop it: an answer depends on the data and the question only"
    fail("sql/unsupported-syntax", { what: `${name}()`, remedy }, at)
  }
  const remedy = Object.hasOwn(refusedAggregates, name) ? refusedAggregates[name] : undefined
  if (remedy !== undefined) fail("sql/unsupported-syntax", { what: name.toUpperCase(), remedy }, at)
}

function countArgs({ name, args, at }: Call, least: number, most: number): void {
  if (args.length >= least && args.length <= most) return
  const wanted = least === most ? `${least}` : `${least} to ${most}`
  const what = `${name.toUpperCase()} has ${args.length} arguments, and ${wanted} are needed`
  fail("sql/wrong-count", { what, remedy: `give it ${wanted}` }, at)
}

type Special = (env: Env, call: Call) => Expr

const specials: Readonly<Record<string, Special>> = {
  extract: extractOf,
  date_part: extractOf,
  year: (env, call) => partOf(env, call, "year"),
  quarter: (env, call) => partOf(env, call, "quarter"),
  month: (env, call) => partOf(env, call, "month"),
  day: (env, call) => partOf(env, call, "day"),
  age: refuseAge,
  ancestor: ancestorCall,
  concat: concatOf,
  log: logOf,
  date_diff: (env, call) => dateDiff(env, call),
  datediff: (env, call) => dateDiff(env, call),
  dateadd: (_env, call) => {
    const remedy = "write x + 30 for days, or x + INTERVAL '1 month'"
    return fail("sql/unsupported-syntax", { what: "DATEADD", remedy }, call.at)
  },
  if: choiceOf,
  iff: choiceOf,
  date: (env, call) => {
    countArgs(call, 1, 1)
    return makeCast(argument(env, call, 0), types.date, call.at)
  },
}

function argument(env: Env, call: Call, index: number): Expr {
  const arg = call.args[index]
  return arg === undefined
    ? fail("bug/plan-rejected", { what: "an argument is missing" }, call.at)
    : env.binders.expression(env, arg)
}

/** EXTRACT(field FROM x), also of AGE(a, b) and of the difference of two timestamps. */
function extractOf(env: Env, call: Call): Expr {
  countArgs(call, 2, 2)
  const { at } = call
  const [fieldArg, operand] = call.args
  if (fieldArg?.kind !== "string" || operand === undefined) {
    const remedy = "write the field as a word: EXTRACT(year FROM x)"
    return fail("sql/type-mismatch", { reason: "the field of EXTRACT is not a constant", remedy }, at)
  }
  const field = singular(fieldArg.value)
  if (operand.kind === "call" && operand.name === "age") return ageOf(env, operand, field)
  if (operand.kind !== "binary" || operand.operator !== "-") {
    return makeCall("extract", [word(field), moment(env.binders.expression(env, operand), at)], at)
  }
  const [a, b] = [env.binders.expression(env, operand.left), env.binders.expression(env, operand.right)]
  const isTimes = [a, b].every(isMoment) && [a, b].some(({ domain }) => domain.type.kind === "timestamp")
  return isTimes
    ? ofDifference([a, b], field, at)
    : makeCall("extract", [word(field), combine("-", [a, b], operand.at)], at)
}

function partOf(env: Env, call: Call, field: string): Expr {
  countArgs(call, 1, 1)
  return makeCall("extract", [word(field), moment(argument(env, call, 0), call.at)], call.at)
}

function word(text: string): Expr {
  return makeLiteral({ kind: "text", value: text }, types.text)
}

const plurals: Readonly<Record<string, string>> = {
  years: "year",
  months: "month",
  days: "day",
  weeks: "week",
  hours: "hour",
  minutes: "minute",
  seconds: "second",
}

function singular(text: string): string {
  const lower = text.toLowerCase()
  return (Object.hasOwn(plurals, lower) ? plurals[lower] : undefined) ?? lower
}

/** Text in quotes where a date or time is needed. */
function moment(value: Expr, at: Span): Expr {
  if (value.kind !== "literal" || value.value.kind !== "text") return value
  return makeCast(value, value.value.value.trim().length > 10 ? types.timestamp : types.date, at)
}

function isMoment({ domain }: Expr): boolean {
  return domain.type.kind === "date" || domain.type.kind === "timestamp"
}

/** Of an interval between timestamps: the seconds, or the whole days. */
function ofDifference(sides: readonly [Expr, Expr], field: string, at: Span): Expr {
  const seconds = makeCall("seconds-between", sides, at)
  if (field === "epoch") return seconds
  if (field === "day") {
    // Whole seconds first: days are counted toward zero.
    const whole = makeCall("trunc", [seconds], at)
    return makeCall("divide", [whole, wholeLiteral(86_400n)], at)
  }
  const remedy = "use EPOCH (seconds) or DAY, and divide"
  return fail(
    "sql/unsupported-syntax",
    { what: `EXTRACT(${field}) of a difference of timestamps`, remedy },
    at,
  )
}

function ageOf(env: Env, call: Call, field: string): Expr {
  const { at } = call
  if (call.args.length !== 2) return refuseAge(env, call)
  const args = call.args.map((arg) => moment(env.binders.expression(env, arg), arg.at))
  if (field === "year") return makeCall("age-years", args, at)
  if (field === "month") return makeCall("modulo", [makeCall("age-months", args, at), wholeLiteral(12n)], at)
  const remedy = "take YEAR or MONTH of it, or the days with a - b"
  return fail("sql/unsupported-syntax", { what: `EXTRACT(${field}) of AGE`, remedy }, at)
}

function refuseAge(_env: Env, call: Call): never {
  if (call.args.length === 1) fail("sql/clock", { name: "AGE with one argument" }, call.at)
  const remedy = "write EXTRACT(YEAR FROM AGE(a, b)), or a - b for days"
  return fail("sql/unsupported-syntax", { what: "AGE by itself", remedy }, call.at)
}

/** CONCAT leaves NULLs out, unlike ||. */
function concatOf(env: Env, call: Call): Expr {
  countArgs(call, 1, 100)
  const empty = makeLiteral({ kind: "text", value: "" }, types.text)
  const parts = call.args.map((arg) => {
    const value = asText(env.binders.expression(env, arg), arg.at)
    return value.domain.nullable ? makeCall("coalesce", [value, empty], arg.at) : value
  })
  return makeCall("concat", parts, call.at)
}

/** LOG(x) is to base 10, LOG(b, x) to base b. */
function logOf(env: Env, call: Call): Expr {
  countArgs(call, 1, 2)
  const { at } = call
  if (call.args.length === 1) return makeCall("log10", [argument(env, call, 0)], at)
  const [base, value] = [argument(env, call, 0), argument(env, call, 1)]
  return makeCall("divide", [makeCall("ln", [value], at), makeCall("ln", [base], at)], at)
}

/** DATE_DIFF('day', from, to), as DuckDB and Trino have it. */
function dateDiff(env: Env, call: Call): Expr {
  countArgs(call, 3, 3)
  const [unit] = call.args
  if (unit?.kind !== "string" || singular(unit.value) !== "day") {
    const remedy = "use 'day', or EXTRACT(YEAR FROM AGE(a, b)) for years"
    fail("sql/unsupported-syntax", { what: "DATE_DIFF in other units than days", remedy }, call.at)
  }
  const day = (index: number): Expr => {
    const value = moment(argument(env, call, index), call.at)
    return value.domain.type.kind === "timestamp" ? makeCast(value, types.date, call.at) : value
  }
  return makeCall("days-between", [day(2), day(1)], call.at)
}

/** IF(condition, a, b). */
function choiceOf(env: Env, call: Call): Expr {
  countArgs(call, 3, 3)
  const when = toBoolean(argument(env, call, 0), call.at, "IF")
  const [result, otherwise] = unified([argument(env, call, 1), argument(env, call, 2)], call.at)
  if (result === undefined || otherwise === undefined) return when
  return makeCase([{ when, result }], otherwise, call.at)
}
