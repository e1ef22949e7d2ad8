// Window functions. Over rows of people each must be partitioned by the unit; over results anything goes.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import {
  isEstimateAggregate,
  type RelColumn,
  type SortKey,
  type WindowItem,
} from "@dosimeter/proof/algebra/rel"
import type * as ast from "../../parse/ast.ts"
import { addItem } from "./add-window.ts"
import { writtenExpression } from "../calls/ast-parts.ts"
import { questionOf } from "../aggregates/collector.ts"
import { settled } from "../exprs/coerce.ts"
import { noWindows, type Env } from "../scope/env.ts"
import { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import { refuseRowUnit } from "../scope/relation.ts"
import { isAggregateName } from "../calls/sql-names.ts"
import { frameOf, functionItem } from "./window-parts.ts"

/** What windows mean in a SELECT: a column that is added to its rows. */
export function windowBinder(windows: readonly ast.NamedWindow[]): Env["window"] {
  return (call, env) => bindWindow({ ...env, window: noWindows("inside another one") }, call, windows)
}

function bindWindow(env: Env, call: ast.Call, windows: readonly ast.NamedWindow[]): Expr {
  const { at } = call
  const window = resolveWindow(call, windows)
  const partitionBy = window.partitionBy.map((part) => value(env, part))
  const orderBy = window.orderBy.map((item) => sortKey(value(env, item.value), item))
  const frame = window.frame === undefined ? undefined : frameOf(window.frame)
  checkUnit(env, { call, partitionBy, at })
  const place = { partitionBy, orderBy, frame }
  if (isAggregateName(call.name)) return aggregateWindow(env, call, place)
  const item = { ...functionItem(call, (part) => value(env, part), { env, place }), ...place }
  return columnExpr(addItem(env, item, { name: call.name, at }))
}

type Place = Pick<WindowItem, "partitionBy" | "orderBy" | "frame">

function value(env: Env, part: ast.Expression): Expr {
  return env.finish(settled(env.binders.expression(env, part), part.at))
}

/** One key of an order. */
export function sortKey(
  key: Expr,
  { direction, nulls }: Pick<ast.OrderItem, "direction" | "nulls">,
): SortKey {
  return { value: key, direction, nulls }
}

/** OVER name, OVER (name ...), OVER (...). */
function resolveWindow(
  { over, at }: ast.Call,
  windows: readonly ast.NamedWindow[],
  depth = 0,
): Pick<ast.Window, "partitionBy" | "orderBy" | "frame"> {
  if (over === undefined || depth > windows.length) {
    return fail("sql/misplaced", { what: "a window", where: "without OVER", remedy: "write OVER (...)" }, at)
  }
  const base = over.kind === "window-name" ? over.name : over.base
  if (base === undefined)
    return over.kind === "window" ? over : { partitionBy: [], orderBy: [], frame: undefined }
  const named = windows.find(({ name }) => name.text === base.text)
  if (named === undefined) {
    const remedy = `add WINDOW ${base.text} AS (...) after HAVING`
    return fail(
      "sql/misplaced",
      { what: `the window ${base.text}`, where: "here: it is not defined", remedy },
      base.at,
    )
  }
  const inner = resolveWindow({ ...emptyCall, over: named.window, at }, windows, depth + 1)
  if (over.kind === "window-name") return inner
  if (
    over.partitionBy.length > 0 ||
    (over.orderBy.length > 0 && inner.orderBy.length > 0) ||
    inner.frame !== undefined
  ) {
    const remedy = "write the whole window in its own brackets"
    fail("sql/misplaced", { what: "a window that changes another one", where: "here", remedy }, over.at)
  }
  const orderBy = over.orderBy.length > 0 ? over.orderBy : inner.orderBy
  return { partitionBy: inner.partitionBy, orderBy, frame: over.frame }
}

const emptyCall = {
  kind: "call",
  name: "",
  argument: "list",
  args: [],
  values: "all",
  orderBy: [],
  orderPlace: "none",
  filter: undefined,
} as const

/** A window over rows of people must not look beyond one of them. */
function checkUnit(
  env: Env,
  {
    call,
    partitionBy,
    at,
  }: { readonly call: ast.Call; readonly partitionBy: readonly Expr[]; readonly at: Span },
): void {
  const { rel, zone } = env.block.relation
  if (zone.kind !== "private") return
  refuseRowUnit(env.block.relation, "a window", at)
  if (partitionBy.some((part) => part.kind === "column" && zone.equal.has(part.id))) return
  const unit = rel.columns.find(({ id }) => id === zone.unit)?.name ?? env.context.catalog.unitName
  fail("privacy/window-over-everyone", { what: writtenExpression(call), unit }, at)
}

/** SUM, AVG and their kin over a window: the same items as over groups, one window column each. */
function aggregateWindow(env: Env, call: ast.Call, place: Place): Expr {
  const zone = env.block.relation.zone.kind === "private" ? "private" : "other"
  const collector = new PlainAggregates(env.context, zone)
  const question = questionOf(env, call)
  const finished = {
    ...question,
    value: question.value === undefined ? undefined : env.finish(question.value),
    filter: question.filter === undefined ? undefined : env.finish(question.filter),
  }
  if (finished.values === "distinct" && question.name === "count") {
    const remedy = "count distinct values in a subquery with GROUP BY, and join it"
    fail("sql/unsupported-syntax", { what: "DISTINCT in a window function", remedy }, call.at)
  }
  const reading = collector.add(finished)
  const columns = new Map<number, RelColumn>()
  for (const { item, column } of collector.items) {
    const args = item.argument === undefined ? [] : [item.argument]
    if (isEstimateAggregate(item.function)) return failWindow(call)
    columns.set(
      column.id,
      addItem(env, { function: item.function, args, ...place }, { name: call.name, at: call.at }),
    )
  }
  return reading((column) => columnExpr(columns.get(column.id) ?? column))
}

function failWindow({ name, at }: ast.Call): never {
  const remedy = "use GROUP BY in a subquery, and join it"
  return fail("sql/unsupported-syntax", { what: `${name.toUpperCase()} as a window function`, remedy }, at)
}
