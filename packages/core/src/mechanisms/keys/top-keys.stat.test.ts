import { test } from "vitest"
import type { RandomBits } from "../../random/random-bits.ts"
import { attack } from "../../testing/attack.ts"
import { checkSampler } from "../../testing/check-sampler.ts"
import { releaseTopKeys, topKeys, type TopKeysSpec } from "./top-keys.ts"

const options = {
  k: 2,
  epsilon: 2,
  delta: "0.05",
  sensitivity: 1,
  groupsPerUnit: 2,
  neighbours: "add-or-remove",
} as const

const on = (scores: readonly bigint[]) => (spec: TopKeysSpec, rng: RandomBits) =>
  releaseTopKeys(spec, scores, rng).join(" ")

test("top keys keep their loss, and a threshold that is too low is caught", () => {
  const spec = topKeys(options)
  const low = { ...spec, threshold: spec.threshold - 3n }
  attack("lone keys", { spec, measure: "approx", on: [on([1n, 1n]), on([])], broken: low })
})

test("top keys keep their loss, and too small a sensitivity of the scores is caught", () => {
  const spec = topKeys({ ...options, sensitivity: 8 })
  const end = spec.threshold
  attack("rising keys", {
    spec,
    measure: "approx",
    on: [on([end + 8n, end + 8n, end, end]), on([end, end, end, end])],
    broken: { ...spec, sensitivity: 1n },
  })
})

test("one choice has the law of the exponential mechanism with the end among the candidates", () => {
  const spec: TopKeysSpec = { ...topKeys({ ...options, k: 1, epsilon: 1 }), threshold: 2n }
  const weights = [1n, 3n, 2n].map((score) => Math.exp(Number(score)))
  const sum = weights.reduce((a, b) => a + b, Math.exp(2))
  const law = (list: readonly number[]) => (k: bigint) =>
    k < 0n
      ? 0
      : Math.min(
          1,
          list.slice(0, Number(k) + 1).reduce((a, b) => a + b / sum, 0),
        )
  checkSampler({
    name: "one of three keys, or none",
    draw: (rng) => releaseTopKeys(spec, [1n, 3n, 2n], rng)[0] ?? 3,
    cdf: law([...weights, Math.exp(2)]),
    draws: 30_000,
    mustReject: { "another end": law([...weights, Math.exp(1)].map((w) => w * 1.05)) },
  })
})
