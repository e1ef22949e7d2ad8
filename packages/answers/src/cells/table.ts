// The tables that post-processing works on: values, each with what is known of the noise in it.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Spread, Uncertain } from "./spread.ts"

/** Shown, or below the owner's threshold and so not shown: never a zero in disguise. */
export type CellState = "released" | "below-threshold"

/** One value of a table. */
export interface Cell extends Uncertain {
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
