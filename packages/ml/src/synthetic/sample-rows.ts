// Rows drawn from a fitted model: clique by clique along the tree, each given what the rows hold already.
// Where many rows hold the same, they are spread over the values in the model's proportions instead of
// drawn one by one, so that tables of the rows are close to those of the model.

import { assert } from "@dosimeter/core/errors"
import { coarserPlaces } from "./cell-places.ts"
import type { Fitted } from "./fit-model.ts"
import type { SeededNumbers } from "./seeded-numbers.ts"

/** Rows as columns of codes: one list for each attribute. */
export type CodedRows = readonly Int32Array[]

/** What some attributes of rows are already. */
export interface Given {
  readonly attribute: number
  readonly codes: Int32Array
}

/** Draws rows from a model; where some attributes are given, from what the model says given these. */
export function sampleRows(fitted: Fitted, rows: number, random: SeededNumbers): CodedRows {
  const { model, tables } = fitted
  const codes = model.sizes.map(() => new Int32Array(rows))
  for (const [index, { attributes, shared }] of model.tree.cliques.entries()) {
    const table = tables[index]
    assert(table !== undefined, "every clique has a table")
    const byShared = rowsBy(codes, shared, model.sizes, rows)
    const places = cellsBy(coarserPlaces(attributes, model.sizes, { attributes: shared }))
    for (const [place, members] of byShared) {
      const cells = places.get(place) ?? []
      const drawn = spread(cells, table, members.length, random)
      random.shuffle(drawn)
      for (const [number, row] of members.entries()) {
        setCell(codes, { attributes, sizes: model.sizes, row }, drawn[number] ?? 0)
      }
    }
  }
  return codes
}

// Evenly over the cumulated chances, from a start that is drawn: each cell gets its share, give or take one.
function spread(
  cells: readonly number[],
  table: Float64Array,
  count: number,
  random: SeededNumbers,
): Int32Array {
  const out = new Int32Array(count)
  let sum = 0
  for (const cell of cells) sum += table[cell] ?? 0
  const start = random.next()
  let [reached, next] = [0, 0]
  let last = cells[0] ?? 0
  for (const cell of cells) {
    const chance = sum > 0 ? (table[cell] ?? 0) / sum : 1 / cells.length
    if (chance > 0) last = cell
    reached += chance * count
    while (next < count && next + start < reached) {
      out[next] = cell
      next += 1
    }
  }
  // What rounding has left at the end.
  out.fill(last, next)
  return out
}

function rowsBy(
  codes: readonly Int32Array[],
  attributes: readonly number[],
  sizes: readonly number[],
  rows: number,
): ReadonlyMap<number, Int32Array> {
  const place = new Int32Array(rows)
  for (const attribute of attributes) {
    const [own, size] = [codes[attribute], sizes[attribute] ?? 1]
    for (let row = 0; row < rows; row += 1) place[row] = (place[row] ?? 0) * size + (own?.[row] ?? 0)
  }
  const counts = new Map<number, number>()
  for (const one of place) counts.set(one, (counts.get(one) ?? 0) + 1)
  const lists = new Map([...counts].map(([one, count]) => [one, new Int32Array(count)]))
  const filled = new Map<number, number>()
  for (const [row, one] of place.entries()) {
    const at = filled.get(one) ?? 0
    const list = lists.get(one)
    if (list !== undefined) list[at] = row
    filled.set(one, at + 1)
  }
  return lists
}

function cellsBy(places: Int32Array): ReadonlyMap<number, number[]> {
  const lists = new Map<number, number[]>()
  for (const [cell, place] of places.entries()) {
    const list = lists.get(place)
    if (list === undefined) lists.set(place, [cell])
    else list.push(cell)
  }
  return lists
}

function setCell(
  codes: readonly Int32Array[],
  at: { readonly attributes: readonly number[]; readonly sizes: readonly number[]; readonly row: number },
  cell: number,
): void {
  let left = cell
  for (const attribute of at.attributes.toReversed()) {
    const size = at.sizes[attribute] ?? 1
    const own = codes[attribute]
    if (own !== undefined) own[at.row] = left % size
    left = Math.floor(left / size)
  }
}

/** The table of some attributes of rows, as counts. */
export function tableOfRows(
  rows: CodedRows,
  sizes: readonly number[],
  attributes: readonly number[],
): Float64Array {
  const counts = new Float64Array(attributes.reduce((product, one) => product * (sizes[one] ?? 1), 1))
  const length = rows[0]?.length ?? 0
  for (let row = 0; row < length; row += 1) {
    let place = 0
    for (const one of attributes) place = place * (sizes[one] ?? 1) + (rows[one]?.[row] ?? 0)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}
