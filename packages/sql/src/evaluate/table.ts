// The tables that post-processing works on: values, each with what is known of the noise in it.

import type { Constant } from "../catalog/constant.ts"
import type { RelColumn } from "../ir/rel.ts"
import type { Spread } from "./spread.ts"

/** Released numbers, or numbers below the owner's threshold, which are not shown; never a zero in disguise. */
export type CellState = "released" | "below-threshold"

/** One value of a table. */
export interface Cell {
  readonly value: Constant
  /** How uncertain the value is; absent for what has no noise in it. */
  readonly spread?: Spread
  readonly state: CellState
}

/** A row. */
export type Row = readonly Cell[]

/** Rows under columns. */
export interface Table {
  readonly columns: readonly RelColumn[]
  readonly rows: readonly Row[]
}

/** A cell without noise. */
export function publicCell(value: Constant): Cell {
  return { value, state: "released" }
}

/** A cell with or without noise. */
export function cellOf(value: Constant, spread: Spread | undefined, state: CellState): Cell {
  return spread === undefined ? { value, state } : { value, spread, state }
}

/** What is worked out from a cell below the threshold is below it too. */
export function stateOf(cells: readonly Cell[]): CellState {
  return cells.some(({ state }) => state === "below-threshold") ? "below-threshold" : "released"
}

/** What stands for many cells is below the threshold only if all of them are. */
export function stateOfMany(cells: Iterable<Cell>): CellState {
  let some = false
  for (const { state } of cells) {
    if (state === "released") return "released"
    some = true
  }
  return some ? "below-threshold" : "released"
}
