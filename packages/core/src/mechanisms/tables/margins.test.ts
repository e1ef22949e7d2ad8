import { describe, expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  multiply,
  one,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { lengthSquared, splitsByPlace, splitsOf } from "../../exact/split-basis.ts"
import { cellsOfParts, marginOfCells, marginTerms } from "../../post/tables/margin-cells.ts"
import { refusalOf } from "../../testing/refusals.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { coefficientLengths, coefficientsOf } from "./margin-coefficients.ts"
import { partChange, tableChange, type CountedTable } from "./margin-parts.ts"
import {
  margins,
  marginsError,
  marginsLoss,
  marginVariance,
  releaseMargins,
  type MarginsSpec,
} from "./margins.ts"
import { errorOf, lossIn, lossOf } from "../mechanism.ts"

const neighbours = "add-or-remove"
const persons = { groupsPerUnit: 1, lower: 0n, upper: 1n, neighbours } as const
const cube = (count: number): readonly { readonly attributes: readonly number[] }[] =>
  Array.from({ length: 2 ** count }, (_, bits) => ({
    attributes: Array.from({ length: count }, (_value, axis) => axis).filter(
      (axis) => (bits >> axis) % 2 === 1,
    ),
  }))

/**
 * What a change of the table costs: the sum of squares of the changes of all comparisons, in units of noise.
 */
function costOf(spec: MarginsSpec, change: readonly bigint[]): Rational {
  return spec.parts
    .flatMap(({ attributes, variance }) => {
      const lengths = coefficientLengths(spec.sizes, attributes)
      return coefficientsOf(spec.sizes, change, attributes).map((moved, place) =>
        divide(rational(moved * moved), multiply(variance, rational(lengths[place] ?? 1n))),
      )
    })
    .reduce(add, zero)
}

const cellsIn = (sizes: readonly (number | bigint)[]): number =>
  sizes.reduce<number>((n, size) => n * Number(size), 1)

function muSquaredOf(spec: MarginsSpec): Rational {
  return marginsLoss(spec).gdp?.muSquared ?? zero
}

describe("the basis", () => {
  test.each([1, 2, 3, 4, 5, 7, 12, 100])("of %d values is orthogonal and complete", (size) => {
    const splits = splitsOf(size)
    expect(splits.length).toBe(size - 1)
    const rows = splits.map(() => Array<bigint>(size).fill(0n))
    for (const [place, list] of splitsByPlace(size).entries()) {
      for (const { split, value } of list) rows[split]?.splice(place, 1, value)
    }
    const dot = (a: readonly bigint[], b: readonly bigint[]): bigint =>
      a.reduce((sum, value, index) => sum + value * (b[index] ?? 0n), 0n)
    for (const [i, row] of rows.entries()) {
      expect(dot(row, Array<bigint>(size).fill(1n))).toBe(0n)
      for (const [j, other] of rows.entries()) {
        const split = splits[i]
        expect(dot(row, other)).toBe(i === j && split !== undefined ? lengthSquared(split) : 0n)
      }
    }
  })

  test("a place takes part in few comparisons", () => {
    expect(Math.max(...splitsByPlace(1000).map((list) => list.length))).toBe(10)
  })
})

describe("the loss", () => {
  test.each([[[3, 2]], [[2, 2, 3]], [[5]], [[4, 1, 2]]])(
    "[S1] [L1] [M7] is reached by a unit in any one cell of %j, and is what was asked for",
    (sizes) => {
      const spec = margins({ ...persons, sizes, wanted: cube(sizes.length), muSquared: "0.3" })
      const claimed = muSquaredOf(spec)
      const count = cellsIn(sizes)
      for (let cell = 0; cell < count; cell += 1) {
        const change = Array<bigint>(count).fill(0n).with(cell, 1n)
        expect(costOf(spec, change)).toEqual(claimed)
      }
      expect(compare(claimed, rational(3n, 10n))).toBeLessThanOrEqual(0)
      expect(numberNear(claimed)).toBeCloseTo(0.3, 8)
      expect(marginsLoss(spec).zcdp?.rho).toEqual(divide(claimed, rational(2n)))
    },
  )

  const bounds: readonly Pick<CountedTable, "groupsPerUnit" | "lower" | "upper" | "neighbours">[] = [
    { groupsPerUnit: 1n, lower: 0n, upper: 2n, neighbours: "replace" },
    { groupsPerUnit: 1n, lower: -1n, upper: 2n, neighbours: "replace" },
    { groupsPerUnit: 1n, lower: -3n, upper: 0n, neighbours: "add-or-remove" },
    { groupsPerUnit: 2n, lower: 0n, upper: 1n, neighbours: "add-or-remove" },
    { groupsPerUnit: 2n, lower: -1n, upper: 1n, neighbours: "add-or-remove" },
    { groupsPerUnit: 2n, lower: 0n, upper: 1n, neighbours: "replace" },
    { groupsPerUnit: 2n, lower: -1n, upper: 0n, neighbours: "replace" },
    { groupsPerUnit: 9n, lower: 0n, upper: 1n, neighbours: "add-or-remove" },
  ]

  /** Every change that a unit can make, amounts at their corners: costs are convex in each amount. */
  function* changesOf(
    { groupsPerUnit, lower, upper, neighbours: kind }: (typeof bounds)[number],
    count: number,
  ) {
    const amounts = [...new Set([lower, 0n, upper])]
    const own: bigint[][] = [[]]
    for (let cell = 0; cell < count; cell += 1) {
      own.push(...own.splice(0).flatMap((change) => amounts.map((amount) => [...change, amount])))
    }
    const few = own.filter(
      (change) => BigInt(change.filter((amount) => amount !== 0n).length) <= groupsPerUnit,
    )
    for (const change of few) {
      if (kind === "add-or-remove") yield change
      else for (const other of few) yield change.map((amount, cell) => amount - (other[cell] ?? 0n))
    }
  }

  test.each(bounds)(
    "[S1] [U2] holds for all that a unit can do: $groupsPerUnit cells, $lower to $upper, $neighbours",
    (bound) => {
      for (const sizes of [[3, 2], [5]]) {
        const spec = margins({ ...bound, sizes, wanted: cube(sizes.length), muSquared: 1 })
        let most = zero
        const parts = spec.parts.map(() => zero)
        for (const change of changesOf(bound, cellsIn(sizes))) {
          const cost = costOf(spec, change)
          if (compare(cost, most) > 0) most = cost
          for (const [index, part] of spec.parts.entries()) {
            const moved = multiply(costOf({ ...spec, parts: [part] }, change), part.variance)
            if (compare(moved, parts[index] ?? zero) > 0) parts[index] = moved
          }
        }
        expect(compare(most, muSquaredOf(spec))).toBeLessThanOrEqual(0)
        expect(compare(muSquaredOf(spec), one)).toBeLessThanOrEqual(0)
        for (const [index, part] of spec.parts.entries()) {
          const claimed = partChange(spec, part.attributes)
          expect(compare(parts[index] ?? zero, claimed)).toBeLessThanOrEqual(0)
          const isExact = bound.groupsPerUnit === 1n && (bound.lower === 0n || bound.upper === 0n)
          if (isExact || part.attributes.length === 0) expect(parts[index]).toEqual(claimed)
        }
      }
    },
  )

  test("replacing a unit does not change how many there are, and costs no more than twice", () => {
    const wanted = cube(2)
    const table = { sizes: [4n, 3n], groupsPerUnit: 1n, lower: 0n, upper: 1n } as const
    const replace = { ...table, neighbours: "replace" } as const
    expect(partChange(replace, [])).toEqual(one)
    for (const { attributes } of wanted.slice(1)) {
      const [both, single] = [
        partChange(replace, attributes),
        partChange({ ...table, neighbours }, attributes),
      ]
      expect(compare(both, multiply(rational(4n), single))).toBeLessThanOrEqual(0)
      expect(compare(both, rational(2n * 12n))).toBeLessThanOrEqual(0)
    }
    expect(tableChange(replace)).toBe(2n)
  })
})

describe("the plan", () => {
  test.each([[[3, 2]], [[10, 4, 2]], [[2, 2, 2, 2]], [[7]]])(
    "has the least total variance, in closed form: %j",
    (sizes) => {
      const wanted = cube(sizes.length)
      const muSquared = 0.5
      const spec = margins({ ...persons, sizes, wanted, muSquared })
      const cost = (axes: readonly number[]): number =>
        axes.reduce((product, axis) => product * (1 - 1 / (sizes[axis] ?? 1)), 1)
      const share = (margin: readonly number[], part: readonly number[]): number =>
        margin.reduce((product, axis) => {
          const size = sizes[axis] ?? 1
          return product * (part.includes(axis) ? 1 - 1 / size : 1 / size ** 2)
        }, 1)
      const roots = wanted.map(({ attributes: part }) => {
        const worth = wanted
          .filter(({ attributes }) => part.every((axis) => attributes.includes(axis)))
          .map(
            ({ attributes }) => cellsIn(attributes.map((axis) => sizes[axis] ?? 1)) * share(attributes, part),
          )
        return Math.sqrt(worth.reduce((sum, value) => sum + value, 0) * cost(part))
      })
      const least = roots.reduce((sum, root) => sum + root, 0) ** 2 / muSquared
      const reached = wanted.reduce(
        (sum, { attributes }) =>
          sum +
          cellsIn(attributes.map((axis) => sizes[axis] ?? 1)) * numberNear(marginVariance(spec, attributes)),
        0,
      )
      expect(reached / least).toBeCloseTo(1, 6)
    },
  )

  test("needs far less noise than asking for each margin by itself", () => {
    const sizes = [10, 4, 2]
    const wanted = cube(3)
    const spec = margins({ ...persons, sizes, wanted, muSquared: 1 })
    // Each margin by itself: mu^2 shared out in the best proportion for the same total, no consistency.
    const counts = wanted.map(({ attributes }) => cellsIn(attributes.map((axis) => sizes[axis] ?? 1)))
    const apart = counts.reduce((sum, count) => sum + Math.sqrt(count), 0) ** 2
    const alike = counts.reduce((sum, count) => sum + count * wanted.length, 0)
    const total = wanted.reduce(
      (sum, { attributes }, index) =>
        sum + (counts[index] ?? 0) * numberNear(marginVariance(spec, attributes)),
      0,
    )
    expect(total / apart).toBeLessThan(0.65)
    expect(total / alike).toBeLessThan(0.35)
  })

  test("a weight moves noise away from a margin", () => {
    const wanted = [{ attributes: [0, 1] }, { attributes: [0] }]
    const plain = margins({ ...persons, sizes: [5, 3], wanted, muSquared: 1 })
    const weighted = margins({
      ...persons,
      sizes: [5, 3],
      wanted: [{ attributes: [0, 1] }, { attributes: [0], weight: 20 }],
      muSquared: 1,
    })
    expect(compare(marginVariance(weighted, [0]), marginVariance(plain, [0]))).toBeLessThan(0)
    expect(compare(marginVariance(weighted, [0, 1]), marginVariance(plain, [0, 1]))).toBeGreaterThan(0)
  })

  test("is never worse than equal noise on all cells", () => {
    for (const groupsPerUnit of [1, 4, 12]) {
      const wanted = cube(2)
      const spec = margins({ ...persons, groupsPerUnit, sizes: [4, 3], wanted, muSquared: 1 })
      const total = wanted.reduce((sum, { attributes }) => {
        const cells = cellsIn(attributes.map((axis) => [4, 3][axis] ?? 1))
        return sum + cells * numberNear(marginVariance(spec, attributes))
      }, 0)
      expect(total).toBeLessThanOrEqual(groupsPerUnit * 12 * wanted.length * (1 + 1e-6))
    }
  })

  test("[M1] refuses what makes no sense", () => {
    const table = { ...persons, sizes: [3, 2], wanted: cube(2), muSquared: 1 }
    const codeOf = (change: Partial<typeof table>): string =>
      refusalOf(() => margins({ ...table, ...change })).code
    expect(codeOf({ wanted: [] })).toBe("parameter/empty")
    expect(codeOf({ wanted: [{ attributes: [2] }] })).toBe("parameter/out-of-range")
    expect(codeOf({ wanted: [{ attributes: [0, 0] }] })).toBe("parameter/out-of-range")
    expect(codeOf({ sizes: [3, 0] })).toBe("parameter/out-of-range")
    expect(codeOf({ sizes: [5000, 5000] })).toBe("parameter/too-large")
    expect(codeOf({ sizes: Array<number>(14).fill(2), wanted: cube(14).slice(-1) })).toBe(
      "parameter/too-large",
    )
    expect(codeOf({ muSquared: 0 })).toBe("parameter/not-positive")
    expect(refusalOf(() => margins({ ...table, upper: 0n })).code).toBe("privacy/zero-sensitivity")
  })
})

describe("the margins", () => {
  const sizes = [4n, 3n, 1n, 2n]
  const wanted = cube(4)
  const spec = margins({ ...persons, sizes, wanted, muSquared: "0.01" })
  const cells = Array.from({ length: 24 }, (_, index) => BigInt((index * 37) % 23))

  test("are exact where there is no noise", () => {
    const parts = spec.parts.map(({ attributes }) => ({
      attributes,
      coefficients: coefficientsOf(sizes, cells, attributes),
    }))
    expect(cellsOfParts(sizes, parts, 24)).toEqual(cells.map((cell) => cell << 24n))
  })

  test("[M7] add up, exactly, and are what their comparisons say", () => {
    const released = releaseMargins(spec, cells, seededBits(freshSeed()))
    const parts = spec.parts.map(({ attributes }, index) => ({
      attributes,
      coefficients: released[index] ?? [],
    }))
    const table = cellsOfParts(sizes, parts, 24)
    for (const { attributes } of wanted) {
      const margin = marginOfCells(sizes, table, attributes)
      expect(margin.reduce((sum, cell) => sum + cell, 0n)).toBe(table.reduce((sum, cell) => sum + cell, 0n))
      const terms = marginTerms(sizes, spec.parts, attributes)
      expect(terms.length).toBe(margin.length)
      for (const [place, list] of terms.entries()) {
        const exact = list
          .map((term) => rational(released[term.part]?.[term.place] ?? 0n, BigInt(term.divisor)))
          .reduce(add, zero)
        const gap = subtract(exact, rational(margin[place] ?? 0n, 1n << 24n))
        expect(Math.abs(numberNear(gap))).toBeLessThanOrEqual(24 * 2 ** -24)
        const variance = list
          .map(({ part, place: at, divisor }) => {
            const { attributes: own, variance: each } = spec.parts[part] ?? { attributes: [], variance: zero }
            return multiply(
              square(rational(1n, BigInt(divisor))),
              multiply(each, rational(coefficientLengths(sizes, own)[at] ?? 0n)),
            )
          })
          .reduce(add, zero)
        expect(variance).toEqual(marginVariance(spec, attributes))
      }
    }
  })

  test("[L1] have their loss and error from the mechanism itself, and no pure loss", () => {
    expect(lossOf(spec)).toEqual(marginsLoss(spec))
    expect(errorOf(spec, "0.9")).toEqual(marginsError(spec, rational(1n, 10n)))
    expect(refusalOf(() => lossIn(spec, "pure")).code).toBe("privacy/no-such-loss")
  })

  test("[E1] state an error that covers every margin", () => {
    const { halfWidth, standardDeviation } = marginsError(spec, rational(1n, 20n))
    const worst = Math.max(
      ...wanted.map(({ attributes }) => Math.sqrt(numberNear(marginVariance(spec, attributes)))),
    )
    expect(standardDeviation).toBeGreaterThanOrEqual(worst)
    expect(Number(halfWidth)).toBeGreaterThan(1.95 * worst)
    expect(Number(halfWidth)).toBeLessThan(1.97 * worst + 6)
  })
})
