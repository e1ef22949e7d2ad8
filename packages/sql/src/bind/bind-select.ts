// SELECT: rows from FROM and WHERE, groups, windows, outputs, DISTINCT, and what ORDER BY needs.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { Expr } from "../ir/expr.ts"
import { columnExpr } from "../ir/make.ts"
import type { RelColumn, SortKey } from "../ir/rel.ts"
import { columnsIn } from "../ir/walk.ts"
import type { Expression, OrderItem, Select } from "../parse/ast.ts"
import { aggregatesIn, writtenExpression } from "./ast-parts.ts"
import { bindFrom } from "./bind-from.ts"
import { aggregated, atPosition, bindGroups, boundary, noteUnit, type Grouped } from "./bind-group.ts"
import { sortKey, windowBinder } from "./bind-window.ts"
import { makeAnd } from "./build.ts"
import { settled, toBoolean } from "./coerce.ts"
import { gather, gatherAll } from "./context.ts"
import { noAggregates, noWindows, type Block, type Env, type OutputColumn, type QueryScope, type Rows } from "./env.ts"
import { exprKey } from "./expr-key.ts"
import { PlainAggregates } from "./plain-aggregates.ts"
import { filtered, projected, refuseRowUnit, unitAmong, type Relation } from "./relation.ts"
import { selectOutputs, type SelectOutput } from "./select-outputs.ts"

/** A SELECT, bound: its outputs, and the order that was asked for. */
export interface BoundSelect {
  readonly relation: Relation
  readonly outputs: readonly OutputColumn[]
  readonly orderBy: readonly SortKey[]
  readonly rows: "one" | "any"
}

/** Binds FROM and WHERE. Conditions that name the outer query are kept apart. */
export function bindRows(scope: QueryScope, select: Select): Rows {
  const where = { rest: new Set(select.where === undefined ? [] : conjuncts(select.where)) }
  const { relation, names } = bindFrom(scope, select.from, where)
  const block: Block = { relation }
  const env: Env = {
    ...scope,
    names,
    block,
    outerUse: "allowed",
    aggregate: noAggregates("in WHERE", "use HAVING, or aggregate in a subquery"),
    window: noWindows("in WHERE"),
    finish: (value) => value,
  }
  const conditions = gather([...where.rest], (part) =>
    toBoolean(scope.binders.expression(env, part, "filter"), part.at, "WHERE"),
  )
  const own = new Set(block.relation.rel.columns.map(({ id }) => id))
  const isOwn = (value: Expr): boolean => [...columnsIn(value)].every((id) => own.has(id))
  block.relation = filtered(block.relation, makeAnd(conditions.filter(isOwn)), select.where?.at)
  return { block, names, outerConditions: conditions.filter((value) => !isOwn(value)) }
}

function conjuncts(value: Expression): readonly Expression[] {
  return value.kind === "logical" && value.operator === "and" ? value.operands.flatMap(conjuncts) : [value]
}

/** Binds a SELECT; `given` are its FROM and WHERE, if they are bound already. */
export function bindSelect(
  scope: QueryScope,
  { select, orderBy, given }: { readonly select: Select; readonly orderBy: readonly OrderItem[]; readonly given: Rows | undefined },
): BoundSelect {
  const rows = given ?? bindRows(scope, select)
  refuseOuter(scope, rows, select)
  const outputs = selectOutputs(select, rows.names)
  const { env, groups } = outputEnv(scope, { select, orderBy, rows, outputs })
  let values: readonly Expr[] = []
  let keys: readonly OrderKey[] = []
  gatherAll(
    () => {
      values = gather(outputs, (output) => outputValue(env, output, groups))
    },
    () => {
      keys = gather(orderBy, (item) => orderKey(env, { item, outputs, groups }))
    },
  )
  const one = rows.names.tables.length === 0 && select.where === undefined
  const isOne = groups === undefined ? one : select.groupBy.length === 0 && select.having === undefined
  return finishSelect(scope, { select, block: env.block, outputs, values, keys, rows: isOne ? "one" : "any" })
}

function refuseOuter({ context }: QueryScope, { outerConditions }: Rows, { at }: Select): void {
  const [first] = outerConditions
  if (first === undefined) return
  const found = [...placesIn(first, (part) => context.places.get(part))][0]
  fail("sql/correlated", { name: "a column in this condition" }, found ?? at)
}

function* placesIn(value: Expr, placeOf: (part: Expr) => Span | undefined): Generator<Span> {
  const at = placeOf(value)
  if (at !== undefined) yield at
  if (value.kind === "call") for (const arg of value.args) yield* placesIn(arg, placeOf)
}

interface Parts {
  readonly select: Select
  readonly orderBy: readonly OrderItem[]
  readonly rows: Rows
  readonly outputs: readonly SelectOutput[]
}

/** Where outputs are bound: over the rows, or over their groups. */
function outputEnv(
  scope: QueryScope,
  { select, orderBy, rows, outputs }: Parts,
): { readonly env: Env; readonly groups: Grouped | undefined } {
  const base = { ...scope, names: rows.names, outerUse: "refused", window: windowBinder(select.windows) } as const
  const asked = [
    ...outputs.flatMap(({ value }) => (value === undefined ? [] : [value])),
    ...orderBy.map(({ value }) => value),
    ...(select.having === undefined ? [] : [select.having]),
    ...select.windows.flatMap(({ window }) => [...window.partitionBy, ...window.orderBy.map(({ value }) => value)]),
  ]
  const aggregates = asked.flatMap((value) => aggregatesIn(value))
  if (select.groupBy.length === 0 && select.having === undefined && aggregates.length === 0) {
    const aggregate = noAggregates("here", "aggregate in a subquery")
    return { env: { ...base, block: rows.block, aggregate, finish: (value) => value }, groups: undefined }
  }
  const groups = bindGroups(scope, { rows, groupBy: select.groupBy, outputs, aggregates, at: select.at })
  const env: Env = { ...base, block: groups.block, aggregate: groups.aggregate, finish: groups.finish }
  if (select.having !== undefined) {
    const { having } = select
    const inHaving = { ...env, window: noWindows("in HAVING") }
    const condition = env.finish(toBoolean(scope.binders.expression(inHaving, having, "filter"), having.at, "HAVING"))
    groups.block.relation = filtered(groups.block.relation, condition, having.at)
  }
  return { env, groups }
}

function outputValue(env: Env, { value, column, name }: SelectOutput, groups: Grouped | undefined): Expr {
  if (value === undefined) {
    if (column === undefined) return fail("sql/unknown-column", { name, near: "" })
    return env.finish(columnExpr(column))
  }
  return groups?.keyOf(value) ?? settled(env.finish(env.binders.expression(env, value)))
}

/** An output, or a value of its own. */
type OrderKey = { readonly item: OrderItem } & (
  | { readonly output: number }
  | { readonly value: Expr; readonly ast: Expression }
)

interface OrderRequest {
  readonly item: OrderItem
  readonly outputs: readonly SelectOutput[]
  readonly groups: Grouped | undefined
}

/** ORDER BY prefers the names of outputs, and knows their positions. */
function orderKey(env: Env, { item, outputs, groups }: OrderRequest): OrderKey {
  const { value } = item
  if (value.kind === "integer") {
    return { item, output: outputs.indexOf(atPosition(outputs, value.value, value.at)) }
  }
  if (value.kind === "column" && value.path.length === 1) {
    const name = value.path[0]?.text
    const output = outputs.findIndex((one) => one.name === name)
    if (output >= 0) return { item, output }
  }
  const bound = groups?.keyOf(value) ?? settled(env.finish(env.binders.expression(env, value)))
  return { item, value: bound, ast: value }
}

interface Finish {
  readonly select: Select
  readonly block: Block
  readonly outputs: readonly SelectOutput[]
  readonly values: readonly Expr[]
  readonly keys: readonly OrderKey[]
  readonly rows: "one" | "any"
}

function finishSelect(scope: QueryScope, { select, block, outputs, values, keys, rows }: Finish): BoundSelect {
  const items = outputs.flatMap(({ name }, index) => {
    const value = values[index]
    return value === undefined ? [] : [{ name, value }]
  })
  const places = new Map(items.map(({ value }, index) => [exprKey(value), index]))
  const isCut = select.distinct !== undefined || block.relation.zone.kind === "private"
  const order = keys.map((key) => ({ key, index: "output" in key ? key.output : places.get(exprKey(key.value)) }))
  for (const { key, index } of order) {
    if (index === undefined && select.distinct !== undefined && "ast" in key) {
      const what = `${writtenExpression(key.ast)} in ORDER BY`
      const remedy = "add it to the select list"
      fail("sql/misplaced", { what, where: "beside SELECT DISTINCT", remedy }, key.item.at)
    }
  }
  // Values that are only sorted by stand behind the outputs. Rows of people are not sorted.
  const extra = isCut
    ? []
    : order.flatMap(({ key, index }) => (index === undefined && "value" in key ? [{ name: "order", value: key.value }] : []))
  const { relation, columns } = projected(scope.context, block.relation, [...items, ...extra])
  let next = items.length
  const orderBy = isCut && select.distinct === undefined ? [] : order.flatMap(({ key, index }): readonly SortKey[] => {
    const column = columns[index ?? next]
    if (index === undefined) next += 1
    return column === undefined ? [] : [sortKey(columnExpr(column), key.item)]
  })
  const visible = columns.slice(0, items.length)
  return {
    relation: select.distinct === undefined ? relation : distinctRows(scope, { relation, visible, select }),
    outputs: visible.map((column, index) => ({ name: outputs[index]?.name ?? column.name, column })),
    orderBy,
    rows,
  }
}

interface DistinctRequest {
  readonly relation: Relation
  readonly visible: readonly RelColumn[]
  readonly select: Select
}

function distinctRows(scope: QueryScope, { relation, visible, select }: DistinctRequest): Relation {
  const at = select.distinct?.at ?? select.at
  if ((select.distinct?.on.length ?? 0) > 0) {
    if (relation.zone.kind === "private") {
      fail("privacy/limit-inside", { what: "DISTINCT ON", unit: scope.context.catalog.unitName }, at)
    }
    const remedy = "number the rows with ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ...), and keep the first"
    fail("sql/unsupported-syntax", { what: "DISTINCT ON", remedy }, at)
  }
  return distinctOver(scope, { relation, visible, at })
}

/** Different rows: of one unit, of nobody, or (as keys of a boundary) of people. */
export function distinctOver(
  scope: QueryScope,
  { relation, visible, at }: { readonly relation: Relation; readonly visible: readonly RelColumn[]; readonly at: Span },
): Relation {
  const { zone } = relation
  refuseRowUnit(relation, "DISTINCT", at)
  const own = zone.kind === "private" ? unitAmong(zone, new Set(visible.map(({ id }) => id))) : undefined
  if (zone.kind === "private" && own === undefined) {
    const free = visible.find(({ domain }) => domain.freeText === true)
    if (free !== undefined) fail("privacy/free-text-key", { name: free.name }, at)
    return boundary(scope, relation, { keys: visible, measures: undefined, at })
  }
  if (own === "telling") noteUnit(scope, relation)
  return aggregated(relation, { keys: visible, items: new PlainAggregates(scope.context, "other"), at })
}
