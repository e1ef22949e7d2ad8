// Drops what nobody reads: columns of tables, values, marks, and measures that would cost for nothing. Keys,
// conditions and the unit columns of boundaries stay.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type {
  Aggregate,
  Boundary,
  BoundaryAggregate,
  Project,
  Rel,
  RelColumn,
  Scan,
  Union,
  Values,
  WindowRel,
} from "@dosimeter/proof/algebra/rel"
import { columnsIn, inputsOf } from "@dosimeter/proof/algebra/walk"

/** The same relation without what nobody reads. A node that is used twice stays one node. */
export function prune(rel: Rel, pinned: ReadonlySet<ColumnId>): Rel {
  const used = new Set([...pinned, ...rel.columns.map(({ id }) => id)])
  for (const node of fromTheTop(rel)) markUses(node, used)
  const done = new Map<Rel, Rel>()
  const visit = (node: Rel): Rel => {
    const before = done.get(node)
    if (before !== undefined) return before
    const after = rebuild(node, used, visit)
    done.set(node, after)
    return after
  }
  return visit(rel)
}

/** Every node once, each before those below it. */
function fromTheTop(rel: Rel): readonly Rel[] {
  const seen = new Set<Rel>()
  const order: Rel[] = []
  const visit = (node: Rel): void => {
    if (seen.has(node)) return
    seen.add(node)
    for (const input of inputsOf(node)) visit(input)
    order.push(node)
  }
  visit(rel)
  return order.toReversed()
}

/** Adds what a node reads, given what is read of it. */
function markUses(node: Rel, used: Set<ColumnId>): void {
  const read = (expr: Expr | undefined): void => {
    if (expr !== undefined) columnsIn(expr, used)
  }
  const isUsed = (column: RelColumn | undefined): boolean => column !== undefined && used.has(column.id)
  switch (node.kind) {
    case "filter":
      return read(node.condition)
    case "project":
      keepOne(node, used)
      for (const [index, item] of node.items.entries()) if (isUsed(node.columns[index])) read(item)
      return undefined
    case "join":
      return read(node.condition)
    case "mark":
      if (isUsed(node.columns.at(-1))) read(node.condition)
      return undefined
    case "aggregate":
      for (const key of node.keys) used.add(key)
      for (const [index, item] of node.items.entries()) {
        if (isUsed(node.columns[node.keys.length + index])) read(item.argument)
      }
      return undefined
    case "window":
      for (const [index, item] of node.items.entries()) {
        if (!isUsed(node.columns[node.columns.length - node.items.length + index])) continue
        for (const expr of [...item.args, ...item.partitionBy, ...item.orderBy.map(({ value }) => value)])
          read(expr)
      }
      return undefined
    case "union":
      keepOne(node, used)
      for (const [index, column] of node.columns.entries()) {
        if (!isUsed(column)) continue
        for (const input of node.inputs) {
          const own = input.columns[index]
          if (own !== undefined) used.add(own.id)
        }
      }
      return undefined
    case "sort":
      for (const { value } of node.orderBy) read(value)
      return undefined
    case "boundary":
      for (const key of node.keys) used.add(key)
      for (const { aggregate, columns } of aggregatesOf(node)) {
        if (!columns.some(isUsed)) continue
        read(aggregate.where)
        if ("value" in aggregate) read(aggregate.value)
      }
      return undefined
    case "scan":
    case "values":
      return keepOne(node, used)
    case "released":
      return undefined
    default:
      return node satisfies never
  }
}

/** Rows without any column could not be written down. */
function keepOne({ columns }: Rel, used: Set<ColumnId>): void {
  const [first] = columns
  if (first !== undefined && !columns.some(({ id }) => used.has(id))) used.add(first.id)
}

function rebuild(node: Rel, used: ReadonlySet<ColumnId>, visit: (input: Rel) => Rel): Rel {
  switch (node.kind) {
    case "scan":
      return keptScan(node, used)
    case "values":
      return keptValues(node, used)
    case "released":
      return node
    case "filter": {
      const input = visit(node.input)
      return { ...node, input, columns: input.columns }
    }
    case "sort": {
      const input = visit(node.input)
      return { ...node, input, columns: input.columns }
    }
    case "project":
      return keptProject(node, used, visit(node.input))
    case "join": {
      const [left, right] = [visit(node.left), visit(node.right)]
      return { ...node, left, right, columns: sameColumns(node.columns, [...left.columns, ...right.columns]) }
    }
    case "mark": {
      const left = visit(node.left)
      const column = node.columns.at(-1)
      if (column === undefined || !used.has(column.id)) return left
      return { ...node, left, right: visit(node.right), columns: [...left.columns, column] }
    }
    case "aggregate":
      return keptAggregate(node, used, visit(node.input))
    case "window":
      return keptWindow(node, used, visit(node.input))
    case "union":
      return keptUnion(node, used, visit)
    case "boundary":
      return keptBoundary(node, used, visit(node.input))
    default:
      return node satisfies never
  }
}

/** The node's own columns (a join may have made them nullable) that its inputs still have. */
function sameColumns(own: readonly RelColumn[], below: readonly RelColumn[]): readonly RelColumn[] {
  const ids = new Set(below.map(({ id }) => id))
  return own.filter(({ id }) => ids.has(id))
}

/** A table keeps what leads to its unit, whether it is read or not. */
function keptScan(node: Scan, used: ReadonlySet<ColumnId>): Scan {
  const { unit } = node.table
  const needed = unit.kind === "path" ? (unit.hops[0]?.column ?? unit.column) : undefined
  const isKept = node.columns.map(({ id }, index) => used.has(id) || node.sources[index]?.name === needed)
  return {
    ...node,
    columns: node.columns.filter((_, index) => isKept[index]),
    sources: node.sources.filter((_, index) => isKept[index]),
  }
}

function keptValues(node: Values, used: ReadonlySet<ColumnId>): Values {
  const isKept = node.columns.map(({ id }) => used.has(id))
  return {
    ...node,
    columns: node.columns.filter((_, index) => isKept[index]),
    rows: node.rows.map((row) => row.filter((_, index) => isKept[index])),
  }
}

function keptProject(node: Project, used: ReadonlySet<ColumnId>, input: Rel): Rel {
  const isKept = node.columns.map(({ id }) => used.has(id))
  const items = node.items.filter((_, index) => isKept[index])
  const columns = node.columns.filter((_, index) => isKept[index])
  return columns.length === 0 ? input : { ...node, input, items, columns }
}

function keptAggregate(node: Aggregate, used: ReadonlySet<ColumnId>, input: Rel): Aggregate {
  const isKept = node.items.map((_, index) => used.has(node.columns[node.keys.length + index]?.id ?? -1))
  return {
    ...node,
    input,
    items: node.items.filter((_, index) => isKept[index]),
    columns: node.columns.filter((_, index) => index < node.keys.length || isKept[index - node.keys.length]),
  }
}

function keptWindow(node: WindowRel, used: ReadonlySet<ColumnId>, input: Rel): Rel {
  const added = node.columns.slice(node.columns.length - node.items.length)
  const isKept = added.map(({ id }) => used.has(id))
  const items = node.items.filter((_, index) => isKept[index])
  if (items.length === 0) return input
  return { ...node, input, items, columns: [...input.columns, ...added.filter((_, index) => isKept[index])] }
}

/** Inputs of a union are projections, so they keep exactly the columns that it does. */
function keptUnion(node: Union, used: ReadonlySet<ColumnId>, visit: (input: Rel) => Rel): Union {
  return { ...node, inputs: node.inputs.map(visit), columns: node.columns.filter(({ id }) => used.has(id)) }
}

interface AggregateColumns {
  readonly aggregate: BoundaryAggregate
  readonly columns: readonly RelColumn[]
}

/** The aggregates of a boundary with the columns of each. */
function aggregatesOf(node: Boundary): readonly AggregateColumns[] {
  let next = node.keys.length
  return node.aggregates.map((aggregate) => {
    const count = columnCount(aggregate)
    const columns = node.columns.slice(next, next + count)
    next += count
    return { aggregate, columns }
  })
}

function keptBoundary(node: Boundary, used: ReadonlySet<ColumnId>, input: Rel): Boundary {
  const kept = aggregatesOf(node).filter(({ columns }) => columns.some(({ id }) => used.has(id)))
  return {
    ...node,
    input,
    aggregates: kept.map(({ aggregate }) => aggregate),
    columns: [...node.columns.slice(0, node.keys.length), ...kept.flatMap(({ columns }) => columns)],
  }
}
