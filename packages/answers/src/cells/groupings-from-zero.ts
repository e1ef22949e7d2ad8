// Several groupings of one table, none of whose groups can be negative: groups from 0 on that still add up.

import { add, multiply, numberNear, rational, zero, type Rational } from "@dosimeter/core/exact"
import { formVariance, nearestWithTotal, tableFromZero } from "@dosimeter/core/post"
import { groupingSums, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { cellsFromZero } from "./from-zero.ts"
import { cutBelow } from "./range.ts"
import type { Cell } from "./table.ts"

/** Tables with more cells times parts than this would take long, and are shown as they were measured. */
const workMax = 1_000_000

/** A grouping: the places of its keys, the rows of the table in each group, and the groups' cells. */
interface Grouping {
  readonly places: readonly number[]
  readonly rows: readonly (readonly number[])[]
  readonly cells: readonly Cell[]
}

/**
 * The cells of all groupings, in the order of groupingSums. Where every row of the table was measured by
 * itself and is shown, rows are changed as those of a plain table (cellsFromZero). Where each grouping is
 * finer than the one before, groups are shared out from the coarsest on. Else all groups are those of the
 * nearest table without negative cells (tableFromZero). Coarser groups are always sums of finer ones.
 */
export function groupingsFromZero(
  cells: readonly Cell[],
  keys: GroupedKeys,
  { isApart }: { readonly isApart: boolean },
): readonly Cell[] {
  if (cells.every(isNotNegative)) return cells.map(fromZero)
  const groupings = groupingsOf(cells, keys)
  const leaves = leavesOf(groupings, keys, isApart)
  if (leaves === undefined) return cells
  const { amounts, leafOf, step } = leaves
  return groupings.flatMap(({ rows, cells: own }) =>
    own.map((cell, place) => {
      const inside = new Set((rows[place] ?? []).map(leafOf))
      const amount = [...inside].reduce((sum, leaf) => sum + (amounts[leaf] ?? 0n), 0n)
      return fromZero({ ...cell, value: { kind: "number", value: multiply(rational(amount), step) } })
    }),
  )
}

/** The same cell, of which is known that it is not negative. */
export function fromZero(cell: Cell): Cell {
  const { spread } = cell
  if (spread?.kind === "linear") return { ...cell, spread: { ...spread, fromZero: true } }
  if (spread?.kind !== "region") return cell
  return { ...cell, spread: { ...spread, rangeAt: (miss) => cutBelow(spread.rangeAt(miss)) } }
}

function isNotNegative({ value }: Cell): boolean {
  return value.kind === "number" && value.value.numerator >= 0n
}

/** Amounts of which all groups are sums: of rows, or of groups of the finest grouping. */
interface Leaves {
  /** In steps, none negative. */
  readonly amounts: readonly bigint[]
  readonly leafOf: (row: number) => number
  readonly step: Rational
}

function groupingsOf(cells: readonly Cell[], keys: GroupedKeys): readonly Grouping[] {
  let next = 0
  return groupingSums(keys).map((groups, number) => {
    const own = cells.slice(next, next + groups.length)
    next += groups.length
    return { places: keys.groupings.sets[number] ?? [], rows: groups.map(({ rows }) => rows), cells: own }
  })
}

function leavesOf(groupings: readonly Grouping[], keys: GroupedKeys, isApart: boolean): Leaves | undefined {
  const step = stepOf(groupings.flatMap(({ cells }) => cells))
  if (step === undefined) return undefined
  const finest = groupings.find(({ rows }) => rows.every((one) => one.length === 1))
  if (isApart && finest !== undefined) {
    const amounts: bigint[] = []
    for (const [place, cell] of cellsFromZero(finest.cells).entries()) {
      amounts[finest.rows[place]?.[0] ?? 0] = inSteps(cell, step)
    }
    return amounts.every((amount) => amount >= 0n) ? { amounts, leafOf: (row) => row, step } : undefined
  }
  return sharedOut(groupings, step) ?? nearestTable(groupings, keys, step)
}

/** From the coarsest grouping on; undefined unless each is finer than the one before. */
function sharedOut(groupings: readonly Grouping[], step: Rational): Leaves | undefined {
  const falling = groupings.toSorted((a, b) => a.places.length - b.places.length)
  const [first, ...finer] = falling
  const isChain = finer.every(({ places }, index) =>
    (falling[index]?.places ?? []).every((place) => places.includes(place)),
  )
  if (first === undefined || !isChain) return undefined
  let amounts = cellsFromZero(first.cells).map((cell) => atLeastZero(inSteps(cell, step)))
  let groupOf = placesOf(first.rows)
  for (const { rows, cells } of finer) {
    const families = amounts.map((): number[] => [])
    for (const [place, [row = 0]] of rows.entries()) families[groupOf[row] ?? 0]?.push(place)
    const shares: bigint[] = []
    for (const [parent, children] of families.entries()) {
      const values = children.map((place) => ({ value: inSteps(cells[place], step), variance: 1n }))
      const found = nearestWithTotal(values, children.length === 0 ? 0n : (amounts[parent] ?? 0n))
      for (const [index, place] of children.entries()) shares[place] = found[index] ?? 0n
    }
    amounts = shares
    groupOf = placesOf(rows)
  }
  return { amounts, leafOf: (row) => groupOf[row] ?? 0, step }
}

function placesOf(rows: readonly (readonly number[])[]): readonly number[] {
  const places: number[] = []
  for (const [place, own] of rows.entries()) for (const row of own) places[row] = place
  return places
}

/** By the nearest table; undefined if not all combinations are rows, or it would take long. */
function nearestTable(groupings: readonly Grouping[], keys: GroupedKeys, step: Rational): Leaves | undefined {
  if (keys.rows !== undefined) return undefined
  const sizes = keys.lists.map((list) => list.length)
  const largest = groupings.filter(
    ({ places }, index) =>
      !groupings.some(
        (other, at) =>
          at !== index &&
          places.every((place) => other.places.includes(place)) &&
          (other.places.length > places.length || at < index),
      ),
  )
  const parts = largest.reduce((sum, { places }) => sum + 2 ** places.length, 0)
  if (sizes.reduce((product, size) => product * size, parts) > workMax) return undefined
  const scale = numberNear(step)
  const table = tableFromZero(
    sizes,
    largest.map(({ places, cells }) => ({
      attributes: places,
      values: cells.map(({ value }) => (value.kind === "number" ? numberNear(value.value) : 0)),
    })),
    tolerance * deviationOf(largest.flatMap(({ cells }) => cells)),
  )
  if (table === undefined) return undefined
  return {
    amounts: Array.from(table, (cell) => BigInt(Math.round(cell / scale))),
    leafOf: (row) => row,
    step,
  }
}

/** Compared with noise. */
const tolerance = 0.01

/** About the standard deviation of the noise: the root of the mean variance. */
function deviationOf(cells: readonly Cell[]): number {
  const squares = cells.reduce((sum, { spread }) => {
    if (spread?.kind === "linear") return sum + formVariance(spread.form)
    if (spread?.kind !== "region") return sum
    const { low, high } = spread.rangeAt(oneDeviation)
    return sum + ((high - low) / 2) ** 2
  }, 0)
  return Math.sqrt(squares / Math.max(1, cells.length))
}

/** How often normal noise is beyond one standard deviation. */
const oneDeviation = 0.317

/** About a thousandth of what is counted, as the columns of all cells can hold it. */
function stepOf(cells: readonly Cell[]): Rational | undefined {
  let perStep = 1n
  for (const { value } of cells) {
    if (value.kind !== "number") return undefined
    perStep *= rational(perStep, value.value.denominator).denominator
  }
  while (perStep % 2n === 0n && perStep / 2n >= 1024n) perStep /= 2n
  return rational(1n, perStep)
}

/** Rounded to the nearest. */
function inSteps(cell: Cell | undefined, { denominator }: Rational): bigint {
  const value = cell?.value.kind === "number" ? cell.value.value : zero
  const { numerator, denominator: below } = add(multiply(value, rational(denominator)), rational(1n, 2n))
  const floor = numerator / below
  return numerator < 0n && floor * below !== numerator ? floor - 1n : floor
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount
}
