// Post-processing: evaluates what stands above the releases of a plan, on noisy rows and public ones. It sees
// released values only, so it costs nothing; values are exactly what the database would give for the printed
// SQL.

import { assert } from "@dosimeter/core/errors"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Project, Rel, RelColumn, Scan, Sort, Union } from "@dosimeter/proof/algebra/rel"
import { evaluateAggregate } from "./aggregate.ts"
import { truthOf } from "../values/call-logic.ts"
import { widened } from "../values/convert.ts"
import { positionsOf, rowFunction } from "./evaluate-expression.ts"
import { evaluateJoin, evaluateMark } from "./join.ts"
import { RowOrder, tieKeys } from "./order.ts"
import { cellOf, publicCell, type Row, type Table } from "../cells/table.ts"
import { evaluateWindow } from "./window.ts"

/** Where rows come from. */
export interface Sources {
  /** The noisy rows of a release, by its place in the plan. */
  readonly released: (index: number) => Table
  /** The rows of a public table, in the order of the scan's columns, read inside their domains. */
  readonly scan: (scan: Scan) => readonly (readonly Constant[])[]
}

/** The rows of a relation. A relation that stands in the tree twice is evaluated once. */
export function evaluate(rel: Rel, sources: Sources): Table {
  const known = new Map<Rel, Table>()
  const visit = (at: Rel): Table => {
    const found = known.get(at) ?? evaluateNode(at, visit, sources)
    known.set(at, found)
    return found
  }
  return visit(rel)
}

function evaluateNode(rel: Rel, visit: (rel: Rel) => Table, sources: Sources): Table {
  switch (rel.kind) {
    case "released":
      return renamed(rel.columns, sources.released(rel.release))
    case "scan":
      return { columns: rel.columns, rows: constantRows(sources.scan(rel), rel.columns) }
    case "values":
      return { columns: rel.columns, rows: constantRows(rel.rows, rel.columns) }
    case "filter": {
      const input = visit(rel.input)
      const condition = rowFunction(rel.condition, positionsOf(input.columns))
      return {
        columns: rel.columns,
        rows: input.rows.filter((row) => truthOf(condition(row).value) === true),
      }
    }
    case "project":
      return evaluateProject(rel, visit(rel.input))
    case "join":
      return evaluateJoin(rel, visit(rel.left), visit(rel.right))
    case "mark":
      return evaluateMark(rel, visit(rel.left), visit(rel.right))
    case "aggregate":
      return evaluateAggregate(rel, visit(rel.input))
    case "window":
      return evaluateWindow(rel, visit(rel.input))
    case "union":
      return evaluateUnion(rel, rel.inputs.map(visit))
    case "sort":
      return evaluateSort(rel, visit(rel.input))
    case "boundary":
      assert(false, "a boundary is released before anything above it is evaluated")
      break
    default:
      return rel satisfies never
  }
}

/** The same rows under the columns of a node. */
function renamed(columns: readonly RelColumn[], { rows }: Table): Table {
  assert(
    rows.every((row) => row.length === columns.length),
    "a row has a cell for each column",
  )
  return { columns, rows }
}

function constantRows(rows: readonly (readonly Constant[])[], columns: readonly RelColumn[]): readonly Row[] {
  return rows.map((row) => {
    assert(row.length === columns.length, "a row has a value for each column")
    return row.map((value, index) => publicCell(inColumn(value, columns[index])))
  })
}

function inColumn(value: Constant, column: RelColumn | undefined): Constant {
  return column === undefined ? value : widened(value, column.domain.type)
}

function evaluateProject({ items, columns }: Project, input: Table): Table {
  const positions = positionsOf(input.columns)
  const functions = items.map((item) => rowFunction(item, positions))
  const rows = input.rows.map((row) => functions.map((item, index) => inType(item(row), columns[index])))
  return { columns, rows }
}

function inType(cell: Row[number], column: RelColumn | undefined): Row[number] {
  const value = inColumn(cell.value, column)
  return value === cell.value ? cell : cellOf(value, cell.spread, cell.state)
}

function evaluateUnion({ columns }: Union, inputs: readonly Table[]): Table {
  const rows = inputs.flatMap((input) =>
    input.rows.map((row) => row.map((cell, index) => inType(cell, columns[index]))),
  )
  return { columns, rows }
}

function evaluateSort({ orderBy, limit, offset, columns }: Sort, input: Table): Table {
  const keys = [...orderBy, ...tieKeys(input.columns)]
  const sorted = new RowOrder(input.rows, keys, positionsOf(input.columns)).sorted()
  const first = clip(offset ?? 0n, sorted.length)
  const last = limit === undefined ? sorted.length : clip(BigInt(first) + limit, sorted.length)
  return { columns, rows: sorted.slice(first, last).flatMap((place) => [input.rows[place] ?? []]) }
}

function clip(value: bigint, length: number): number {
  return value > BigInt(length) ? length : Number(value)
}
