// Window functions over released rows: rows are sorted once for each item, and every frame is a slice of
// them.

import { assert } from "@dosimeter/core/errors"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Frame, FrameBound, WindowItem, WindowRel } from "@dosimeter/proof/algebra/rel"
import { keyOf } from "./aggregate.ts"
import { widened } from "../values/convert.ts"
import { nullConstant, wholeConstant } from "../values/doubles.ts"
import { cellAt, positionsOf, rowFunction, type Positions, type RowFunction } from "./evaluate-expression.ts"
import { RowOrder, tieKeys } from "./order.ts"
import { sliceAggregate } from "./slice-aggregate.ts"
import { survivalCells } from "../estimates/survival-cells.ts"
import { cellOf, publicCell, type Row, type Table, type Cell } from "../cells/table.ts"

/** The input with one more column for each item; rows keep their order. */
export function evaluateWindow({ items, columns }: WindowRel, input: Table): Table {
  // AVG has two items over the same window: its lists are the same objects.
  const sorted: { readonly item: WindowItem; readonly partitions: readonly SortedPartition[] }[] = []
  const added = items.map((item, index) => {
    const type = columns[input.columns.length + index]?.domain.type ?? { kind: "null" as const }
    const same = sorted.find(
      (one) => one.item.orderBy === item.orderBy && one.item.partitionBy === item.partitionBy,
    )
    const partitions = same?.partitions ?? sortPartitions(item, input)
    if (same === undefined) sorted.push({ item, partitions })
    return itemCells(item, { type, input, partitions })
  })
  const rows = input.rows.map((row, index): Row => [...row, ...added.map((cells) => cellAt(cells, index))])
  return { columns, rows }
}

/** The rows of a partition in their order. */
interface SortedPartition {
  /** Where each row stands in the input. */
  readonly places: readonly number[]
  readonly rows: readonly Row[]
  readonly peers: Peers
}

function sortPartitions(item: WindowItem, input: Table): readonly SortedPartition[] {
  const positions = positionsOf(input.columns)
  const orderBy = [...item.orderBy, ...tieKeys(input.columns, usedColumns(item))]
  const order = new RowOrder(input.rows, orderBy, positions)
  return Array.from(partitionsOf(input.rows, item, positions), (partition) => {
    const places = order.sorted(partition)
    const rows = places.map((index) => input.rows[index] ?? [])
    const peers = peersOf(places, (a, b) => order.compare(a, b, item.orderBy.length) === 0)
    return { places, rows, peers }
  })
}

interface ItemPlace {
  readonly type: SqlType
  readonly input: Table
  readonly partitions: readonly SortedPartition[]
}

/** The cell of each row, in the order of the input. */
function itemCells(item: WindowItem, { type, input, partitions }: ItemPlace): readonly Cell[] {
  const positions = positionsOf(input.columns)
  const cells: Cell[] = input.rows.map(() => publicCell(nullConstant))
  for (const { places, rows, peers } of partitions) {
    const value = partitionFunction(item, { rows, peers, positions, type })
    for (const [place, index] of places.entries()) cells[index] = value(place)
  }
  return cells
}

function usedColumns({ partitionBy, orderBy }: WindowItem): ReadonlySet<ColumnId> {
  const expressions = [...partitionBy, ...orderBy.map(({ value }) => value)]
  return new Set(expressions.flatMap((expr) => (expr.kind === "column" ? [expr.id] : [])))
}

/** The places of the rows of each partition. */
function partitionsOf(
  rows: readonly Row[],
  { partitionBy }: WindowItem,
  positions: Positions,
): Iterable<readonly number[]> {
  if (partitionBy.length === 0) return [rows.map((_, index) => index)]
  const functions = partitionBy.map((part) => rowFunction(part, positions))
  const partitions = new Map<string, number[]>()
  for (const [index, row] of rows.entries()) {
    const key = keyOf(functions.map((part) => part(row).value))
    const partition = partitions.get(key)
    if (partition === undefined) partitions.set(key, [index])
    else partition.push(index)
  }
  return partitions.values()
}

/** Rows with equal order keys: where they begin and end, and how many such groups there are before. */
interface Peers {
  readonly first: Int32Array
  /** One past the last. */
  readonly end: Int32Array
  readonly groups: Int32Array
}

function peersOf(sorted: readonly number[], isPeer: (a: number, b: number) => boolean): Peers {
  const [first, end, groups] = [0, 0, 0].map(() => new Int32Array(sorted.length))
  assert(first !== undefined && end !== undefined && groups !== undefined, "there are three lists")
  let [start, group] = [0, 0]
  sorted.forEach((row, place) => {
    const before = sorted[place - 1]
    if (before !== undefined && !isPeer(before, row)) {
      end.fill(place, start, place)
      start = place
      group += 1
    }
    first[place] = start
    groups[place] = group
  })
  end.fill(sorted.length, start)
  return { first, end, groups }
}

interface Partition {
  readonly rows: readonly Row[]
  readonly peers: Peers
  readonly positions: Positions
  readonly type: SqlType
}

/** The cell of the row at a place of the sorted partition. */
function partitionFunction(item: WindowItem, partition: Partition): (place: number) => Cell {
  const { rows, peers, positions, type } = partition
  const whole = (value: number): Cell => publicCell(wholeConstant(BigInt(value)))
  const [argument] = item.args
  const cells = argument === undefined ? [] : rowCells(rows, rowFunction(argument, positions))
  const frames = framesOf(item, { length: rows.length, peers })
  const inType = (cell: Cell | undefined): Cell =>
    cell === undefined ? publicCell(nullConstant) : cellOf(widened(cell.value, type), cell.spread, cell.state)
  switch (item.function) {
    case "row-number":
      return (place) => whole(place + 1)
    case "rank":
      return (place) => whole((peers.first[place] ?? 0) + 1)
    case "dense-rank":
      return (place) => whole((peers.groups[place] ?? 0) + 1)
    case "spread-place":
      assert(false, "rows are spread below a boundary only")
      break
    case "lag":
      return shifted(item, partition, { cells, sign: -1 })
    case "lead":
      return shifted(item, partition, { cells, sign: 1 })
    case "first-value":
    case "last-value":
      return (place) => {
        const [from, to] = frames(place)
        return inType(from < to ? cells[item.function === "first-value" ? from : to - 1] : undefined)
      }
    case "kaplan-meier":
    case "at-risk": {
      const [, censored] = item.args
      const others = censored === undefined ? [] : rowCells(rows, rowFunction(censored, positions))
      if (item.function === "kaplan-meier") {
        return survivalCells({ events: cells, censored: others, bins: peers.groups })
      }
      const both = cells.flatMap((cell, index) => [cell, cellAt(others, index)])
      const slice = sliceAggregate("sum", both, type)
      return (place) => slice(2 * (peers.first[place] ?? place), both.length)
    }
    default: {
      const counted = item.function === "rows" ? rows.map(() => publicCell(nullConstant)) : cells
      const slice = sliceAggregate(item.function, counted, type)
      return (place) => slice(...frames(place))
    }
  }
}

function rowCells(rows: readonly Row[], value: RowFunction): readonly Cell[] {
  return rows.map((row) => value(row))
}

/** LAG and LEAD: some rows away, or what stands in for a row that is not there. */
function shifted(
  { args }: WindowItem,
  { rows, positions, type }: Partition,
  { cells, sign }: { readonly cells: readonly Cell[]; readonly sign: 1 | -1 },
): (place: number) => Cell {
  const [, offset, otherwise] = args
  assert(
    offset === undefined || (offset.kind === "literal" && offset.value.kind === "number"),
    "an offset is a constant",
  )
  const away =
    offset?.kind === "literal" && offset.value.kind === "number" ? Number(offset.value.value.numerator) : 1
  const missing = otherwise === undefined ? undefined : rowFunction(otherwise, positions)
  return (place) => {
    const row = rows[place]
    const cell = cells[place + sign * away] ?? (row === undefined ? undefined : missing?.(row))
    return cell === undefined
      ? publicCell(nullConstant)
      : cellOf(widened(cell.value, type), cell.spread, cell.state)
  }
}

type FrameFunction = (place: number) => readonly [number, number]

/** Where the frame of a row begins, and one past where it ends. */
function framesOf(
  { frame, orderBy }: WindowItem,
  { length, peers }: { readonly length: number; readonly peers: Peers },
): FrameFunction {
  const used: Frame = frame ?? {
    mode: "range",
    start: { kind: "unbounded-preceding" },
    end: { kind: orderBy.length === 0 ? "unbounded-following" : "current-row" },
  }
  const inside = (place: number): number => Math.min(length, Math.max(0, place))
  const isRows = used.mode === "rows"
  return (place) => {
    const start = isRows ? place : (peers.first[place] ?? place)
    const end = isRows ? place + 1 : (peers.end[place] ?? place + 1)
    const from = inside(boundAt(used.start, start, length))
    return [from, Math.max(from, inside(boundAt(used.end, end, length)))]
  }
}

function boundAt(bound: FrameBound, current: number, length: number): number {
  switch (bound.kind) {
    case "unbounded-preceding":
      return 0
    case "unbounded-following":
      return length
    case "current-row":
      return current
    case "preceding":
      return current - Number(bound.offset)
    case "following":
      return current + Number(bound.offset)
    default:
      return bound satisfies never
  }
}
