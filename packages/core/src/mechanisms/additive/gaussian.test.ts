import { expect, test } from "vitest"
import { gdpToDelta } from "../../accounting/conversions/gaussian-delta.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { sqrtDown, sqrtUp } from "../../exact/log.ts"
import { compare, divide, multiply, rational, square, type Rational } from "../../exact/rational.ts"
import { boundedSensitivity, countSensitivity, l2SquaredOf } from "../../privacy/sensitivity.ts"
import vectors from "../../testing/fixtures/gaussian.json" with { type: "json" }
import { roundedGaussianPmf } from "../../testing/laws.ts"
import { refusalOf } from "../../testing/refusals.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { checkRecord, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import {
  gaussian,
  gaussianClassic,
  gaussianError,
  gaussianLoss,
  gaussianOfMu,
  gaussianOfRho,
  gaussianOfVariance,
  releaseGaussian,
} from "./gaussian.ts"
import { compareTail, gaussianHalfWidth } from "../shared/gaussian-width.ts"

const at = (text: string): Rational => exactly(text, "x")
const count = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const ofVariance = (variance: string) => gaussianOfVariance({ sensitivity: count, variance })

/** Sensitivities in the records are whole numbers. */
const optionsOf = (record: VectorRecord) => ({
  sensitivity: boundedSensitivity({
    groupsPerUnit: 1,
    lower: 0n,
    upper: String(record.inputs["l2_sensitivity"]),
    neighbours: "add-or-remove",
  }),
  epsilon: String(record.inputs["epsilon"]),
  delta: String(record.inputs["delta"]),
})

const wholeSensitivity = (record: VectorRecord): boolean =>
  /^\d+$/.test(String(record.inputs["l2_sensitivity"]))

test.each(recordsOf(vectors, "gaussian.analytic_sigma").filter(wholeSensitivity))(
  "needs the variance of $id",
  (record) => {
    const { variance } = gaussian(optionsOf(record))
    checkRecord({ record, field: "sigma", got: numberUp(sqrtUp(variance)) })
    const sigma = at(String(record.expected["sigma"]))
    expect(compare(variance, multiply(square(sigma), at("0.99999999999999999999999999")))).toBeGreaterThan(0)
  },
)

test.each(recordsOf(vectors, "gaussian.classic_sigma"))("needs the textbook variance of $id", (record) => {
  const { variance } = gaussianClassic(optionsOf(record))
  checkRecord({ record, field: "sigma", got: numberUp(sqrtUp(variance)) })
})

test.each(recordsOf(vectors, "gaussian.classic_sigma_rejected"))("refuses the textbook at $id", (record) => {
  const error = refusalOf(() => gaussianClassic(optionsOf(record)))
  expect(error.code).toBe("privacy/classic-gaussian-range")
  expect(error.kind).toBe("refused")
})

const codes: Record<string, string> = {
  "gaussian.edge/0004": "parameter/not-positive",
  "gaussian.edge/0005": "privacy/zero-sensitivity",
  "gaussian.edge/0006": "parameter/not-a-number",
  "gaussian.edge/0008": "parameter/not-a-number",
}
test.each(recordsOf(vectors, "gaussian.edge"))("refuses the edge $id", (record) => {
  expect(refusalOf(() => gaussian(optionsOf(record))).code).toBe(
    codes[record.id] ?? "a code for every record",
  )
})

test("the textbook noise keeps its promise for every delta, up to epsilon 1", () => {
  for (const epsilon of ["0.01", "0.3", "0.7", "0.99", "1"]) {
    for (const delta of ["1e-9", "1e-5", "0.01", "0.3", "0.41", "0.6", "0.9", "0.999"]) {
      const { variance } = gaussianClassic({ sensitivity: count, epsilon, delta })
      const mu = divide(rational(1n), sqrtDown(variance, 128))
      expect(compare(gdpToDelta(mu, at(epsilon)), at(delta))).toBeLessThanOrEqual(0)
    }
  }
})

test("the exact calibration keeps its promise and never needs more noise than the textbook", () => {
  for (const epsilon of ["0.01", "0.5", "1"]) {
    for (const delta of ["1e-9", "1e-5", "0.01"]) {
      const exact = gaussian({ sensitivity: count, epsilon, delta }).variance
      const mu = divide(rational(1n), sqrtDown(exact, 128))
      expect(compare(gdpToDelta(mu, at(epsilon)), multiply(at(delta), at("1.000000000001")))).toBeLessThan(0)
      const textbook = gaussianClassic({ sensitivity: count, epsilon, delta }).variance
      expect(compare(exact, textbook)).toBeLessThan(0)
    }
  }
})

test("[L4] charges rho = L2^2 / (2 variance) and mu^2 = L2^2 / variance, exactly", () => {
  const sensitivity = boundedSensitivity({ groupsPerUnit: 3, lower: -2n, upper: 5n, neighbours: "replace" })
  // Six groups by 5, or three groups by 7.
  expect(l2SquaredOf(sensitivity)).toBe(150n)
  const loss = gaussianLoss(gaussianOfVariance({ sensitivity, variance: "12.5" }))
  expect(loss.zcdp).toEqual({ measure: "zcdp", rho: rational(6n), delta: rational(0n) })
  expect(loss.gdp).toEqual({ measure: "gdp", muSquared: rational(12n), delta: rational(0n) })
  expect(loss.pure).toBeUndefined()
  const rho = gaussianOfRho({ sensitivity, rho: "0.1" })
  expect(rho.variance).toEqual(rational(750n))
  expect(gaussianLoss(rho).zcdp.rho).toEqual(rational(1n, 10n))
  const mu = gaussianOfMu({ sensitivity, mu: "0.1" })
  expect(mu.variance).toEqual(rational(15_000n))
  expect(gaussianLoss(mu).gdp?.muSquared).toEqual(rational(1n, 100n))
})

/** P(|round(Z)| > r) by adding up the law. */
function missOf(variance: number, r: bigint): number {
  const pmf = roundedGaussianPmf(variance)
  let sum = 0
  for (let k = r + 1n; pmf(k) > 1e-30; k += 1n) sum += 2 * pmf(k)
  return sum
}

test("a half width is the least integer that keeps the confidence", () => {
  for (const variance of ["0.04", "0.25", "1", "6.5", "100", "4000"]) {
    for (const miss of [0.9, 0.5, 0.32, 0.1, 0.05, 0.01, 1e-6]) {
      const r = gaussianHalfWidth(at(variance), exactly(miss, "miss"))
      expect(missOf(Number(variance), r)).toBeLessThanOrEqual(miss * (1 + 1e-9))
      if (r > 0n) expect(missOf(Number(variance), r - 1n)).toBeGreaterThan(miss * (1 - 1e-9))
    }
  }
})

test("compares tails at both ends of what can be asked", () => {
  expect(compareTail(rational(0n), rational(1n, 2n))).toBe(-1)
  expect(compareTail(rational(0n), at("0.499999999"))).toBe(1)
  expect(compareTail(at("3.8414588206941"), at("0.025"))).toBe(1)
  expect(compareTail(at("3.8414588206942"), at("0.025"))).toBe(-1)
  expect(compareTail(at("1e30"), at("1e-300"))).toBe(-1)
  // e^(-t^2/2) would not settle this one, and the tail itself does: P(Z > 37.0471) is just below 1e-300.
  expect(compareTail(square(at("37.1")), at("1e-300"))).toBe(-1)
  expect(compareTail(square(at("37.0")), at("1e-300"))).toBe(1)
})

test("states the moments of the rounded law beside those of the normal law", () => {
  for (const variance of ["0.001", "0.04", "0.25", "0.9", "1", "1.5", "10", "400"]) {
    const pmf = roundedGaussianPmf(Number(variance))
    let [first, second] = [0, 0]
    for (let k = 1n; k < 400n; k += 1n) {
      first += 2 * Number(k) * pmf(k)
      second += 2 * Number(k * k) * pmf(k)
    }
    const error = gaussianError(ofVariance(variance), at("0.95"))
    expect(Math.abs(error.meanAbsolute - first)).toBeLessThan(2e-4)
    expect(Math.abs(error.standardDeviation - Math.sqrt(second))).toBeLessThan(2e-4)
    expect(error.continuous.standardDeviation).toBeCloseTo(Math.sqrt(Number(variance)), 12)
    expect(error.continuous.meanAbsolute).toBeCloseTo(Math.sqrt((2 * Number(variance)) / Math.PI), 12)
  }
})

test("says that tiny noise is nearly always 0", () => {
  for (const rho of ["1e3", "1e6", "1e300"]) {
    const error = gaussianError(gaussianOfRho({ sensitivity: count, rho }), at("0.999999"))
    expect(error.halfWidth).toBe(0n)
    expect(error.meanAbsolute).toBeLessThan(1e-20)
  }
})

test("releases integers as many as came in, for variances of every size", () => {
  const rng = seededBits(freshSeed())
  for (const variance of ["1e-6", "0.5", "100", "1e12", "1e40", "1e390"]) {
    expect(releaseGaussian(ofVariance(variance), [], rng)).toEqual([])
    expect(releaseGaussian(ofVariance(variance), [7n], rng)).toHaveLength(1)
    expect(releaseGaussian(ofVariance(variance), [1n, -2n, 1n << 70n], rng)).toHaveLength(3)
  }
})
