// Coordinates of moments in a vector whose units are scaled are what their readings say. The norm of the
// vector is proven by prove-norm.ts, whatever its columns mean.

import { momentDegree } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { ColumnExpr, ColumnId, Expr, StepsExpr } from "../../algebra/expr.ts"
import type { LinearMeasurement, MeasuredColumn, ScaledMoments } from "../../algebra/measurement.ts"
import { shareExpr } from "../../algebra/make.ts"
import { boundedRows, boundedSum, momentCoordinate } from "../../algebra/moment-exprs.ts"
import type { Rel } from "../../algebra/rel.ts"
import { isCall } from "../../algebra/walk.ts"
import { definitionOf } from "../extracts/definition-of.ts"
import type { MeasurementContext } from "./context.ts"
import { isSame, named } from "./same-expr.ts"

type Scaled = LinearMeasurement<"scaled">

/**
 * Checks the moments of a scaled measurement.
 *
 * Guarantee: where no coordinate is cut, what is read at the places of moments is, but for noise, a sum over
 *   units of weight times (n, s), for the n values of a unit in a group and their sum s, with lower n <= s <=
 *   upper n; and n is at most rowsPerGroup where the measurement has it. So a count is one of rows, and a
 *   quotient is an average, of values between lower and upper, in which each unit has one weight.
 * Needs: columns and domains of the extract were checked; proveNorm found the columns of weight and value.
 * Proof: scaledTerms is the inverse of momentCoordinate, by factorsIn: both are linear, and a unit's weight
 *   multiplies all of its coordinates. Here each value column is, token by token, such a coordinate of the
 *   same two columns in the same steps; those are min(N, r) and S or S r / N, clamped between lower r and
 *   upper r: prove-moments.proof.md, 1 and 2.
 * Numerics: integers; a share is rounded to the nearest.
 * Source: this file.
 */
export function checkCoordinates(measurement: Scaled, context: MeasurementContext): void {
  const { moments = [], rowsPerGroup } = measurement.strategy
  const places = moments.flatMap((one) => one.places)
  if (new Set(places).size !== places.length) reject("a coordinate of two moments")
  const found = moments.map((one) => {
    checkRange(measurement, one)
    return mostValues(measurement, one, context)
  })
  if (rowsPerGroup === undefined) return
  if (found.some((most) => most !== rowsPerGroup)) reject("moments of more rows than are said")
}

const meant: readonly MeasuredColumn["of"][] = ["rows", "values"]

function checkRange({ columns }: Scaled, { places, lower, upper, from, basis }: ScaledMoments): void {
  if (lower >= upper || from !== 0n) reject("moments without a range")
  if (momentDegree(basis) !== 1 || places.length !== 2) reject("scaled moments of another degree")
  if (places.some((place, index) => columns[place]?.of !== meant[index])) reject("moments of other columns")
}

// How many values of a unit count in a group.
function mostValues(measurement: Scaled, moments: ScaledMoments, context: MeasurementContext): bigint {
  const { weighed } = context.prove(measurement.extract)
  const rel = context.release.extracts[measurement.extract]?.rel
  if (rel?.kind !== "aggregate") return reject("moments read no extract")
  const { input } = rel
  const cuts = moments.places.map((place) => {
    const value = weighed.get(measurement.columns[place]?.id ?? -1)?.value
    return cutIn(input, value ?? reject("moments that are not weighed"))
  })
  const [first] = cuts
  if (first === undefined) return reject("moments of nothing")
  const isAlike = cuts.every(({ grid, upper }) => {
    const sameGrid = grid.numerator * first.grid.denominator === first.grid.numerator * grid.denominator
    return sameGrid && upper === first.upper
  })
  if (!isAlike) reject("moments in several steps")
  const parts = partsIn(input, coordinateOf(input, first))
  for (const [place, cut] of cuts.entries()) {
    if (!isSame(coordinateOf(input, cut), momentCoordinate(parts, moments.basis, moments, place)))
      reject("no such coordinate")
  }
  return mostIn(input, parts, moments)
}

// COALESCE(steps(coordinate), 0).
function cutIn(rel: Rel, id: ColumnId): StepsExpr {
  const definition = definitionOf(rel, id)
  const [steps] = isCall(definition, "coalesce") ? definition.args : []
  return steps?.kind === "steps" ? steps : reject("a coordinate without steps")
}

// A coordinate is a column of its own.
function coordinateOf(rel: Rel, { operand }: StepsExpr): Expr {
  return operand.kind === "column" ? definitionOf(rel, operand.id) : reject("a coordinate without a column")
}

interface Parts {
  readonly rows: ColumnExpr
  readonly sum: ColumnExpr
}

// (factor * sum) + (factor * rows): what stands around the columns is compared afterwards.
function partsIn(rel: Rel, coordinate: Expr): Parts {
  const [sum, rows] = (isCall(coordinate, "add") ? coordinate.args : []).map((term) => {
    const [, column] = isCall(term, "multiply") ? term.args : []
    return column?.kind === "column" ? named(rel, column.id) : reject("a coordinate of other things")
  })
  if (sum === undefined || rows === undefined) return reject("a coordinate of other things")
  return { rows, sum }
}

function mostIn(rel: Rel, { rows, sum }: Parts, { lower, upper, from }: ScaledMoments): bigint {
  const number = definitionOf(rel, rows.id)
  if (number.kind !== "steps" || number.operand.kind !== "column") return reject("a number is not bounded")
  const most = number.upper
  const count = named(rel, number.operand.id)
  if (!isSame(number, boundedRows(count, most))) reject("a number is bounded otherwise")
  const summed = definitionOf(rel, sum.id)
  const [clamp] = isCall(summed, "coalesce") ? summed.args : []
  const operand = clamp?.kind === "steps" ? clamp.operand : undefined
  const share = operand?.kind === "column" ? named(rel, operand.id) : reject("a sum is not bounded")
  if (!isSame(summed, boundedSum(share, most, { lower, upper, from }))) reject("a sum is bounded otherwise")
  const shared = definitionOf(rel, share.id)
  const total =
    shared.kind === "share" && shared.sum.kind === "column" ? shared.sum : reject("no share of a sum")
  if (!isSame(shared, shareExpr(named(rel, total.id), count, most))) reject("a share of something else")
  return most
}
