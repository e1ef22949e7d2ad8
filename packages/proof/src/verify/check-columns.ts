// Every column number means one thing: defined in one place, and used only above it. Every node lists as many
// columns as it has.

import { unreachable } from "@dosimeter/core/errors"
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
    checkWidth(at)
    const inside = new Set(inputsOf(at).flatMap(({ columns }) => columns.map(({ id }) => id)))
    for (const expr of expressionsOf(at)) {
      for (const id of columnsIn(expr)) if (!inside.has(id)) reject(`column ${id} is used where it is not`)
    }
    for (const [index, column] of at.columns.entries()) {
      if (!isColumnId(column.id)) reject(`${column.id} is no number of a column`)
      if (isCarried(at, index, column)) continue
      if (defined.has(column.id)) reject(`column ${column.id} is defined twice`)
      defined.add(column.id)
    }
  }
  visit(rel)
}

/** Checks that every node lists as many columns as it has. */
export function checkWidths(rel: Rel): void {
  for (const input of inputsOf(rel)) checkWidths(input)
  checkWidth(rel)
}

function checkWidth(rel: Rel): void {
  const isWhole = widthsOf(rel).every((width) => width === rel.columns.length)
  if (!isWhole) reject(`a ${rel.kind} lists other columns than it has`)
}

// How many columns a node has, by each of its parts that tells.
function widthsOf(rel: Rel): readonly number[] {
  switch (rel.kind) {
    case "scan":
      return [rel.sources.length]
    case "values":
      return rel.rows.map((row) => row.length)
    case "filter":
    case "sort":
      return [rel.input.columns.length]
    case "project":
      return [rel.items.length]
    case "join":
      return [rel.left.columns.length + rel.right.columns.length]
    case "mark":
      return [rel.left.columns.length + 1]
    case "aggregate":
      return [rel.keys.length + rel.items.length]
    case "window":
      return [rel.input.columns.length + rel.items.length]
    case "union":
      return rel.inputs.map(({ columns }) => columns.length)
    case "released":
      // Compared with the release itself (checkReleased).
      return []
    case "boundary":
      return reject("a boundary that was not planned")
    default:
      return unreachable(rel)
  }
}

function isColumnId(id: ColumnId): boolean {
  return Number.isSafeInteger(id) && id >= 0
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
      return unreachable(rel)
  }
}
