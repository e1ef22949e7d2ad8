import fc from "fast-check"
import { expect, test } from "vitest"
import { marginOfCells } from "./margin-cells.ts"
import { projectOntoSimplex } from "../consistency/simplex.ts"
import { wholeCells } from "./whole-margins.ts"

const steps = (values: readonly number[]): readonly bigint[] => values.map((value) => BigInt(value * 4))

test("[P2] keeps whole numbers from 0 as they are", () => {
  const cells = [3n, 0n, 7n, 1n, 0n, 0n]
  const scaled = cells.map((cell) => cell << 12n)
  expect(wholeCells([3n, 2n], scaled, 12)).toEqual(cells)
})

test("shares out what is above, nearest first", () => {
  expect(wholeCells([3n], steps([5.25, -2, 1.5]), 2)).toEqual([4n, 0n, 1n])
  expect(wholeCells([2n], steps([-3, -4]), 2)).toEqual([0n, 0n])
  expect(wholeCells([1n, 2n], steps([2.5, 0]), 2)).toEqual([3n, 0n])
})

test("[P2] gives whole numbers from 0 with the rounded total, near the projection", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -400, max: 4000 }), { minLength: 6, maxLength: 6 }), (values) => {
      const cells = values.map(BigInt)
      const whole = wholeCells([2n, 3n], cells, 3)
      const sum = values.reduce((a, b) => a + b, 0) / 8
      const total = Math.max(0, Math.floor(sum + 0.5))
      expect(whole.every((cell) => cell >= 0n)).toBe(true)
      expect(Number(whole.reduce((a, b) => a + b, 0n))).toBe(total)
      const above = marginOfCells([2n, 3n], cells, [0]).map((cell) => Number(cell) / 8)
      const near = projectOntoSimplex(above, { total })
      for (const [place, cell] of marginOfCells([2n, 3n], whole, [0]).entries()) {
        expect(Math.abs(Number(cell) - (near[place] ?? 0))).toBeLessThan(1 + 1e-9)
      }
    }),
  )
})
