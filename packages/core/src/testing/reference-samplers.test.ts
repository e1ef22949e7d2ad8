import { expect, test } from "vitest"
import { dyadicToNumber, enumerateBits } from "./bit-tree.ts"
import {
  referenceBernoulli,
  referenceBernoulliExp,
  referenceDiscreteGaussian,
  referenceDiscreteLaplace,
  referenceGeometric,
  referenceRoundedGaussian,
  referenceUniformBelow,
  type Fraction,
} from "./reference-samplers.ts"
import type { BitSource } from "./bit-source.ts"

const fraction = (numerator: bigint, denominator = 1n): Fraction => ({ numerator, denominator })
const zeros: BitSource = { bit: () => 0 }

test("draws uniformly below n: equal exact shares, and nothing else", () => {
  for (const n of [1n, 2n, 3n, 5n, 8n]) {
    const { outcomes, undecided } = enumerateBits({
      depthMax: 12,
      run: (bits) => referenceUniformBelow(n, bits),
    })
    expect([...outcomes.keys()].map(Number).toSorted((a, b) => a - b)).toEqual([...Array(Number(n)).keys()])
    expect(new Set([...outcomes.values()].map(({ numerator }) => numerator)).size).toBe(1)
    expect(dyadicToNumber(undecided)).toBeLessThanOrEqual((3 / 8) ** 4)
  }
})

test("draws a coin of rational bias: exact when the bias is dyadic, else to the last bit", () => {
  const share = (p: Fraction) => {
    const { outcomes } = enumerateBits({ depthMax: 10, run: (bits) => referenceBernoulli(p, bits) })
    return outcomes.get("true")?.numerator ?? 0n
  }
  expect([0n, 1n, 5n, 8n].map((numerator) => share(fraction(numerator, 8n)))).toEqual([0n, 128n, 640n, 1024n])
  expect([share(fraction(1n, 3n)), share(fraction(2n, 3n))]).toEqual([341n, 682n])
  expect(share(fraction(10n, 12n))).toBe(853n)
})

test.each([
  ["0", fraction(0n)],
  ["1/10", fraction(1n, 10n)],
  ["1/2", fraction(1n, 2n)],
  ["1", fraction(1n)],
  ["7/3", fraction(7n, 3n)],
  ["5", fraction(5n)],
])("draws true with probability exp(-%s)", (_, x) => {
  const { outcomes, undecided } = enumerateBits({
    depthMax: 18,
    run: (bits) => referenceBernoulliExp(x, bits),
  })
  const want = Math.exp(-Number(x.numerator) / Number(x.denominator))
  const decided = outcomes.get("true")
  const low = decided === undefined ? 0 : dyadicToNumber(decided)
  const open = dyadicToNumber(undecided)
  expect(open).toBeLessThan(0.01)
  expect(low).toBeLessThanOrEqual(want + 1e-12)
  expect(want).toBeLessThanOrEqual(low + open + 1e-12)
})

test("refuses parameters outside the law", () => {
  expect(() => referenceUniformBelow(0n, zeros)).toThrow("no integer")
  expect(() => referenceBernoulli(fraction(3n, 2n), zeros)).toThrow("a probability: 3/2")
  expect(() => referenceBernoulli(fraction(-1n, 2n), zeros)).toThrow("a probability")
  expect(() => referenceBernoulliExp(fraction(-1n, 2n), zeros)).toThrow("zero or positive")
  const positive = [
    referenceGeometric,
    referenceDiscreteLaplace,
    referenceDiscreteGaussian,
    referenceRoundedGaussian,
  ]
  for (const sample of positive) expect(() => sample(fraction(0n), zeros)).toThrow("positive")
})
