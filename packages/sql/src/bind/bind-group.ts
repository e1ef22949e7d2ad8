// GROUP BY and aggregates. Over rows of people a group is either one unit's own (then it is an Aggregate, still
// private), or of many people: that is the boundary, and what comes after it is released.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { ColumnId, Expr } from "../ir/expr.ts"
import { columnExpr } from "../ir/make.ts"
import type { RelColumn } from "../ir/rel.ts"
import { partsOf } from "../ir/walk.ts"
import type { Call, Expression, GroupItem } from "../parse/ast.ts"
import { writtenExpression } from "./ast-parts.ts"
import { InputColumns, keptOf, questionOf, type Reading } from "./collector.ts"
import { settled } from "./coerce.ts"
import { gather } from "./context.ts"
import { noAggregates, noWindows, type Block, type Env, type QueryScope, type Rows } from "./env.ts"
import { exprKey } from "./expr-key.ts"
import { Measures } from "./measures.ts"
import { findColumn } from "./names.ts"
import { PlainAggregates } from "./plain-aggregates.ts"
import { unitAmong, type PrivateZone, type Relation } from "./relation.ts"
import { withParts } from "./replace.ts"
import type { SelectOutput } from "./select-outputs.ts"

/** Rows that are to be grouped, and how. */
export interface Grouping {
  readonly rows: Rows
  readonly groupBy: readonly GroupItem[]
  readonly outputs: readonly SelectOutput[]
  readonly aggregates: readonly Call[]
  readonly at: Span
}

/** Groups, and what expressions over the input mean over them. */
export interface Grouped {
  readonly block: Block
  /** From an expression over the input to one over the groups. */
  readonly finish: (value: Expr) => Expr
  readonly aggregate: (call: Call) => Expr
  /** Outputs that are a key as they stand. */
  readonly keyOf: (value: Expression) => Expr | undefined
}

interface Key {
  readonly value: Expr
  readonly ast: Expression | undefined
  readonly name: string
  readonly at: Span
}

/** Groups rows. */
export function bindGroups(scope: QueryScope, { rows, groupBy, outputs, aggregates, at }: Grouping): Grouped {
  const env = inputEnv(scope, rows)
  const keys = gather(groupBy, (item) => bindKey(env, item, outputs))
  const input = new InputColumns(scope.context)
  const keyColumns = keys.map(({ value, name }) => input.of(value, name))
  const { zone } = rows.block.relation
  const plain = new Set(keys.flatMap(({ value }) => (value.kind === "column" ? [value.id] : [])))
  const own = zone.kind === "private" ? unitAmong(zone, plain) : undefined
  const isBoundary = zone.kind === "private" && own === undefined
  if (isBoundary) refuseFreeText(keys)
  if (own === "telling") noteUnit(scope, rows.block.relation)
  const measures = isBoundary ? new Measures(scope.context, zone, input) : undefined
  const items = new PlainAggregates(scope.context, zone.kind === "private" ? "private" : "other", input)
  const readings = new Map<Call, Reading>()
  gather(aggregates, (call) => {
    readings.set(call, (measures ?? items).add(questionOf(env, call)))
  })
  const projection = input.project(rows.block.relation)
  const relation =
    measures === undefined
      ? aggregated(projection, { keys: distinct(keyColumns), items, at })
      : boundary(scope, projection, { keys: distinct(keyColumns), measures, at })
  return grouped(scope, { rows, relation, keys, keyColumns, readings })
}

function inputEnv(scope: QueryScope, { names, block }: Rows): Env {
  return {
    ...scope,
    names,
    block,
    outerUse: "refused",
    aggregate: noAggregates("inside an aggregate or in GROUP BY", "aggregate in a subquery first"),
    window: noWindows("inside an aggregate or in GROUP BY"),
    finish: (value) => value,
  }
}

/** A position, a name of an output that is no column, or a value. */
function bindKey(env: Env, item: GroupItem, outputs: readonly SelectOutput[]): Key {
  const { at } = item
  if (item.kind === "grouping-set") {
    const remedy = "ask for each grouping by itself, and join the answers with UNION ALL"
    return fail("sql/unsupported-syntax", { what: "GROUPING SETS, ROLLUP and CUBE", remedy }, at)
  }
  const output = item.kind === "integer" ? atPosition(outputs, item.value, at) : namedOutput(env, item, outputs)
  const ast = output === undefined ? item : output.value
  const name = output?.name ?? (item.kind === "column" ? (item.path.at(-1)?.text ?? "") : "key")
  const bound = output?.column === undefined ? (ast === undefined ? undefined : env.binders.expression(env, ast)) : columnExpr(output.column)
  if (bound === undefined) return fail("bug/plan-rejected", { what: "an output without a value" }, at)
  return { value: settled(bound), ast, name, at: ast?.at ?? at }
}

/** The output at a position, counted from 1. */
export function atPosition(outputs: readonly SelectOutput[], position: bigint, at: Span): SelectOutput {
  const output = position >= 1n && position <= BigInt(outputs.length) ? outputs[Number(position) - 1] : undefined
  if (output !== undefined) return output
  const what = `there is no output number ${position}`
  return fail("sql/wrong-count", { what, remedy: `use 1 to ${outputs.length}, or the name` }, at)
}

/** GROUP BY prefers columns of the input. */
function namedOutput(
  env: Env,
  item: Expression,
  outputs: readonly SelectOutput[],
): SelectOutput | undefined {
  if (item.kind !== "column" || item.path.length !== 1) return undefined
  if (findColumn(env.names, item.path, item.at) !== undefined) return undefined
  const found = outputs.filter(({ name, isNamed }) => isNamed && name === item.path[0]?.text)
  return found.length === 1 ? found[0] : undefined
}

function refuseFreeText(keys: readonly Key[]): void {
  gather(keys, ({ value, ast, name, at }) => {
    if (value.domain.freeText !== true) return
    fail("privacy/free-text-key", { name: ast === undefined ? name : writtenExpression(ast) }, at)
  })
}

/** Says that groups are taken within one unit, though the unit was not named. */
export function noteUnit({ context }: QueryScope, { rel, zone }: Relation): void {
  if (zone.kind !== "private") return
  const unit = rel.columns.find(({ id }) => id === zone.unit)?.name ?? context.catalog.unitName
  context.note(`groups and distinct rows are taken within one ${context.catalog.unitName}: ${unit} was added to them`)
}

function distinct(columns: readonly RelColumn[]): readonly RelColumn[] {
  return [...new Map(columns.map((column) => [column.id, column])).values()]
}

interface AggregateRequest {
  readonly keys: readonly RelColumn[]
  readonly items: PlainAggregates
  readonly at: Span
}

/** Groups of one unit's rows, or of rows that are nobody's. The unit is always a key. */
export function aggregated({ rel, zone }: Relation, { keys, items, at }: AggregateRequest): Relation {
  const hasUnit = zone.kind === "private" && keys.some(({ id }) => zone.equal.has(id))
  const unit =
    zone.kind === "private" && !hasUnit ? rel.columns.filter(({ id }) => id === zone.unit) : []
  const all = [...keys, ...unit]
  const list = items.items
  return {
    rel: {
      kind: "aggregate",
      input: rel,
      keys: all.map(({ id }) => id),
      items: list.map(({ item }) => item),
      columns: [...all, ...list.map(({ column }) => column)],
      at,
    },
    zone: zone.kind === "private" ? unitOfKeys(zone, all) : zone,
  }
}

function unitOfKeys(zone: PrivateZone, keys: readonly RelColumn[]): PrivateZone {
  const kept = keptOf(zone, new Set(keys.map(({ id }) => id)))
  return { ...kept, unit: keys.find(({ id }) => zone.equal.has(id))?.id }
}

interface BoundaryRequest {
  readonly keys: readonly RelColumn[]
  readonly measures: Measures | undefined
  readonly at: Span
}

/** The only place where people are added up. */
export function boundary({ context }: QueryScope, { rel, zone }: Relation, request: BoundaryRequest): Relation {
  const { keys, measures, at } = request
  const list = measures?.all ?? []
  if (zone.kind === "private" && zone.unit !== undefined) context.pinned.add(zone.unit)
  return {
    rel: {
      kind: "boundary",
      input: rel,
      keys: keys.map(({ id }) => id),
      measures: list.map(({ measure }) => measure),
      columns: [...keys, ...list.flatMap(({ columns }) => columns)],
      at,
    },
    zone: { kind: "released" },
  }
}

interface GroupedParts {
  readonly rows: Rows
  readonly relation: Relation
  readonly keys: readonly Key[]
  readonly keyColumns: readonly RelColumn[]
  readonly readings: ReadonlyMap<Call, Reading>
}

function grouped({ context }: QueryScope, parts: GroupedParts): Grouped {
  const { rows, relation, keys, keyColumns, readings } = parts
  const block: Block = { relation }
  const inputs = new Set(rows.block.relation.rel.columns.map(({ id }) => id))
  const byValue = new Map<string, Expr>()
  const byAst = new Map<Expression, Expr>()
  for (const [index, { value, ast }] of keys.entries()) {
    const column = keyColumns[index]
    if (column === undefined) continue
    byValue.set(exprKey(value), columnExpr(column))
    if (ast !== undefined) byAst.set(ast, columnExpr(column))
  }
  const groupColumns = new Set(relation.rel.columns.map(({ id }) => id))
  const finish = (value: Expr): Expr => {
    const key = byValue.get(exprKey(value))
    if (key !== undefined) return key
    if (value.kind === "column" && inputs.has(value.id) && !groupColumns.has(value.id)) {
      return failUngrouped(context.places.get(value), rows, value.id)
    }
    return partsOf(value).length === 0 ? value : withParts(value, finish)
  }
  return {
    block,
    finish,
    aggregate: (call) => {
      const reading = readings.get(call)
      if (reading === undefined) return fail("bug/plan-rejected", { what: "an aggregate was not found" }, call.at)
      return reading(columnExpr)
    },
    keyOf: (value) => byAst.get(value),
  }
}

function failUngrouped(at: Span | undefined, { names }: Rows, id: ColumnId): never {
  const named = names.columns.find(({ column }) => column?.id === id)
  return fail("sql/not-grouped", { name: named?.name ?? "this column" }, at)
}
