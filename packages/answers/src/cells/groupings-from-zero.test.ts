import { add, exactly, numberNear, rational, zero, type Rational } from "@dosimeter/core/exact"
import { groupingSums, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { expect, test } from "vitest"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { groupingsFromZero } from "./groupings-from-zero.ts"
import { spreadOfNormal } from "./mixture-spread.ts"
import { spreadOf } from "./spread.ts"
import type { Cell } from "./table.ts"

const variance = exactly("100", "variance")
const grid = rational(1n)

const listed = (...sizes: readonly number[]): GroupedKeys["lists"] =>
  sizes.map((size) =>
    Array.from({ length: size }, (_, value) => ({ kind: "number" as const, value: rational(BigInt(value)) })),
  )

const keysOf = (sizes: readonly number[], sets: readonly (readonly number[])[]): GroupedKeys => ({
  kind: "public",
  lists: listed(...sizes),
  groupings: { sets, nonNegative: false },
})

/** The groups of all groupings, from estimates of the rows of the table. */
function cellsOf(keys: GroupedKeys, rows: readonly Rational[]): readonly Cell[] {
  return groupingSums(keys)
    .flat()
    .map(({ rows: own }, id) => {
      const value = own.map((row) => rows[row] ?? zero).reduce(add, zero)
      const spread = spreadOf({ law: "gaussian", id, grid, variance }, value)
      return { value: { kind: "number", value }, spread, state: "released" }
    })
}

const valueOf = ({ value }: Cell): number => (value.kind === "number" ? numberNear(value.value) : Number.NaN)

/** Every group is not negative, and is the sum of the finer groups inside of it. */
function expectAgreement(keys: GroupedKeys, cells: readonly Cell[]): void {
  const groups = groupingSums(keys)
  let next = 0
  const at = (place: number): number => {
    const cell = cells[place]
    return cell === undefined ? Number.NaN : valueOf(cell)
  }
  const shown = groups.map((own) => own.map((group) => ({ group, value: at(next++) })))
  for (const own of shown) for (const { value } of own) expect(value).toBeGreaterThanOrEqual(0)
  for (const [coarse, set] of keys.groupings.sets.entries()) {
    for (const [fine, other] of keys.groupings.sets.entries()) {
      if (coarse === fine || !set.every((place) => other.includes(place))) continue
      for (const { group, value } of shown[coarse] ?? []) {
        const inside = (shown[fine] ?? []).filter((one) =>
          one.group.rows.every((row) => group.rows.includes(row)),
        )
        expect(inside.reduce((sum, one) => sum + one.value, 0)).toBeCloseTo(value, 9)
      }
    }
  }
}

const estimates = (count: number): readonly Rational[] =>
  Array.from({ length: count }, (_, row) => rational(BigInt(((row * 53) % 37) - 17), 4n))

test.each([
  ["ROLLUP", [[0, 1], [0], []]],
  ["CUBE", [[0, 1], [0], [1], []]],
  [
    "two margins of three keys",
    [
      [0, 1],
      [1, 2],
    ],
  ],
  ["margins and a total", [[0, 1], [1, 2], [0, 2], [1], []]],
])("groups of %s are not negative, and add up", (_, sets) => {
  const keys = keysOf([4, 3, 5], sets)
  const raw = cellsOf(keys, estimates(60))
  expect(raw.some((cell) => valueOf(cell) < 0)).toBe(true)
  for (const isApart of [true, false]) {
    const cells = groupingsFromZero(raw, keys, { isApart })
    expectAgreement(keys, cells)
    for (const [index, cell] of cells.entries()) {
      const { low, high } = intervalOfCell(cell, 0.95) ?? { low: -1, high: -1 }
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeGreaterThanOrEqual(valueOf(raw[index] ?? cell))
    }
  }
})

test("what is not negative stays as it was measured", () => {
  const keys = keysOf([3, 4], [[0, 1], [0], [1], []])
  const rows = Array.from({ length: 12 }, (_, row) => rational(BigInt(100 + row), 8n))
  const raw = cellsOf(keys, rows)
  const cells = groupingsFromZero(raw, keys, { isApart: false })
  expect(cells.map(({ value }) => value)).toEqual(raw.map(({ value }) => value))
})

test("rows that were measured by themselves are changed as those of a plain table", () => {
  const keys = keysOf([5], [[0], []])
  const cells = groupingsFromZero(
    cellsOf(
      keys,
      [5000n, 14n, -8n, 3n, -5n].map((n) => rational(n)),
    ),
    keys,
    {
      isApart: true,
    },
  )
  expect(cells.map(valueOf)).toEqual([5000, 4, 0, 0, 0, 5004])
})

test("a total that is known keeps its groups to it", () => {
  const keys = keysOf([4], [[0], []])
  const cells = groupingsFromZero(
    cellsOf(
      keys,
      [90n, 14n, -10n, -4n].map((n) => rational(n)),
    ),
    keys,
    {
      isApart: false,
    },
  )
  expect(cells.map(valueOf)).toEqual([83, 7, 0, 0, 90])
})

test("noise of which only the variance is known is cut at 0, too", () => {
  const keys = keysOf([2], [[0], []])
  const cells = groupingsFromZero(
    [-30, 50, 20].map((value): Cell => {
      const estimate = rational(BigInt(value))
      const spread = spreadOfNormal({ variance, grid }, { value: estimate, rounding: 0 })
      return { value: { kind: "number", value: estimate }, spread, state: "released" }
    }),
    keys,
    { isApart: false },
  )
  expect(cells.map(valueOf)).toEqual([0, 20, 20])
  const first = cells[0] === undefined ? undefined : intervalOfCell(cells[0], 0.95)
  expect(first?.low).toBe(0)
  expect(first?.high).toBeGreaterThan(19)
})
