import { expect, test } from "vitest"
import { discreteLaplaceLaw } from "./distributions/loss-law.ts"
import { atomsCurve } from "./renyi.ts"
import { discreteLaplaceCurve } from "./laplace-curve.ts"

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
