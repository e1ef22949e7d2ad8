// Intervals with what bounding left out, by cases that can be worked out by hand.

import { expect, test } from "vitest"
import { rational, type Rational } from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { CallExpr, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { boundingOf } from "../cells/bounding-of-cell.ts"
import {
  addLeftOut,
  scaleLeftOut,
  unknownLeftOut,
  wideRange,
  type LeftOut,
  type LeftOutRange,
} from "../cells/left-out.ts"
import { spreadOf } from "../cells/spread.ts"
import type { Cell } from "../cells/table.ts"
import { estimateCell } from "../estimates/estimate-cell.ts"
import { positionsOf, rowFunction } from "../evaluate/evaluate-expression.ts"
import { sliceAggregate } from "../evaluate/slice-aggregate.ts"
import { intervalOfCell, type CellInterval } from "./interval-of-cell.ts"

/** Noise of deviation 10: half-width 20 at 95 %, as whole numbers. */
function counted(value: number, id: number, leftOut?: LeftOut): Cell {
  const measured = rational(BigInt(value))
  const noise = { law: "gaussian", id, grid: rational(1n), variance: rational(100n) } as const
  const spread = { ...spreadOf(noise, measured), ...(leftOut === undefined ? {} : { leftOut }) }
  return { value: { kind: "number", value: measured }, spread, state: "released" }
}

const upTo = (high: number, proof?: object): LeftOutRange => ({
  kind: "range",
  low: 0,
  high,
  ...(proof === undefined ? {} : { proof }),
})

const end = (value: bigint): { readonly value: Rational; readonly declared: boolean } => ({
  value: rational(value),
  declared: true,
})
const whole: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: { min: end(-9000n), max: end(9000n) },
}
const columns: readonly RelColumn[] = [0, 1].map((id) => ({ id, name: `x${id}`, domain: whole }))
const [a = integerLiteral(0n), b = integerLiteral(0n)] = columns.map(columnExpr)

function worked(name: CallExpr["name"], args: readonly Expr[], cells: readonly Cell[]): Cell {
  return rowFunction(callExpr(name, args), positionsOf(columns))(cells)
}

function ends(cell: Cell, part?: "noise" | "whole"): CellInterval {
  const { low, high } = intervalOfCell(cell, 0.95, part) ?? { low: Number.NaN, high: Number.NaN }
  return { low: Math.round(low), high: Math.round(high) }
}

test("what is left out widens an interval upward, and each part can be had by itself", () => {
  // Half of the miss is for the noise: 2.24 deviations in place of 1.96.
  const cell = counted(100, 0, upTo(50))
  expect([ends(cell), ends(cell, "noise"), boundingOf(cell)]).toEqual([
    { low: 78, high: 172 },
    { low: 80, high: 120 },
    "estimate",
  ])
  expect(boundingOf(counted(100, 0))).toBe("all-counts")
})

test("a proof may fail with half of the miss, and noise with the other half", () => {
  const cell = counted(100, 0, upTo(50, {}))
  // 2.24 deviations in place of 1.96.
  expect([ends(cell), ends(cell, "noise"), boundingOf(cell)]).toEqual([
    { low: 78, high: 172 },
    { low: 80, high: 120 },
    "proven",
  ])
})

test("signed amounts widen both ways; differences turn what is left out round", () => {
  const signed = counted(100, 0, { kind: "range", low: -30, high: 30 })
  expect(ends(signed)).toEqual({ low: 48, high: 152 })
  const cells = [counted(100, 0, upTo(50)), counted(40, 1, upTo(10))]
  // Noise of both together has a half-width of 33.
  expect(ends(worked("subtract", [a, b], cells))).toEqual({ low: 17, high: 143 })
  expect(ends(worked("add", [a, b], cells))).toEqual({ low: 107, high: 233 })
  expect(ends(worked("multiply", [a, integerLiteral(-2n)], cells))).toEqual({ low: -344, high: -156 })
})

test("what is never negative stays so, however it is worked with", () => {
  const range = { low: 0, high: 7, mayBeNull: false }
  const left = addLeftOut(scaleLeftOut(upTo(3), 0.1), upTo(0.2))
  expect(left).toMatchObject({ kind: "range", low: 0 })
  expect(wideRange(range, left).low).toBe(0)
  expect(wideRange(range, left).high).toBeGreaterThanOrEqual(7.5)
  expect(wideRange(range, scaleLeftOut(upTo(3), -1))).toMatchObject({ high: 7 })
})

test("quotients, roundings and choices carry it", () => {
  const cells = [counted(1000, 0, upTo(500)), counted(2000, 1, upTo(400))]
  const share = worked("divide", [callExpr("multiply", [a, integerLiteral(100n)]), b], cells)
  const { low, high } = intervalOfCell(share, 0.95) ?? { low: 0, high: 0 }
  // From 1000 / 2400 to 1500 / 2000, and some noise.
  expect(low).toBeGreaterThan(39)
  expect(low).toBeLessThan(41.7)
  expect(high).toBeGreaterThan(75)
  expect(high).toBeLessThan(77)
  expect(ends(worked("greatest", [a, b], cells))).toEqual({ low: 1975, high: 2425 })
  expect(boundingOf(share)).toBe("estimate")
})

test("two proofs together are an estimate; one proof twice stays one", () => {
  const [one, other] = [{}, {}]
  for (const name of ["add", "divide", "greatest"] as const) {
    const of = (first: object, second: object): Cell =>
      worked(name, [a, b], [counted(5, 0, upTo(3, first)), counted(7, 1, upTo(4, second))])
    expect([boundingOf(of(one, one)), boundingOf(of(one, other))]).toEqual(["proven", "estimate"])
  }
})

test("where rows are dropped unseen, the interval is of the noise, whatever else is in it", () => {
  const cells = [counted(100, 0, upTo(50)), counted(40, 1, unknownLeftOut)]
  for (const name of ["add", "divide", "greatest"] as const) {
    const cell = worked(name, [a, b], cells)
    expect([name, boundingOf(cell), ends(cell)]).toEqual([name, "noise-only", ends(cell, "noise")])
  }
})

test("estimates of a population do not follow it, and say so", () => {
  const cells = [counted(100, 0, upTo(50)), counted(400, 1, upTo(90))]
  expect(boundingOf(estimateCell("risk", cells))).toBe("noise-only")
  expect(boundingOf(estimateCell("risk", [counted(100, 0), counted(400, 1)]))).toBe("all-counts")
})

test("a sum over places of one vector is off by at most its length times the root of their number", () => {
  const [proof, of] = [{}, {}]
  const place = (): LeftOutRange => ({ ...upTo(60, proof), vector: { of, length: 60 } })
  const cells = Array.from({ length: 9 }, (_, index) => counted(100, index, place()))
  const sum = sliceAggregate("sum", cells, { kind: "integer" })
  const above = (cell: Cell): number => ends(cell).high - intervalAt(cell)
  // Nine places of a vector of length 60: 180 at most, not 540.
  expect(above(sum(0, 9))).toBe(180)
  expect(above(sum(2, 6))).toBe(120)
  expect(boundingOf(sum(0, 9))).toBe("proven")
  // A number that stands there twice is no second place.
  const [twice = counted(0, 0)] = cells
  const doubled = sliceAggregate("sum", [twice, twice], { kind: "integer" })(0, 2)
  expect(above(doubled)).toBe(120)
})

/** The upper end of the noise, at the confidence that a proof leaves for it. */
function intervalAt(cell: Cell): number {
  return Math.round(intervalOfCell(cell, 0.975, "noise")?.high ?? Number.NaN)
}

test("an end that nobody knows stays open", () => {
  const cells = [counted(100, 0, upTo(Infinity)), counted(40, 1, upTo(1))]
  expect(ends(worked("add", [a, b], cells))).toEqual({ low: 107, high: Infinity })
  expect(intervalOfCell(worked("divide", [a, b], cells), 0.95)?.high).toBe(Infinity)
  const sum = sliceAggregate("sum", cells, { kind: "integer" })
  expect([ends(sum(0, 2)).high, ends(sum(1, 2)).high]).toEqual([Infinity, 63])
})

test("the whole interval of what is not negative begins at 0, not a rounding below it", () => {
  const cell = counted(5, 0, upTo(50))
  const spread = cell.spread?.kind === "linear" ? { ...cell.spread, fromZero: true } : cell.spread
  expect(intervalOfCell({ ...cell, ...(spread === undefined ? {} : { spread }) }, 0.95)?.low).toBe(0)
})
