import { isLongForm } from "../../testing/suite/long-form.ts"
import fc from "fast-check"
import { expect, test } from "vitest"
import { tableFromZero, type TableMargin } from "./margins-from-zero.ts"

const fromZero = (sizes: readonly number[], margins: readonly TableMargin[]): Float64Array =>
  tableFromZero(sizes, margins, 1e-4) ?? new Float64Array()

const sizes = [3, 2, 4]
const cells = 24

/** A margin of a table, by its definition. */
function marginOf(table: ArrayLike<number>, attributes: readonly number[]): TableMargin {
  const size = attributes.reduce((product, axis) => product * (sizes[axis] ?? 1), 1)
  const values = Array<number>(size).fill(0)
  for (let a = 0; a < 3; a += 1) {
    for (let b = 0; b < 2; b += 1) {
      for (let c = 0; c < 4; c += 1) {
        const at = [a, b, c]
        const place = attributes.reduce((before, axis) => before * (sizes[axis] ?? 1) + (at[axis] ?? 0), 0)
        values[place] = (values[place] ?? 0) + (table[(a * 2 + b) * 4 + c] ?? 0)
      }
    }
  }
  return { attributes, values }
}

const pairs = [
  [0, 1],
  [0, 2],
  [1, 2],
]
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt(a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0))

test("gives back the margins of a table without negative cells", () => {
  const tables = fc.array(fc.double({ min: 1, max: 50, noNaN: true }), { minLength: cells, maxLength: cells })
  fc.assert(
    fc.property(tables, (table) => {
      const found = fromZero(
        sizes,
        pairs.map((pair) => marginOf(table, pair)),
      )
      expect(Math.min(...found)).toBeGreaterThanOrEqual(0)
      const total = table.reduce((sum, cell) => sum + cell, 0)
      for (const pair of pairs) {
        const off = distance(marginOf(found, pair).values, marginOf(table, pair).values)
        expect(off).toBeLessThan(total * 1e-4)
      }
    }),
    { numRuns: 30 },
  )
})

test("never gives a negative cell, whatever the margins", () => {
  const tables = fc.array(fc.double({ min: -60, max: 50, noNaN: true }), {
    minLength: cells,
    maxLength: cells,
  })
  fc.assert(
    fc.property(tables, (table) => {
      const found = fromZero(
        sizes,
        pairs.map((pair) => marginOf(table, pair)),
      )
      expect(found).toHaveLength(cells)
      for (const cell of found) expect(cell >= 0 && Number.isFinite(cell)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test("a single margin is projected as its cells are, total and all", () => {
  const values = [40, 25, -6, 8, 3, -2]
  const found = marginOf(fromZero(sizes, [{ attributes: [0, 1], values }]), [0, 1]).values
  expect(Math.min(...found)).toBeGreaterThanOrEqual(0)
  // By projection onto numbers from 0 with the same total: all that stay above 0 are lowered alike, but for
  // rows and columns, which are pinned too.
  const total = found.reduce((sum, value) => sum + value, 0)
  expect(Math.abs(total - 68)).toBeLessThan(1)
  expect(found[2]).toBeLessThan(0.5)
  expect(found[5]).toBeLessThan(0.5)
})

test("is all 0 where the total is negative", () => {
  const values = [-5, -1, 2, -8]
  expect([...fromZero([2, 2], [{ attributes: [0, 1], values }])]).toEqual([0, 0, 0, 0])
})

test("is the least of f: a slow search along all cells finds nothing better", () => {
  const table = Array.from({ length: cells }, (_, cell) => ((cell * 37) % 11) - 3 + (cell % 5 === 0 ? 30 : 0))
  const margins = pairs.map((pair) => marginOf(table, pair))
  const found = fromZero(sizes, margins)
  const cost = (at: ArrayLike<number>): number => {
    // The parts by averages, from the table itself: no code of the solver.
    const off = Array.from({ length: cells }, (_, cell) => (at[cell] ?? 0) - (table[cell] ?? 0))
    const mean = (attributes: readonly number[]): readonly number[] => {
      const { values } = marginOf(off, attributes)
      return Array.from({ length: cells }, (_, cell) => {
        const axes = [Math.floor(cell / 8), Math.floor(cell / 4) % 2, cell % 4]
        const place = attributes.reduce((before, axis) => before * (sizes[axis] ?? 1) + (axes[axis] ?? 0), 0)
        return ((values[place] ?? 0) * values.length) / cells
      })
    }
    const none = mean([])
    const one = [0, 1, 2].map((axis) => mean([axis]))
    const square = (part: readonly number[]): number => part.reduce((sum, value) => sum + value * value, 0)
    const single = one.map((part) => square(part.map((value, cell) => value - (none[cell] ?? 0))))
    const double = pairs.map(([a = 0, b = 0]) =>
      square(
        mean([a, b]).map(
          (value, cell) => value - (one[a]?.[cell] ?? 0) - (one[b]?.[cell] ?? 0) + (none[cell] ?? 0),
        ),
      ),
    )
    const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
    return 100 * square(none) + 10 * sum(single) + sum(double)
  }
  const best = Float64Array.from(found)
  for (let round = 0; round < 40; round += 1) {
    for (let cell = 0; cell < cells; cell += 1) {
      for (const step of [-1, -0.1, -0.01, 0.01, 0.1, 1]) {
        const moved = Float64Array.from(best)
        moved[cell] = Math.max(0, (moved[cell] ?? 0) + step)
        if (cost(moved) < cost(best)) best.set(moved)
      }
    }
  }
  expect(cost(found)).toBeLessThan(cost(best) * 1.02 + 1e-3)
})

test.runIf(isLongForm)("gives up on what would take long", () => {
  const values = Array.from({ length: 400 }, (_, cell) => (cell % 3 === 0 ? 1000 : -10))
  const margins = [
    [0, 1],
    [0, 2],
  ].map((attributes) => ({ attributes, values }))
  // Nothing moves by less than nothing.
  expect(tableFromZero([20, 20, 20], margins, -1)).toBeUndefined()
})
