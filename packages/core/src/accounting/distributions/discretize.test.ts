import fc from "fast-check"
import { describe, expect, test } from "vitest"
import collected from "../../testing/fixtures/collected.json" with { type: "json" }
import { composeLaws, deltaOfLaw, lawOf } from "../../testing/atom-laws.ts"
import { numberInput, recordsOf } from "../../testing/vectors.ts"
import { discretize, type LatticeLoss } from "./discretize.ts"
import {
  approxLaw,
  continuousLaplaceLaw,
  discreteLaplaceLaw,
  gaussianLaw,
  replacedGaussianLaw,
  subsampledLaw,
  type LossLaw,
} from "./loss-law.ts"

const asLaw = (lattice: LatticeLoss): LossLaw => ({
  atoms: [...lattice.mass]
    .map((mass, i) => ({ loss: (lattice.first + i) * lattice.step - lattice.shift, mass }))
    .filter(({ mass }) => mass > 0),
  infinite: lattice.infinite,
  unseen: 0,
})

const epsilons = [0, 0.01, 0.1, 0.25, 0.5, 0.9, 1, 1.5, 2, 3, 5]
/** Sums of doubles on both sides. */
const rounding = 1e-12

/** Weights of a small pair of laws, some outputs possible on one side only. */
const weights = fc.integer({ min: 2, max: 5 }).chain((size) => {
  const list = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: size, maxLength: size })
  // The first output is possible on both sides.
  return fc.tuple(list, list).map(
    ([p, q]) =>
      [
        [1, ...p],
        [1, ...q],
      ] as const,
  )
})

test("the law above dominates and the law below is dominated, alone and composed", () => {
  const steps = fc.constantFrom(0.03, 0.11, 0.5, 1.7)
  fc.assert(
    fc.property(weights, steps, fc.integer({ min: 1, max: 4 }), ([p, q], step, k) => {
      const law = lawOf(p, q)
      const { above, below } = discretize(law, step)
      const times = (one: LossLaw): LossLaw => composeLaws(Array.from({ length: k }, () => one))
      const [truth, upper, lower] = [law, asLaw(above), asLaw(below)].map(times)
      if (truth === undefined || upper === undefined || lower === undefined) return
      for (const epsilon of epsilons) {
        const exact = deltaOfLaw(truth, epsilon)
        expect(deltaOfLaw(upper, epsilon)).toBeGreaterThanOrEqual(exact - rounding)
        expect(deltaOfLaw(lower, epsilon)).toBeLessThanOrEqual(exact + rounding)
      }
    }),
    { numRuns: 250 },
  )
})

test("two different laws on one lattice stay between their bounds when composed", () => {
  fc.assert(
    fc.property(weights, weights, ([p1, q1], [p2, q2]) => {
      const laws = [lawOf(p1, q1), lawOf(p2, q2), lawOf(p1, q1)]
      const brackets = laws.map((law) => discretize(law, 0.2))
      const truth = composeLaws(laws)
      const upper = composeLaws(brackets.map(({ above }) => asLaw(above)))
      const lower = composeLaws(brackets.map(({ below }) => asLaw(below)))
      for (const epsilon of epsilons) {
        const exact = deltaOfLaw(truth, epsilon)
        expect(deltaOfLaw(upper, epsilon)).toBeGreaterThanOrEqual(exact - rounding)
        expect(deltaOfLaw(lower, epsilon)).toBeLessThanOrEqual(exact + rounding)
      }
    }),
    { numRuns: 100 },
  )
})

const laws: readonly (readonly [name: string, law: LossLaw])[] = [
  ["gaussian", gaussianLaw(1).forward],
  ["narrow gaussian", gaussianLaw(0.05).forward],
  ["laplace", continuousLaplaceLaw(1).forward],
  ["grid laplace", discreteLaplaceLaw(9, 5).forward],
  ["sampled gaussian", subsampledLaw(gaussianLaw(1), 0.1).forward],
  ["sampled gaussian, back", subsampledLaw(gaussianLaw(1), 0.1).backward],
  ["replaced gaussian", replacedGaussianLaw(1, 0.2).forward],
  ["approx", approxLaw(0.7, 0.01).forward],
]

describe.each(laws)("%s", (_, law) => {
  test("has all of its probability above, and P and Q as they were", () => {
    for (const step of [0.003, 0.07, 0.4]) {
      const { above } = discretize(law, step)
      const lattice = asLaw(above)
      const sum = lattice.atoms.reduce((total, { mass }) => total + mass, lattice.infinite)
      expect(Math.abs(sum - 1)).toBeLessThan(1e-12)
      const other = lattice.atoms.reduce(
        (total, { loss, mass }) => total + mass * Math.exp(-loss),
        law.unseen,
      )
      expect(Math.abs(other - 1)).toBeLessThan(1e-11)
      expect(above.shift).toBe(0)
    }
  })

  test("falls to the truth as the step does, from above and from below", () => {
    const curves = [0.4, 0.1, 0.025, 0.00625].map((step) => discretize(law, step))
    for (const epsilon of epsilons) {
      const uppers = curves.map(({ above }) => deltaOfLaw(asLaw(above), epsilon))
      const lowers = curves.map(({ below }) => deltaOfLaw(asLaw(below), epsilon))
      // Each lattice refines the one before, so its law is dominated by it.
      uppers.slice(1).forEach((upper, i) => expect(upper).toBeLessThanOrEqual((uppers[i] ?? 0) + 1e-11))
      expect(Math.max(...lowers)).toBeLessThanOrEqual((uppers.at(-1) ?? 0) + 1e-11)
      expect((uppers.at(-1) ?? 1) - (lowers.at(-1) ?? 0)).toBeLessThan(4e-3)
    }
  })

  test("never puts probability higher below than above", () => {
    const { above, below } = discretize(law, 0.05)
    for (let epsilon = -2; epsilon < 6; epsilon += 0.03) {
      const [upper, lower] = [above, below].map((lattice) => deltaOfLaw(asLaw(lattice), epsilon))
      expect(lower).toBeLessThanOrEqual((upper ?? 0) + 1e-12)
    }
  })
})

test("atoms on the lattice stay as they are", () => {
  const { above, below } = discretize(approxLaw(0.5, 0.125).forward, 0.5)
  const [high, low] = approxLaw(0.5, 0.125).forward.atoms
  expect(asLaw(above).atoms).toEqual([low, high])
  expect(asLaw(below).atoms.map(({ mass }) => mass)).toEqual([low?.mass, high?.mass])
  expect([above.infinite, below.infinite]).toEqual([0.125, 0.125])
  // The law below may only be lower.
  expect(below.shift).toBeGreaterThan(0)
  expect(below.shift).toBeLessThan(1e-8)
})

test("what lies below the lowest loss looked at is put above it", () => {
  const smooth = gaussianLaw(1).forward.smooth
  if (smooth === undefined) throw new Error("a Gaussian has a density")
  const law: LossLaw = { atoms: [], infinite: 0, unseen: 0, smooth: { ...smooth, below: 1e-10 } }
  const [with0, without] = [law, gaussianLaw(1).forward].map((one) => discretize(one, 0.3).above)
  const at = with0?.mass.findIndex((mass, i) => mass - (without?.mass[i] ?? 0) > 5e-11) ?? -1
  expect(((with0?.first ?? 0) + at) * 0.3).toBeGreaterThanOrEqual(smooth.lossAt(smooth.from))
})

describe("Google's tables at a step of 1", () => {
  const table = (value: unknown): Map<number, number> =>
    new Map(Object.entries(value ?? {}).map(([loss, mass]) => [Number(loss), Number(mass)]))

  test.each(recordsOf(collected, "dp_accounting.pld_laplace_pmf_connect_dots"))("$id", (record) => {
    const [scale, sensitivity] = [numberInput(record, "parameter"), numberInput(record, "sensitivity")]
    const pair = subsampledLaw(
      continuousLaplaceLaw(sensitivity / scale),
      numberInput(record, "sampling_prob"),
    )
    for (const [field, law] of [
      ["expected_rounded_pmf_add", pair.backward],
      ["expected_rounded_pmf_remove", pair.forward],
    ] as const) {
      const lattice = discretize(law, 1).above
      for (const [loss, mass] of table(record.expected[field])) {
        expect(Math.abs((lattice.mass[loss - lattice.first] ?? 0) - mass)).toBeLessThan(1e-6)
      }
    }
  })

  test.each(recordsOf(collected, "dp_accounting.pld_laplace_pmf"))("$id: rounded up, so looser", (record) => {
    const [scale, sensitivity] = [numberInput(record, "parameter"), numberInput(record, "sensitivity")]
    const pair = subsampledLaw(
      continuousLaplaceLaw(sensitivity / scale),
      numberInput(record, "sampling_prob"),
    )
    const atoms = [...table(record.expected["expected_rounded_pmf_add"])].map(([loss, mass]) => ({
      loss,
      mass,
    }))
    for (const epsilon of epsilons) {
      const ours = deltaOfLaw(asLaw(discretize(pair.backward, 1).above), epsilon)
      expect(ours).toBeLessThanOrEqual(deltaOfLaw({ atoms, infinite: 0, unseen: 0 }, epsilon) + 1e-6)
    }
  })
})
