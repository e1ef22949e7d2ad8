import { describe, expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { numberDown, numberUp } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import { compare, divide, multiply, rational, type Rational } from "../exact/rational.ts"
import type { Neighbours } from "../privacy/unit.ts"
import collected from "../testing/fixtures/collected.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { numberExpected, numberInput, recordsOf } from "../testing/vectors.ts"
import {
  calibrateGaussian,
  calibrateLaplace,
  calibratePureLoss,
  calibrateSampledGaussian,
} from "./calibrate.ts"
import type { LossEvent } from "./event.ts"
import { gdpToEpsilon } from "./conversions/gaussian-delta.ts"
import { optimalToEpsilon } from "./conversions/optimal-composition.ts"
import { accountByPld, totalBy } from "./what-if.ts"

const at = (text: unknown): Rational => exactly(String(text), "x")
const slightlyLess = (value: Rational): Rational => multiply(value, at("0.99"))

describe("a pure loss for each of many releases", () => {
  test.each([
    [1, "1e-6", 10],
    [1, "1e-6", 1000],
    [5, "1e-9", 50],
    [0.1, "1e-4", 300],
    [3, "0.01", 2],
  ])(
    "epsilon %f, delta %s, %i releases: keeps, and one percent more does not",
    (epsilon, delta, releases) => {
      const each = calibratePureLoss({ epsilon, delta, releases })
      const total = (e: number): number =>
        accountByPld([{ event: { kind: "pure", epsilon: at(e), shape: "any" }, count: releases }]).epsilonAt(
          Number(delta),
        ).lower
      expect(total(numberUp(each))).toBeLessThanOrEqual(epsilon)
      expect(total(numberUp(each) * 1.01)).toBeGreaterThan(epsilon)
      expect(
        optimalToEpsilon([{ epsilon: numberUp(each), delta: 0, count: releases }], Number(delta)),
      ).toBeLessThan(epsilon * (1 + 1e-9))
      // Never worse than an even share.
      expect(compare(each, divide(at(epsilon), rational(BigInt(releases))))).toBeGreaterThanOrEqual(0)
    },
  )

  test("without a delta is an even share, exactly", () => {
    expect(calibratePureLoss({ epsilon: 1, delta: 0, releases: 3 })).toEqual(rational(1n, 3n))
  })

  test("goes over to the lattice for very many without a jump", () => {
    const [few, many] = [100_000, 100_001].map((releases) =>
      numberUp(calibratePureLoss({ epsilon: 1, delta: "1e-6", releases })),
    )
    expect((many ?? 0) / (few ?? 1)).toBeLessThan(1)
    expect((many ?? 0) / (few ?? 1)).toBeGreaterThan(1 - 1e-4)
  })
})

describe("Gaussian noise", () => {
  test.each([
    ["1", "1e-6", 1, "1"],
    ["0.5", "1e-9", 100, "3"],
    ["8", "1e-5", 20, "0.01"],
  ])("epsilon %s, delta %s, %i releases of squared sensitivity %s", (epsilon, delta, releases, l2Squared) => {
    const variance = calibrateGaussian({ epsilon, delta, releases, l2Squared })
    const total = (v: Rational): Rational => {
      const muSquared = divide(multiply(rational(BigInt(releases)), at(l2Squared)), v)
      return gdpToEpsilon(sqrtUp(muSquared, 100), at(delta))
    }
    expect(numberUp(total(variance)) / Number(epsilon)).toBeLessThan(1 + 1e-9)
    expect(compare(total(slightlyLess(variance)), at(epsilon))).toBe(1)
  })

  test("of one release is the known sigma", () => {
    for (const [epsilon, sigma] of [
      ["0.1", 36.30469],
      ["1", 4.22468],
      ["20", 0.30909],
    ] as const) {
      const variance = calibrateGaussian({ epsilon, delta: "1e-6", releases: 1, l2Squared: 1 })
      // Printed to five places, so half a unit of the fifth either way.
      expect(Math.abs(Math.sqrt(numberUp(variance)) - sigma)).toBeLessThan(6e-6)
    }
  })
})

describe("[A4] discrete Laplace noise", () => {
  test.each([
    ["1", "1e-6", 40, 1],
    ["1", "1e-6", 40, 50],
    ["0.2", "1e-9", 10, 3],
    ["5", "1e-3", 200, 7],
  ])(
    "epsilon %s, delta %s, %i releases of %i steps: keeps, and less does not",
    (epsilon, delta, releases, amount) => {
      const scale = calibrateLaplace({ epsilon, delta, releases, amount })
      const event = (s: Rational): LossEvent => ({ kind: "laplace", amount: BigInt(amount), scale: s })
      const account = (s: Rational) => accountByPld([{ event: event(s), count: releases }])
      const total = account(scale).epsilonAt(Number(delta))
      // Certified by one accountant; the other may differ in the ninth digit.
      expect(total.upper).toBeLessThanOrEqual(Number(epsilon) * (1 + 1e-8))
      expect(account(slightlyLess(scale)).epsilonAt(Number(delta)).lower).toBeGreaterThan(Number(epsilon))
      // By Rényi, which knows nothing of lattices, it is near.
      const renyi = totalBy("renyi", [{ event: event(scale), count: releases }], at(delta)).epsilon
      expect(renyi).toBeGreaterThanOrEqual(total.lower)
      expect(renyi).toBeLessThan(Number(epsilon) * 1.15)
    },
  )

  test("without a delta, or for a single release, is the plain quotient", () => {
    expect(calibrateLaplace({ epsilon: 3, delta: 0, releases: 10, amount: 21 })).toEqual(rational(70n))
    const single = calibrateLaplace({ epsilon: "0.5", delta: "1e-9", releases: 1, amount: 4 })
    expect(numberUp(single)).toBeLessThanOrEqual(8)
    expect(numberUp(single)).toBeGreaterThan(7.99)
  })
})

describe("Gaussian noise on samples", () => {
  test.each([
    [2, "1e-6", 100, "0.05", "add-or-remove"],
    [1, "1e-5", 50, "0.3", "replace"],
    [8, "1e-5", 500, "0.05", "add-or-remove"],
  ] as const)(
    "epsilon %f, delta %s, %i steps at rate %s, %s",
    (epsilon, delta, releases, rate, neighbours) => {
      const sigma = calibrateSampledGaussian({ epsilon, delta, releases, rate, neighbours })
      const event = (s: Rational): LossEvent => ({
        kind: "sampled-gaussian",
        rate: at(rate),
        sigma: s,
        neighbours,
      })
      const bounds = (s: Rational) =>
        accountByPld([{ event: event(s), count: releases }]).epsilonAt(Number(delta))
      const found = bounds(sigma)
      expect(found.upper).toBeLessThanOrEqual(epsilon)
      expect(bounds(slightlyLess(sigma)).lower).toBeGreaterThan(epsilon)
      expect(totalBy("renyi", [{ event: event(sigma), count: releases }], at(delta)).epsilon).toBeGreaterThan(
        found.lower,
      )
    },
  )

  test("a delta that hides everything needs little noise, a tiny epsilon much", () => {
    const options = { releases: 3, rate: "0.5", neighbours: "add-or-remove" } as const
    const little = calibrateSampledGaussian({ ...options, epsilon: 1, delta: "0.9" })
    expect(numberUp(little)).toBeLessThan(0.5)
    const much = calibrateSampledGaussian({ ...options, epsilon: "1e-4", delta: "1e-12" })
    expect(numberUp(much)).toBeGreaterThan(1e4)
  })
})

describe("figures of others", () => {
  test.each(recordsOf(collected, "dp_accounting.smallest_laplace_noise"))("$id", (record) => {
    // Continuous noise: ours on a fine grid. Theirs is found to within 0.1.
    const sensitivity = numberInput(record, "sensitivity")
    const scale = calibrateLaplace({
      epsilon: numberInput(record, "epsilon"),
      delta: String(record.inputs["delta"]),
      releases: numberInput(record, "num_queries"),
      amount: 1000,
    })
    const got = (numberUp(scale) * sensitivity) / 1000
    expect(Math.abs(got - numberExpected(record, "expected_parameter"))).toBeLessThan(0.1)
  })

  test.each(recordsOf(collected, "dp_accounting.smallest_discrete_laplace_noise"))("$id", (record) => {
    const scale = calibrateLaplace({
      epsilon: numberInput(record, "epsilon"),
      delta: String(record.inputs["delta"]),
      releases: numberInput(record, "num_queries"),
      amount: numberInput(record, "sensitivity"),
    })
    expect(Math.abs(1 / numberUp(scale) - numberExpected(record, "expected_parameter"))).toBeLessThan(0.001)
  })

  test.each(recordsOf(collected, "dp_accounting.smallest_gaussian_noise"))("$id", (record) => {
    const variance = calibrateGaussian({
      epsilon: numberInput(record, "epsilon"),
      delta: String(record.inputs["delta"]),
      releases: numberInput(record, "num_queries"),
      l2Squared: numberInput(record, "sensitivity") ** 2,
    })
    expect(Math.abs(Math.sqrt(numberUp(variance)) - numberExpected(record, "expected_std"))).toBeLessThan(
      1e-6,
    )
  })

  // One release, of whom only the worse direction counts: "add" records are for the other one.
  const single = recordsOf(collected, "dp_accounting.gaussian_sigma").filter(
    ({ inputs }) => inputs["adjacency_type"] !== "add",
  )
  test.each(single)("$id", (record) => {
    const isReplaced = record.inputs["adjacency_type"] === "replace"
    const neighbours: Neighbours = isReplaced ? "replace" : "add-or-remove"
    const [sensitivity, rate] = [numberInput(record, "sensitivity"), String(record.inputs["sampling_prob"])]
    const target = {
      epsilon: String(record.inputs["epsilon"]),
      delta: String(record.inputs["delta"]),
      releases: 1,
    }
    const whole = sensitivity * (isReplaced ? 2 : 1)
    const sigma =
      Number(rate) === 1
        ? Math.sqrt(numberUp(calibrateGaussian({ ...target, l2Squared: whole * whole })))
        : sensitivity * numberUp(calibrateSampledGaussian({ ...target, rate, neighbours }))
    // Delta is printed to seven digits; theirs is found to within 0.001.
    expect(Math.abs(sigma - numberExpected(record, "expected_standard_deviation"))).toBeLessThan(1e-3)
  })

  test("the noise multiplier for epsilon 8 by two accountants", () => {
    const [prv] = recordsOf(collected, "opacus.noise_multiplier_prv")
    const [rdp] = recordsOf(collected, "opacus.noise_multiplier_rdp")
    if (prv === undefined || rdp === undefined) throw new Error("the records are gone")
    const target = {
      epsilon: 8,
      delta: "1e-5",
      releases: 2000,
      rate: "0.04",
      neighbours: "add-or-remove",
    } as const
    const sigma = numberDown(calibrateSampledGaussian(target))
    expect(Math.abs(sigma - numberExpected(prv, "noise_multiplier_prv"))).toBeLessThan(0.005)
    const event = (s: number): LossEvent => ({
      kind: "sampled-gaussian",
      rate: at("0.04"),
      sigma: at(s),
      neighbours: "add-or-remove",
    })
    const byRenyi = (s: number): number =>
      totalBy("renyi", [{ event: event(s), count: 2000 }], at("1e-5")).epsilon
    const theirs = numberExpected(rdp, "noise_multiplier_rdp")
    expect(byRenyi(theirs)).toBeLessThanOrEqual(8)
    expect(byRenyi(theirs - 0.004)).toBeGreaterThan(8)
  })
})

test("refuses what is no target", () => {
  const good = { epsilon: 1, delta: "1e-6", releases: 10 }
  for (const epsilon of [0, -1, Number.NaN, Infinity])
    expect(() => calibratePureLoss({ ...good, epsilon })).toThrow(/epsilon/)
  for (const delta of [-1, 1, Number.NaN])
    expect(() => calibratePureLoss({ ...good, delta })).toThrow(/delta/)
  for (const releases of [0, 1.5, -1])
    expect(() => calibratePureLoss({ ...good, releases })).toThrow(/releases/)
  expect(refusalOf(() => calibrateGaussian({ ...good, delta: 0, l2Squared: 1 })).code).toBe(
    "parameter/out-of-range",
  )
  expect(() => calibrateGaussian({ ...good, l2Squared: 0 })).toThrow(/sensitivity/)
  expect(() => calibrateLaplace({ ...good, amount: "0.5" })).toThrow(/amount/)
  for (const rate of [0, 1, -1]) {
    expect(() => calibrateSampledGaussian({ ...good, rate, neighbours: "replace" })).toThrow(/rate/)
  }
})
