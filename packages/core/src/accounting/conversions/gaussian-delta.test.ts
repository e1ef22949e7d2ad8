import { isLongForm } from "../../testing/suite/long-form.ts"
import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { expDown } from "../../exact/exp.ts"
import { normalCdfDown, normalCdfUp } from "../../exact/normal.ts"
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  rational,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import gaussian from "../../testing/fixtures/gaussian.json" with { type: "json" }
import { checkRecord, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { approxToMu, gdpToDelta, gdpToEpsilon } from "./gaussian-delta.ts"
import { logGaussianDelta, logNormalTail, solveFalling } from "../../exact/normal-doubles.ts"

const at = (text: string): Rational => exactly(text, "x")
const input = (record: VectorRecord, field: string): Rational => at(String(record.inputs[field]))
const muOf = (record: VectorRecord): Rational =>
  divide(input(record, "l2_sensitivity"), input(record, "sigma"))

/** Holds exactly, up to the last digits that the record prints. */
function isAtLeast(got: Rational, text: string): boolean {
  return compare(got, multiply(at(text), subtract(one, at("1e-26")))) >= 0
}

test.each(recordsOf(gaussian, "gaussian.delta"))("gives the delta of $id, never below", (record) => {
  const got = gdpToDelta(muOf(record), input(record, "epsilon"))
  checkRecord({ record, field: "delta", got: numberUp(got) })
  expect(isAtLeast(got, String(record.expected["delta"]))).toBe(true)
})

test.each(recordsOf(gaussian, "gaussian.epsilon"))("gives the epsilon of $id, never below", (record) => {
  const got = gdpToEpsilon(muOf(record), input(record, "delta"))
  checkRecord({ record, field: "epsilon", got: numberUp(got) })
  expect(isAtLeast(got, String(record.expected["epsilon"]))).toBe(true)
})

test.each(recordsOf(gaussian, "gaussian.analytic_sigma"))("gives the sigma of $id, never below", (record) => {
  const mu = approxToMu(input(record, "epsilon"), input(record, "delta"))
  const sigma = divide(input(record, "l2_sensitivity"), mu)
  checkRecord({ record, field: "sigma", got: numberUp(sigma) })
  expect(isAtLeast(sigma, String(record.expected["sigma"]))).toBe(true)
})

/** The definition, in 600 bits and rounded up, with no case for large arguments. */
function plainDelta(mu: Rational, epsilon: Rational): Rational {
  const half = divide(mu, rational(2n))
  const ratio = divide(epsilon, mu)
  const second = multiply(expDown(epsilon, 600), normalCdfDown(negate(add(half, ratio)), 600))
  return subtract(normalCdfUp(subtract(half, ratio), 600), second)
}

test("agrees with the definition where the continued fraction takes over", () => {
  for (const [mu, epsilon] of [
    ["40", "800"],
    ["40", "900"],
    ["60", "1300"],
    ["1", "39.6"],
    ["1e-6", "4.1e-5"],
    ["0.001", "0.0401"],
  ] as const) {
    const got = gdpToDelta(at(mu), at(epsilon))
    const plain = plainDelta(at(mu), at(epsilon))
    expect(compare(got, multiply(plain, subtract(one, at("1e-40"))))).toBeGreaterThanOrEqual(0)
    expect(numberUp(divide(got, plain)) - 1).toBeLessThan(1e-9)
  }
})

test("stays an upper bound, below any delta that can be typed, where coarse bounds take over", () => {
  const deltas = ["45.1", "46", "60", "1000", "1000000000"].map((t) => gdpToDelta(at("1e-3"), at(`${t}e-3`)))
  expect(deltas.every((delta) => compare(delta, at("1e-400")) < 0)).toBe(true)
  expect(compare(deltas[0] ?? one, plainDelta(at("1e-3"), at("45.1e-3")))).toBeGreaterThan(0)
  expect(deltas.every((delta) => delta.numerator > 0n)).toBe(true)
  expect(gdpToDelta(at("1000"), at("1"))).toEqual(one)
  expect(compare(gdpToDelta(at("80"), at("1")), one)).toBeLessThanOrEqual(0)
})

test("its three forms fit together", () => {
  for (const [epsilon, delta] of [
    ["0.1", "1e-9"],
    ["1", "1e-6"],
    ["3", "0.01"],
    ["20", "1e-12"],
  ] as const) {
    const mu = approxToMu(at(epsilon), at(delta))
    expect(compare(gdpToDelta(mu, at(epsilon)), at(delta))).toBeLessThanOrEqual(0)
    const more = multiply(mu, rational(1_000_001n, 1_000_000n))
    expect(compare(gdpToDelta(more, at(epsilon)), at(delta))).toBeGreaterThan(0)
    const back = gdpToEpsilon(mu, at(delta))
    expect(compare(gdpToDelta(mu, back), at(delta))).toBeLessThanOrEqual(0)
    expect(Math.abs(numberUp(back) / Number(epsilon) - 1)).toBeLessThan(1e-9)
  }
})

test("needs no epsilon where delta alone is enough", () => {
  expect(gdpToEpsilon(at("0.1"), at("0.5"))).toEqual(rational(0n))
})

test.runIf(isLongForm)("ends and means something at the extremes", () => {
  for (const mu of ["1e-6", "1e-3", "1", "30", "1e3", "1e6"]) {
    for (const epsilon of ["0", "1e-6", "1", "1e3", "1e6"]) {
      const delta = gdpToDelta(at(mu), at(epsilon))
      expect(delta.numerator).toBeGreaterThan(0n)
      expect(compare(delta, one)).toBeLessThanOrEqual(0)
    }
    for (const delta of ["0.5", "1e-300"]) {
      const epsilon = gdpToEpsilon(at(mu), at(delta))
      expect(numberUp(epsilon)).toBeGreaterThanOrEqual(0)
      expect(numberUp(epsilon)).toBeLessThan(1e13)
    }
  }
  for (const epsilon of ["1e-6", "1", "1e3", "1e6"]) {
    for (const delta of ["0.5", "1e-300"]) {
      const mu = approxToMu(at(epsilon), at(delta))
      expect(numberUp(mu)).toBeGreaterThan(0)
      expect(numberUp(mu)).toBeLessThan(1e4)
    }
  }
})

test("takes a delta that came as a double, with more bits below than a double can hold", () => {
  const asDouble = gdpToEpsilon(one, exactly(1e-300, "delta"))
  const asText = gdpToEpsilon(one, at("1e-300"))
  expect(Math.abs(numberUp(asDouble) / numberUp(asText) - 1)).toBeLessThan(1e-9)
})

test("the starting points in doubles are near", () => {
  expect(logNormalTail(0)).toBeCloseTo(Math.log(0.5), 12)
  expect(logNormalTail(-40)).toBeCloseTo(0, 12)
  expect(logNormalTail(1.959963984540054)).toBeCloseTo(Math.log(0.025), 11)
  expect(logNormalTail(10) / Math.log(7.619853024160526e-24)).toBeCloseTo(1, 12)
  expect(logGaussianDelta(1, 1)).toBeCloseTo(Math.log(numberUp(gdpToDelta(one, one))), 11)
  expect(logGaussianDelta(1e-3, 1e9)).toBe(-Infinity)
  expect(solveFalling((x) => 5 - x)).toBeCloseTo(5, 10)
})
