import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  maximum,
  multiply,
  one,
  rational,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { boundedSensitivity, countSensitivity } from "../../privacy/sensitivity.ts"
import { laplaceToZcdp } from "../../accounting/conversions/laplace-to-zcdp.ts"
import { pureToGdp } from "../../accounting/conversions/pure-to-gdp.ts"
import noise from "../../testing/fixtures/noise.json" with { type: "json" }
import { discreteLaplacePmf } from "../../testing/laws.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { checkRecord, numberInput, recordsOf } from "../../testing/vectors.ts"
import {
  decayDown,
  decayUp,
  laplace,
  laplaceError,
  laplaceHalfWidth,
  laplaceLoss,
  laplaceOfScale,
  laplaceWithin,
  releaseLaplace,
} from "./laplace.ts"

const at = (text: string): Rational => exactly(text, "x")
const count = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const ofScale = (scale: string) => laplaceOfScale({ sensitivity: count, scale })
const nine = at("0.9")

test("a count at epsilon 0.8 has scale exactly 5/4", () => {
  const spec = laplace({ sensitivity: count, epsilon: "0.8" })
  expect(spec.scale).toEqual(rational(5n, 4n))
  expect(laplaceLoss(spec).pure?.epsilon).toEqual(rational(4n, 5n))
})

test("states the mean error of the exact law beside that of the continuous one", () => {
  const error = laplaceError(laplace({ sensitivity: count, epsilon: "0.8" }), nine)
  expect(error.meanAbsolute).toBeCloseTo(1.1259917, 6)
  expect(error.continuous.meanAbsolute).toBe(1.25)
  expect(error.continuous.standardDeviation).toBeCloseTo(1.25 * Math.SQRT2, 12)
})

test("says how often noise at epsilon 0.5 is at most 1 under the exact law, not the continuous one", () => {
  const within = laplaceWithin(laplace({ sensitivity: count, epsilon: "0.5" }), 1n)
  const pmf = discreteLaplacePmf(2)
  expect(within).toBeCloseTo(pmf(-1n) + pmf(0n) + pmf(1n), 12)
  expect(within).toBeGreaterThan(0.54)
  expect(laplaceWithin(ofScale("2"), -1n)).toBe(0)
  expect(laplaceWithin(ofScale("1e-6"), 0n)).toBe(1)
})

test.each(recordsOf(noise, "laplace.scale"))("gives the scale of $id exactly", (record) => {
  const l1 = BigInt(String(record.inputs["l1_sensitivity"]))
  const sensitivity = boundedSensitivity({
    groupsPerUnit: 1,
    lower: 0n,
    upper: l1,
    neighbours: "add-or-remove",
  })
  const spec = laplace({ sensitivity, epsilon: String(record.inputs["epsilon"]) })
  checkRecord({ record, field: "scale", got: numberUp(spec.scale) })
  expect(compare(spec.scale, divide(rational(l1), at(String(record.inputs["epsilon"]))))).toBe(0)
})

test.each(recordsOf(noise, "discrete_laplace.moments"))("gives the moments of $id", (record) => {
  const error = laplaceError(ofScale(String(record.inputs["scale"])), nine)
  checkRecord({ record, field: "variance", got: error.standardDeviation ** 2 })
  checkRecord({ record, field: "mean_abs", got: error.meanAbsolute })
})

test.each(recordsOf(noise, "discrete_laplace.accuracy"))("gives the radius of $id exactly", (record) => {
  const confidence = subtract(one, at(String(record.inputs["beta"])))
  const error = laplaceError(ofScale(String(record.inputs["scale"])), confidence)
  checkRecord({ record, field: "radius", got: error.halfWidth })
})

test.each(recordsOf(noise, "discrete_laplace.prob"))("gives the tail of $id", (record) => {
  const x = BigInt(numberInput(record, "x"))
  const within = laplaceWithin(ofScale(String(record.inputs["scale"])), x - 1n)
  expect(1 - within).toBeCloseTo(Number(record.expected["P_abs_ge_x"]), 12)
})

/** P(|X| > r) = 2 q^(r+1) / (1 + q), both ways. */
function missEnds(scale: Rational, r: bigint): { down: Rational; up: Rational } {
  const [slope, power] = [divide(one, scale), divide(rational(r + 1n), scale)]
  const minus = (x: Rational): Rational => subtract(rational(0n), x)
  const ratio = (tail: Rational, q: Rational) => divide(multiply(rational(2n), tail), add(one, q))
  return {
    down: ratio(expDown(minus(power), 200), expUp(minus(slope), 200)),
    up: ratio(expUp(minus(power), 200), expDown(minus(slope), 200)),
  }
}

test("a half width is the least integer that keeps the confidence", () => {
  for (const scale of ["0.01", "0.3", "1", "1.25", "7/3", "100", "123456.789"].map(at)) {
    for (const miss of ["0.999", "0.5", "0.1", "0.05", "1e-3", "1e-9", "1e-300"].map(at)) {
      const r = laplaceHalfWidth(scale, miss)
      expect(compare(missEnds(scale, r).up, miss)).toBeLessThanOrEqual(0)
      if (r > 0n) expect(compare(missEnds(scale, r - 1n).down, miss)).toBeGreaterThan(0)
    }
  }
  expect(laplaceHalfWidth(rational(1n), at("1.5"))).toBe(0n)
})

test("bounds powers of e on both sides, however small", () => {
  for (const x of ["0", "0.5", "4095", "4097", "1e300"].map(at)) {
    expect(compare(decayDown(x), decayUp(x))).toBeLessThanOrEqual(0)
    expect(decayUp(x).numerator).toBeGreaterThan(0n)
  }
  expect(numberUp(decayUp(at("1")))).toBeCloseTo(Math.exp(-1), 15)
  expect(numberUp(decayDown(at("1")))).toBeCloseTo(Math.exp(-1), 15)
})

test("charges what the noise needs, pattern by pattern", () => {
  const sensitivity = boundedSensitivity({ groupsPerUnit: 2, lower: -3n, upper: 3n, neighbours: "replace" })
  const loss = laplaceLoss(laplaceOfScale({ sensitivity, scale: 4n }))
  // Four groups by 3, or two groups by 6: 12/4 either way; for zCDP two of 6/4 cost more than four of 3/4.
  expect(loss.pure?.epsilon).toEqual(rational(3n))
  const apart = multiply(rational(4n), laplaceToZcdp(3n, rational(4n)))
  const together = multiply(rational(2n), laplaceToZcdp(6n, rational(4n)))
  expect(compare(together, apart)).toBeGreaterThan(0)
  expect(loss.zcdp.rho).toEqual(together)
  expect(loss.zcdp.delta).toEqual(rational(0n))
  const mu = [
    multiply(rational(4n), pureToGdp(rational(3n, 4n))),
    multiply(rational(2n), pureToGdp(rational(3n, 2n))),
  ]
  expect(loss.gdp?.muSquared).toEqual(mu.reduce(maximum))
})

test("[L3] never charges less zCDP than the exact divergence of the exact law", () => {
  const loss = laplaceLoss(laplaceOfScale({ sensitivity: count, scale: "2" }))
  const pmf = discreteLaplacePmf(2)
  for (const order of [1.001, 1.5, 2, 8, 64]) {
    let sum = 0
    for (let k = -200; k <= 200; k += 1) {
      sum += Math.exp(order * Math.log(pmf(BigInt(k))) + (1 - order) * Math.log(pmf(BigInt(k - 1))))
    }
    expect(Math.log(sum) / (order - 1)).toBeLessThanOrEqual(numberUp(loss.zcdp.rho) * order * (1 + 1e-9))
  }
})

test("releases integers as many as came in, for scales of every size", () => {
  const rng = seededBits(freshSeed())
  const long = { numerator: (1n << 1100n) + 1n, denominator: 1n << 1101n }
  for (const epsilon of ["1e-320", "1e-20", "1e-6", "1", "1e3", "1e6", long]) {
    const spec = laplace({ sensitivity: count, epsilon })
    expect(releaseLaplace(spec, [], rng)).toEqual([])
    for (const exact of [[5n], [1n, -2n, 1n << 70n]]) {
      expect(releaseLaplace(spec, exact, rng)).toHaveLength(exact.length)
    }
  }
})

test("charges a change of several steps what the exact law costs, less than any pure loss", () => {
  const several = boundedSensitivity({ groupsPerUnit: 1, lower: 0n, upper: 10n, neighbours: "add-or-remove" })
  const { zcdp, pure } = laplaceLoss(laplace({ sensitivity: several, epsilon: 1n }))
  expect(pure.epsilon).toEqual(one)
  // Between the continuous constant e + e^-1 - 1 = 0.3679 and randomized response's tanh(1/2) = 0.4621.
  expect(numberUp(zcdp.rho)).toBeGreaterThan(0.3679)
  expect(numberUp(zcdp.rho)).toBeLessThan(0.37)
})
