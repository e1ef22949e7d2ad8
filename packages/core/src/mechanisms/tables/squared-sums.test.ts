// Squares of sums bound what changes cost, which is worked out here from the comparisons themselves.

import { expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { add, compare, divide, multiply, rational, zero, type Rational } from "../../exact/rational.ts"
import { siblingSplits, splitLength, sumsByLevel } from "../../exact/weighted-tree.ts"
import { marginOfCells } from "../../post/tables/margin-cells.ts"
import { coefficientLengths, coefficientsOf } from "./margin-coefficients.ts"
import { margins, type MarginsSpec } from "./margins.ts"
import { squaredLevels, squaredMargins } from "./squared-sums.ts"
import { tree, type TreeSpec } from "./tree.ts"

const bounds = { groupsPerUnit: 2, lower: 0n, upper: 3n, neighbours: "add-or-remove", muSquared: 1 } as const
const sets = {
  cube: [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]],
  rollup: [[], [0], [0, 1], [0, 1, 2]],
  apart: [[0], [1, 2]],
} as const

/** Changes of all signs, the same in every run. */
function changesOf(cells: number): readonly (readonly bigint[])[] {
  let state = 7n
  const next = (): bigint => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % (1n << 64n)
    return (state >> 33n) % 7n
  }
  return Array.from({ length: 200 }, (_, round) =>
    Array.from({ length: cells }, () => {
      const amount = next()
      // Few cells, all of one sign, or both signs.
      if (round % 3 === 0) return amount === 6n ? 1n : 0n
      return round % 3 === 1 ? amount : amount - 3n
    }),
  )
}

const sumOf = (values: readonly Rational[]): Rational => values.reduce(add, zero)
const squares = (values: readonly bigint[]): Rational =>
  rational(values.reduce((sum, value) => sum + value * value, 0n))

function costOfParts({ sizes, parts }: MarginsSpec, change: readonly bigint[]): Rational {
  return sumOf(
    parts.flatMap(({ attributes, variance }) => {
      const lengths = coefficientLengths(sizes, attributes)
      return coefficientsOf(sizes, change, attributes).map((moved, place) =>
        divide(rational(moved * moved), multiply(variance, rational(lengths[place] ?? 1n))),
      )
    }),
  )
}

test.each(Object.entries(sets))("[S1] of margins: %s", (_name, wanted) => {
  const sizes = [4, 3, 2]
  const spec = margins({ ...bounds, sizes, wanted: wanted.map((attributes) => ({ attributes })) })
  // The planner's own variances, and others.
  const odd = {
    ...spec,
    parts: spec.parts.map((part, at) => ({ ...part, variance: rational(BigInt(at + 2), 3n) })),
  }
  for (const one of [spec, odd]) {
    const squared = squaredMargins(one)
    for (const change of changesOf(24)) {
      const bound = sumOf(
        squared.map(({ attributes, factor }) =>
          multiply(factor, squares(marginOfCells(one.sizes, change, attributes))),
        ),
      )
      expect(compare(costOfParts(one, change), bound)).toBeLessThanOrEqual(0)
    }
    for (const { attributes, cells } of squared) {
      expect(Number(cells)).toBe(attributes.reduce((count, axis) => count / (sizes[axis] ?? 1), 24))
    }
  }
})

test("[S1] of margins that are all looked at cost nothing extra: the bound is reached", () => {
  const spec = margins({
    ...bounds,
    groupsPerUnit: 1,
    sizes: [4, 3, 2],
    wanted: sets.cube.map((attributes) => ({ attributes })),
  })
  const squared = squaredMargins(spec)
  expect(squared.every(({ factor }) => factor.numerator > 0n)).toBe(true)
  for (const change of changesOf(24).slice(0, 30)) {
    const bound = sumOf(
      squared.map(({ attributes, factor }) =>
        multiply(factor, squares(marginOfCells(spec.sizes, change, attributes))),
      ),
    )
    expect(bound).toEqual(costOfParts(spec, change))
  }
})

function costOfLevels(spec: TreeSpec, change: readonly bigint[]): Rational {
  const sums = sumsByLevel(spec, change)
  const compared = spec.children.flatMap((_, level) =>
    siblingSplits(spec, level).map((split) => {
      const between = (from: number, to: number): bigint =>
        (sums[level + 1] ?? []).slice(from, to).reduce((a, b) => a + b, 0n)
      const moved =
        split.right * between(split.from, split.middle) - split.left * between(split.middle, split.to)
      const noise = multiply(spec.variances[level]?.[split.parent] ?? zero, rational(splitLength(split)))
      return divide(rational(moved * moved), noise)
    }),
  )
  return add(divide(squares(sums[0] ?? []), spec.total), sumOf(compared))
}

test.each([
  ["even", [[2], [3, 3]]],
  ["uneven", [[3], [1, 4, 2]]],
  ["deep", [[2], [2, 1], [3, 1, 2]]],
  ["flat", [[5]]],
])("[S1] of levels of a tree: %s", (_name, children) => {
  for (const wanted of [children.map(() => 1), children.map((_, level) => level % 2)]) {
    const spec = tree({ ...bounds, children, wanted: [...wanted, 1] })
    const odd: TreeSpec = {
      ...spec,
      weights: spec.weights.map((level) => level.map((_, node) => BigInt((node % 3) + 1))),
      variances: spec.variances.map((level) => level.map((_, node) => rational(BigInt(node + 1), 5n))),
    }
    for (const one of [spec, odd]) {
      const squared = squaredLevels(one)
      const ratios = changesOf(children.at(-1)?.reduce((a, b) => a + b, 0) ?? 0).map((change) => {
        const sums = sumsByLevel(one, change)
        const bound = sumOf(squared.map(({ factor }, level) => multiply(factor, squares(sums[level] ?? []))))
        const cost = costOfLevels(one, change)
        expect(compare(cost, bound)).toBeLessThanOrEqual(0)
        return cost.numerator === 0n ? 0 : numberNear(divide(cost, bound))
      })
      // What is planned is hardly rounded.
      if (one === spec) expect(Math.max(...ratios)).toBeGreaterThan(0.98)
      expect(squared.at(-1)?.cells).toBe(1n)
    }
  }
})
