import { expect, test } from "vitest"
import noise from "./fixtures/noise.json" with { type: "json" }
import {
  discreteGaussianCdf,
  discreteLaplaceCdf,
  discreteLaplacePmf,
  geometricCdf,
  normalCdf,
  roundedGaussianCdf,
  roundedGaussianPmf,
} from "./laws.ts"
import { checkRecord, numberInput, recordsOf } from "./vectors.ts"

test("gives the reference probabilities of the discrete Laplace law", () => {
  for (const record of recordsOf(noise, "discrete_laplace.prob")) {
    const scale = numberInput(record, "scale")
    const x = BigInt(numberInput(record, "x"))
    checkRecord({ record, field: "pmf", got: discreteLaplacePmf(scale)(x) })
    checkRecord({ record, field: "P_X_ge_x", got: discreteLaplaceCdf(scale)(-x) })
  }
})

test("gives the reference probabilities of the discrete Gaussian law", () => {
  for (const record of recordsOf(noise, "discrete_gaussian.prob")) {
    const cdf = discreteGaussianCdf(numberInput(record, "sigma_squared"))
    const x = BigInt(numberInput(record, "x"))
    checkRecord({ record, field: "P_X_ge_x", got: cdf(-x) })
  }
})

test("joins the two ways of computing a discrete Gaussian without a step", () => {
  const [summed, wide] = [discreteGaussianCdf(1000 ** 2), discreteGaussianCdf(1000.001 ** 2)]
  for (const k of [-3000n, -1000n, -1n, 0n, 500n, 2500n])
    expect(Math.abs(summed(k) - wide(k))).toBeLessThan(1e-6)
})

// mpmath.ncdf, rounded from 30 digits.
test.each([
  [0, 0.5],
  [0.25, 0.5987063256829237],
  [-1, 0.15865525393145705],
  [2.5, 0.9937903346742238],
  [-2.4999, 0.006211418374944586],
  [-2.5001, 0.006207912714815198],
  [-5, 2.866515718791939e-7],
  [-10, 7.619853024160526e-24],
])("gives the normal probability below %d", (z, want) => {
  expect(Math.abs(normalCdf(z) - want)).toBeLessThanOrEqual(want * 1e-12)
})

test("rounds the Gaussian to the nearest integer, both signs alike", () => {
  const [cdf, pmf] = [roundedGaussianCdf(4), roundedGaussianPmf(4)]
  expect(cdf(0n)).toBeCloseTo(normalCdf(0.25), 15)
  for (let k = -12n; k <= 12n; k += 1n) {
    expect(Math.abs(cdf(k) - cdf(k - 1n) - pmf(k))).toBeLessThan(1e-15)
    expect(pmf(-k)).toBe(pmf(k))
  }
})

test("starts the geometric law at zero", () => {
  const cdf = geometricCdf(2)
  expect(cdf(-1n)).toBe(0)
  expect(cdf(0n)).toBeCloseTo(1 - Math.exp(-0.5), 15)
  expect(cdf(1n)).toBeCloseTo(1 - Math.exp(-1), 15)
})
