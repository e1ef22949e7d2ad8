import { add, exactly, rational, zero, type Rational } from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { expect, test } from "vitest"
import { positionsOf, rowFunction } from "../evaluate/evaluate-expression.ts"
import { sliceAggregate } from "../evaluate/slice-aggregate.ts"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { cellsFromZero } from "./from-zero.ts"
import { spreadOf } from "./spread.ts"
import type { Cell } from "./table.ts"

const whole = { kind: "integer" } as const
const grid = rational(1n)
const variance = exactly("100", "variance")

/** A count with normal noise of deviation 10: half-width 20 at 95 %. */
function counted(value: number, id: number): Cell {
  const measured = rational(BigInt(value))
  const spread = spreadOf({ law: "gaussian", id, grid, variance }, measured)
  return { value: { kind: "number", value: measured }, spread, state: "released" }
}

const column = (...values: readonly number[]): readonly Cell[] => cellsFromZero(values.map(counted))
const valueOf = ({ value }: Cell): Rational => (value.kind === "number" ? value.value : rational(-1n))
const numbers = (cells: readonly Cell[]): readonly number[] =>
  cells.map((cell) => Number(valueOf(cell).numerator))
const total = (cells: readonly Cell[]): Rational => cells.map(valueOf).reduce(add, zero)

test("a count by itself is cut at 0, and its interval begins there", () => {
  const [below, above] = [column(-10)[0], column(12)[0]]
  expect(below === undefined ? [] : [valueOf(below), intervalOfCell(below, 0.95)]).toEqual([
    zero,
    { low: 0, high: 20 },
  ])
  expect(above === undefined ? [] : [valueOf(above), intervalOfCell(above, 0.95)]).toEqual([
    rational(12n),
    { low: 0, high: 32 },
  ])
})

test("an interval that would lie below 0 is as wide above it as that of 0", () => {
  const [cell] = column(-45)
  expect(cell && intervalOfCell(cell, 0.95)).toEqual({ low: 0, high: 20 })
})

test("what is sure stays as it was measured, the others keep their sum", () => {
  const cells = column(5000, 14, -8, 3, -5)
  expect(numbers(cells)).toEqual([5000, 4, 0, 0, 0])
  expect(intervalOfCell(cells[0] ?? counted(0, 0), 0.95)).toEqual({ low: 4980, high: 5020 })
})

test("intervals are those of the noise, cut, and hold the value that is shown", () => {
  for (const cell of column(900, 31, -40, 22, 8, -17, 0, 2, -3)) {
    const { low, high } = intervalOfCell(cell, 0.95) ?? { low: Infinity, high: -Infinity }
    const value = Number(valueOf(cell).numerator)
    expect(low).toBeGreaterThanOrEqual(0)
    expect(low).toBeLessThanOrEqual(value)
    expect(high).toBeGreaterThanOrEqual(value)
  }
})

test("sums of what is shown are shown sums, with the interval of what was measured", () => {
  const raw = [15, -8, 12, 300, -6].map(counted)
  const cells = cellsFromZero(raw)
  const [shown, measured] = [cells, raw].map((list) => sliceAggregate("sum", list, whole)(0, list.length))
  expect(shown?.value).toEqual(measured?.value)
  expect(valueOf(shown ?? counted(0, 0))).toEqual(total(cells))
  expect(shown && intervalOfCell(shown, 0.95)).toEqual(measured && intervalOfCell(measured, 0.95))
  const part = sliceAggregate("sum", cellsFromZero([-30, -25, 3].map(counted)), whole)(0, 2)
  expect(intervalOfCell(part, 0.95)?.low).toBe(0)
})

test("differences may be negative, shares may not", () => {
  const far = (value: bigint): { readonly value: Rational; readonly declared: boolean } => ({
    value: rational(value),
    declared: false,
  })
  const range = { min: far(-1_000_000n), max: far(1_000_000n) }
  const domain: Domain = { type: { kind: "float" }, nullable: false, range }
  const columns: readonly RelColumn[] = [0, 1].map((id) => ({ id, name: `x${id}`, domain }))
  const [a = integerLiteral(0n), b = integerLiteral(0n)] = columns.map(columnExpr)
  const row = [...column(-9), ...cellsFromZero([counted(200, 7)])]
  const at = (name: "subtract" | "divide"): Cell =>
    rowFunction(callExpr(name, [a, b]), positionsOf(columns))(row)
  expect(intervalOfCell(at("subtract"), 0.95)?.low).toBeLessThan(-200)
  const share = intervalOfCell(at("divide"), 0.95)
  expect(share?.low).toBe(0)
  expect(share?.high).toBeGreaterThan(0.09)
  expect(share?.high).toBeLessThan(0.13)
})

test("steps of a grid stay steps", () => {
  const half = rational(1n, 2n)
  const fee = (steps: bigint, id: number): Cell => {
    const value = rational(steps, 2n)
    return {
      value: { kind: "number", value },
      spread: spreadOf({ law: "laplace", id, grid: half, scale: rational(20n) }, value),
      state: "released",
    }
  }
  const cells = cellsFromZero([fee(31n, 1), fee(-7n, 2), fee(4n, 3), fee(-3n, 4)])
  expect(total(cells)).toEqual(rational(25n, 2n))
  for (const cell of cells) expect(2n % valueOf(cell).denominator).toBe(0n)
})

test("columns that are no sums of noise stay as they are", () => {
  const vague: Cell = {
    value: { kind: "number", value: rational(-3n) },
    spread: { kind: "vague" },
    state: "released",
  }
  const cells = [counted(-4, 1), vague]
  expect(cellsFromZero(cells)).toBe(cells)
})
