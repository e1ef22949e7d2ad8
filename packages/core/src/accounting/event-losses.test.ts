import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import { compare, divide, rational, zero, type Rational } from "../exact/rational.ts"
import type { LossEvent } from "./event.ts"
import { approxOf, gdpOf, pairOf, renyiOf, zcdpOf } from "./event-losses.ts"
import { gdpToDelta } from "./conversions/gaussian-delta.ts"
import { PldAccount } from "./distributions/pld.ts"
import { zcdpToDelta } from "./conversions/zcdp-to-approx.ts"

const at = (text: string): Rational => exactly(text, "x")

const events: readonly (readonly [name: string, event: LossEvent])[] = [
  ["laplace at one step", { kind: "laplace", amount: 1n, scale: rational(2n) }],
  ["laplace on a grid", { kind: "laplace", amount: 12n, scale: rational(10n) }],
  ["any pure loss", { kind: "pure", epsilon: at("0.7"), shape: "any" }],
  ["a bounded range", { kind: "pure", epsilon: at("0.7"), shape: "range" }],
  ["epsilon and delta", { kind: "approx", epsilon: at("0.7"), delta: at("1e-3") }],
  ["randomized response", { kind: "response", truth: at("0.6"), categories: 4 }],
  ["a failure", { kind: "failure", delta: at("1e-3") }],
  [
    "a sampled Gaussian",
    { kind: "sampled-gaussian", rate: at("0.1"), sigma: at("1.5"), neighbours: "add-or-remove" },
  ],
  [
    "a replaced Gaussian",
    { kind: "sampled-gaussian", rate: at("0.1"), sigma: at("1.5"), neighbours: "replace" },
  ],
  [
    "a sampled Laplace",
    {
      kind: "sampled-laplace",
      rate: at("0.2"),
      amount: 3n,
      scale: rational(3n),
      neighbours: "add-or-remove",
    },
  ],
  [
    "a replaced Laplace",
    { kind: "sampled-laplace", rate: at("0.2"), amount: 3n, scale: rational(3n), neighbours: "replace" },
  ],
]

describe.each(events)("%s", (_, event) => {
  if (event.kind === "gaussian") return
  const account = new PldAccount({ gaussianMu: 0, pairs: [{ pair: pairOf(event), count: 1 }] })
  // A bounded range has no worst pair of its own here, so its other measures are below the pair's.
  const isRange = event.kind === "pure" && event.shape === "range"

  test("is never better by (epsilon, delta), rho or mu than by its worst pair", () => {
    const approx = approxOf(event)
    if (approx !== undefined) {
      const { lower } = account.deltaAt(numberUp(approx.epsilon))
      expect(lower).toBeLessThanOrEqual(numberUp(approx.delta) * (1 + 1e-9))
    }
    if (isRange) return
    for (const epsilon of ["0.01", "0.2", "0.5", "0.9"]) {
      const { lower } = account.deltaAt(Number(epsilon))
      const [rho, mu] = [zcdpOf(event), gdpOf(event)]
      if (rho !== undefined && rho.rho.numerator > 0n) {
        expect(numberUp(zcdpToDelta(rho.rho, at(epsilon))) + numberUp(rho.delta)).toBeGreaterThan(lower)
      }
      if (mu !== undefined && mu.muSquared.numerator > 0n) {
        const delta = numberUp(gdpToDelta(sqrtUp(mu.muSquared), at(epsilon)))
        expect(delta + numberUp(mu.delta)).toBeGreaterThanOrEqual(lower)
      }
    }
  })

  test("has a Rényi curve that grows, is at least 0, and lies below rho a", () => {
    const { curve, delta } = renyiOf(event)
    const rho = zcdpOf(event)
    let last = 0
    for (const order of [1.01, 1.5, 2, 4.5, 20, 64.5, 500]) {
      const value = curve.at(order)
      expect(value).toBeGreaterThanOrEqual(last * (1 - 1e-9))
      if (rho !== undefined) expect(value).toBeLessThanOrEqual(numberUp(rho.rho) * order * (1 + 1e-9) + 1e-12)
      last = value
    }
    expect(delta).toBe(event.kind === "approx" || event.kind === "failure" ? 1e-3 : 0)
  })
})

test("a Gaussian has no single epsilon, and is exact in the others", () => {
  const event: LossEvent = { kind: "gaussian", muSquared: at("0.04") }
  expect(approxOf(event)).toBeUndefined()
  expect(zcdpOf(event)).toEqual({ rho: at("0.02"), delta: zero })
  expect(gdpOf(event)).toEqual({ muSquared: at("0.04"), delta: zero })
  expect(renyiOf(event).curve.at(10)).toBeCloseTo(0.2, 14)
})

test("a sampled Gaussian has neither epsilon nor rho nor mu of its own", () => {
  const event: LossEvent = {
    kind: "sampled-gaussian",
    rate: at("0.5"),
    sigma: at("1"),
    neighbours: "add-or-remove",
  }
  expect([approxOf(event), zcdpOf(event), gdpOf(event)]).toEqual([undefined, undefined, undefined])
})

test("replacing somebody costs a sampled Laplace twice the change", () => {
  const event = { kind: "sampled-laplace", rate: at("0.2"), amount: 3n, scale: rational(3n) } as const
  const [once, twice] = [
    approxOf({ ...event, neighbours: "add-or-remove" })?.epsilon ?? zero,
    approxOf({ ...event, neighbours: "replace" })?.epsilon ?? zero,
  ]
  expect(numberUp(once)).toBeCloseTo(Math.log1p(0.2 * Math.expm1(1)), 12)
  expect(numberUp(twice)).toBeCloseTo(Math.log1p(0.2 * Math.expm1(2)), 12)
})

test("a bounded range is cheaper in rho by the known factor", () => {
  const [any, range] = (["any", "range"] as const).map((shape) =>
    zcdpOf({ kind: "pure", epsilon: at("0.01"), shape }),
  )
  expect(range?.rho).toEqual(divide(at("0.0001"), rational(8n)))
  expect(numberUp(divide(any?.rho ?? zero, range?.rho ?? zero))).toBeCloseTo(4, 3)
})

test("parameters that doubles cannot hold are rounded against us", () => {
  // A scale and a sigma just below a double, by less than it can show.
  const below = (text: string): Rational => divide(at(text), at("1.00000000000000000001"))
  const laplace = pairOf({ kind: "laplace", amount: 1n, scale: below("10") }).forward.atoms[0]?.loss ?? 0
  expect(laplace).toBeGreaterThan(0.1)
  const fine = renyiOf({ kind: "laplace", amount: 7n, scale: below("10") }).curve.at(3)
  expect(fine).toBeGreaterThan(renyiOf({ kind: "laplace", amount: 7n, scale: at("10") }).curve.at(3))
  const truth = at("0.7500000000000000000001")
  const response = pairOf({ kind: "response", truth, categories: 2 }).forward.atoms[0]?.loss ?? 0
  // Engines differ in the last digit of a logarithm.
  expect(response).toBeGreaterThan(Math.log(3) * (1 - 1e-14))
  expect(
    compare(exactly(response, "loss"), approxOf({ kind: "response", truth, categories: 2 })?.epsilon ?? zero),
  ).toBeGreaterThanOrEqual(0)
})
