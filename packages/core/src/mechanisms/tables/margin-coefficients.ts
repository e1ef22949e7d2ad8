// The comparisons of one part of a table, exactly: summed over the attributes outside of the part, and
// compared within each inside of it (split-basis.ts). All integers.

import { assert } from "../../errors/assert.ts"
import { lengthSquared, splitsOf } from "../../exact/split-basis.ts"

/** A table with the sizes of its axes, row-major: the last runs fastest. */
interface Grid {
  readonly sizes: readonly number[]
  readonly cells: readonly bigint[]
}

/** The comparisons of a part, row-major over the splits of its attributes. */
export function coefficientsOf(
  sizes: readonly bigint[],
  cells: readonly bigint[],
  attributes: readonly number[],
): readonly bigint[] {
  let grid: Grid = { sizes: sizes.map(Number), cells }
  for (const axis of sizes.keys()) grid = along(grid, axis, attributes.includes(axis) ? compared : summed)
  return grid.cells
}

/** The square of the length of each comparison of a part, in the same order. */
export function coefficientLengths(
  sizes: readonly bigint[],
  attributes: readonly number[],
): readonly bigint[] {
  return attributes.reduce<readonly bigint[]>(
    (lengths, attribute) => {
      const own = splitsOf(Number(sizes[attribute] ?? 1n)).map(lengthSquared)
      return lengths.flatMap((length) => own.map((factor) => length * factor))
    },
    [1n],
  )
}

function summed(line: readonly bigint[]): readonly bigint[] {
  return [line.reduce((sum, value) => sum + value, 0n)]
}

function compared(line: readonly bigint[]): readonly bigint[] {
  const before = [0n]
  for (const value of line) before.push((before.at(-1) ?? 0n) + value)
  const between = (from: number, to: number): bigint => (before[to] ?? 0n) - (before[from] ?? 0n)
  return splitsOf(line.length).map(
    ({ from, middle, to, left, right }) =>
      BigInt(right) * between(from, middle) - BigInt(left) * between(middle, to),
  )
}

/** Turns every line along an axis into another. */
function along(
  { sizes, cells }: Grid,
  axis: number,
  change: (line: readonly bigint[]) => readonly bigint[],
): Grid {
  const size = sizes[axis] ?? 1
  const inner = sizes.slice(axis + 1).reduce((product, one) => product * one, 1)
  const outer = sizes.slice(0, axis).reduce((product, one) => product * one, 1)
  assert(cells.length === outer * size * inner, "a table has a cell for each combination")
  const lines = Array.from({ length: outer * inner }, (_, index) => {
    const start = Math.floor(index / inner) * size * inner + (index % inner)
    return change(Array.from({ length: size }, (_value, place) => cells[start + place * inner] ?? 0n))
  })
  const width = change(Array<bigint>(size).fill(0n)).length
  const changed = Array<bigint>(outer * width * inner)
  for (const [index, line] of lines.entries()) {
    const start = Math.floor(index / inner) * width * inner + (index % inner)
    for (const [place, value] of line.entries()) changed[start + place * inner] = value
  }
  return { sizes: sizes.with(axis, width), cells: changed }
}
