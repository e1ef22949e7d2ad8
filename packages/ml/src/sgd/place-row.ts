// One row's clipped gradient put where gradients are added up: errors on their grid, inputs in whole steps,
// and neither where their product would be longer than the bound.

import type { Block } from "../matrix/products.ts"
import { gradientBound } from "./network.ts"

/** Rows that are worked on together: so many gradients add up within 32 bits. */
export const chunkRows = 256

/** What is read and written of a layer. */
export interface PlacedLayer {
  readonly ins: number
  readonly outs: number
  /** Outs in eights. */
  readonly width: number
  /** What comes in, in whole steps, `ins` + 1 a row. */
  readonly steps: Int16Array
  /** Errors of what goes out, `outs` a row. */
  readonly errors: Pick<Block<Float32Array>, "values">
  /** Inputs in steps and clipped errors in steps, rows in pairs. */
  readonly left: Pick<Block<Int16Array>, "values">
  readonly right: Pick<Block<Int16Array>, "values">
}

/**
 * Places a row with its errors scaled.
 *
 * Guarantee: the products of what is placed, over all layers, are integers of length at most gradientBound,
 *   whatever the scale and the errors are: a row that would be longer, or is no number, adds nothing.
 * Needs: `left` and `right` hold 0 for this row; the last input of a row is inputSteps.
 * Proof: layers.proof.md, 1 and 2, of the comparison here.
 * Numerics: as there.
 * Source: ours.
 */
export function placeRow(layers: readonly PlacedLayer[], row: number, scale: number): void {
  let bounded = 0
  for (const layer of layers) bounded += placeErrors(layer, row, scale)
  if (bounded <= gradientBound * gradientBound) {
    for (const layer of layers) placeInputs(layer, row)
  } else {
    for (const layer of layers) dropErrors(layer, row)
  }
}

/** The squared length of a row's inputs, in steps. */
export function stepsSquare(
  steps: Int16Array,
  { ins, row }: { readonly ins: number; readonly row: number },
): number {
  let square = 0
  for (let i = row * (ins + 1); i < (row + 1) * (ins + 1); i += 1) square += (steps[i] ?? 0) ** 2
  return square
}

/** Puts a row's errors onto their grid; returns the squared length of its gradient in whole steps. */
function placeErrors(
  { ins, outs, width, steps, errors, right }: PlacedLayer,
  row: number,
  scale: number,
): number {
  let square = 0
  const to = 2 * (row >> 1) * width + (row & 1)
  for (let k = 0; k < outs; k += 1) {
    const error = Math.trunc((errors.values[row * outs + k] ?? 0) * scale)
    square += error * error
    right.values[to + 2 * k] = error
  }
  return square * stepsSquare(steps, { ins, row })
}

function dropErrors({ outs, width, right }: PlacedLayer, row: number): void {
  const to = 2 * (row >> 1) * width + (row & 1)
  for (let k = 0; k < outs; k += 1) right.values[to + 2 * k] = 0
}

function placeInputs({ ins, steps, left }: PlacedLayer, row: number): void {
  for (let i = 0; i <= ins; i += 1) left.values[i * chunkRows + row] = steps[row * (ins + 1) + i] ?? 0
}
