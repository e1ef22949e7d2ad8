// The side of boosting that sees data: people in cells and pairs, and sums of residuals, as exact integers.

import { scaled, type Examples } from "../columns/columns.ts"
import type { Reader } from "../rounds/learner.ts"
import { firstSums, errorBound, type Boosting } from "./boosting.ts"
import type { BoostingState, TermTable } from "./boosting-state.ts"
import { cellCount, cellsOf } from "./cells.ts"

/**
 * Opens data for a training.
 *
 * Guarantee: of the sums of a round, one unit changes at most those of its own place in each table: by 1 in
 *   the counts, and by an integer of at most errorBound in the one table of residuals.
 * Needs: one row a unit (the caller).
 * Proof: the cell of a row is a function of the row and of what is declared; its bins and score are functions
 *   of that cell and of noisy sums (BoostingState). Each row adds to one place of a table: a 1, or stepsOf,
 *   which is an integer from -errorBound to errorBound whatever the score is.
 * Numerics: scores are doubles, worked out from the row alone in the same order for every data set; what is
 *   added up are integers below 2^53 in all.
 * Source: none.
 */
export function readResiduals(model: Boosting, data: Examples): Reader<BoostingState> {
  const cells = model.features.map((feature, place) =>
    cellsOf(data.features[place] ?? new Float64Array(data.rows).fill(NaN), feature),
  )
  const targets = targetsOf(model, data)
  const scores = new Float64Array(data.rows)
  let places: readonly Uint16Array[] = []
  return {
    sums(state, round) {
      if (round === 0) return countCells(model, cells)
      if (round === 1) places = model.terms.map((term, at) => placesOf(term, state, { cells, at }))
      if (round < firstSums(model)) return countPairs(state, places)
      const { change } = state
      if (change !== undefined) addToScores(scores, places[change.term], change.by)
      const term = (round - firstSums(model)) % model.terms.length
      const sums = new Float64Array(state.tables[term]?.people.length ?? 0)
      const own = places[term] ?? new Uint16Array(0)
      for (let row = 0; row < own.length; row += 1) {
        const place = own[row] ?? 0
        sums[place] = (sums[place] ?? 0) + stepsOf(model, targets[row] ?? NaN, scores[row] ?? 0)
      }
      return sums
    },
  }
}

/** Targets as 0 and 1, or as numbers from -1 to 1; NaN where there is none. */
export function targetsOf({ target }: Boosting, data: Examples): Float64Array {
  if (target.kind === "category")
    return data.target.map((value) => (value === 0 || value === 1 ? value : NaN))
  return data.target.map((value) => (Number.isNaN(value) ? NaN : scaled(value, target)))
}

/** A residual in whole steps of the grid; a row without a target has none. */
export function stepsOf({ target, clip }: Boosting, value: number, score: number): number {
  const residual = value - (target.kind === "category" ? 1 / (1 + Math.exp(-score)) : score)
  const steps = Math.round((residual / clip) * errorBound)
  if (Number.isNaN(steps)) return 0
  return Math.max(-errorBound, Math.min(errorBound, steps))
}

function countCells(model: Boosting, cells: readonly Uint16Array[]): Float64Array {
  const sizes = model.features.map(cellCount)
  const counts = new Float64Array(sizes.reduce((sum, size) => sum + size, 0))
  let start = 0
  for (const [feature, own] of cells.entries()) {
    countInto(counts.subarray(start, start + (sizes[feature] ?? 0)), own)
    start += sizes[feature] ?? 0
  }
  return counts
}

function countPairs(state: BoostingState, places: readonly Uint16Array[]): Float64Array {
  const counted = state.tables.flatMap(({ people, places: sides }, term) =>
    sides.length === 1
      ? []
      : [countInto(new Float64Array(people.length), places[term] ?? new Uint16Array(0))],
  )
  return Float64Array.from(counted.flatMap((counts) => [...counts]))
}

function countInto(counts: Float64Array, places: Uint16Array): Float64Array {
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1
  return counts
}

/** The place of every row in the table of a term. */
export function placesOf(
  term: readonly number[],
  state: BoostingState,
  { cells, at }: { readonly cells: readonly Uint16Array[]; readonly at: number },
): Uint16Array {
  const table = state.tables[at]
  const sum = new Uint16Array(cells[0]?.length ?? 0)
  for (const [side, feature] of term.entries()) {
    const ofCell = placeOfCell(table, { side, binOfCell: state.bins[feature]?.binOfCell })
    for (const [row, cell] of (cells[feature] ?? new Uint16Array(0)).entries()) {
      sum[row] = (sum[row] ?? 0) + (ofCell[cell] ?? 0)
    }
  }
  return sum
}

/** What a cell of one side adds to the place in a term's table. */
export function placeOfCell(
  table: TermTable | undefined,
  { side, binOfCell }: { readonly side: number; readonly binOfCell: Uint16Array | undefined },
): Uint16Array {
  const places = table?.places[side] ?? new Uint16Array(0)
  return (binOfCell ?? new Uint16Array(0)).map((bin) => places[bin] ?? 0)
}

/** Adds the last change of a shape to every score. */
export function addToScores(scores: Float64Array, places: Uint16Array | undefined, by: Float64Array): void {
  for (let row = 0; row < scores.length; row += 1) {
    scores[row] = (scores[row] ?? 0) + (by[places?.[row] ?? 0] ?? 0)
  }
}
