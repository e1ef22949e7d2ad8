// Whole trainings under attack: whether a canary was in the data cannot be told better than the stated loss
// allows, over many short runs; trainings with a planted bug and the same statement are caught.

import { gaussianOfVariance } from "@dosimeter/core/mechanisms"
import { multiply, rational } from "@dosimeter/core/exact"
import { checkPrivacy, expectViolation } from "@dosimeter/core/testing"
import type { RandomBits } from "@dosimeter/core/noise"
import { expect, test } from "vitest"
import { boosting } from "../boosting/boosting.ts"
import { predictShapes } from "../boosting/shape-model.ts"
import { boostingLearner } from "../boosting/train-boosting.ts"
import { trainLearner } from "../rounds/learner.ts"
import { examplesOf, withoutRow } from "../testing/made-up.ts"
import { Layers, type NetworkData } from "./layers.ts"
import { gradientBound, network, networkEpsilon, type Network } from "./network.ts"
import { releaseStep, trainNetwork } from "./train-network.ts"

/** Large, so that what a bug adds shows within few draws. */
const delta = 0.05
/** One number in, one out: a training takes microseconds. */
const tiny = {
  inputs: 1,
  hidden: [],
  outputs: 1,
  target: "numbers",
  people: 4,
  batch: 2,
  epochs: 2,
  noise: { sigma: "1" },
  clip: 0.05,
  optimizer: { kind: "momentum", rate: 1 },
} as const
const draws = 8000

/** Three rows that pull one way, and a canary that pulls the other way. */
const canary: NetworkData = {
  rows: 4,
  inputs: Int16Array.of(256, 256, 256, 256),
  targets: Float64Array.of(1, 1, 1, -1),
}
const without: NetworkData = {
  rows: 3,
  inputs: canary.inputs.slice(0, 3),
  targets: canary.targets.slice(0, 3),
}

/** All that a row of inputs of 1 moves, along the direction that it moves it in. */
function seen(weights: Float64Array): number {
  return (weights[0] ?? 0) + (weights[1] ?? 0)
}

test("a canary in a network cannot be told better than the stated epsilon allows", () => {
  const model = network(tiny)
  const finding = checkPrivacy({
    name: "a trained network",
    onD: (rng) => seen(trainNetwork(model, canary, rng).weights),
    onNeighbour: (rng) => seen(trainNetwork(model, without, rng).weights),
    epsilon: networkEpsilon(model, `${delta}`),
    delta,
    draws,
  })
  expect(finding.epsilonLower).toBeLessThanOrEqual(networkEpsilon(model, `${delta}`))
})

/** A training whose gradients are added up, on everybody, and told step by step. */
interface Broken {
  readonly model: Network
  readonly layers: Layers
  readonly bug: "none" | "clips the sum" | "noises by the realised batch" | "forgets a step"
}

function runBroken({ model, layers, bug }: Broken, data: NetworkData, rng: RandomBits): number {
  let told = 0
  const steps = bug === "forgets a step" ? 2 * model.steps : model.steps
  for (let step = 0; step < steps; step += 1) {
    // The weight of the input is random at first: an attacker who knows it may as well set it to 0.
    layers.setWeights(new Float64Array(layers.weightCount))
    const rows = Uint32Array.from({ length: data.rows }, (_, row) => row)
    told += releaseStep(
      used(model, bug, data.rows),
      sumsOf({ layers, data, rows, bug, clip: model.clip }),
      rng,
    ).gradients.reduce((sum, value) => sum + value, 0)
  }
  return told / gradientBound
}

function used(model: Network, bug: Broken["bug"], rows: number): Network {
  if (bug !== "noises by the realised batch") return model
  const part = rational(BigInt(rows), BigInt(model.batch))
  const variance = multiply(model.gradients.variance, multiply(part, part))
  return { ...model, gradients: gaussianOfVariance({ sensitivity: model.gradients.sensitivity, variance }) }
}

function sumsOf(of: {
  readonly layers: Layers
  readonly data: NetworkData
  readonly rows: Uint32Array
  readonly bug: Broken["bug"]
  readonly clip: number
}) {
  if (of.bug !== "clips the sum") return of.layers.sums(of.data, of.rows, of.clip)
  const long = 64
  const { gradients, within } = of.layers.sums(of.data, of.rows, long)
  const stretched = gradients.map((value) => (value * long) / of.clip)
  const shrink = Math.min(1, gradientBound / Math.hypot(...stretched))
  return { gradients: stretched.map((value) => Math.round(value * shrink)), within }
}

/** Everybody in every step, so that nothing but the bug hides or shows the canary. */
const everybody = network({ ...tiny, people: 4, batch: 4, epochs: 1, noise: { sigma: "1" } })
const claim = { epsilon: networkEpsilon(everybody, `${delta}`), delta, draws }
/** A canary alone against one row of the other kind: sums of one and of both have opposite signs. */
const strong: NetworkData = { rows: 2, inputs: Int16Array.of(256, 256), targets: Float64Array.of(0.4, -1) }
const weak: NetworkData = { rows: 1, inputs: Int16Array.of(256), targets: Float64Array.of(0.4) }

function told(bug: Broken["bug"]) {
  const broken = { model: everybody, layers: new Layers(everybody), bug }
  return {
    name: `a step that ${bug}`,
    onD: (rng: RandomBits) => runBroken(broken, strong, rng),
    onNeighbour: (rng: RandomBits) => runBroken(broken, weak, rng),
    ...claim,
  }
}

test("the steps themselves keep what is stated", () => {
  checkPrivacy(told("none"))
})

test.each(["clips the sum", "noises by the realised batch", "forgets a step"] as const)(
  "caught: a training that %s",
  (bug) => {
    expect(expectViolation(told(bug)).epsilonLower).toBeGreaterThan(claim.epsilon)
  },
)

test("a canary in a boosted model cannot be told better than the stated epsilon allows", () => {
  const plan = boosting({
    features: [{ kind: "category", name: "ward", categories: 2 }],
    target: { kind: "category", name: "died", categories: 2 },
    budget: { epsilon: "1", delta: `${delta}` },
    neighbours: "add-or-remove",
    epochs: 2,
  })
  const data = examplesOf(4, (row) => [row % 2, row === 3 ? 1 : 0])
  const other = withoutRow(data, 3)
  const asked = { rows: 1, features: [Float64Array.of(1)] }
  const tell = (examples: typeof data) => (rng: RandomBits) =>
    predictShapes(trainLearner(boostingLearner(plan), examples, rng), asked)[0] ?? NaN
  checkPrivacy({
    name: "boosting",
    onD: tell(data),
    onNeighbour: tell(other),
    epsilon: 1,
    delta,
    draws: 6000,
  })
})
