// The same relation once more, under new column numbers: a column of a statement has one place only.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel, RelColumn, SortKey, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { BindContext } from "../scope/context.ts"
import { withParts } from "./replace.ts"

/** A copy, and what its columns were before. */
export interface Copy {
  readonly rel: Rel
  /** The same expression over the columns of the copy; columns of other relations stay. */
  readonly map: (value: Expr) => Expr
  readonly id: (before: ColumnId) => ColumnId
}

/** Copies a relation. Boundaries are not copied: each is one release, whoever reads it. */
export function copyRel(context: BindContext, rel: Rel): Copy {
  const ids = new Map<ColumnId, ColumnId>()
  const id = (before: ColumnId): ColumnId => ids.get(before) ?? before
  const map = (value: Expr): Expr =>
    value.kind === "column" ? { ...value, id: id(value.id) } : withParts(value, map)
  const column = (before: RelColumn): RelColumn => {
    const known = ids.get(before.id)
    if (known !== undefined) return { ...before, id: known }
    const made = context.column(before.name, before.domain)
    ids.set(before.id, made.id)
    return made
  }
  const sortKey = (key: SortKey): SortKey => ({ ...key, value: map(key.value) })
  const windowItem = (item: WindowItem): WindowItem => ({
    ...item,
    args: item.args.map(map),
    partitionBy: item.partitionBy.map(map),
    orderBy: item.orderBy.map(sortKey),
  })
  const visit = (node: Rel): Rel => {
    switch (node.kind) {
      case "scan":
      case "values":
        return { ...node, columns: node.columns.map(column) }
      case "filter": {
        const input = visit(node.input)
        return { ...node, input, condition: map(node.condition), columns: node.columns.map(column) }
      }
      case "project": {
        const input = visit(node.input)
        return { ...node, input, items: node.items.map(map), columns: node.columns.map(column) }
      }
      case "join":
      case "mark": {
        const [left, right] = [visit(node.left), visit(node.right)]
        const condition = node.condition === undefined ? undefined : map(node.condition)
        return { ...node, left, right, condition, columns: node.columns.map(column) }
      }
      case "aggregate": {
        const input = visit(node.input)
        const items = node.items.map((item) => ({ ...item, argument: mapped(item.argument) }))
        return { ...node, input, keys: node.keys.map(id), items, columns: node.columns.map(column) }
      }
      case "window": {
        const input = visit(node.input)
        return { ...node, input, items: node.items.map(windowItem), columns: node.columns.map(column) }
      }
      case "union":
        return { ...node, inputs: node.inputs.map(visit), columns: node.columns.map(column) }
      case "sort": {
        const input = visit(node.input)
        return { ...node, input, orderBy: node.orderBy.map(sortKey), columns: node.columns.map(column) }
      }
      case "boundary":
      case "released": {
        const columns = node.columns.map(column)
        const items = node.columns.map((before): Expr => ({
          kind: "column",
          id: before.id,
          domain: before.domain,
        }))
        return { kind: "project", input: node, items, columns }
      }
      default:
        return node satisfies never
    }
  }
  const mapped = (value: Expr | undefined): Expr | undefined => (value === undefined ? undefined : map(value))
  return { rel: visit(rel), map, id }
}
