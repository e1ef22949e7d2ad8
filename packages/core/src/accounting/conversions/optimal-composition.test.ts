import { isLongForm } from "../../testing/suite/long-form.ts"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { composeLaws, deltaOfLaw } from "../../testing/atom-laws.ts"
import collected from "../../testing/fixtures/collected.json" with { type: "json" }
import vectors from "../../testing/fixtures/composition.json" with { type: "json" }
import {
  checkRecord,
  numberExpected,
  numberInput,
  recordsOf,
  type VectorRecord,
} from "../../testing/vectors.ts"
import { approxLaw } from "../distributions/loss-law.ts"
import { optimalToDelta, optimalToEpsilon, type RepeatedLoss } from "./optimal-composition.ts"

const one = (record: VectorRecord): RepeatedLoss => ({
  epsilon: numberInput(record, "epsilon0"),
  delta: numberInput(record, "delta0"),
  count: numberInput(record, "k"),
})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

test.each(recordsOf(vectors, "composition.optimal_homogeneous"))("$id", (record) => {
  const got = optimalToEpsilon([one(record)], numberInput(record, "delta"))
  checkRecord({ record, field: "epsilon", got, unsafeTolerance: 1e-14 })
})

test.each(recordsOf(vectors, "composition.kov_table"))("$id", (record) => {
  for (const row of listOf(record.expected["table"])) {
    const entry = new Map(Object.entries(row ?? {}))
    const [epsilon, delta] = [Number(entry.get("epsilon")), Number(entry.get("delta"))]
    const got = optimalToDelta([one(record)], epsilon)
    // The table's epsilon as a double may lie a hair above the loss.
    expect(got, record.id).toBeGreaterThanOrEqual(delta * (1 - 1e-12))
    expect(got, record.id).toBeLessThanOrEqual(delta * (1 + 1e-9) + 1e-18)
  }
})

test.each(recordsOf(vectors, "composition.kov_lattice"))("$id: no worse than on the lattice", (record) => {
  const got = optimalToEpsilon([one(record)], numberInput(record, "delta_total"))
  const isPossible = record.expected["epsilon"] !== null
  if (isPossible) {
    expect(got).toBeLessThanOrEqual(numberExpected(record, "epsilon") + 1e-9)
    expect(got).toBeGreaterThan(numberExpected(record, "epsilon") - 2 * numberInput(record, "epsilon0"))
  } else {
    expect(got).toBe(Infinity)
  }
})

test.each(recordsOf(vectors, "composition.optimal_heterogeneous"))("$id", (record) => {
  const deltas = listOf(record.inputs["deltas"])
  const losses = listOf(record.inputs["epsilons"]).map((epsilon, i) => {
    return { epsilon: Number(epsilon), delta: Number(deltas[i]), count: 1 }
  })
  const got = optimalToDelta(losses, numberInput(record, "epsilon_global"))
  checkRecord({ record, field: "delta", got })
})

describe("Google's figures", () => {
  test.each(recordsOf(collected, "dp_accounting.advanced_composition"))("$id", (record) => {
    const each = {
      epsilon: numberInput(record, "epsilon"),
      delta: numberInput(record, "delta"),
      count: numberInput(record, "num_queries"),
    }
    const got = optimalToEpsilon([each], numberInput(record, "total_delta"))
    if (record.expected["expected_total_epsilon"] === null) expect(got).toBe(Infinity)
    else checkRecord({ record, field: "expected_total_epsilon", got })
  })

  test.each(recordsOf(collected, "dp_accounting.advanced_composition_inverse"))("$id", (record) => {
    const total = numberInput(record, "total_delta")
    const each = { delta: numberInput(record, "delta"), count: numberInput(record, "num_queries") }
    if (record.expected["expected_epsilon"] === null) {
      expect(optimalToEpsilon([{ ...each, epsilon: 0 }], total)).toBe(Infinity)
      return
    }
    // Theirs is for lattice points only, so ours keeps the target at theirs.
    const epsilon = numberExpected(record, "expected_epsilon") - 1e-5
    expect(optimalToEpsilon([{ ...each, epsilon }], total)).toBeLessThanOrEqual(
      numberInput(record, "total_epsilon"),
    )
  })
})

const releases = fc.record({
  epsilon: fc.double({ min: 0, max: 3, noNaN: true }),
  delta: fc.constantFrom(0, 1e-9, 1e-3, 0.3),
  count: fc.integer({ min: 1, max: 4 }),
})

test("is the sum over all outcomes of randomized response", () => {
  fc.assert(
    fc.property(fc.array(releases, { minLength: 1, maxLength: 3 }), (losses) => {
      const law = composeLaws(
        losses.flatMap(({ epsilon, delta, count }) =>
          Array.from({ length: count }, () => approxLaw(epsilon, delta).forward),
        ),
      )
      for (const epsilon of [0, 0.3, 1, 2.5, 6]) {
        const exact = deltaOfLaw(law, epsilon)
        const got = optimalToDelta(losses, epsilon)
        expect(got).toBeGreaterThanOrEqual(exact * (1 - 1e-13) - 1e-15)
        expect(got).toBeLessThanOrEqual(exact * (1 + 1e-9) + 1e-14)
      }
    }),
    { numRuns: 60 },
  )
})

test("what it returns keeps delta, and a little less does not", () => {
  for (const losses of [
    [{ epsilon: 0.1, delta: 0, count: 100 }],
    [
      { epsilon: 0.1, delta: 1e-9, count: 50 },
      { epsilon: 1, delta: 0, count: 3 },
    ],
  ]) {
    for (const delta of [1e-7, 1e-4, 0.01]) {
      const epsilon = optimalToEpsilon(losses, delta)
      expect(optimalToDelta(losses, epsilon)).toBeLessThanOrEqual(delta)
      expect(optimalToDelta(losses, epsilon * (1 - 1e-6))).toBeGreaterThan(delta)
    }
  }
})

test("a delta that the releases' own deltas use up leaves no epsilon, a large one needs none", () => {
  expect(optimalToEpsilon([{ epsilon: 1, delta: 1e-6, count: 10 }], 9e-6)).toBe(Infinity)
  expect(optimalToEpsilon([{ epsilon: 1, delta: 1e-6, count: 10 }], 1.1e-5)).toBeLessThanOrEqual(10.000001)
  expect(optimalToEpsilon([{ epsilon: 0.01, delta: 0, count: 2 }], 0.5)).toBe(0)
  expect(optimalToEpsilon([{ epsilon: 0.5, delta: 0, count: 4 }], 0)).toBeCloseTo(2, 9)
})

test.runIf(isLongForm)("large binomials keep their digits", () => {
  // All of a million answers agree with probability p^n; the two largest losses, in closed form.
  const [epsilon, count] = [1e-5, 1_000_000]
  const top = Math.exp(-count * Math.log1p(Math.exp(-epsilon)))
  expect(top).toBe(0)
  // The sum of all masses is 1, and so is that of all e^-loss: delta at -infinity would be 1.
  const at = (e: number): number => optimalToDelta([{ epsilon, delta: 0, count }], e)
  const minus = at(-1e3)
  expect(Math.abs(minus - 1)).toBeLessThan(1e-9)
  // By symmetry of the pair: delta(-e) = 1 - e^-e + e^-e delta(e).
  for (const e of [0.001, 0.01, 0.03]) {
    const mirrored = -Math.expm1(-e) + Math.exp(-e) * at(e)
    expect(Math.abs(at(-e) / mirrored - 1)).toBeLessThan(2e-10)
  }
  // Losses beyond what exponentials hold.
  expect(optimalToDelta([{ epsilon: 1000, delta: 0, count: 2 }], 10)).toBe(1)
  expect(optimalToDelta([{ epsilon: 1000, delta: 0, count: 2 }], 2000)).toBe(0)
  expect(() => optimalToDelta([{ epsilon: 1, delta: 0, count: 5e6 }], 1)).toThrow("limited")
})
