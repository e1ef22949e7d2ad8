import { describe, expect, test } from "vitest"
import vectors from "../testing/fixtures/rdp.json" with { type: "json" }
import { checkRecord, numberInput, recordsOf } from "../testing/vectors.ts"
import { normalAt } from "../testing/atom-laws.ts"
import { discreteLaplaceLaw, subsampledLaw, type LossAtom } from "./distributions/loss-law.ts"
import { atomsCurve, zcdpCurve } from "./renyi.ts"
import { replacedGaussianCurve, subsampledAtomsCurve, subsampledGaussianCurve } from "./subsampled-renyi.ts"

describe("a Gaussian on a sample", () => {
  for (const group of ["rdp.subsampled_gaussian.integer", "rdp.subsampled_gaussian.fractional"]) {
    test.each(recordsOf(vectors, group))("$id", (record) => {
      const curve = subsampledGaussianCurve(numberInput(record, "q"), numberInput(record, "sigma"))
      // Raised by more than doubles lose, so below by no more than the record's own digits.
      checkRecord({
        record,
        field: "rdp",
        got: curve.at(numberInput(record, "alpha")),
        unsafeTolerance: 1e-15,
      })
    })
  }

  test("grows with the order, across the places where the formula changes", () => {
    for (const [q, sigma] of [
      [0.01, 1],
      [0.5, 4],
      [0.1, 0.3],
      [0.2, 0.06],
      [0.9, 0.01],
    ] as const) {
      const curve = subsampledGaussianCurve(q, sigma)
      const orders = [
        1.001, 1.01, 1.5, 1.999, 2, 2.001, 3, 10.5, 63.9, 64, 64.1, 65, 100, 4095.5, 4096, 4097, 1e5,
      ]
      const values = orders.map((order) => curve.at(order))
      values
        .slice(1)
        .forEach((value, i) => expect(value).toBeGreaterThanOrEqual((values[i] ?? 0) * (1 - 1e-9)))
      // Never worse than no sampling, but for what doubles are raised by.
      orders.forEach((order, i) => {
        expect(values[i]).toBeLessThanOrEqual(
          zcdpCurve(1 / (2 * sigma * sigma)).at(Math.ceil(order)) * (1 + 1e-9),
        )
      })
    }
    expect(subsampledGaussianCurve(1, 2).at(8) / zcdpCurve(0.125).at(8)).toBeCloseTo(1, 10)
  })

  test("is above what direct integration gives, in both directions", () => {
    for (const [q, sigma, order] of [
      [0.1, 1, 1.3],
      [0.3, 2, 4.5],
      [0.7, 1.5, 2.2],
    ] as const) {
      const [p, other] = [
        (x: number) => (1 - q) * normalAt(x) + q * normalAt(x, 1 / sigma),
        (x: number) => normalAt(x),
      ]
      const value = subsampledGaussianCurve(q, sigma).at(order)
      expect(value / integrate(p, other, order)).toBeGreaterThan(1 - 1e-9)
      expect(value / integrate(p, other, order)).toBeLessThan(1 + 1e-9)
      expect(value).toBeGreaterThan(integrate(other, p, order))
    }
  })
})

/** ln of the integral of p^a q^(1-a), over a - 1. */
function integrate(p: (x: number) => number, q: (x: number) => number, order: number): number {
  const h = 1e-3
  let sum = 0
  for (let x = -25; x < 25; x += h) sum += p(x) * (p(x) / q(x)) ** (order - 1)
  return Math.log(sum * h) / (order - 1)
}

describe("replacing somebody in a sample", () => {
  test("has the divergence of its two mixtures", () => {
    for (const [q, sigma, order] of [
      [0.1, 1, 1.5],
      [0.3, 2, 4],
      [0.9, 1.5, 2.2],
      [0.5, 1, 6],
    ] as const) {
      const side = (sign: number) => (x: number) => (1 - q) * normalAt(x) + q * normalAt(x, sign / sigma)
      const value = replacedGaussianCurve(q, sigma).at(order)
      expect(value / integrate(side(1), side(-1), order)).toBeGreaterThan(1 - 1e-9)
      expect(value / integrate(side(1), side(-1), order)).toBeLessThan(1 + 1e-9)
    }
  })

  test("tends to the whole as the rate does, also where the peak lies far out", () => {
    for (const sigma of [1, 2, 5]) {
      for (const order of [2, 20, 40, 63]) {
        const whole = (2 * order) / (sigma * sigma)
        expect(replacedGaussianCurve(1, sigma).at(order) / whole).toBeCloseTo(1, 10)
        // Nearly everybody is in the sample.
        const near = replacedGaussianCurve(1 - 2 ** -53, sigma).at(order)
        expect(near).toBeLessThanOrEqual(whole * (1 + 1e-9))
        // The part 2^-53 caps the ratio: D_a of the mixture is at least that of the event's own logarithm.
        expect(near).toBeGreaterThan(Math.min(whole, 53 * Math.LN2) * 0.9)
      }
    }
    // The peak lies at 79, and the part that is not in the sample shows at 147 only.
    expect(replacedGaussianCurve(1 - 2 ** -53, 2).at(40) / 20).toBeGreaterThan(1 - 1e-6)
  })

  test("is at least as bad as adding somebody, and grows with the order", () => {
    for (const sigma of [0.01, 0.3, 1, 4]) {
      let last = 0
      for (const order of [1.1, 2, 5, 30, 63.5, 64, 65, 1000]) {
        const value = replacedGaussianCurve(0.1, sigma).at(order)
        expect(value).toBeGreaterThanOrEqual(subsampledGaussianCurve(0.1, sigma).at(order) * (1 - 1e-9))
        expect(value).toBeGreaterThanOrEqual(last * (1 - 1e-9))
        last = value
      }
    }
  })
})

describe("losses with few values on a sample", () => {
  test("have the curve of the mixed law, the larger of both directions", () => {
    for (const [amount, scale, q] of [
      [1, 1, 0.1],
      [5, 2, 0.5],
      [3, 0.3, 0.01],
      [2, 1000, 0.2],
    ] as const) {
      const base = discreteLaplaceLaw(amount, scale)
      const { forward, backward } = subsampledLaw(base, q)
      const mixed = atomsCurve(forward.atoms, backward.atoms)
      const direct = subsampledAtomsCurve(base.forward.atoms, q)
      for (const order of [1.0001, 1.01, 1.5, 2, 7, 60]) {
        expect(direct.at(order) / mixed.at(order)).toBeGreaterThan(1 - 1e-11)
        expect(direct.at(order) / mixed.at(order)).toBeLessThan(1 + 1e-9)
      }
    }
  })

  test("small ones do not cancel near order 1", () => {
    const epsilon = 1e-5
    const atoms: LossAtom[] = [
      { loss: epsilon, mass: 1 / (1 + Math.exp(-epsilon)) },
      { loss: -epsilon, mass: 1 / (1 + Math.exp(epsilon)) },
    ]
    for (const order of [1 + 1e-6, 1.001, 2, 30]) {
      const leading = (order * (0.1 * epsilon) ** 2) / 2
      expect(subsampledAtomsCurve(atoms, 0.1).at(order) / leading).toBeCloseTo(1, 4)
    }
  })
})
