import { expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { refusalOf } from "../testing/refusals.ts"
import type { LossEvent } from "./event.ts"
import {
  approxPair,
  gaussianPair,
  laplacePair,
  laplaceRenyi,
  pureRenyi,
  responsePair,
  sampledGaussianPair,
  sampledGaussianRenyi,
  zcdpRenyi,
} from "./laws.ts"
import { PldAccount } from "./distributions/pld.ts"
import { addCurves, renyiToEpsilon, type RenyiCurve } from "./renyi.ts"
import { totalBy } from "./what-if.ts"
import type { LossPair } from "./distributions/loss-law.ts"

const at = (text: string) => exactly(text, "x")
const delta = 1e-6

// A batch made by hand has the total of the same events.
test.each<[string, LossPair, LossEvent]>([
  ["Laplace noise", laplacePair({ amount: 3, scale: 20 }), { kind: "laplace", amount: 3n, scale: at("20") }],
  [
    "an epsilon and a delta",
    approxPair({ epsilon: "0.1", delta: "1e-9" }),
    { kind: "approx", epsilon: at("0.1"), delta: at("1e-9") },
  ],
  [
    "samples",
    sampledGaussianPair({ sigma: 4, rate: "0.1", neighbours: "add-or-remove" }),
    { kind: "sampled-gaussian", sigma: at("4"), rate: at("0.1"), neighbours: "add-or-remove" },
  ],
])("%s", (_, pair, event) => {
  const { upper, lower } = new PldAccount({ gaussianMu: 0, pairs: [{ pair, count: 20 }] }).epsilonAt(delta)
  const total = totalBy("pld", [{ event, count: 20 }], at(`${delta}`))
  expect(total.epsilon).toBeLessThanOrEqual(upper)
  expect(total.epsilon).toBeGreaterThanOrEqual(lower)
})

test.each<[string, RenyiCurve, LossEvent]>([
  ["zCDP", zcdpRenyi({ rho: "0.01" }), { kind: "gaussian", muSquared: at("0.02") }],
  ["a pure loss", pureRenyi({ epsilon: "0.1" }), { kind: "pure", epsilon: at("0.1"), shape: "any" }],
  [
    "a choice",
    pureRenyi({ epsilon: "0.1", range: true }),
    { kind: "pure", epsilon: at("0.1"), shape: "range" },
  ],
  ["Laplace noise", laplaceRenyi({ amount: 1, scale: 10 }), { kind: "laplace", amount: 1n, scale: at("10") }],
  [
    "replaced samples",
    sampledGaussianRenyi({ sigma: 4, rate: "0.1", neighbours: "replace" }),
    { kind: "sampled-gaussian", sigma: at("4"), rate: at("0.1"), neighbours: "replace" },
  ],
])("the curve of %s", (_, curve, event) => {
  const epsilon = renyiToEpsilon(addCurves([{ curve, count: 5 }]), delta)
  expect(epsilon).toBe(totalBy("renyi", [{ event, count: 5 }], at(`${delta}`)).epsilon)
})

test("parameters are refused by name", () => {
  const codes = [
    () => gaussianPair({ mu: 0 }),
    () => gaussianPair({ mu: "-1" }),
    () => laplacePair({ amount: "0.5", scale: 1 }),
    () => responsePair({ epsilon: 1, categories: 1 }),
    () => sampledGaussianPair({ sigma: Number.NaN, rate: "0.1", neighbours: "replace" }),
    () => sampledGaussianPair({ sigma: 1, rate: 2, neighbours: "replace" }),
    () => approxPair({ epsilon: 1, delta: 1 }),
  ].map((make) => refusalOf(make).code)
  for (const code of codes) expect(code).toMatch(/^parameter\//)
})
