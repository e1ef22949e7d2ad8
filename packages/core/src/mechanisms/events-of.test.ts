import { describe, expect, test } from "vitest"
import { totalBy, whatIf } from "../accounting/what-if.ts"
import { zcdpOf } from "../accounting/event-losses.ts"
import { numberUp } from "../exact/dyadic.ts"
import { add, compare, multiply, rational, zero } from "../exact/rational.ts"
import { boundedSensitivity, countSensitivity } from "../privacy/sensitivity.ts"
import { aboveThreshold } from "./choices/above-threshold.ts"
import { eventsOf } from "./events-of.ts"
import { gaussianOfRho } from "./additive/gaussian.ts"
import { gaussianKeys, laplaceKeys, optimalKeys } from "./keys/key-selection.ts"
import { laplace } from "./additive/laplace.ts"
import { margins } from "./tables/margins.ts"
import { lossOf, type MechanismSpec } from "./mechanism.ts"
import { quantiles } from "./quantiles/quantile.ts"
import { randomizedResponse } from "./choices/randomized-response.ts"
import { runningTotal, runningTotalOfRho } from "./additive/running-total.ts"
import { selection, topK } from "./choices/selection.ts"
import { topKeys } from "./keys/top-keys.ts"
import { tree } from "./tables/tree.ts"

const one = countSensitivity({ groupsPerUnit: 3, rowsPerGroup: 2, neighbours: "add-or-remove" })
const keys = { epsilon: "0.5", delta: "1e-8", groupsPerUnit: 2, neighbours: "add-or-remove" } as const
const choice = { epsilon: "0.5", sensitivity: 1, scores: "any", candidates: 10 } as const
const run = { horizon: 30, stepsPerUnit: 1, amountPerStep: 1, neighbours: "replace" } as const
const specs: Record<string, MechanismSpec> = {
  laplace: laplace({ sensitivity: one, epsilon: "0.5" }),
  "laplace on replacement": laplace({
    sensitivity: boundedSensitivity({ groupsPerUnit: 2, lower: -1, upper: 1, neighbours: "replace" }),
    epsilon: "0.5",
  }),
  gaussian: gaussianOfRho({ sensitivity: one, rho: "0.1" }),
  exponential: selection({ ...choice, method: "exponential" }),
  "permute-and-flip": selection({ ...choice, method: "permute-and-flip" }),
  "top 3": topK({ ...choice, k: 3 }),
  "top 3 keys": topKeys({ ...keys, k: 3, sensitivity: 2 }),
  "sparse vector": aboveThreshold({
    epsilon: "0.5",
    answers: 2,
    questions: 9,
    sensitivity: 1,
    queries: "any",
  }),
  "randomized response": randomizedResponse({ epsilon: 1, categories: 4 }),
  "optimal keys": optimalKeys(keys),
  "Laplace keys": laplaceKeys(keys),
  "Gaussian keys": gaussianKeys(keys),
  quantiles: quantiles({
    quantiles: ["0.25", "0.5", "0.75"],
    cells: 20,
    rowsPerUnit: 1,
    neighbours: "replace",
    epsilon: 1,
  }),
  margins: margins({
    sizes: [3, 2],
    wanted: [{ attributes: [0, 1] }],
    groupsPerUnit: 2,
    lower: 0n,
    upper: 1n,
    neighbours: "replace",
    muSquared: "0.1",
  }),
  tree: tree({
    children: [[2], [1, 3]],
    wanted: [1, 1, 1],
    groupsPerUnit: 2,
    lower: 0n,
    upper: 1n,
    neighbours: "replace",
    muSquared: "0.1",
  }),
  "running total": runningTotal({ ...run, epsilon: 1 }),
  "running total with Gaussian noise": runningTotalOfRho({ ...run, rho: "0.1" }),
}

describe.each(Object.entries(specs))("the events of %s", (_, spec) => {
  test("[L1] cost in zCDP what the mechanism states, and no more than a pure loss does", () => {
    const losses = eventsOf(spec).map(({ event, count }) => ({
      loss: zcdpOf(event),
      count: rational(BigInt(count)),
    }))
    const rho = losses.map(({ loss, count }) => multiply(count, loss?.rho ?? zero)).reduce(add, zero)
    const delta = losses.map(({ loss, count }) => multiply(count, loss?.delta ?? zero)).reduce(add, zero)
    const { zcdp, pure } = lossOf(spec)
    expect(delta).toEqual(zcdp.delta)
    // Several worst patterns share one pure event, which may cost more than the best statement.
    expect(compare(rho, zcdp.rho)).toBeGreaterThanOrEqual(0)
    if (pure !== undefined) expect(numberUp(rho)).toBeLessThanOrEqual(numberUp(pure.epsilon) ** 2 / 2 + 1e-12)
    else expect(rho).toEqual(zcdp.rho)
  })

  test("add up to at most what basic composition of ten says", () => {
    const totals = whatIf(eventsOf(spec, 10), "1e-5")
    const basic = totals.find(({ accountant }) => accountant === "basic")?.epsilon ?? 0
    const pld = totals.find(({ accountant }) => accountant === "pld")?.epsilon ?? Infinity
    expect(pld).toBeLessThanOrEqual(basic * (1 + 1e-9))
    const { pure } = lossOf(spec)
    if (pure !== undefined) expect(basic).toBeLessThanOrEqual(10 * numberUp(pure.epsilon) * (1 + 1e-9))
  })
})

test("ten releases are ten times the events of one", () => {
  const [ten] = eventsOf(laplace({ sensitivity: one, epsilon: 1 }), 10)
  expect(ten).toEqual({ event: { kind: "laplace", amount: 2n, scale: rational(6n) }, count: 30 })
  expect(
    totalBy(
      "basic",
      [{ event: { kind: "laplace", amount: 2n, scale: rational(6n) }, count: 30 }],
      rational(1n, 9n),
    ).epsilon,
  ).toBe(10)
})
