// A subquery as a value that compares with the outer query: one value for each combination of what it
// compares, joined on it.

import type { Span } from "@dosimeter/core"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Call, Expression } from "../../parse/ast.ts"
import { aggregatesIn } from "../calls/ast-parts.ts"
import { makeAnd, makeCall, wholeLiteral } from "../exprs/build.ts"
import { InputColumns, questionOf, type Reading } from "../aggregates/collector.ts"
import { gather } from "../scope/context.ts"
import { noWindows, type Env } from "../scope/env.ts"
import { aggregated } from "../groups/group-rows.ts"
import { noNames, nullable } from "../scope/names.ts"
import { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import { addJoin, equality, failShape, scalarEnv, type Correlated } from "./scalar-parts.ts"

/** One value for each combination of what WHERE compares; no such rows: NULL, or 0 for counts. */
export function correlated(env: Env, { rows, select, at }: Correlated): Expr {
  const { context } = env
  const [item] = select.items
  if (item?.kind !== "output") return failShape(at)
  const pairs = gather(rows.outerConditions, (condition) => equality(env, rows, condition, at))
  const input = new InputColumns(context)
  const keys = pairs.map(({ own }) => input.of(own, "key"))
  const zone = rows.block.relation.zone.kind
  const items = new PlainAggregates(context, zone === "private" ? "private" : "other", input)
  const questions = scalarEnv(env, rows)
  const readings = new Map<Call, Reading>()
  gather(aggregatesIn(item.value), (call) => {
    readings.set(call, items.add(questionOf(questions, call)))
  })
  const unique = [...new Map(keys.map((column) => [column.id, column])).values()]
  const grouped = aggregated(input.project(rows.block.relation), { keys: unique, items, at })
  const condition = makeAnd(
    pairs.map(({ outer }, index) => makeCall("equal", [keyOf(keys, index, at), outer], at)),
  )
  addJoin(env, { relation: grouped, names: rows.names }, { condition, at })
  const read = (column: RelColumn): Expr => {
    const value = columnExpr(nullable(column))
    return items.isCount(column) ? makeCall("coalesce", [value, wholeLiteral(0n)], at) : value
  }
  return scalarValue(env, { value: item.value, readings, read })
}

function keyOf(keys: readonly RelColumn[], index: number, at: Span): Expr {
  const key = keys[index]
  return key === undefined ? failShape(at) : columnExpr(key)
}

interface ScalarValue {
  readonly value: Expression
  readonly readings: ReadonlyMap<Call, Reading>
  readonly read: (column: RelColumn) => Expr
}

/** Outside of its aggregates the value may hold constants only. */
function scalarValue(env: Env, { value, readings, read }: ScalarValue): Expr {
  const own: Env = {
    ...env,
    names: noNames,
    outer: undefined,
    aggregate: (call) => readings.get(call)?.(read) ?? failShape(call.at),
    window: noWindows("in a subquery as a value"),
    finish: (part) => part,
  }
  return env.binders.expression(own, value)
}
