import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { ColumnSpec } from "../columns/columns.ts"
import { areaUnderCurve, examplesOf, normal, unit } from "../testing/made-up.ts"
import { imageData, inputCount, networkData } from "./inputs.ts"
import { network, type Network, type NetworkOptions } from "./network.ts"
import { predictNetwork, trainNetwork } from "./train-network.ts"

const features: readonly ColumnSpec[] = [
  { kind: "number", name: "x", low: -1, high: 1 },
  { kind: "number", name: "y", low: -1, high: 1 },
  { kind: "category", name: "ward", categories: 2 },
]
const target: ColumnSpec = { kind: "category", name: "class", categories: 2 }
const options: NetworkOptions = {
  inputs: inputCount(features),
  hidden: [16],
  outputs: 2,
  target: "classes",
  people: 3000,
  batch: 150,
  epochs: 30,
  noise: { sigma: "0.6" },
}

/** What no line tells apart: x y > 0, but in the second ward the other way round. */
function crossed(seed: string) {
  const rng = seededBits(seed)
  return examplesOf(3000, () => {
    const [x, y, ward] = [2 * unit(rng) - 1, 2 * unit(rng) - 1, rng.word() % 2]
    return [x, y, ward, x * y > 0 === (ward === 0) ? 1 : 0]
  })
}

function areaOf(model: Network): number {
  const data = networkData(features, target, crossed("learn crossed"))
  const trained = trainNetwork(model, data, seededBits("train crossed"))
  const other = networkData(features, target, crossed("other crossed"))
  const chances = predictNetwork(trained, other)
  return areaUnderCurve(
    chances.filter((_, at) => at % 2 === 1),
    other.targets,
  )
}

test.each([
  [{}],
  [{ optimizer: { kind: "adam", rate: 0.02 } }],
  [{ adaptsClip: true, clip: 20, optimizer: { kind: "momentum", rate: 2 } }],
] as const)("learns what no line tells apart: %o", (part) => {
  expect(areaOf(network({ ...options, ...part }))).toBeGreaterThan(0.9)
})

test("learns numbers", () => {
  const rng = seededBits("a curve")
  const value: ColumnSpec = { kind: "number", name: "value", low: -3, high: 3 }
  const examples = examplesOf(3000, () => {
    const x = 2 * unit(rng) - 1
    return [x, 2 * unit(rng) - 1, 0, 2.5 * Math.abs(x) - 1 + 0.1 * normal(rng)]
  })
  const data = networkData(features, value, examples)
  const model = network({ ...options, target: "numbers", outputs: 1 })
  const guesses = predictNetwork(trainNetwork(model, data, seededBits("learn a curve")), data)
  const error = Math.hypot(...guesses.map((guess, row) => guess - (data.targets[row] ?? 0))) / Math.sqrt(3000)
  expect(error).toBeLessThan(0.1)
})

test("nobody in a sample, or nobody at all: noise all the same", () => {
  const nobody = { rows: 0, inputs: new Int16Array(0), targets: new Float64Array(0) }
  const model = network({ ...options, epochs: 1, optimizer: { kind: "momentum", rate: 1 } })
  const [once, again] = ["one", "two"].map((seed) => {
    // The same first weights, then bits of their own.
    const [first, then] = [seededBits("weights"), seededBits(seed)]
    let words = (options.inputs + 1) * 16 + 17 * 2 - 16 - 2
    const word = (): number => ((words -= 1) >= 0 ? first : then).word()
    const fill = (out: Uint32Array): void => {
      for (let at = 0; at < out.length; at += 1) out[at] = word()
    }
    return trainNetwork(model, nobody, { word, fill }).weights
  })
  expect(Math.hypot(...(once ?? []).map((weight, at) => weight - (again?.[at] ?? 0)))).toBeGreaterThan(0.01)
})

test("what was not declared counts as the nearest value or as missing", () => {
  const odd = [NaN, Infinity, -Infinity, 7, -7, 0.5]
  const data = networkData(
    features,
    target,
    examplesOf(6, (row) => [odd[row] ?? 0, 0, odd[row] ?? 0, row - 1]),
  )
  expect([...data.inputs]).toEqual([0, 256, -256, 256, -256, 128].flatMap((x) => [x, 0, 0, 0]))
  expect([...data.targets]).toEqual([NaN, 0, 1, NaN, NaN, NaN])
})

test("bytes of images become whole steps from 0 to 1", () => {
  const { inputs, targets } = imageData(Uint8Array.of(0, 1, 127, 128, 254, 255), Uint8Array.of(3))
  expect([...inputs]).toEqual([0, 1, 127, 129, 255, 256])
  expect([...targets]).toEqual([3])
})
