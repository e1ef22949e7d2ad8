import { expect, test } from "vitest"
import { bitSourceOf, type BitSource } from "./bit-source.ts"
import { dyadicToNumber, enumerateBits } from "./bit-tree.ts"
import { checkSampler } from "./check-sampler.ts"
import {
  discreteGaussianCdf,
  discreteLaplaceCdf,
  discreteLaplacePmf,
  geometricCdf,
  roundedGaussianCdf,
  roundedGaussianPmf,
  type IntegerCdf,
} from "./laws.ts"
import {
  referenceDiscreteGaussian,
  referenceDiscreteLaplace,
  referenceGeometric,
  referenceRoundedGaussian,
  type Fraction,
} from "./reference-samplers.ts"

const fraction = (numerator: bigint, denominator = 1n): Fraction => ({ numerator, denominator })
const numberOf = ({ numerator, denominator }: Fraction) => Number(numerator) / Number(denominator)
const show = ({ numerator, denominator }: Fraction) => `${numerator}/${denominator}`

interface Enumerated {
  readonly run: (bits: BitSource) => bigint
  readonly depthMax: number
}

/** How far the pmf lies outside what the tree allows, at its worst over -20 .. 20; at most 0 when it fits.
 * Outcomes further out are compared as well, by being absent or not. */
function misfits({ run, depthMax }: Enumerated): { misfit: (pmf: IntegerCdf) => number; undecided: number } {
  const tree = enumerateBits({ run, depthMax })
  const undecided = dyadicToNumber(tree.undecided)
  function misfit(pmf: IntegerCdf): number {
    let worst = -Infinity
    for (let k = -20n; k <= 20n; k += 1n) {
      const share = tree.outcomes.get(String(k))
      const low = share === undefined ? 0 : dyadicToNumber(share)
      worst = Math.max(worst, low - pmf(k), pmf(k) - low - undecided)
    }
    return worst
  }
  for (let k = 1n; k <= 20n; k += 1n) {
    expect(tree.outcomes.get(String(-k))).toEqual(tree.outcomes.get(String(k)))
  }
  return { misfit, undecided }
}

test.each([fraction(1n, 2n), fraction(1n), fraction(3n, 2n)].map((scale) => [show(scale), scale] as const))(
  "keeps the discrete Laplace law on every bit string, scale %s",
  (_, scale) => {
    const run = (bits: BitSource) => referenceDiscreteLaplace(scale, bits)
    const { misfit, undecided } = misfits({ run, depthMax: 19 })
    expect(undecided).toBeLessThan(0.25)
    expect(misfit(discreteLaplacePmf(numberOf(scale)))).toBeLessThanOrEqual(1e-12)
    expect(misfit(discreteLaplacePmf(numberOf(scale) * 2))).toBeGreaterThan(1e-3)
    expect(misfit(discreteLaplacePmf(numberOf(scale) / 2))).toBeGreaterThan(1e-3)
  },
)

test.each([fraction(1n, 4n), fraction(1n)].map((variance) => [show(variance), variance] as const))(
  "keeps the rounded Gaussian law on every bit string, variance %s",
  (_, variance) => {
    const run = (bits: BitSource) => referenceRoundedGaussian(variance, bits)
    const { misfit, undecided } = misfits({ run, depthMax: 18 })
    expect(undecided).toBeLessThan(0.5)
    expect(misfit(roundedGaussianPmf(numberOf(variance)))).toBeLessThanOrEqual(1e-12)
    expect(misfit(roundedGaussianPmf(numberOf(variance) * 8))).toBeGreaterThan(1e-3)
    expect(misfit(roundedGaussianPmf(numberOf(variance) / 8))).toBeGreaterThan(1e-3)
  },
)

test("keeps the discrete Gaussian law on every bit string, variance 1", () => {
  const run = (bits: BitSource) => referenceDiscreteGaussian(fraction(1n), bits)
  const { misfit, undecided } = misfits({ run, depthMax: 17 })
  const pmfOf = (variance: number): IntegerCdf => {
    const cdf = discreteGaussianCdf(variance)
    return (k) => cdf(k) - cdf(k - 1n)
  }
  expect(undecided).toBeLessThan(0.5)
  expect(misfit(pmfOf(1))).toBeLessThanOrEqual(1e-12)
  expect(misfit(pmfOf(8))).toBeGreaterThan(1e-3)
  expect(misfit(pmfOf(1 / 8))).toBeGreaterThan(1e-3)
})

interface Family {
  readonly sample: (parameter: Fraction, bits: BitSource) => bigint
  readonly cdf: (parameter: number) => IntegerCdf
  /** How much a wrong parameter is off: 10 % in width. */
  readonly off: number
}

const families: Readonly<Record<string, Family>> = {
  geometric: { sample: referenceGeometric, cdf: geometricCdf, off: 1.1 },
  "discrete Laplace": { sample: referenceDiscreteLaplace, cdf: discreteLaplaceCdf, off: 1.1 },
  "discrete Gaussian": { sample: referenceDiscreteGaussian, cdf: discreteGaussianCdf, off: 1.21 },
  "rounded Gaussian": { sample: referenceRoundedGaussian, cdf: roundedGaussianCdf, off: 1.21 },
}

const cases = Object.entries(families).flatMap(([name, family]) =>
  [fraction(22n, 7n), fraction(1000n)].map(
    (parameter) => [name, show(parameter), { family, parameter }] as const,
  ),
)

test.each(cases)("draws the %s law, parameter %s", (name, shown, { family, parameter }) => {
  const value = numberOf(parameter)
  checkSampler({
    name: `${name} ${shown}`,
    draws: 150_000,
    draw: (rng) => family.sample(parameter, bitSourceOf(rng)),
    cdf: family.cdf(value),
    mustReject: {
      "10 % too narrow": family.cdf(value / family.off),
      "10 % too wide": family.cdf(value * family.off),
    },
  })
})
