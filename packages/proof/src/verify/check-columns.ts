// Every column number means one thing: defined in one place, and used only above it.

import { reject } from "../units/reject.ts"
import type { ColumnId } from "../algebra/expr.ts"
import type { Rel, RelColumn } from "../algebra/rel.ts"
import { columnsIn, expressionsOf, inputsOf } from "../algebra/walk.ts"

/** Checks the columns of a relation and of all below it. */
export function checkColumns(rel: Rel): void {
  const defined = new Set<ColumnId>()
  const visit = (at: Rel): void => {
    if (at.kind === "boundary") reject("a boundary inside what is read")
    for (const input of inputsOf(at)) visit(input)
    const inside = new Set(inputsOf(at).flatMap(({ columns }) => columns.map(({ id }) => id)))
    for (const expr of expressionsOf(at)) {
      for (const id of columnsIn(expr)) if (!inside.has(id)) reject(`column ${id} is used where it is not`)
    }
    for (const [index, column] of at.columns.entries()) {
      if (isCarried(at, index, column)) continue
      if (defined.has(column.id)) reject(`column ${column.id} is defined twice`)
      defined.add(column.id)
    }
  }
  visit(rel)
}

// Whether an output column is a column of the input under its own number.
function isCarried(rel: Rel, index: number, { id }: RelColumn): boolean {
  switch (rel.kind) {
    case "scan":
    case "values":
    case "union":
    case "released":
      return false
    case "filter":
    case "sort":
      return rel.input.columns[index]?.id === id || reject("a filter changes columns")
    case "project": {
      const item = rel.items[index]
      return item?.kind === "column" && item.id === id
    }
    case "join":
      return [...rel.left.columns, ...rel.right.columns][index]?.id === id || reject("a join changes columns")
    case "mark":
      return rel.left.columns[index]?.id === id
    case "window":
      return rel.input.columns[index]?.id === id
    case "aggregate":
    case "boundary":
      return index < rel.keys.length && (rel.keys[index] === id || reject("a group changes its keys"))
    default:
      return rel satisfies never
  }
}
