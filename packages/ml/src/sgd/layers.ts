// One network on one workspace: activations of up to 256 rows at a time, errors sent back, and exact sums of
// clipped gradients. No gradient of a single row is ever made: its length is that of its activations times
// that of its errors, layer by layer.

import { bytesOf, Workspace, type Block } from "../matrix/products.ts"
import { halfMax, inputSteps, type Network } from "./network.ts"
import { chunkRows, placeRow, stepsSquare, type PlacedLayer } from "./place-row.ts"

/** A layer: `ins` numbers and a 1 that never changes come in, `outs` go out. */
interface Layer extends PlacedLayer {
  /** `ins` + 1 rows of `width`: outs in eights. */
  readonly weights: Block<Float32Array>
  /** What comes in as numbers, `ins` + 1 a row. */
  readonly inputs: Block<Float32Array>
  readonly outputs: Block<Float32Array>
  /** Weights from outs to ins, and errors of what came in, `backWidth` a row; unused in the first layer. */
  readonly turned: Block<Float32Array>
  readonly back: Block<Float32Array>
  readonly backWidth: number
  readonly errors: Block<Float32Array>
  readonly left: Block<Int16Array>
  readonly right: Block<Int16Array>
  /** Sums of the products of `left` and `right`. */
  readonly sums: Block<Int32Array>
}

/** Rows of a network: inputs in whole steps, one row after the other, and a target each. */
export interface NetworkData {
  readonly rows: number
  readonly inputs: Int16Array
  /** The place of a class, or a number from -1 to 1; NaN where there is none. */
  readonly targets: Float64Array
}

/** What a step of training measures, exactly: secret until noise is on it. */
export interface StepSums {
  /** Sums of clipped gradients in steps, layer by layer, weights from one input after the other. */
  readonly gradients: Float64Array
  /** Rows whose gradient was within the clip, less those whose was not. */
  readonly within: number
}

/** The numbers of a network and the place to work with them. */
export class Layers {
  readonly #network: Pick<Network, "sizes" | "target">
  readonly #workspace: Workspace
  readonly #layers: readonly Layer[]

  constructor(network: Pick<Network, "sizes" | "target">, isPlain = false) {
    this.#network = network
    const shapes = network.sizes.slice(1).map((outs, at) => ({ ins: network.sizes[at] ?? 0, outs }))
    this.#workspace = new Workspace(
      shapes.reduce((sum, shape) => sum + bytesOfLayer(shape), 0),
      isPlain,
    )
    this.#layers = shapes.map((shape) => layerOf(this.#workspace, shape))
  }

  /** How many weights there are in all. */
  get weightCount(): number {
    return this.#layers.reduce((sum, { ins, outs }) => sum + (ins + 1) * outs, 0)
  }

  /** Takes weights, in the order of gradients. */
  setWeights(weights: Float64Array): void {
    let from = 0
    for (const { ins, outs, width, weights: own, turned, backWidth } of this.#layers) {
      for (let i = 0; i <= ins; i += 1) {
        for (let k = 0; k < outs; k += 1) {
          const weight = weights[from] ?? 0
          own.values[i * width + k] = weight
          if (i < ins) turned.values[k * backWidth + i] = weight
          from += 1
        }
      }
    }
  }

  /** What comes out for some rows: scores of classes, or a number, `outs` a row. */
  outputsOf(data: Pick<NetworkData, "inputs">, rows: Uint32Array): Float64Array {
    const outs = this.#network.sizes.at(-1) ?? 1
    const all = new Float64Array(rows.length * outs)
    for (let start = 0; start < rows.length; start += chunkRows) {
      const chunk = rows.subarray(start, start + chunkRows)
      this.#forward(data.inputs, chunk)
      const last = this.#layers.at(-1)
      for (let row = 0; row < chunk.length; row += 1) {
        for (let k = 0; k < outs; k += 1) {
          all[(start + row) * outs + k] = last?.outputs.values[row * last.width + k] ?? 0
        }
      }
    }
    return all
  }

  /**
   * The exact sums over some rows.
   *
   * Guarantee: each row adds to `gradients` a vector of integers of length at most gradientBound, and 1 or
   *   -1 to `within`; what it adds depends on the row, the weights and the clip alone. See layers.proof.md.
   * Needs: each row is listed once.
   * Proof: layers.proof.md.
   * Numerics: inputs, errors and their products are integers; 256 products add up below 2^31, and all below
   *   2^53.
   * Source: Goodfellow 2015 for lengths of gradients; ours for the grid.
   */
  sums(data: NetworkData, rows: Uint32Array, clip: number): StepSums {
    const gradients = new Float64Array(this.weightCount)
    let within = 0
    for (let start = 0; start < rows.length; start += chunkRows) {
      const chunk = rows.subarray(start, start + chunkRows)
      this.#forward(data.inputs, chunk)
      this.#backward(data.targets, chunk)
      within += this.#clipErrors(chunk.length, clip)
      this.#addSums(gradients)
    }
    return { gradients, within }
  }

  #forward(inputs: Int16Array, rows: Uint32Array): void {
    const padded = Math.ceil(rows.length / 4) * 4
    for (const [at, layer] of this.#layers.entries()) {
      const before = this.#layers[at - 1]
      if (before === undefined) takeInputs(layer, inputs, rows)
      else takeActivations(layer, before, rows.length)
      this.#workspace.products({
        a: layer.inputs,
        b: layer.weights,
        c: layer.outputs,
        rows: padded,
        inner: layer.ins + 1,
        columns: layer.width,
      })
    }
  }

  #backward(targets: Float64Array, rows: Uint32Array): void {
    const padded = Math.ceil(rows.length / 4) * 4
    for (let at = this.#layers.length - 1; at >= 0; at -= 1) {
      const [layer, after] = [this.#layers[at], this.#layers[at + 1]]
      if (layer === undefined) continue
      if (after === undefined) {
        takeOutputErrors(layer, { targets, rows, target: this.#network.target })
      } else {
        const { errors: a, turned: b, back: c, outs: inner, backWidth: columns } = after
        this.#workspace.products({ a, b, c, rows: padded, inner, columns })
        takeErrors(layer, after, rows.length)
      }
    }
  }

  /**
   * Scales each row's errors so that its gradient keeps the clip, and puts them onto their grid, toward 0.
   * A row whose length in steps is above the bound all the same, or is no number, adds nothing.
   */
  #clipErrors(rows: number, clip: number): number {
    let within = 0
    for (const layer of this.#layers) {
      layer.left.values.fill(0)
      layer.right.values.fill(0)
    }
    for (let row = 0; row < rows; row += 1) {
      let square = 0
      for (const layer of this.#layers) square += layerSquare(layer, row)
      const length = Math.sqrt(square)
      within += length <= clip ? 1 : -1
      const scale = ((1 - 1e-6) * halfMax) / Math.max(clip, length)
      placeRow(this.#layers, row, scale)
    }
    return within
  }

  #addSums(gradients: Float64Array): void {
    let from = 0
    for (const { ins, outs, width, left: a, right: d, sums: g } of this.#layers) {
      const left = Math.ceil((ins + 1) / 4) * 4
      this.#workspace.outerSums({ a, d, g, left, pairs: chunkRows / 2, right: width })
      for (let i = 0; i <= ins; i += 1) {
        for (let k = 0; k < outs; k += 1) {
          gradients[from] = (gradients[from] ?? 0) + (g.values[i * width + k] ?? 0)
          from += 1
        }
      }
    }
  }
}

function layerOf(space: Workspace, { ins, outs }: { readonly ins: number; readonly outs: number }): Layer {
  const width = Math.ceil(outs / 8) * 8
  const backWidth = Math.ceil(ins / 8) * 8
  const left = Math.ceil((ins + 1) / 4) * 4
  return {
    ins,
    outs,
    width,
    backWidth,
    weights: space.floats((ins + 1) * width),
    steps: new Int16Array(chunkRows * (ins + 1)),
    inputs: space.floats(chunkRows * (ins + 1)),
    outputs: space.floats(chunkRows * width),
    errors: space.floats(chunkRows * outs),
    turned: space.floats(outs * backWidth),
    back: space.floats(chunkRows * backWidth),
    left: space.halves(chunkRows * left),
    right: space.halves(chunkRows * width),
    sums: space.integers(left * width),
  }
}

function bytesOfLayer({ ins, outs }: { readonly ins: number; readonly outs: number }): number {
  const width = Math.ceil(outs / 8) * 8
  const backWidth = Math.ceil(ins / 8) * 8
  const left = Math.ceil((ins + 1) / 4) * 4
  const floats = [(ins + 1) * width, chunkRows * (ins + 1), chunkRows * width, chunkRows * outs]
  const others = [outs * backWidth, chunkRows * backWidth, left * width]
  const halves = [chunkRows * left, chunkRows * width]
  return (
    [...floats, ...others].reduce((sum, count) => sum + bytesOf(count, 4), 0) +
    halves.reduce((sum, count) => sum + bytesOf(count, 2), 0)
  )
}

function takeInputs(layer: Layer, inputs: Int16Array, rows: Uint32Array): void {
  const { ins, steps, inputs: floats } = layer
  for (let row = 0; row < rows.length; row += 1) {
    const [from, to] = [(rows[row] ?? 0) * ins, row * (ins + 1)]
    for (let i = 0; i < ins; i += 1) {
      const step = inputs[from + i] ?? 0
      steps[to + i] = step
      floats.values[to + i] = step / inputSteps
    }
    steps[to + ins] = inputSteps
    floats.values[to + ins] = 1
  }
}

/** What goes out of one layer and is above 0, in whole steps, comes into the next. */
function takeActivations(layer: Layer, before: Layer, rows: number): void {
  const { ins, steps, inputs } = layer
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = [row * before.width, row * (ins + 1)]
    for (let i = 0; i < ins; i += 1) {
      const step = Math.max(
        0,
        Math.min(halfMax, Math.round((before.outputs.values[from + i] ?? 0) * inputSteps)),
      )
      const whole = Number.isNaN(step) ? 0 : step
      steps[to + i] = whole
      inputs.values[to + i] = whole / inputSteps
    }
    steps[to + ins] = inputSteps
    inputs.values[to + ins] = 1
  }
}

function takeOutputErrors(
  { outs, width, outputs, errors }: Layer,
  of: { readonly targets: Float64Array; readonly rows: Uint32Array; readonly target: Network["target"] },
): void {
  for (let row = 0; row < of.rows.length; row += 1) {
    const wanted = of.targets[of.rows[row] ?? 0] ?? NaN
    const scores = outputs.values.subarray(row * width, row * width + outs)
    const own = errors.values.subarray(row * outs, (row + 1) * outs)
    if (of.target === "numbers") {
      own[0] = Number.isNaN(wanted) ? 0 : (scores[0] ?? 0) - wanted
      continue
    }
    const most = scores.reduce((best, score) => Math.max(best, score), -Infinity)
    const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
    for (let k = 0; k < outs; k += 1) {
      const chance = Math.exp((scores[k] ?? 0) - most) / total
      own[k] = Number.isInteger(wanted) && wanted >= 0 && wanted < outs ? chance - (k === wanted ? 1 : 0) : 0
    }
  }
}

/** Errors of a layer's outputs from those of what came into the next, where the output was above 0. */
function takeErrors(layer: Layer, after: Layer, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    for (let k = 0; k < layer.outs; k += 1) {
      const isOn = (after.steps[row * (after.ins + 1) + k] ?? 0) > 0
      layer.errors.values[row * layer.outs + k] = isOn
        ? (after.back.values[row * after.backWidth + k] ?? 0)
        : 0
    }
  }
}

/** The squared length of a row's gradient in one layer. */
function layerSquare({ ins, outs, steps, errors }: Layer, row: number): number {
  let square = 0
  for (let k = 0; k < outs; k += 1) square += (errors.values[row * outs + k] ?? 0) ** 2
  return (square * stepsSquare(steps, { ins, row })) / (inputSteps * inputSteps)
}
