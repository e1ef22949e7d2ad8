// The errors of groups whose units are scaled to a norm: noise alone.

import {
  add,
  divide,
  multiply,
  rational,
  subtract,
  maximum,
  minimum,
  one,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { momentSensitivity } from "@dosimeter/core/mechanisms"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { momentsAt, scaledTerms } from "@dosimeter/proof/algebra/scaled-reading"
import { halfWidthOf } from "./moment-error.ts"
import type { StrategyErrors } from "./strategy-errors.ts"

/** One draw for each number, or several for moments, and half a step where it is rounded. */
export const scaledErrors: StrategyErrors<"scaled"> = {
  halfWidth: (measurement, { column, isWhole }, confidence) => {
    const { spec, steps } = measurement.strategy
    const factors = scaledTerms(measurement, column).map(({ factor }) => factor)
    const step = steps[column]
    if (factors.length === 0 || step === undefined) return undefined
    const rounding = isWhole ? divide(step, rational(2n)) : zero
    return add(rounding, halfWidthOf(spec, factors, confidence))
  },
  step: ({ strategy: { steps } }, column) => steps[column] ?? rational(1n),
  groupings: () => [],
}

/**
 * The half width of an average times its number of values, wherever it lies between the ends of its range: of
 * the sum that is read at this place; undefined where no moments are.
 */
export function scaledMeanWidth(
  measurement: LinearMeasurement<"scaled">,
  column: number,
  confidence: Rational,
): Rational | undefined {
  const moments = momentsAt(measurement, column)
  const [rows, sum] = moments?.places ?? []
  const grid = measurement.strategy.steps[column]
  if (moments === undefined || rows === undefined || sum !== column || grid === undefined) return undefined
  const divisor = new Map(scaledTerms(measurement, rows).map(({ draw, factor }) => [draw, factor]))
  const widths = [moments.lower, moments.upper].map((end) => {
    const at = multiply(rational(end), grid)
    const own = new Map(scaledTerms(measurement, sum).map(({ draw, factor }) => [draw, factor]))
    const factors = moments.places.map((draw) =>
      subtract(own.get(draw) ?? zero, multiply(divisor.get(draw) ?? zero, at)),
    )
    return halfWidthOf(
      measurement.strategy.spec,
      factors.filter(({ numerator }) => numerator !== 0n),
      confidence,
    )
  })
  return widths.reduce(maximum, zero)
}

/**
 * How much of the only value of a unit counts: all of it, or less where the norm is shorter than one row is.
 * Wherever the value lies in its range it counts for at least so much.
 */
export function onlyValueWeight(
  measurement: LinearMeasurement<"scaled">,
  column: number,
  bound: bigint,
): Rational {
  const moments = momentsAt(measurement, column)
  const [place = -1] = moments?.places ?? []
  const { worths, steps } = measurement.strategy
  const [worth, step] = [worths[place], steps[place]]
  if (moments === undefined || worth === undefined || step === undefined) return one
  const { patterns } = momentSensitivity({
    basis: moments.basis,
    width: moments.upper - moments.lower,
    groupsPerUnit: 1n,
    rowsPerGroup: 1n,
    neighbours: "add-or-remove",
  })
  const row = patterns.flat().reduce((most, { amount }) => (amount > most ? amount : most), 1n)
  return minimum(one, divide(multiply(rational(bound), worth), multiply(rational(row), step)))
}
