// Mechanisms are attacked on neighbouring inputs, with the loss that lossOf states; and broken on purpose, to
// show that the attack would notice. Key selection, quantiles and running totals: in files of their own.

import { describe, test } from "vitest"
import type { RandomBits } from "../random/random-bits.ts"
import { multiply, rational } from "../exact/rational.ts"
import { attack } from "../testing/attack.ts"
import { boundedSensitivity, countSensitivity } from "../privacy/sensitivity.ts"
import { gaussianOfMu, releaseGaussian } from "./additive/gaussian.ts"
import { laplace, releaseLaplace } from "./additive/laplace.ts"
import { randomizedResponse, releaseRandomizedResponse } from "./choices/randomized-response.ts"
import {
  releaseSelection,
  releaseTopK,
  selection,
  topK,
  type SelectionSpec,
  type TopKSpec,
} from "./choices/selection.ts"

const neighbours = "add-or-remove"

describe("additive noise keeps its loss", () => {
  const count = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours })
  const sums = boundedSensitivity({ groupsPerUnit: 1, lower: -1n, upper: 2n, neighbours: "replace" })

  test("Laplace on a count, and half the noise is caught", () => {
    const spec = laplace({ sensitivity: count, epsilon: 1 })
    const on = (exact: bigint) => (used: typeof spec, rng: RandomBits) =>
      releaseLaplace(used, [exact], rng)[0] ?? 0n
    attack("laplace", {
      spec,
      measure: "pure",
      on: [on(40n), on(41n)],
      broken: { ...spec, scale: rational(1n, 2n) },
    })
  })

  test("Laplace on two sums where a unit moves from one to the other", () => {
    const spec = laplace({ sensitivity: sums, epsilon: 2 })
    const on = (exact: readonly bigint[]) => (used: typeof spec, rng: RandomBits) =>
      releaseLaplace(used, exact, rng).join()
    const half = { ...spec, scale: multiply(spec.scale, rational(1n, 2n)) }
    attack("two sums", { spec, measure: "pure", on: [on([2n, 0n]), on([0n, 2n])], broken: half })
  })

  test("Gaussian on a count, and a variance that was taken for a standard deviation is caught", () => {
    const spec = gaussianOfMu({ sensitivity: count, mu: "1/2" })
    const on = (exact: bigint) => (used: typeof spec, rng: RandomBits) =>
      releaseGaussian(used, [exact], rng)[0] ?? 0n
    attack("gaussian", {
      spec,
      measure: "gdp",
      on: [on(40n), on(41n)],
      broken: { ...spec, variance: rational(1n) },
    })
  })
})

describe("a choice keeps its loss", () => {
  const choice = { epsilon: 1, sensitivity: 1, scores: "any", candidates: 5 } as const
  const on = (scores: readonly bigint[]) => (spec: SelectionSpec, rng: RandomBits) =>
    releaseSelection(spec, scores, rng)

  test.each(["exponential", "permute-and-flip", "noisy-max"] as const)("%s, any and monotone", (method) => {
    const spec = selection({ ...choice, method })
    const [even, peak] = [on([1n, 1n, 1n, 1n, 1n]), on([2n, 0n, 0n, 0n, 0n])]
    // The noise of monotone scores is too small for others.
    attack(method, {
      spec,
      measure: "pure",
      on: [even, peak],
      broken: { ...spec, scores: "monotone" },
      draws: 60_000,
    })
    const monotone = selection({ ...choice, method, scores: "monotone" })
    const twice: SelectionSpec = { ...monotone, epsilon: rational(2n) }
    attack(method, {
      spec: monotone,
      measure: "pure",
      on: [on([0n, 1n, 1n, 1n, 1n]), on([1n, 1n, 1n, 1n, 1n])],
      broken: twice,
      draws: 100_000,
    })
  })

  test("the top 2, and three times the loss for each is caught", () => {
    const spec = topK({ ...choice, k: 2, epsilon: 2 })
    const top = (scores: readonly bigint[]) => (used: TopKSpec, rng: RandomBits) =>
      releaseTopK(used, scores, rng).join()
    const broken: TopKSpec = { ...spec, epsilonPerChoice: rational(3n) }
    attack("top 2", {
      spec,
      measure: "pure",
      on: [top([1n, 1n, 1n, 1n, 1n]), top([2n, 2n, 0n, 0n, 0n])],
      broken,
    })
  })

  test("randomized response, and too much truth is caught", () => {
    const spec = randomizedResponse({ epsilon: 1, categories: 3 })
    const report = (answer: number) => (used: typeof spec, rng: RandomBits) =>
      releaseRandomizedResponse(used, answer, rng)
    attack("report", {
      spec,
      measure: "pure",
      on: [report(0), report(2)],
      broken: { ...spec, truth: rational(2n, 3n) },
    })
  })
})
