import { test } from "vitest"
import { multiply, rational } from "../../exact/rational.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { attack } from "../../testing/attack.ts"
import { releaseWeightedKeys, weightedKeys, type WeightedKeysSpec } from "./weighted-keys.ts"

const options = { epsilon: 1, delta: "0.02", groupsPerUnit: 4, neighbours: "add-or-remove" } as const
const spec = weightedKeys(options)
const weightIn = (n: number): bigint => spec.weights[n - 1]?.weight ?? 0n

/** Only what is shown comes out. */
const on = (weights: readonly bigint[]) => (used: WeightedKeysSpec, rng: RandomBits) =>
  releaseWeightedKeys(used, weights, rng)
    .map(({ key }) => key)
    .join(" ")

test("weighted selection keeps its loss, and a threshold that is too low is caught", () => {
  const low = { ...spec, threshold: spec.threshold - spec.threshold / 3n }
  for (const n of [1, 4]) {
    const own = Array<bigint>(n).fill(weightIn(n))
    attack<WeightedKeysSpec>(`own keys: ${n}`, {
      spec,
      measure: "gdp",
      on: [on(own), on([])],
      broken: low,
      draws: 12_000,
    })
  }
})

test("weighted selection keeps its loss for keys of many, and too little noise is caught", () => {
  const quiet = { ...spec, variance: multiply(spec.variance, rational(1n, 12n)) }
  // Of each key so much that it is shown about as often as not.
  for (const n of [1, 4]) {
    const before = Array<bigint>(n).fill(spec.threshold - weightIn(n) / 2n)
    const pair = [on(before.map((weight) => weight + weightIn(n))), on(before)] as const
    attack<WeightedKeysSpec>(`in ${n} groups`, {
      spec,
      measure: "gdp",
      on: pair,
      broken: quiet,
      draws: 12_000,
    })
  }
})
