import { sampleOf } from "../testing/suite/long-form.ts"
import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberDown, numberUp } from "../exact/dyadic.ts"
import { multiply, rational, type Rational } from "../exact/rational.ts"
import { calibrateSampledGaussian } from "./calibrate.ts"
import type { LossEvent } from "./event.ts"
import { accountByPld, totalBy, whatIf } from "./what-if.ts"

const at = (text: string): Rational => exactly(text, "x")

describe("one step on a sample", () => {
  const cases = (["add-or-remove", "replace"] as const).flatMap((neighbours) =>
    [
      ["0.1", "1e-6", "0.9"],
      ["1", "1e-6", "0.1"],
      ["1", "1e-9", "0.5"],
      ["8", "1e-3", "0.9"],
      ["3", "1e-12", "0.02"],
    ].map(([epsilon = "", delta = "", rate = ""]) => ({ epsilon, delta, rate, neighbours })),
  )

  // The accountant on a lattice shares nothing with the closed forms but the worst pair.
  test.each(sampleOf(cases, 3))(
    "has the least noise that the lattice allows: $neighbours, epsilon $epsilon, delta $delta, rate $rate",
    ({ epsilon, delta, rate, neighbours }) => {
      const sigma = calibrateSampledGaussian({ epsilon, delta, rate, neighbours, releases: 1 })
      const total = (value: Rational) =>
        accountByPld([
          { event: { kind: "sampled-gaussian", rate: at(rate), sigma: value, neighbours }, count: 1 },
        ]).epsilonAt(Number(delta))
      expect(total(sigma).lower).toBeLessThanOrEqual(Number(epsilon))
      expect(total(multiply(sigma, rational(1001n, 1000n))).upper).toBeLessThanOrEqual(Number(epsilon))
      expect(total(multiply(sigma, rational(999n, 1000n))).lower).toBeGreaterThan(Number(epsilon))
    },
  )

  test.each(["add-or-remove", "replace"] as const)(
    "needs next to no noise where samples are rarer than delta: %s",
    (neighbours) => {
      const sigma = calibrateSampledGaussian({
        epsilon: 1,
        delta: "0.01",
        rate: "0.001",
        releases: 10,
        neighbours,
      })
      expect(numberUp(sigma)).toBe(0.01)
    },
  )
})

describe("one release of Laplace noise", () => {
  // P(z) = (1-p)/(1+p) p^|z|: the tail sums of the two shifted laws, in plain arithmetic.
  const deltaOf = (amount: number, scale: number, epsilon: number): number => {
    const p = Math.exp(-1 / scale)
    const law = (z: number): number => ((1 - p) / (1 + p)) * p ** Math.abs(z)
    let sum = 0
    for (let z = -4000; z <= 4000; z += 1) sum += Math.max(0, law(z) - Math.exp(epsilon) * law(z - amount))
    return sum
  }

  test.each([
    [1, 1, 0.5],
    [1, 10, 0.02],
    [7, 3, 1.2],
    [100, 50, 1.9],
  ])("of %i steps at scale %f has its exact delta at epsilon %f", (amount, scale, epsilon) => {
    const event: LossEvent = { kind: "laplace", amount: BigInt(amount), scale: at(`${scale}`) }
    const account = accountByPld([{ event, count: 1 }])
    const exact = deltaOf(amount, scale, epsilon)
    const { lower, upper } = account.deltaAt(epsilon)
    expect(upper / exact).toBeCloseTo(1, 9)
    expect(lower).toBeLessThanOrEqual(upper)
    const back = account.epsilonAt(exact)
    expect(back.upper).toBeCloseTo(epsilon, 8)
    expect(back.lower).toBeLessThanOrEqual(back.upper)
  })
})

test("no total by distributions is above any other that holds", () => {
  const mixture = [
    { event: { kind: "pure", epsilon: at("0.001"), shape: "any" }, count: 3 },
    { event: { kind: "pure", epsilon: at("40"), shape: "any" }, count: 1 },
    { event: { kind: "laplace", amount: 1n, scale: at("1000000") }, count: 2 },
    { event: { kind: "approx", epsilon: at("0.3"), delta: at("1e-9") }, count: 1 },
  ] as const satisfies readonly { event: LossEvent; count: number }[]
  for (const planned of [mixture, mixture.slice(1), mixture.slice(0, 2), mixture.slice(2)]) {
    const totals = whatIf(planned, "1e-6")
    const pld = totals.find(({ accountant }) => accountant === "pld")
    expect(pld?.epsilon).toBe(Math.min(...totals.map(({ epsilon }) => epsilon)))
    expect(pld?.atLeast ?? 0).toBeLessThanOrEqual(numberDown(at(`${pld?.epsilon}`)) * (1 + 1e-9))
  }
  expect(totalBy("pld", mixture, at("1e-6")).epsilon).toBeGreaterThan(0)
})
