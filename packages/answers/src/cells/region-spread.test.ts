import { expect, test } from "vitest"
import { exactly, rational, type Rational } from "@dosimeter/core"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { positionsOf, rowFunction } from "../evaluate/evaluate-expression.ts"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { regionSpread } from "./region-spread.ts"
import type { Cell } from "./table.ts"

const end = (value: bigint): { readonly value: Rational; readonly declared: boolean } => ({
  value: rational(value),
  declared: true,
})
const whole: Domain = { type: { kind: "integer" }, nullable: false, range: { min: end(0n), max: end(100n) } }
const columns: readonly RelColumn[] = [0, 1].map((id) => ({ id, name: `x${id}`, domain: whole }))
const [a = integerLiteral(0n), b = integerLiteral(0n)] = columns.map(columnExpr)

/** A value between two others, but with probability 1/20; of a column from 0 to 100. */
function quantile(value: bigint, [low, high]: readonly [bigint, bigint], event: object): Cell {
  const region = { low: rational(low), high: rational(high), least: rational(0n), most: rational(100n) }
  const spread = regionSpread({ ...region, miss: exactly("0.05", "miss"), event })
  return { value: { kind: "number", value: rational(value) }, spread, state: "released" }
}

const together = {}
const lower = quantile(25n, [20n, 31n], together)
const upper = quantile(75n, [70n, 82n], together)
const at = (expr: Expr, cells: readonly Cell[] = [lower, upper]): Cell =>
  rowFunction(expr, positionsOf(columns))(cells)

test("[E1] a quantile has the interval that was drawn, as often as was paid for", () => {
  expect(intervalOfCell(at(a), 0.95)).toEqual({ low: 20, high: 31 })
  expect(intervalOfCell(at(a), 0.5)).toEqual({ low: 20, high: 31 })
  // Nothing was drawn for more: what is left is the range of the column.
  expect(intervalOfCell(at(a), 0.99)).toEqual({ low: 0, high: 100 })
})

test("a value outside the ends that were drawn is inside its interval", () => {
  expect(intervalOfCell(quantile(35n, [20n, 31n], {}), 0.95)).toEqual({ low: 20, high: 35 })
})

test("[E1] quantiles of the same draws hold together, others must share the miss", () => {
  const range = callExpr("subtract", [b, a])
  expect(intervalOfCell(at(range), 0.95)).toEqual({ low: 39, high: 62 })
  expect(intervalOfCell(at(range, [lower, quantile(75n, [70n, 82n], {})]), 0.95)).toEqual({
    low: -100,
    high: 100,
  })
  expect(intervalOfCell(at(callExpr("negate", [a])), 0.95)).toEqual({ low: -31, high: -20 })
})

test("[E1] days that are added to a date, and days between dates, have intervals", () => {
  const type = { kind: "date" } as const
  const range = { min: end(0n), max: end(36_500n) }
  const epoch: LiteralExpr = {
    kind: "literal",
    value: { kind: "date", day: 1000n },
    domain: { type, nullable: false, range },
  }
  const date = callExpr("add-days", [epoch, a])
  expect(at(date).value).toEqual({ kind: "date", day: 1025n })
  expect(intervalOfCell(at(date), 0.95)).toEqual({ low: 1020, high: 1031 })
  const between = callExpr("days-between", [callExpr("add-days", [epoch, b]), date])
  expect(intervalOfCell(at(between), 0.95)).toEqual({ low: 39, high: 62 })
  expect(intervalOfCell(at(epoch), 0.95)).toBeUndefined()
})
