import { describe, expect, test } from "vitest"
import {
  changesOf,
  fadingFactors,
  fadingWeights,
  measuredSum,
  spreadOf,
  totalReader,
  treeForm,
  type TotalForm,
} from "./total-forms.ts"

const fading = (sixteenths: number): TotalForm => ({ kind: "fading", sixteenths: BigInt(sixteenths) })
const forms = [treeForm, ...[0, 1, 3, 8, 13, 16].map(fading)]

test("weights are the coefficients of a power of 1 / (1 - z), and never grow", () => {
  expect(fadingWeights(0n, 4)).toEqual([1n, 0n, 0n, 0n])
  expect(fadingWeights(16n, 4)).toEqual([65536n, 65536n, 65536n, 65536n])
  // 1, 1/2, 3/8, 5/16, 35/128
  expect(fadingWeights(8n, 5)).toEqual([65536n, 32768n, 24576n, 20480n, 17920n])
  for (const sixteenths of [1n, 5n, 8n, 15n]) {
    const weights = fadingWeights(sixteenths, 4096)
    expect(weights.every((weight, age) => weight >= 0n && weight <= (weights[age - 1] ?? weight))).toBe(true)
  }
  expect(() => fadingWeights(17n, 2)).toThrow("weights do not grow with age")
})

test.each(forms)("without noise the totals come out: $kind $sixteenths", (form) => {
  const amounts = Array.from({ length: 60 }, (_, index) => BigInt(((index * 37) % 23) - 5) * 1_000_000n)
  const measured = amounts.map((_, index) => measuredSum(form, amounts.slice(0, index + 1)))
  const totalOf = totalReader(form, 60)
  const totals = measured.map((_, index) => totalOf(measured.slice(0, index + 1)))
  let sum = 0n
  expect(totals).toEqual(amounts.map((amount) => (sum += amount)))
})

describe("the worst change", () => {
  /** What a unit in these steps changes, by what each measurement of the horizon says. */
  const changeOf = (form: TotalForm, steps: readonly number[], horizon: number): readonly number[] => {
    const amounts = Array.from({ length: horizon }, (_, index) => (steps.includes(index) ? 1n : 0n))
    return amounts.map((_, index) => Number(measuredSum(form, amounts.slice(0, index + 1))))
  }
  const subsets = (from: number, count: number, most: number): readonly (readonly number[])[] =>
    count === 0
      ? [[]]
      : Array.from({ length: Math.max(0, most - from) }, (_, index) => from + index).flatMap((first) =>
          subsets(first + 1, count - 1, most).map((rest) => [first, ...rest]),
        )
  const squared = (change: readonly number[]): number => change.reduce((sum, one) => sum + one ** 2, 0)

  test.each(forms)("[S1] of every set of up to three of seven steps: $kind $sixteenths", (form) => {
    for (const steps of [1, 2, 3]) {
      const claimed = squared(changesOf(form, { horizon: 7n, steps: BigInt(steps) }).map(Number))
      const found = subsets(0, steps, 7).map((set) => squared(changeOf(form, set, 7)))
      const most = Math.max(...found)
      expect(most).toBeLessThanOrEqual(claimed)
      // Reached, but for a tree: of that it is a bound.
      if (form.kind === "fading") expect(most).toBe(claimed)
    }
  })

  test("[S1] also where late rows move a unit to earlier steps", () => {
    // A person with at most two steps: 5 and 6 first, then 2 comes in late, then 1.
    const versions = [[], [], [], [], [5], [5, 6], [2, 5], [1, 2], [1, 2]]
    for (const form of [1, 3, 8].map(fading)) {
      const change = versions.map(
        (steps, index) =>
          changeOf(
            form,
            steps.map((step) => step - 1),
            index + 1,
          ).at(-1) ?? 0,
      )
      const claimed = squared(changesOf(form, { horizon: 9n, steps: 2n }).map(Number))
      expect(squared(change)).toBeLessThanOrEqual(claimed)
    }
  })
})

test("the spread of a total is the sum of its squared factors", () => {
  expect(spreadOf(treeForm, 8)).toEqual([1, 1, 2, 1, 2, 2, 3, 1])
  expect(spreadOf(fading(0), 4)).toEqual([1, 2, 3, 4])
  const factors = fadingFactors(8n, 3).map((factor) => factor * 65536)
  for (const [index, expected] of [1, 0.5, 0.375].entries()) expect(factors[index]).toBeCloseTo(expected, 9)
  expect((spreadOf(fading(8), 3).at(-1) ?? 0) * 65536 ** 2).toBeCloseTo(1 + 0.25 + 0.140625, 9)
})
