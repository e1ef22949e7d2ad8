import { isLongForm, sampleOf } from "../../testing/suite/long-form.ts"
import { describe, expect, test } from "vitest"
import { deltaOfLaw, hockeyStick, normalAt } from "../../testing/atom-laws.ts"
import { discretize, type LatticeLoss } from "./discretize.ts"
import {
  approxLaw,
  continuousLaplaceLaw,
  discreteLaplaceLaw,
  gaussianLaw,
  mixedLog,
  randomizedResponseLaw,
  replacedGaussianLaw,
  subsampledLaw,
  type LossLaw,
  type LossPair,
} from "./loss-law.ts"

const asLaw = (lattice: LatticeLoss): LossLaw => ({
  atoms: [...lattice.mass].map((mass, i) => ({
    loss: (lattice.first + i) * lattice.step - lattice.shift,
    mass,
  })),
  infinite: lattice.infinite,
  unseen: 0,
})

/** The bracket of delta that a law's lattices give. */
function bracketAt(law: LossLaw, epsilon: number, step: number): { lower: number; upper: number } {
  const { above, below } = discretize(law, step)
  return { lower: deltaOfLaw(asLaw(below), epsilon), upper: deltaOfLaw(asLaw(above), epsilon) }
}

/** delta by a law is delta by its densities: within the lattice's bracket, which is narrow. */
function checkAgainst(law: LossLaw, epsilon: number, truth: number): void {
  const { lower, upper } = bracketAt(law, epsilon, 1e-3)
  expect(upper).toBeGreaterThanOrEqual(truth - 1e-9)
  expect(lower).toBeLessThanOrEqual(truth + 1e-9)
  expect(upper - truth).toBeLessThan(1e-6)
  // Some of the law below lies a whole step lower.
  expect(truth - lower).toBeLessThan(5e-4)
}

const range = { from: -14, to: 20, points: 150_000 }

describe("a Gaussian on a sample", () => {
  for (const [mu, q] of [
    [1, 0.1],
    [2, 0.5],
    [0.5, 0.01],
    [3, 0.9],
  ] as const) {
    if (!isLongForm && mu > 1) continue
    const pair = subsampledLaw(gaussianLaw(mu), q)
    const mixture = (x: number): number => (1 - q) * normalAt(x) + q * normalAt(x, mu)
    test(`has the delta of its two mixtures, both ways (mu ${mu}, q ${q})`, () => {
      for (const epsilon of [0, 0.05, 0.3, 1, 2]) {
        checkAgainst(pair.forward, epsilon, hockeyStick({ p: mixture, q: normalAt }, epsilon, range))
        checkAgainst(pair.backward, epsilon, hockeyStick({ p: normalAt, q: mixture }, epsilon, range))
      }
    })
  }
})

test("a Laplace on a sample has the delta of its two mixtures, both ways", () => {
  const laplace = (x: number, mean = 0): number => Math.exp(-Math.abs(x - mean)) / 2
  for (const [epsilon0, q] of [
    [1, 0.2],
    [2, 0.7],
  ] as const) {
    const pair = subsampledLaw(continuousLaplaceLaw(epsilon0), q)
    const mixture = (x: number): number => (1 - q) * laplace(x) + q * laplace(x, epsilon0)
    const wide = { from: -25, to: 25, points: 200_000 }
    for (const epsilon of [0, 0.1, 0.4, 1]) {
      checkAgainst(pair.forward, epsilon, hockeyStick({ p: mixture, q: laplace }, epsilon, wide))
      checkAgainst(pair.backward, epsilon, hockeyStick({ p: laplace, q: mixture }, epsilon, wide))
    }
  }
})

/** P and Q of discrete Laplace noise around 0 and `amount`, by their mass functions. */
function laplaceDelta(amount: number, scale: number, epsilon: number): number {
  const at = (z: number): number => Math.tanh(1 / scale / 2) * Math.exp(-Math.abs(z) / scale)
  const far = Math.ceil(amount + 40 * scale)
  let sum = 0
  for (let z = -far; z <= far; z += 1) sum += Math.max(0, at(z) - Math.exp(epsilon) * at(z - amount))
  return sum
}

test("discrete Laplace noise has the delta of its mass function", () => {
  for (const [amount, scale] of [
    [1, 1],
    [1, 10],
    [3, 2],
    [7, 20],
    [40, 13],
  ] as const) {
    const { forward } = discreteLaplaceLaw(amount, scale)
    for (const epsilon of [0, 0.01, 0.2, 0.5, 1, 3]) {
      const truth = laplaceDelta(amount, scale, epsilon)
      expect(Math.abs(deltaOfLaw(forward, epsilon) - truth)).toBeLessThan(1e-13)
    }
  }
})

test("discrete Laplace noise at one step is randomized response", () => {
  const { forward } = discreteLaplaceLaw(1, 2)
  const response = approxLaw(0.5, 0).forward
  expect(forward.atoms.map(({ loss }) => loss)).toEqual(response.atoms.map(({ loss }) => loss))
  forward.atoms.forEach(({ mass }, i) => expect(mass).toBeCloseTo(response.atoms[i]?.mass ?? 0, 15))
})

test("a very fine grid is taken in runs that bracket it, and that are a pair of laws each", () => {
  const amount = 2 ** 19
  const { forward } = discreteLaplaceLaw(amount, amount)
  const limit = continuousLaplaceLaw(1).forward
  for (const law of [forward, forward.lower]) {
    expect(law?.atoms.length ?? Infinity).toBeLessThan(300_000)
    const [p, q] = [0, 1].map((power) =>
      law?.atoms.reduce((sum, { loss, mass }) => sum + mass * Math.exp(-power * loss), 0),
    )
    expect(Math.abs((p ?? 0) - 1)).toBeLessThan(1e-12)
    expect(Math.abs((q ?? 0) - 1)).toBeLessThan(1e-12)
  }
  for (const epsilon of [0, 0.2, 0.5, 0.9]) {
    const [upper, lower] = [deltaOfLaw(forward, epsilon), deltaOfLaw(forward.lower ?? forward, epsilon)]
    expect(upper).toBeGreaterThanOrEqual(lower - 1e-13)
    expect(upper - lower).toBeLessThan(1e-10)
    // On a grid so fine it is the continuous law.
    checkAgainst(limit, epsilon, upper)
  }
})

test("randomized response over many categories has the delta of its reports", () => {
  const [truth, lie, categories] = [0.6, 0.1, 5]
  for (const epsilon of [0, 0.5, 1, 1.7, 1.8]) {
    const direct =
      Math.max(0, truth - Math.exp(epsilon) * lie) + 3 * Math.max(0, lie - Math.exp(epsilon) * lie)
    const { forward } = randomizedResponseLaw(Math.log(6), categories)
    expect(Math.abs(deltaOfLaw(forward, epsilon) - direct)).toBeLessThan(1e-15)
  }
  expect(randomizedResponseLaw(Infinity, 3).forward.infinite).toBe(1)
})

const total = (law: LossLaw): number => law.atoms.reduce((sum, { mass }) => sum + mass, law.infinite)

test("sampling keeps what only one of the two could give", () => {
  const { forward, backward } = subsampledLaw(approxLaw(1, 0.01), 0.2)
  expect(total(forward)).toBeCloseTo(1, 14)
  expect(total(backward)).toBeCloseTo(1, 14)
  expect(forward.infinite).toBeCloseTo(0.002, 15)
  expect(backward.infinite).toBe(0)
  // Four outputs: told under P, told under Q, and the two answers.
  const s = 0.99 / (1 + Math.E)
  const [p, q] = [
    [0.01, 0, s * Math.E, s],
    [0, 0.01, s, s * Math.E],
  ]
  for (const epsilon of [0, 0.1, 0.2, 0.25]) {
    const mixture = (p ?? []).map((mass, i) => 0.2 * mass + 0.8 * (q?.[i] ?? 0))
    const stick = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, mass, i) => sum + Math.max(0, mass - Math.exp(epsilon) * (b[i] ?? 0)), 0)
    expect(Math.abs(deltaOfLaw(forward, epsilon) - stick(mixture, q ?? []))).toBeLessThan(1e-14)
    expect(Math.abs(deltaOfLaw(backward, epsilon) - stick(q ?? [], mixture))).toBeLessThan(1e-14)
  }
})

test("a mixture's log ratio neither cancels nor overflows", () => {
  expect(mixedLog(1000, 0.1)).toBeCloseTo(1000 + Math.log(0.1), 10)
  expect(mixedLog(-1000, 1 - 2 ** -40)).toBeCloseTo(-40 * Math.LN2, 12)
  expect(mixedLog(1e-9, 1e-9) / 1e-18).toBeCloseTo(1, 8)
  expect(mixedLog(-0.5, 0.75)).toBeCloseTo(Math.log(0.25 + 0.75 * Math.exp(-0.5)), 15)
})

test("laws far apart are counted as telling all, and claim nothing from below", () => {
  const laws: LossPair[] = [
    gaussianLaw(101),
    gaussianLaw(Infinity),
    discreteLaplaceLaw(1, 0),
    approxLaw(Infinity, 0),
  ]
  for (const { forward } of laws) {
    const { above, below } = discretize(forward, 1)
    expect(above.infinite).toBe(1)
    expect(below.infinite + below.mass.reduce((a, b) => a + b, 0)).toBe(0)
  }
  const sampled = subsampledLaw(gaussianLaw(1e6), 0.1)
  expect(sampled.forward.infinite).toBe(0.1)
  expect(total(sampled.backward)).toBe(1)
  expect(discretize(sampled.forward, 1).below.infinite).toBe(0)
  const replaced = replacedGaussianLaw(1e6, 0.1)
  expect(replaced.forward.infinite).toBe(0.1)
  expect(total(replaced.forward)).toBeCloseTo(1, 15)
})

test.runIf(isLongForm)("near the limit the formula still holds: the mixture of laws 99 apart", () => {
  const { forward, backward } = subsampledLaw(gaussianLaw(99), 0.25)
  const { upper } = bracketAt(forward, 10, 4)
  expect(upper).toBeGreaterThanOrEqual(0.25 * (1 - 1e-9))
  expect(upper).toBeLessThan(0.2501)
  expect(bracketAt(backward, 0.3, 0.01).upper).toBeLessThan(1e-20)
})

/** The hockey stick of (1-q) N(0) + q N(u) against (1-q) N(0) + q N(v) in the plane, on a square grid. */
function planeStick(
  u: readonly [number, number],
  v: readonly [number, number],
  at: { q: number; gamma: number },
): number {
  const h = 0.14
  let sum = 0
  for (let x = -7; x <= 7; x += h) {
    for (let y = -7; y <= 7; y += h) {
      const ratio = (w: readonly [number, number]): number =>
        1 - at.q + at.q * Math.exp(x * w[0] + y * w[1] - (w[0] * w[0] + w[1] * w[1]) / 2)
      sum += Math.max(0, ratio(u) - at.gamma * ratio(v)) * Math.exp(-(x * x + y * y) / 2)
    }
  }
  return (sum * h * h) / (2 * Math.PI)
}

test.runIf(isLongForm)(
  "replacing somebody in a sample is worst when the two pull apart with full strength",
  () => {
    for (const q of [0.1, 0.5]) {
      for (const gamma of sampleOf([1, 1.1, 1.5, 3], 2)) {
        const worst = planeStick([1, 0], [-1, 0], { q, gamma })
        checkAgainst(
          replacedGaussianLaw(1, q).forward,
          Math.log(gamma),
          hockeyReplaced(1, q, Math.log(gamma)),
        )
        for (const angle of [0, 0.7, 1.6, 2.4, 2.9, Math.PI]) {
          for (const [a, b] of [
            [1, 1],
            [0.5, 1],
            [1, 0.4],
            [1, 0],
            [0, 1],
          ] as const) {
            const stick = planeStick([a, 0], [b * Math.cos(angle), b * Math.sin(angle)], { q, gamma })
            // The grid is good to about 1e-3 of the kink's share.
            expect(stick).toBeLessThanOrEqual(worst * (1 + 1e-3) + 2e-4)
          }
        }
      }
    }
  },
)

function hockeyReplaced(mu: number, q: number, epsilon: number): number {
  const side = (sign: number) => (x: number) => (1 - q) * normalAt(x) + q * normalAt(x, sign * mu)
  return hockeyStick({ p: side(1), q: side(-1) }, epsilon, range)
}
