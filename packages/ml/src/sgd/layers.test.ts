import { l2SquaredOf } from "@dosimeter/core/mechanisms"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { normal } from "../testing/made-up.ts"
import { Layers, type NetworkData } from "./layers.ts"
import { gradientBound, inputSteps, network, type NetworkOptions } from "./network.ts"

const options: NetworkOptions = {
  inputs: 5,
  hidden: [7, 6],
  outputs: 3,
  target: "classes",
  people: 1000,
  batch: 50,
  noise: { sigma: "1" },
}

function made(rows: number, seed: string) {
  const rng = seededBits(seed)
  const inputs = Int16Array.from({ length: rows * 5 }, () => (rng.word() % (2 * inputSteps)) - inputSteps)
  const data: NetworkData = {
    rows,
    inputs,
    targets: Float64Array.from({ length: rows }, () => rng.word() % 3),
  }
  return { rng, data }
}

/**
 * Gradients row by row, from the definition: no ghosts, no grid. Weights of each layer from input to output.
 */
function plainGradients(sizes: readonly number[], weights: Float64Array, data: NetworkData, row: number) {
  const width = sizes[0] ?? 0
  const ins = [[...data.inputs.subarray(row * width, (row + 1) * width)].map((step) => step / inputSteps)]
  const starts = [0]
  for (let at = 0; at + 1 < sizes.length; at += 1) {
    const [before, outs, from] = [[...(ins[at] ?? []), 1], sizes[at + 1] ?? 0, starts[at] ?? 0]
    const sums = Array.from({ length: outs }, (_, k) =>
      before.reduce((sum, value, i) => sum + value * (weights[from + i * outs + k] ?? 0), 0),
    )
    ins.push(
      at + 2 === sizes.length
        ? sums
        : sums.map((sum) => Math.round(Math.max(0, sum) * inputSteps) / inputSteps),
    )
    starts.push(from + before.length * outs)
  }
  const scores = ins.at(-1) ?? []
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0)
  let errors = scores.map((score, k) => Math.exp(score) / total - (k === data.targets[row] ? 1 : 0))
  const gradient = new Float64Array(weights.length)
  for (let at = sizes.length - 2; at >= 0; at -= 1) {
    const [before, outs, from] = [[...(ins[at] ?? []), 1], sizes[at + 1] ?? 0, starts[at] ?? 0]
    for (const [i, value] of before.entries()) {
      for (let k = 0; k < outs; k += 1) gradient[from + i * outs + k] = value * (errors[k] ?? 0)
    }
    errors = before
      .slice(0, -1)
      .map((value, i) =>
        value > 0
          ? errors.reduce((sum, error, k) => sum + error * (weights[from + i * outs + k] ?? 0), 0)
          : 0,
      )
  }
  return gradient
}

test("ghost clipping sums up what clipping each row's gradient would, but for its grid", () => {
  const { rng, data } = made(300, "ghosts")
  const model = network(options)
  const layers = new Layers(model)
  const weights = Float64Array.from({ length: layers.weightCount }, () => normal(rng) * 0.7)
  layers.setWeights(weights)
  const clip = 0.8
  const { gradients, within } = layers.sums(
    data,
    Uint32Array.from({ length: 300 }, (_, row) => row),
    clip,
  )
  const wanted = new Float64Array(weights.length)
  let surplus = 0
  for (let row = 0; row < 300; row += 1) {
    const gradient = plainGradients(model.sizes, weights, data, row)
    const length = Math.hypot(...gradient)
    surplus += length <= clip ? 1 : -1
    for (const [at, value] of gradient.entries())
      wanted[at] = (wanted[at] ?? 0) + value * Math.min(1, clip / length)
  }
  const got = gradients.map((sum) => (sum / gradientBound) * clip)
  expect(Math.hypot(...got.map((value, at) => value - (wanted[at] ?? 0)))).toBeLessThan(
    0.002 * Math.hypot(...wanted),
  )
  expect(Math.abs(within - surplus)).toBeLessThanOrEqual(2)
})

test("no row changes the sums by more than the bound, with any weights and any clip", () => {
  const { rng, data } = made(40, "bounded rows")
  const hostile = [NaN, Infinity, 1e30, -1e30, 1e-30, 0, 40, -3]
  for (const target of ["classes", "numbers"] as const) {
    const model = network({ ...options, target, outputs: target === "numbers" ? 1 : 3 })
    const most = l2SquaredOf(model.gradients.sensitivity)
    for (const isPlain of [false, true]) {
      const layers = new Layers(model, isPlain)
      for (let turn = 0; turn < 12; turn += 1) {
        const size = 10 ** ((turn % 6) - 3)
        const weights = Float64Array.from({ length: layers.weightCount }, () =>
          turn > 7 && rng.word() % 9 === 0 ? (hostile[rng.word() % hostile.length] ?? 0) : size * normal(rng),
        )
        layers.setWeights(weights)
        const clip = [1e-6, 0.3, 1, 1e5][turn % 4] ?? 1
        const everybody = Uint32Array.from({ length: 40 }, (_, row) => row)
        const all = layers.sums(data, everybody, clip)
        const without = layers.sums(
          data,
          everybody.filter((row) => row !== turn),
          clip,
        )
        const change = all.gradients.reduce(
          (sum, value, at) => sum + BigInt(value - (without.gradients[at] ?? NaN)) ** 2n,
          0n,
        )
        expect(change).toBeLessThanOrEqual(most)
        expect(Math.abs(all.within - without.within)).toBe(1)
      }
    }
  }
})

test("a clipped gradient is as long as the bound, and one that is not clipped is as it was", () => {
  const { rng, data } = made(1, "one row")
  const layers = new Layers(network(options))
  layers.setWeights(Float64Array.from({ length: layers.weightCount }, () => normal(rng)))
  const short = layers.sums(data, Uint32Array.of(0), 1e-3)
  expect(Math.hypot(...short.gradients) / gradientBound).toBeGreaterThan(0.995)
  expect(Math.hypot(...short.gradients)).toBeLessThanOrEqual(gradientBound)
  expect(short.within).toBe(-1)
  const long = layers.sums(data, Uint32Array.of(0), 1e3)
  expect(long.within).toBe(1)
})

test("which rows share a chunk changes nothing: sums over parts add up", () => {
  const { rng, data } = made(700, "chunks")
  const layers = new Layers(network(options))
  layers.setWeights(Float64Array.from({ length: layers.weightCount }, () => normal(rng)))
  const rows = Uint32Array.from({ length: 700 }, (_, row) => row)
  const whole = layers.sums(data, rows, 1)
  const parts = [rows.subarray(0, 101), rows.subarray(101, 102), rows.subarray(102)].map((part) =>
    layers.sums(data, part, 1),
  )
  expect([...whole.gradients]).toEqual(
    [...whole.gradients].map((_, at) => parts.reduce((sum, { gradients }) => sum + (gradients[at] ?? 0), 0)),
  )
  expect(whole.within).toBe(parts.reduce((sum, { within }) => sum + within, 0))
})
