// The training of a network: on each step a Poisson sample, exact sums of clipped gradients, noise, and a
// move of the weights. Nothing but noisy sums reaches the weights; nothing else is told.

import type { RandomBits } from "@dosimeter/core/noise"
import { releaseSums } from "../rounds/release-sums.ts"
import { Layers, type NetworkData, type StepSums } from "./layers.ts"
import { gradientBound, type Network } from "./network.ts"
import { Mover } from "./optimizer.ts"

/** A trained network: its weights, layer by layer, from each input (and a 1) to each output. */
export interface NetworkModel {
  readonly kind: "network"
  readonly sizes: readonly number[]
  readonly target: Network["target"]
  readonly weights: Float64Array
}

/** How fast the clip follows the noisy median of lengths. */
const clipRate = 0.2

/**
 * Trains a network by differentially private stochastic gradient descent.
 *
 * Guarantee: the loss is that of networkEvents(network), for add-or-remove neighbours.
 * Needs: one row a unit; `network` was made by `network()`.
 * Proof: on each of network.steps steps, rows are drawn by the sample's coins, independently of all else;
 *   StepSums change by at most gradientBound and 1 for a row more (Layers.sums), and noise of the specs is
 *   on both (noiseOfStep): a Gaussian mechanism with multiplier sigma on a Poisson sample. Weights and
 *   clip are functions of noisy sums. An empty sample has sums of 0 and is noised like any other.
 * Numerics: as Layers.sums and releaseSums.
 * Source: Abadi et al. 2016, algorithm 1.
 */
export function trainNetwork(network: Network, data: NetworkData, rng: RandomBits): NetworkModel {
  const layers = new Layers(network)
  const weights = firstWeights(network.sizes, rng)
  const mover = new Mover(network.optimizer, weights.length)
  const average = new Float64Array(weights.length)
  const first = Math.floor(network.steps / 2)
  let { clip } = network
  for (let step = 0; step < network.steps; step += 1) {
    layers.setWeights(weights)
    const exact = layers.sums(data, network.sample.draw(data.rows, rng), clip)
    const noisy = releaseStep(network, exact, rng)
    mover.move(weights, noisy.gradients, clip / gradientBound / network.batch)
    if (step >= first) addShare(average, weights, 1 / (network.steps - first))
    if (noisy.within !== undefined) clip = nextClip(clip, noisy.within / network.batch)
  }
  return { kind: "network", sizes: network.sizes, target: network.target, weights: average }
}

function addShare(sum: Float64Array, values: Float64Array, share: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + share * (values[at] ?? 0)
}

/**
 * The noisy sums of a step.
 *
 * Guarantee: as noiseOfStep: the noise multiplier of both sums together is network.sigma.
 * Needs: exact sums of Layers.sums.
 * Proof: each sum is released with the noise of its own spec, drawn independently.
 * Numerics: as releaseSums.
 * Source: as trainNetwork.
 */
export function releaseStep(
  network: Pick<Network, "gradients" | "within">,
  exact: StepSums,
  rng: RandomBits,
): { readonly gradients: Float64Array; readonly within: number | undefined } {
  const gradients = releaseSums(network.gradients, exact.gradients, rng)
  if (network.within === undefined) return { gradients, within: undefined }
  return { gradients, within: releaseSums(network.within, Float64Array.of(exact.within), rng)[0] }
}

/** Shorter if more than half of the gradients seem to be within it, longer if fewer; never far at once. */
function nextClip(clip: number, surplus: number): number {
  const moved = clip * Math.exp(-clipRate * Math.max(-1, Math.min(1, surplus / 2)))
  return Math.min(1e6, Math.max(1e-6, moved))
}

/** Uniform weights, narrower where many inputs add up; 0 for the last input, the 1. */
function firstWeights(sizes: readonly number[], rng: RandomBits): Float64Array {
  const layers = sizes.slice(1).map((outs, at) => {
    const ins = sizes[at] ?? 1
    const range = Math.sqrt(6 / (at + 2 === sizes.length ? ins + outs : ins))
    return Float64Array.from({ length: (ins + 1) * outs }, (_, place) =>
      place < ins * outs ? range * (2 * ((rng.word() + 0.5) / 2 ** 32) - 1) : 0,
    )
  })
  const all = new Float64Array(layers.reduce((sum, { length }) => sum + length, 0))
  let from = 0
  for (const layer of layers) {
    all.set(layer, from)
    from += layer.length
  }
  return all
}

/** What a network says of rows: chances of classes, `outputs` a row, or numbers from -1 to 1. */
export function predictNetwork(
  model: NetworkModel,
  data: Pick<NetworkData, "rows" | "inputs">,
): Float64Array {
  const layers = new Layers(model)
  layers.setWeights(model.weights)
  const outputs = layers.outputsOf(
    data,
    Uint32Array.from({ length: data.rows }, (_, row) => row),
  )
  if (model.target === "numbers") return outputs.map((value) => Math.max(-1, Math.min(1, value)))
  const outs = model.sizes.at(-1) ?? 1
  for (let row = 0; row < data.rows; row += 1) {
    const scores = outputs.subarray(row * outs, (row + 1) * outs)
    const most = scores.reduce((best, score) => Math.max(best, score), -Infinity)
    const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
    for (let k = 0; k < outs; k += 1) scores[k] = Math.exp((scores[k] ?? 0) - most) / total
  }
  return outputs
}
