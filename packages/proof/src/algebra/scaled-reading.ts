// What the columns of a vector whose units are scaled count for in a number that is read: its own column, or
// the coordinates of its moments.

import { multiply, negate, rational, sqrtUp, square, add, type Rational } from "@dosimeter/core/exact"
import { factorsIn } from "./moment-reading.ts"
import type { LinearMeasurement, ScaledMoments } from "./measurement.ts"

type Scaled = LinearMeasurement<"scaled">

/** A column, and what its whole numbers count for. */
export interface ScaledTerm {
  readonly draw: number
  readonly factor: Rational
}

/** What is read at the place of a column; nothing where there is no such column. */
export function scaledTerms(measurement: Scaled, column: number): readonly ScaledTerm[] {
  const { columns, strategy } = measurement
  const of = columns[column]?.of
  const worth = strategy.worths[column]
  if (worth === undefined || of === undefined) return []
  const moments = momentsAt(measurement, column)
  if (moments === undefined) return [{ draw: column, factor: worth }]
  // Coordinates are in steps of 1 here: what a step is worth is in `worth`.
  const factors = factorsIn(moments, rational(1n), of)
  return moments.places.flatMap((draw, index) => {
    const factor = factors[index]
    return factor === undefined || factor.numerator === 0n ? [] : [{ draw, factor: multiply(factor, worth) }]
  })
}

/** The moments that a number is read from, if it is. */
export function momentsAt({ strategy }: Scaled, column: number): ScaledMoments | undefined {
  return strategy.moments?.find(({ places }) => places.includes(column))
}

/** The most that a vector whose norm is one can move a number by. */
export function mostFactor(measurement: Scaled, column: number): Rational {
  if (measurement.strategy.spec.sensitivity.norm === "l2") return factorLength(measurement, column)
  const sizes = scaledTerms(measurement, column).map(({ factor }) =>
    factor.numerator < 0n ? negate(factor) : factor,
  )
  return sizes.reduce((a, b) => (a.numerator * b.denominator > b.numerator * a.denominator ? a : b), none)
}

/** How far a vector of length one can move a number: its noise, as a multiple of that of one draw. */
export function factorLength(measurement: Scaled, column: number): Rational {
  const [first, ...others] = scaledTerms(measurement, column).map(({ factor }) => factor)
  if (first === undefined) return none
  if (others.length === 0) return first
  return sqrtUp([first, ...others].map(square).reduce(add, none))
}

const none = rational(0n)
