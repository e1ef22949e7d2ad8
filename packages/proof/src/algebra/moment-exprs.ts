// The expressions by which a unit's values are brought into the reach of a vector of moments. Planner and
// verifier both make them here, and the verifier compares.

import { rational } from "@dosimeter/core"
import { momentCoordinates, type MomentBasis } from "@dosimeter/core/mechanisms"
import type { Expr } from "./expr.ts"
import { callExpr, integerLiteral, stepsExpr } from "./make.ts"

/** Values lie between lower and upper steps; squares are of their distances from `from`. */
export interface MomentRange {
  readonly lower: bigint
  readonly upper: bigint
  readonly from: bigint
}

const one = rational(1n)

/** The square of a value's distance from a point. */
function squaredFrom(value: Expr, from: bigint): Expr {
  const distance = from === 0n ? value : callExpr("subtract", [value, integerLiteral(from)])
  return callExpr("multiply", [distance, distance])
}

/** The square of a value's distance from a point, clamped to what values between the bounds have. */
export function clampedSquare(value: Expr, range: MomentRange): Expr {
  return stepsExpr(squaredFrom(value, range.from), one, { lower: 0n, upper: squareMax(range) })
}

/** The bounds of what a unit adds to number, sum and squares, by at most so many values. */
export function momentClamps(
  most: bigint,
  range: MomentRange,
): Readonly<Record<"rows" | "sum" | "squares", { readonly lower: bigint; readonly upper: bigint }>> {
  const { lower, upper } = range
  return {
    rows: { lower: 0n, upper: most },
    sum: { lower: lower < 0n ? lower * most : 0n, upper: upper > 0n ? upper * most : 0n },
    squares: { lower: 0n, upper: most * squareMax(range) },
  }
}

function squareMax({ lower, upper, from }: MomentRange): bigint {
  const reach = from - lower > upper - from ? from - lower : upper - from
  return reach * reach
}

/** A number of values, of which at most so many count. */
export function boundedRows(count: Expr, most: bigint): Expr {
  return stepsExpr(count, one, { lower: 0n, upper: most })
}

/** A sum as if at most so many values counted: `share` is what shareExpr makes of it. */
export function boundedSum(share: Expr, most: bigint, range: MomentRange): Expr {
  return orZero(stepsExpr(share, one, momentClamps(most, range).sum))
}

/** A sum of squares as if at most so many values counted, but for rounding. */
export function scaledSquares(share: Expr, most: bigint, range: MomentRange): Expr {
  return orZero(stepsExpr(share, one, momentClamps(most, range).squares))
}

/**
 * A sum of squares that could come from so many values with that sum: rounding may have carried it a little
 * outside. With a = from - lower and b = upper - from every distance d has (d + a)^2, (b - d)^2 and (d + a)
 * (b - d) at least 0; this keeps the sums of all three there.
 */
export function boundedSquares(
  parts: { readonly rows: Expr; readonly sum: Expr; readonly squares: Expr },
  { lower, upper, from }: MomentRange,
): Expr {
  const [a, b] = [from - lower, upper - from]
  const linear = (ofSum: bigint, ofRows: bigint): Expr =>
    callExpr("add", [times(ofSum, parts.sum), times(ofRows, parts.rows)])
  // Written for the sum of x, not of d = x - from.
  const most = linear(b - a, a * b - from * (b - a))
  const fromBelow = linear(-2n * a, a * (2n * from - a))
  const fromAbove = linear(2n * b, -b * (2n * from + b))
  return callExpr("greatest", [callExpr("least", [parts.squares, most]), fromBelow, fromAbove])
}

/** Number, sum and perhaps squares of values, as columns. */
export interface MomentParts {
  readonly rows: Expr
  readonly sum: Expr
  readonly squares?: Expr | undefined
}

/** A coordinate of a basis, from number, sum and squares. */
export function momentCoordinate(
  { rows, sum, squares }: MomentParts,
  basis: MomentBasis,
  { lower, upper, from }: MomentRange,
  place: number,
): Expr {
  const powers = squares === undefined ? 2 : 3
  // What number, sum of x - lower, and sum of its squares count for.
  const [ofRows = 0n, ofSum = 0n, ofSquares = 0n] = Array.from({ length: powers }, (_, power) => {
    const unit = Array.from({ length: powers }, (_each, index) => (index === power ? 1n : 0n))
    return momentCoordinates(basis, upper - lower, unit)[place] ?? 0n
  })
  // (x - lower)^2 = (x - from)^2 + 2 (from - lower) (x - from) + (from - lower)^2.
  const shift = from - lower
  const linear = callExpr("add", [
    times(ofSum + 2n * shift * ofSquares, sum),
    times(ofRows - lower * ofSum + (shift - 2n * from) * shift * ofSquares, rows),
  ])
  return squares === undefined ? linear : callExpr("add", [linear, times(ofSquares, squares)])
}

// A NULL counts as 0.
function orZero(value: Expr): Expr {
  return callExpr("coalesce", [value, integerLiteral(0n)])
}

function times(factor: bigint, value: Expr): Expr {
  return callExpr("multiply", [integerLiteral(factor), value])
}
