// What the coordinates of a vector of moments count for in a number, a sum or a sum of squares. The grid and
// the bounds of the values come back in here; everything is linear.

import { assert, unreachable } from "@dosimeter/core/errors"
import { add, multiply, rational, type Rational } from "@dosimeter/core/exact"
import { momentFactors } from "@dosimeter/core/mechanisms"
import type { LinearMeasurement, MeasuredColumn, ScaledMoments } from "./measurement.ts"

/** A measurement of moments. */
export type Moments = LinearMeasurement<"moments">

/** The factor of each noisy coordinate in the number that is read. */
export function factorsOf({ strategy, grid }: Moments, of: MeasuredColumn["of"]): readonly Rational[] {
  return factorsIn(strategy, grid, of)
}

/** The same of coordinates of a basis, wherever they stand. */
export function factorsIn(
  { basis, lower, upper, from }: Omit<ScaledMoments, "places">,
  grid: Rational,
  of: MeasuredColumn["of"],
): readonly Rational[] {
  const [rows = [], sums = [], squares] = momentFactors(basis, upper - lower)
  // Moments of x - lower: x = (x - lower) + lower, and x - from = (x - lower) + (lower - from).
  const mixed = (...parts: readonly (readonly [bigint, readonly Rational[]])[]): readonly Rational[] =>
    rows.map((_, index) =>
      parts
        .map(([factor, row]) => multiply(rational(factor), row[index] ?? rational(0n)))
        .reduce(add, rational(0n)),
    )
  const times = (factors: readonly Rational[], unit: Rational): readonly Rational[] =>
    factors.map((factor) => multiply(factor, unit))
  switch (of) {
    case "rows":
      return rows
    case "values":
      return times(mixed([1n, sums], [lower, rows]), grid)
    case "squares": {
      assert(squares !== undefined, "squares are read from a basis that has them")
      const shift = lower - from
      return times(mixed([1n, squares], [2n * shift, sums], [shift * shift, rows]), multiply(grid, grid))
    }
    case "units":
    case "distinct":
      return noMoment()
    default:
      return unreachable(of)
  }
}

/** What a number is rounded to, if it is. */
export function stepOf({ grid }: Moments, of: MeasuredColumn["of"]): Rational {
  switch (of) {
    case "rows":
    case "units":
    case "distinct":
      return rational(1n)
    case "values":
      return grid
    case "squares":
      return multiply(grid, grid)
    default:
      return unreachable(of)
  }
}

function noMoment(): never {
  assert(false, "moments are of rows, values and squares")
}
