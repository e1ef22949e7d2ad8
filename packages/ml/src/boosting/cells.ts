// From values to bins: a grid of cells that is fixed by the declared range, and private bins that join cells
// until each holds about as many people, by noisy counts. A missing value has a cell and a bin of its own.

import { categoryOf, type ColumnSpec } from "../columns/columns.ts"

/** Cells of a column of numbers, before they are joined. */
const cellsOfRange = 128

/** How a column falls into bins. */
export interface Bins {
  /** The bin of each cell; the last cell is that of missing values. */
  readonly binOfCell: Uint16Array
  /** How many bins there are, that of missing values included: it is the last one. */
  readonly count: number
  /** The noisy number of people in each bin, at least 0. */
  readonly people: Float64Array
  /** For numbers: the lower edge of each bin but the last, and the declared end. */
  readonly edges: readonly number[]
}

/** How many cells a column has, the one of missing values included. */
export function cellCount(column: ColumnSpec): number {
  return 1 + (column.kind === "category" ? column.categories : cellsOfRange)
}

/** The cell of every value: a function of the value and of what is declared alone. */
export function cellsOf(values: Float64Array, column: ColumnSpec): Uint16Array {
  const cells = new Uint16Array(values.length)
  for (let row = 0; row < values.length; row += 1) cells[row] = cellOf(values[row] ?? NaN, column)
  return cells
}

function cellOf(value: number, column: ColumnSpec): number {
  const missing = cellCount(column) - 1
  if (column.kind === "category") return categoryOf(value, column) ?? missing
  if (Number.isNaN(value)) return missing
  const part = (Math.min(column.high, Math.max(column.low, value)) - column.low) / (column.high - column.low)
  return Math.min(cellsOfRange - 1, Math.floor(part * cellsOfRange))
}

/** Joins cells into at most so many bins, and one of missing values, by noisy counts. */
export function binsOf(column: ColumnSpec, noisyCounts: Float64Array, most: number): Bins {
  const counts = noisyCounts.map((count) => Math.max(0, count))
  const missing = counts.length - 1
  const binOfCell = new Uint16Array(counts.length)
  const starts =
    column.kind === "category" ? counts.subarray(0, missing).map((_, cell) => cell) : startsOf(counts, most)
  const people = new Float64Array(starts.length + 1)
  let bin = -1
  for (let cell = 0; cell < missing; cell += 1) {
    if (starts[bin + 1] === cell) bin += 1
    binOfCell[cell] = bin
    people[bin] = (people[bin] ?? 0) + (counts[cell] ?? 0)
  }
  binOfCell[missing] = starts.length
  people[starts.length] = counts[missing] ?? 0
  return { binOfCell, count: starts.length + 1, people, edges: edgesOf(column, starts) }
}

/** The first cell of each bin: a bin ends once it holds its share, or before a cell that holds far more. */
function startsOf(counts: Float64Array, most: number): readonly number[] {
  const cells = counts.subarray(0, counts.length - 1)
  const share = cells.reduce((sum, count) => sum + count, 0) / most
  const starts = [0]
  let held = 0
  for (const [cell, count] of cells.entries()) {
    const isFull = held >= 0.999 * share || (held > 0.3 * share && held + count > 1.5 * share)
    if (cell > 0 && isFull && starts.length < most) {
      starts.push(cell)
      held = 0
    }
    held += count
  }
  return starts
}

function edgesOf(column: ColumnSpec, starts: ArrayLike<number>): readonly number[] {
  if (column.kind === "category") return []
  const width = (column.high - column.low) / cellsOfRange
  return [...Array.from(starts, (cell) => column.low + cell * width), column.high]
}
