import { expect, test } from "vitest"
import { normalUpper } from "./normal-quantile.ts"
import { independentNumbers, mixedWidth, pickNumbers } from "./noisy-numbers.ts"

test("widths are those of a normal and of a Laplace variable alone", () => {
  for (const miss of [0.3, 0.05, 1e-3, 1e-9]) {
    expect(mixedWidth({ normal: 4, laplace: 0 }, miss)).toBeCloseTo(2 * normalUpper(miss / 2), 9)
  }
  for (const miss of [0.05, 1e-3, 1e-9]) {
    expect(mixedWidth({ normal: 0, laplace: 2 }, miss)).toBeCloseTo(-Math.log(miss), 9)
  }
})

/** Densities on a grid, and the probability to be outside of a width. */
const step = 0.02
const reach = 900
const grid = Array.from({ length: 2 * reach + 1 }, (_, index) => (index - reach) * step)
const normal = (variance: number): readonly number[] =>
  normed(grid.map((x) => Math.exp((-x * x) / (2 * variance))))
const laplace = (variance: number): readonly number[] =>
  normed(grid.map((x) => Math.exp(-Math.abs(x) / Math.sqrt(variance / 2))))

function normed(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}

function convolved(a: readonly number[], b: readonly number[]): readonly number[] {
  return grid.map((_, index) => {
    let sum = 0
    const [from, to] = [Math.max(0, index - reach), Math.min(2 * reach, index + reach)]
    for (let place = from; place <= to; place += 1) sum += (a[place] ?? 0) * (b[index - place + reach] ?? 0)
    return sum
  })
}

const outside = (law: readonly number[], width: number): number =>
  law.reduce((sum, weight, index) => sum + (Math.abs(grid[index] ?? 0) > width ? weight : 0), 0)

test.each([
  ["a normal and a Laplace variable", [0.5], 0.5],
  ["a normal and two Laplace variables", [0.3, 0.3], 0.4],
  ["two Laplace variables", [0.5, 0.5], 0],
  ["three Laplace variables, one of them large", [0.8, 0.1, 0.1], 0],
  ["a large normal and a small Laplace variable", [0.1], 0.9],
] as const)("the width of %s holds at every confidence, and is not wasteful", (_, parts, rest) => {
  const first = rest > 0 ? [normal(rest)] : []
  const law = [...first, ...parts.map(laplace)].reduce(convolved)
  const variance = { normal: rest, laplace: parts.reduce((sum: number, part) => sum + part, 0) }
  for (const miss of [0.5, 0.32, 0.2, 0.1, 0.05, 0.01, 0.001]) {
    const width = mixedWidth(variance, miss)
    expect(outside(law, width + step), `${miss}`).toBeLessThanOrEqual(miss * 1.001)
    expect(outside(law, width * 0.8 - step), `${miss}`).toBeGreaterThan(miss)
  }
})

test("numbers that are picked keep their noise, also where one is picked twice", () => {
  const numbers = independentNumbers([
    { value: 3, variance: 4, law: "gaussian" },
    { value: 5, variance: 9, law: "laplace" },
  ])
  const picked = pickNumbers(numbers, [1, 0, 1])
  expect(picked.values).toEqual([5, 3, 5])
  expect(picked.varianceOf([1, 2, -1])).toEqual({ normal: 16, laplace: 0 })
})
