import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { numberUp, rationalOfNumber } from "../../exact/dyadic.ts"
import { composeLaws, deltaOfLaw } from "../../testing/atom-laws.ts"
import { ComposedLoss, infiniteOf } from "./compose-pld.ts"
import { discretize, type LatticeLoss } from "./discretize.ts"
import { gdpToDelta } from "../conversions/gaussian-delta.ts"
import { approxLaw, gaussianLaw, randomizedResponseLaw, type LossLaw } from "./loss-law.ts"
import { optimalToDelta } from "../conversions/optimal-composition.ts"
import { largestSum, tiltFor, tiltForDelta, type Repeated } from "./tilt.ts"

/** A lattice loss as it stands, from masses at consecutive points. */
const lattice = (first: number, mass: readonly number[], rest: Partial<LatticeLoss> = {}): LatticeLoss => ({
  step: 0.25,
  shift: 0,
  first,
  mass: Float64Array.from(mass),
  infinite: 0,
  ...rest,
})

const asLaw = ({ first, step, shift, mass, infinite }: LatticeLoss): LossLaw => ({
  atoms: [...mass]
    .map((p, i) => ({ loss: (first + i) * step - shift, mass: p }))
    .filter((atom) => atom.mass > 0),
  infinite,
  unseen: 0,
})

/** Any sub-probability on a lattice: bounds need no more. */
const losses = fc
  .record({
    first: fc.integer({ min: -6, max: 3 }),
    weights: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 5 }),
    infinite: fc.constantFrom(0, 0, 0.001, 0.2),
    shift: fc.constantFrom(0, 0.01, 0.2),
  })
  .filter(({ weights }) => weights.some((weight) => weight > 0))
  .map(({ first, weights, infinite, shift }) => {
    const sum = weights.reduce((a, b) => a + b, 0)
    return lattice(
      first,
      weights.map((weight) => ((1 - infinite) * weight) / sum),
      { infinite, shift },
    )
  })

const tilts = [0, 0.1, 1, 3, 20, 200]

test("bounds enclose the sum taken term by term, at every tilt", () => {
  fc.assert(
    fc.property(losses, losses, fc.integer({ min: 1, max: 4 }), (a, b, k) => {
      const parts: Repeated[] = [
        { loss: a, count: k },
        { loss: b, count: 2 },
      ]
      const exact = composeLaws([...Array.from({ length: k }, () => asLaw(a)), asLaw(b), asLaw(b)])
      for (const theta of tilts) {
        const composed = new ComposedLoss(parts, theta)
        for (const epsilon of [0, 0.1, 0.25, 0.7, 1.5, 3, 5]) {
          const truth = deltaOfLaw(exact, epsilon)
          const { lower, upper } = composed.deltaAt(epsilon)
          // The terms' own sum is rounded too, relatively; one loss at epsilon itself may count or not.
          expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-13) - 1e-16)
          expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-13) + 1e-16)
          expect(upper).toBeLessThanOrEqual(1)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test("at the right tilt they are narrow, however small delta is", () => {
  const law = discretize(approxLaw(0.25, 0).forward, 0.25).above
  const parts = [{ loss: law, count: 200 }]
  for (const epsilon of [0, 5, 10, 20, 30, 40, 48]) {
    const exact = optimalToDelta([{ epsilon: 0.25, delta: 0, count: 200 }], epsilon)
    const { lower, upper } = new ComposedLoss(parts, tiltFor(parts, epsilon)).deltaAt(epsilon)
    expect(upper / exact).toBeGreaterThan(1 - 1e-10)
    expect(lower / exact).toBeLessThan(1)
    expect(upper / lower - 1).toBeLessThan(1e-9)
  }
})

test("just below the largest loss, where the factor cancels, they still hold", () => {
  const law = discretize(approxLaw(0.3, 0).forward, 0.3).above
  const parts = [{ loss: law, count: 7 }]
  const top = (1 + Math.exp(-0.3)) ** -7
  for (const less of [1e-3, 1e-6, 1e-9, 1e-12, 1e-14]) {
    const epsilon = 7 * 0.3 - less
    // The true gap is that of the doubles in play: the loss 7 * 0.3 in exact terms.
    const gap = 2.1 - epsilon
    const { lower, upper } = new ComposedLoss(parts, tiltFor(parts, epsilon)).deltaAt(epsilon)
    const slack = 8e-16
    expect(upper).toBeGreaterThanOrEqual(top * -Math.expm1(-gap + slack) * (1 - 1e-12))
    expect(lower).toBeLessThanOrEqual(top * -Math.expm1(-gap - slack) * (1 + 1e-12))
  }
})

test("refuses a tilt below 0, for which its bounds would not hold", () => {
  expect(() => new ComposedLoss([{ loss: lattice(0, [1]), count: 1 }], -1)).toThrow("a tilt is not negative")
})

describe("many releases", () => {
  test.each([
    [10_000, 0.01, 4],
    [100_000, 0.01, 12],
    [100_000, 0.002, 2],
    [1000, 0.5, 150],
  ])("%i of randomized response are binomial (epsilon %f)", (count, epsilon0, epsilon) => {
    const parts = [{ loss: discretize(approxLaw(epsilon0, 0).forward, epsilon0).above, count }]
    const exact = optimalToDelta([{ epsilon: epsilon0, delta: 0, count }], epsilon)
    const { lower, upper } = new ComposedLoss(parts, tiltFor(parts, epsilon)).deltaAt(epsilon)
    expect(upper / exact).toBeGreaterThan(1 - 1e-10)
    expect(lower / exact).toBeLessThan(1)
    expect(upper / lower - 1).toBeLessThan(1e-7)
  })

  test.each([
    [10_000, 0.01, 3],
    [100_000, 0.003, 2],
    [100, 0.1, 5],
    [1, 1, 4],
  ])("%i Gaussians of mu %f, taken as a pair, are one Gaussian", (count, mu, epsilon) => {
    const { above, below } = discretize(gaussianLaw(mu).forward, mu / 50)
    const squared = rationalOfNumber(Math.sqrt(count) * mu)
    const exact = numberUp(gdpToDelta(squared, rationalOfNumber(epsilon)))
    const [upper, lower] = [above, below].map((loss) => {
      const parts = [{ loss, count }]
      return new ComposedLoss(parts, tiltFor(parts, epsilon)).deltaAt(epsilon)
    })
    expect((upper?.upper ?? 0) / exact).toBeGreaterThan(1)
    expect((upper?.upper ?? 1) / exact).toBeLessThan(1.002)
    expect((lower?.lower ?? 1) / exact).toBeLessThan(1)
    expect((lower?.lower ?? 0) / exact).toBeGreaterThan(0.8)
  })
})

test("an infinite loss stays infinite", () => {
  const parts = [{ loss: discretize(approxLaw(1, 1e-9).forward, 1).above, count: 1000 }]
  const { lower, upper } = new ComposedLoss(parts, 0.1).deltaAt(2000)
  const exact = -Math.expm1(1000 * Math.log1p(-1e-9))
  expect(upper).toBeGreaterThanOrEqual(exact)
  expect(lower).toBeLessThanOrEqual(exact)
  expect(upper / lower - 1).toBeLessThan(1e-9)
  expect(infiniteOf(parts)).toBeCloseTo(exact, 20)
  // A tiny one is not lost beside 1.
  expect(infiniteOf([{ loss: lattice(0, [1], { infinite: 1e-28 }), count: 3 }]) / 3e-28).toBeCloseTo(1, 12)
})

test("a loss that is never finite makes the sum so, and one that never varies adds up", () => {
  const all = lattice(0, [0, 0], { infinite: 1 })
  expect(new ComposedLoss([{ loss: all, count: 2 }], 0).deltaAt(5)).toEqual({ lower: 1, upper: 1 })
  const fixed = [{ loss: lattice(2, [1]), count: 3 }]
  const composed = new ComposedLoss(fixed, 0)
  const exact = -Math.expm1(1 - 1.5)
  expect(composed.deltaAt(1).upper).toBeGreaterThanOrEqual(exact)
  expect(composed.deltaAt(1).upper).toBeLessThan(exact + 1e-9)
  expect(composed.deltaAt(1.5).upper).toBeLessThan(1e-9)
})

test("tilts bring the mean to epsilon, and delta near the one asked", () => {
  const law = discretize(randomizedResponseLaw(Math.log(1.5), 2).forward, 0.01).above
  const parts = [{ loss: law, count: 500 }]
  expect(tiltFor(parts, 0)).toBe(0)
  const theta = tiltFor(parts, 80)
  expect(theta).toBeGreaterThan(0)
  expect(tiltFor(parts, 120)).toBeGreaterThan(theta)
  const meant = tiltForDelta(parts, 1e-8)
  const at = (epsilon: number): number => new ComposedLoss(parts, meant).deltaAt(epsilon).upper
  expect(at(80)).toBeGreaterThan(1e-8)
  expect(at(120)).toBeLessThan(1e-8)
  expect(largestSum(parts)).toBeGreaterThanOrEqual(500 * Math.log(1.5))
  expect(largestSum(parts)).toBeLessThan(500 * (Math.log(1.5) + 0.01))
  // Losses of very different sizes get tilts of theirs.
  const huge = [{ loss: lattice(-1, [0.1, 0.2, 0.7], { step: 1e9 }), count: 50 }]
  expect(tiltFor(huge, 4e10)).toBeLessThan(1e-7)
  const tiny = [{ loss: lattice(-1, [0.3, 0.3, 0.4], { step: 1e-12 }), count: 50 }]
  expect(tiltFor(tiny, 2e-11)).toBeGreaterThan(1e10)
})
