import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { lawOf } from "../testing/atom-laws.ts"
import collected from "../testing/fixtures/collected.json" with { type: "json" }
import vectors from "../testing/fixtures/rdp.json" with { type: "json" }
import { refusalOf } from "../testing/refusals.ts"
import { checkRecord, numberExpected, numberInput, recordsOf, type VectorRecord } from "../testing/vectors.ts"
import { pureToZcdp } from "./conversions/pure-to-zcdp.ts"
import { randomizedResponseLaw, type LossAtom } from "./distributions/loss-law.ts"
import {
  addCurves,
  atomsCurve,
  bestOrder,
  boundedRangeCurve,
  continuousLaplaceCurve,
  gridCurve,
  pureCurve,
  renyiEpsilonAt,
  renyiToEpsilon,
  zcdpCurve,
  type RenyiCurve,
} from "./renyi.ts"

/** Curves begin above order 1; the divergence of Kullback and Leibler is their limit. */
function at(curve: RenyiCurve, record: VectorRecord): number {
  const order = numberInput(record, "alpha")
  return curve.at(order === 1 ? 1 + 2 ** -40 : Math.min(order, 1e300))
}

describe("curves of mechanisms", () => {
  test.each(recordsOf(vectors, "rdp.laplace"))("$id", (record) => {
    const got = at(continuousLaplaceCurve(numberInput(record, "epsilon0")), record)
    checkRecord({ record, field: "rdp", got, unsafeTolerance: 1e-15 })
  })

  test.each(recordsOf(vectors, "rdp.gaussian"))("$id", (record) => {
    const ratio = numberInput(record, "l2_sensitivity") / numberInput(record, "sigma")
    checkRecord({
      record,
      field: "rdp",
      got: zcdpCurve((ratio * ratio) / 2).at(numberInput(record, "alpha")),
      unsafeTolerance: 1e-15,
    })
  })

  test.each(recordsOf(vectors, "rdp.randomized_response"))("$id", (record) => {
    const [epsilon, k] = [numberInput(record, "epsilon0"), numberInput(record, "k")]
    const { atoms } = randomizedResponseLaw(epsilon, k).forward
    const got = at(atomsCurve(atoms), record)
    checkRecord({ record, field: "rdp", got, unsafeTolerance: 1e-15 })
    // Two categories are the worst of a pure loss; more of them are less.
    expect(at(pureCurve(epsilon), record)).toBeGreaterThanOrEqual(numberExpected(record, "rdp") * (1 - 1e-15))
  })

  test.each(recordsOf(vectors, "rdp.exponential_mechanism_kl"))(
    "$id: a bounded range is no better",
    (record) => {
      const epsilon = numberInput(record, "epsilon")
      const got = boundedRangeCurve(epsilon).at(1 + 1e-9)
      expect(got).toBeGreaterThanOrEqual(numberExpected(record, "rdp"))
      expect(got).toBeLessThanOrEqual(Math.min(epsilon, ((epsilon * epsilon) / 8) * (1 + 1e-8)))
    },
  )

  test.each(recordsOf(vectors, "zcdp.exponential_mechanism"))("$id", (record) => {
    const curve = boundedRangeCurve(numberInput(record, "epsilon"))
    const rho = Math.max(...[1.001, 1.1, 1.5, 2].map((order) => curve.at(order) / order))
    expect(rho).toBeLessThanOrEqual(numberExpected(record, "rho") * (1 + 1e-11))
  })

  const orders = [1.5, 2.5, 5, 50, 100, 1e300]
  const response = (record: VectorRecord): { same: number; other: number; buckets: number } => {
    const [noise, buckets] = [numberInput(record, "noise_parameter"), numberInput(record, "num_buckets")]
    return { same: 1 - noise + noise / buckets, other: noise / buckets, buckets }
  }

  test.each(recordsOf(collected, "dp_accounting.rdp_randomized_response_replace_one"))("$id", (record) => {
    const { same, other, buckets } = response(record)
    const curve = atomsCurve(randomizedResponseLaw(Math.log(same / other), buckets).forward.atoms)
    checkRecord({
      record,
      field: "expected_rdps",
      got: orders.map((order) => curve.at(order)),
      unsafeTolerance: 1e-11,
    })
  })

  test.each(recordsOf(collected, "dp_accounting.rdp_randomized_response_replace_special"))(
    "$id",
    (record) => {
      const { same, other, buckets } = response(record)
      const rest = Array.from({ length: buckets - 1 }, () => other)
      const uniform = Array.from({ length: buckets }, () => 1 / buckets)
      const curve = atomsCurve(lawOf([same, ...rest], uniform).atoms, lawOf(uniform, [same, ...rest]).atoms)
      checkRecord({
        record,
        field: "expected_rdps",
        got: orders.map((order) => curve.at(order)),
        unsafeTolerance: 1e-11,
      })
    },
  )
})

/** ln E e^((a-1) L) / (a - 1), summed up as it stands. */
function plainDivergence(atoms: readonly LossAtom[], order: number): number {
  const peak = Math.max(...atoms.map(({ loss }) => (order - 1) * loss))
  const sum = atoms.reduce((total, { loss, mass }) => total + mass * Math.exp((order - 1) * loss - peak), 0)
  return (Math.log(sum) + peak) / (order - 1)
}

test("a curve of atoms is the sum that defines it, in both directions, and grows with the order", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(weights, weights, (p, q) => {
      const [there, back] = [lawOf(p, q).atoms, lawOf(q, p).atoms]
      const curve = atomsCurve(there, back)
      let last = 0
      for (const order of [1.01, 1.5, 2, 3.7, 10, 80, 1000]) {
        const plain = Math.max(plainDivergence(there, order), plainDivergence(back, order))
        expect(curve.at(order)).toBeGreaterThanOrEqual(plain - 1e-13 / (order - 1))
        expect(curve.at(order)).toBeLessThanOrEqual(plain * (1 + 1e-10) + 1e-13 / (order - 1))
        expect(curve.at(order)).toBeGreaterThanOrEqual(last)
        last = curve.at(order) * (1 - 1e-11)
      }
    }),
  )
})

test("small losses do not cancel", () => {
  for (const epsilon of [1e-3, 1e-6, 1e-9, 1e-12]) {
    for (const order of [1.0001, 1.5, 2, 50]) {
      // To first order every curve of losses +-e is a e^2 / 2; the next order is e^4.
      const leading = (order * epsilon * epsilon) / 2
      const close = 1 + 3 * (order * epsilon) ** 2 + 1e-11
      for (const curve of [pureCurve(epsilon), atomsCurve(randomizedResponseAtoms(epsilon))]) {
        expect(curve.at(order) / leading).toBeLessThan(close)
        expect(curve.at(order) / leading).toBeGreaterThan(2 - close)
      }
      // Laplace noise: the next order is e^3.
      const laplace = continuousLaplaceCurve(epsilon).at(order) / leading
      expect(Math.abs(laplace - 1)).toBeLessThan(2 * order * epsilon + 1e-11)
    }
  }
})

const randomizedResponseAtoms = (epsilon: number): LossAtom[] => [
  { loss: epsilon, mass: 1 / (1 + Math.exp(-epsilon)) },
  { loss: -epsilon, mass: 1 / (1 + Math.exp(epsilon)) },
]

test("the pure curve is that of randomized response, and below rho a", () => {
  for (const epsilon of [0.01, 0.3, 1, 4, 30, 400]) {
    const rho = numberUp(pureToZcdp(rationalOfNumber(epsilon)))
    const atoms = atomsCurve(randomizedResponseAtoms(epsilon))
    for (const order of [1 + 1e-7, 1.001, 1.1, 2, 7.5, 100, 1e6, 1e15]) {
      const value = pureCurve(epsilon).at(order)
      expect(value / atoms.at(order)).toBeCloseTo(1, 10)
      expect(value).toBeLessThanOrEqual(rho * order * (1 + 1e-11))
      expect(value).toBeLessThanOrEqual(epsilon)
    }
    // Tight as the order falls to 1.
    expect(pureCurve(epsilon).at(1 + 1e-9) / rho).toBeGreaterThan(1 - 1e-6)
  }
})

describe("to epsilon and delta", () => {
  test.each(recordsOf(vectors, "convert.rdp_single_order"))("$id", (record) => {
    const point = { order: numberInput(record, "alpha"), divergence: numberInput(record, "rdp") }
    const delta = numberInput(record, "delta")
    checkRecord({ record, field: "epsilon_classic", got: renyiEpsilonAt(point, delta, "classic") })
    checkRecord({
      record,
      field: "epsilon_improved",
      got: renyiEpsilonAt(point, delta),
      unsafeTolerance: 1e-15,
    })
  })

  test.each(recordsOf(vectors, "convert.gaussian_best_order"))("$id", (record) => {
    const sigma = numberInput(record, "sigma")
    const [curve, delta] = [zcdpCurve(1 / (2 * sigma * sigma)), numberInput(record, "delta")]
    checkRecord({ record, field: "epsilon_classic", got: renyiToEpsilon(curve, delta, "classic") })
    checkRecord({ record, field: "epsilon_improved", got: renyiToEpsilon(curve, delta) })
    const { order } = bestOrder((a) => renyiEpsilonAt({ order: a, divergence: curve.at(a) }, delta))
    expect(order / numberExpected(record, "best_alpha_improved")).toBeCloseTo(1, 3)
  })

  test("is never below 0, falls as delta grows, and the classic formula is never better", () => {
    for (const curve of [zcdpCurve(0.01), pureCurve(0.5), continuousLaplaceCurve(2), zcdpCurve(30)]) {
      let last = Infinity
      for (const delta of [1e-300, 1e-30, 1e-9, 1e-3, 0.1, 0.5, 0.99]) {
        const epsilon = renyiToEpsilon(curve, delta)
        expect(epsilon).toBeGreaterThanOrEqual(0)
        expect(epsilon).toBeLessThanOrEqual(last)
        expect(renyiToEpsilon(curve, delta, "classic")).toBeGreaterThanOrEqual(epsilon * (1 - 1e-12))
        last = epsilon
      }
    }
  })

  test("finds the large orders that a tiny loss needs", () => {
    // The best order is about sqrt(ln(1/delta) / rho) = 8e8.
    expect(renyiToEpsilon(zcdpCurve(1e-15), 1e-300)).toBeLessThan(2e-6)
    expect(renyiToEpsilon(pureCurve(1e-12), 1e-300)).toBeLessThan(1.03e-12)
  })
})

test("curves add up", () => {
  const sum = addCurves([
    { curve: zcdpCurve(0.5), count: 3 },
    { curve: pureCurve(1), count: 2 },
  ])
  expect(sum.at(4)).toBeCloseTo(3 * 2 + 2 * pureCurve(1).at(4), 12)
})

test("between known orders a curve lies above the truth and below the next value; beyond them it is unknown", () => {
  const orders = [8, 1.25, 2, 3, 16, 1.05]
  for (const truth of [zcdpCurve(0.3), pureCurve(1), continuousLaplaceCurve(2)]) {
    const grid = gridCurve(
      orders,
      orders.map((order) => truth.at(order)),
    )
    for (let order = 1.01; order <= 16; order += 0.07) {
      expect(grid.at(order)).toBeGreaterThanOrEqual(truth.at(order))
      const next = Math.min(...orders.filter((known) => known >= order))
      expect(grid.at(order)).toBeLessThanOrEqual(truth.at(next) * (1 + 1e-11))
    }
    for (const order of orders) expect(grid.at(order) / truth.at(order)).toBeCloseTo(1, 11)
    expect(grid.at(16.01)).toBe(Infinity)
    expect(renyiToEpsilon(grid, 1e-6)).toBeGreaterThanOrEqual(renyiToEpsilon(truth, 1e-6))
  }
  expect(refusalOf(() => gridCurve([2, 3], [1])).code).toBe("parameter/length")
  expect(refusalOf(() => gridCurve([], [])).code).toBe("parameter/length")
})

test("the best order is found, at the ends too", () => {
  expect(bestOrder((order) => (order - 7) ** 2).order).toBeCloseTo(7, 5)
  expect(bestOrder((order) => order).order).toBeCloseTo(1 + Math.exp(-10), 8)
  expect(bestOrder((order) => -order).order).toBeGreaterThan(1e16)
  // What is no number is no bound.
  expect(bestOrder((order) => (order > 3 ? Number.NaN : 10 - order)).value).toBeGreaterThanOrEqual(7)
})
