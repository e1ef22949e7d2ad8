// The same relation once more, under new column numbers: a column of a statement has one place only.

import { mapExprs, mapInputs, mapParts } from "@dosimeter/proof/algebra/change"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { BindContext } from "../scope/context.ts"

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
    value.kind === "column" ? { ...value, id: id(value.id) } : mapParts(value, map)
  const column = (before: RelColumn): RelColumn => {
    const known = ids.get(before.id)
    if (known !== undefined) return { ...before, id: known }
    const made = context.column(before.name, before.domain)
    ids.set(before.id, made.id)
    return made
  }
  const visit = (node: Rel): Rel => {
    if (node.kind === "boundary" || node.kind === "released") return renamed(node, node.columns.map(column))
    // Inputs first: expressions are over their columns.
    const over = mapExprs(mapInputs(node, visit), map)
    const keyed = over.kind === "aggregate" ? { ...over, keys: over.keys.map(id) } : over
    return { ...keyed, columns: node.columns.map(column) }
  }
  return { rel: visit(rel), map, id }
}

function renamed(input: Rel, columns: readonly RelColumn[]): Rel {
  const items = input.columns.map(({ id, domain }): Expr => ({ kind: "column", id, domain }))
  return { kind: "project", input, items, columns }
}
