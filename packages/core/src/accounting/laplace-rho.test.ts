import { expect, test } from "vitest"
import { numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { compare, divide, multiply, one, rational, subtract } from "../exact/rational.ts"
import { discreteLaplaceLaw } from "./distributions/loss-law.ts"
import { atomsCurve } from "./renyi.ts"
import { discreteLaplaceCurve, laplaceToZcdp } from "./laplace-rho.ts"
import { pureToZcdp } from "./conversions/pure-to-zcdp.ts"

const cases = [
  [1, 1],
  [1, 4],
  [2, 2],
  [4, 8],
  [10, 10],
  [30, 10],
  [64, 32],
  [1000, 1000],
  [50, 5],
  [100, 1000],
] as const

/** The sum over all integers that matter of P^a Q^(1-a), as it stands. */
function plainDivergence(amount: number, scale: number, order: number): number {
  const far = Math.ceil(amount + 60 * scale)
  const top = (order - 1) * (amount / scale)
  let sum = 0
  for (let z = -far; z <= far; z += 1) {
    sum += Math.exp((-order * Math.abs(z) + (order - 1) * Math.abs(z - amount)) / scale - top)
  }
  return (Math.log(sum * Math.tanh(1 / scale / 2)) + top) / (order - 1)
}

test("the curve is the sum that defines it", () => {
  for (const [amount, scale] of cases) {
    for (const order of [1.01, 1.5, 2, 5, 30]) {
      const plain = plainDivergence(amount, scale, order)
      const value = discreteLaplaceCurve(amount, scale).at(order)
      expect(value).toBeGreaterThanOrEqual(plain - 1e-13 / (order - 1))
      expect(value).toBeLessThanOrEqual(plain + 1e-11)
    }
  }
})

test("the curve of a tiny loss is raised, not lost: its atoms, summed without cancellation, are below it", () => {
  for (const [amount, scale] of [
    [2, 2000],
    [5, 1e6],
    [100, 1e9],
  ] as const) {
    const exact = atomsCurve(discreteLaplaceLaw(amount, scale).forward.atoms)
    for (const order of [1.001, 1.5, 10, 1e4]) {
      expect(discreteLaplaceCurve(amount, scale).at(order)).toBeGreaterThanOrEqual(
        exact.at(order) * (1 - 1e-11),
      )
    }
  }
})

test("rho bounds the divergence of every order, and is nearly the least that does", () => {
  for (const [amount, scale] of cases) {
    const exact = laplaceToZcdp(BigInt(amount), rational(BigInt(scale)))
    const rho = numberUp(exact)
    const curve = atomsCurve(discreteLaplaceLaw(amount, scale).forward.atoms)
    let least = 0
    for (let x = -9; x < 9; x += 0.01) {
      const order = 1 + Math.exp(x)
      // atomsCurve itself is raised by 2e-12.
      least = Math.max(least, (curve.at(order) * (1 - 3e-12)) / order)
    }
    expect(rho).toBeGreaterThanOrEqual(least)
    const isSmall = amount / scale <= 0.05
    expect(rho).toBeLessThan(least * (isSmall ? 1.02 : 1.001))
    const pure = pureToZcdp(divide(rational(BigInt(amount)), rational(BigInt(scale))))
    expect(compare(exact, pure)).toBeLessThanOrEqual(0)
  }
})

test("one step is randomized response, and a fine grid the continuous law", () => {
  const pure = pureToZcdp(one)
  expect(laplaceToZcdp(1n, one)).toEqual(pure)
  const fine = numberUp(laplaceToZcdp(1n << 40n, rational(1n << 40n)))
  expect(fine).toBeGreaterThanOrEqual(1 + Math.exp(-1) - 1)
  expect(fine).toBeLessThan(Math.exp(-1) * 1.001)
  const steps = [1n, 2n, 4n, 16n, 256n].map((n) => numberUp(laplaceToZcdp(n, rational(n))))
  expect(steps).toEqual([...steps].sort((a, b) => b - a))
})

test("outside the range where there is something to gain, the pure loss stands", () => {
  for (const [amount, scale] of [
    [2n, rational(1000n)],
    [100n, one],
    [2n, rationalOfNumber(1e-300)],
    [3n, rationalOfNumber(1e300)],
  ] as const) {
    expect(laplaceToZcdp(amount, scale)).toEqual(pureToZcdp(divide(rational(amount), scale)))
  }
})

test("a scale that doubles cannot hold is rounded against us", () => {
  const below = subtract(rational(10n), rational(1n, 10n ** 30n))
  const rho = laplaceToZcdp(10n, below)
  expect(
    compare(rho, multiply(laplaceToZcdp(10n, rational(10n)), subtract(one, rational(1n, 10n ** 9n)))),
  ).toBe(1)
})
