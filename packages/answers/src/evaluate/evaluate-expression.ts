// Expressions, made into functions of a row once, and then applied to every row.

import { assert } from "@dosimeter/core/errors"
import {
  divide,
  maximum,
  minimum,
  multiply,
  numberDown,
  numberUp,
  rational,
  rationalOfNumber,
} from "@dosimeter/core/exact"
import { isEstimate } from "@dosimeter/proof/functions/estimates"
import { isNumeric } from "@dosimeter/proof/functions/numeric-domain"
import { roundHalfAway } from "@dosimeter/proof/functions/math"
import type { CallExpr, CaseExpr, ColumnId, Expr, ShareExpr, StepsExpr } from "@dosimeter/proof/algebra/expr"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { truthOf } from "../values/call-logic.ts"
import { valueFunction } from "../values/call-value.ts"
import { widened } from "../values/convert.ts"
import { nullConstant, wholeConstant } from "../values/doubles.ts"
import { estimateCell } from "../estimates/estimate-cell.ts"
import { spreadOfCall } from "../intervals/spread-of-call.ts"
import { mapRange, unionOf } from "../cells/range.ts"
import { sliceOf, vague, type Spread } from "../cells/spread.ts"
import { cellOf, publicCell, stateOf, type Row, type Cell } from "../cells/table.ts"

/** An expression over rows. */
export type RowFunction = (row: Row) => Cell

/** Where each column of a row stands. */
export type Positions = ReadonlyMap<ColumnId, number>

/** The places of columns. */
export function positionsOf(columns: readonly RelColumn[]): Positions {
  return new Map(columns.map(({ id }, index) => [id, index]))
}

/** The expression as a function of rows with these columns. */
export function rowFunction(expr: Expr, positions: Positions): RowFunction {
  switch (expr.kind) {
    case "column": {
      const at = positions.get(expr.id)
      assert(at !== undefined, `column ${expr.id} is in reach`)
      return (row) => cellAt(row, at)
    }
    case "literal": {
      const cell = publicCell(widened(expr.value, expr.domain.type))
      return () => cell
    }
    case "call":
      return callFunction(expr, positions)
    case "case":
      return caseFunction(expr, positions)
    case "steps":
      return stepsFunction(expr, positions)
    case "share":
      return shareFunction(expr, positions)
    case "weight":
      assert(false, "there are no units after a release")
      break
    case "keyed-hash":
      assert(false, "there is no secret after a release")
      break
    default:
      return expr satisfies never
  }
}

/** The cell at a place. */
export function cellAt(row: Row, at: number): Cell {
  const cell = row[at]
  assert(cell !== undefined, "a row has a cell for each column")
  return cell
}

function callFunction({ name, args, domain }: CallExpr, positions: Positions): RowFunction {
  const functions = args.map((arg) => rowFunction(arg, positions))
  if (isEstimate(name))
    return (row) =>
      estimateCell(
        name,
        functions.map((one) => one(row)),
      )
  const apply = valueFunction(name)
  const types = { types: args.map((arg) => arg.domain.type), result: domain.type }
  return (row) => {
    const cells = functions.map((one) => one(row))
    const value = apply(
      cells.map((cell) => cell.value),
      types,
    )
    return cellOf(value, spreadOfCall({ name, types, args: cells }), stateOf(cells))
  }
}

/**
 * The value is that of the first true condition; where conditions have noise, another result may be the exact
 * one.
 */
function caseFunction({ branches, otherwise, domain }: CaseExpr, positions: Positions): RowFunction {
  const parts = branches.map(({ when, result }) => ({
    when: rowFunction(when, positions),
    result: rowFunction(result, positions),
  }))
  const last = rowFunction(otherwise, positions)
  const isNumber = isNumeric(domain.type)
  return (row) => {
    const candidates: Cell[] = []
    const conditions: Cell[] = []
    let chosen: Cell | undefined
    let isOpen = true
    for (const { when, result } of parts) {
      if (!isOpen) break
      const condition = when(row)
      conditions.push(condition)
      const isTrue = truthOf(condition.value) === true
      const isSure = condition.spread === undefined
      if (isSure && !isTrue) continue
      const cell = result(row)
      candidates.push(cell)
      if (isTrue) chosen ??= cell
      isOpen = !(isSure && isTrue)
    }
    if (isOpen) {
      const cell = last(row)
      candidates.push(cell)
      chosen ??= cell
    }
    const cell = chosen ?? publicCell(nullConstant)
    const state = stateOf([...conditions, cell])
    return cellOf(widened(cell.value, domain.type), oneOf(candidates, isNumber), state)
  }
}

function oneOf(candidates: readonly Cell[], isNumber: boolean): Spread | undefined {
  const [only, ...others] = candidates
  if (others.length === 0) return only?.spread
  return isNumber ? { kind: "derived", inputs: sliceOf(candidates), combine: unionOf } : vague
}

function stepsFunction({ operand, grid, lower, upper }: StepsExpr, positions: Positions): RowFunction {
  const inner = rowFunction(operand, positions)
  const [least, most] = [rational(lower), rational(upper)]
  const steps = (value: ReturnType<typeof rational>): ReturnType<typeof rational> =>
    maximum(least, minimum(most, rational(roundHalfAway(divide(value, grid)))))
  return (row) => {
    const cell = inner(row)
    const value =
      cell.value.kind === "number" ? { ...cell.value, value: steps(cell.value.value) } : nullConstant
    const at = (end: number): number => {
      if (!Number.isFinite(end)) return end < 0 ? numberDown(least) : numberUp(most)
      return Number(steps(rationalOfNumber(end)).numerator)
    }
    const spread: Spread | undefined =
      cell.spread === undefined
        ? undefined
        : {
            kind: "derived",
            inputs: sliceOf([cell]),
            combine: ([range = unionOf([])]) => mapRange(range, at),
          }
    return cellOf(value, spread, cell.state)
  }
}

function shareFunction({ sum, count, most }: ShareExpr, positions: Positions): RowFunction {
  const [sumOf, countOf] = [rowFunction(sum, positions), rowFunction(count, positions)]
  return (row) => {
    const cells = [sumOf(row), countOf(row)]
    const [total, rows] = cells.map(({ value }) => value)
    const spread = cells.some((cell) => cell.spread !== undefined) ? vague : undefined
    if (total?.kind !== "number" || rows?.kind !== "number")
      return cellOf(nullConstant, spread, stateOf(cells))
    const isOver = rows.value.numerator > most
    const scaled = multiply(total.value, rational(most, isOver ? rows.value.numerator : most))
    return cellOf(wholeConstant(roundHalfAway(scaled)), spread, stateOf(cells))
  }
}
