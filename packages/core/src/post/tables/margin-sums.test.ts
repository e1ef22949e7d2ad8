import { expect, test } from "vitest"
import { add, compare, multiply, rational, zero } from "../../exact/rational.ts"
import { coefficientsOf } from "../../mechanisms/tables/margin-coefficients.ts"
import { marginSums } from "./margin-sums.ts"

const sizes = [3n, 1n, 4n, 2n]
const cells = Array.from({ length: 24 }, (_, index) => BigInt((index * index * 7) % 31))
// An attribute of one value has no comparisons.
const all = [[], [0], [2], [3], [0, 2], [0, 3], [2, 3], [0, 2, 3]].map((attributes) => ({ attributes }))

test("[P2] any sum of cells is what its comparisons say, exactly", () => {
  const termsOf = marginSums(sizes, all)
  const measured = all.map(({ attributes }) => coefficientsOf(sizes, cells, attributes))
  for (const chosen of [[0], [23], [0, 5, 6, 17], [...cells.keys()], [3, 7, 11, 15, 19, 23]]) {
    const exact = chosen.reduce((sum, cell) => sum + (cells[cell] ?? 0n), 0n)
    const sum = termsOf(chosen)
      ?.map(({ part, place, factor }) => multiply(factor, rational(measured[part]?.[place] ?? 0n)))
      .reduce(add, zero)
    expect(compare(sum ?? zero, rational(exact))).toBe(0)
  }
})

test("[P2] a margin takes its own parts alone, and a total one number", () => {
  const termsOf = marginSums(sizes, all)
  expect(termsOf([...cells.keys()])).toEqual([{ part: 0, place: 0, factor: rational(1n) }])
  const firstOfThree = [...cells.keys()].filter((cell) => cell < 8)
  expect(new Set(termsOf(firstOfThree)?.map(({ part }) => part))).toEqual(new Set([0, 1]))
})

test("[P2] no sum is made of a part that was not released", () => {
  const termsOf = marginSums(sizes, all.slice(0, 4))
  expect(termsOf([0])).toBeUndefined()
  expect(termsOf([...cells.keys()].filter((cell) => cell % 2 === 0))).toBeDefined()
})
