// Errors of means. A sum and its count share noise, and part of it cancels in the quotient: the error of a
// mean is what is left.

import { divide, multiply, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { hasStrategy, type MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import { factorsOf, type Moments } from "@dosimeter/proof/algebra/moment-reading"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { errorOfDifference, errorOfTerms, type DerivedFrom } from "./derived-table.ts"
import { lawOfSpec } from "../measurements/noise-law.ts"

/**
 * A mean that is read from one vector. Where it is m, it is off by the noise of (sum - m number) over the
 * number: largest at an end of the range.
 */
export interface PaidMean {
  /** The columns of its sum and of its number of values. */
  readonly sum: number
  readonly rows: number
  readonly label: string
  /** What one value may be, and the error of the mean of one value there. */
  readonly places: readonly { readonly at: Rational; readonly error: number }[]
}

/** The means of a release, if it is paid for. */
export function paidMeans({ measurements, readings }: Release, miss: number): readonly PaidMean[] {
  return measurements.flatMap((measurement, index): PaidMean[] => {
    if (!hasStrategy(measurement, "moments")) return []
    const placeOf = (of: MeasuredColumn["of"]): number =>
      readings.findIndex(
        (one) =>
          one.kind === "linear" &&
          one.measurement === index &&
          measurement.columns[one.column]?.of === of &&
          !one.isWhole,
      )
    const [sum, rows] = [placeOf("values"), placeOf("rows")]
    if (sum < 0 || rows < 0) return []
    const places = placesOf(measurement).map((at) => ({ at, error: errorAt(measurement, at, miss) }))
    return [{ sum, rows, label: measurement.label, places }]
  })
}

/** The ends of the range, and its middle. */
function placesOf({ strategy: { lower, upper }, grid }: Moments): readonly Rational[] {
  const [low, high] = [multiply(rational(lower), grid), multiply(rational(upper), grid)]
  return [low, divide(multiply(rational(lower + upper), grid), rational(2n)), high]
}

function errorAt(measurement: Moments, at: Rational, miss: number): number {
  const noise = lawOfSpec(measurement.strategy.spec, rational(1n))
  const rows = factorsOf(measurement, "rows")
  const terms = factorsOf(measurement, "values").map((factor, draw) => ({
    draw,
    noise,
    factor: subtract(factor, multiply(rows[draw] ?? rational(0n), at)),
  }))
  return errorOfTerms({ terms, slack: 0 }, miss)
}

/** How far off the mean of one value may be, worked out from released tables: wherever it lies. */
export function errorOfMean(sources: readonly DerivedFrom[], mean: PaidMean, miss: number): number {
  return Math.max(...errorsAt(sources, mean, miss))
}

/** The same as a multiple of what paying would give. */
export function ratioOfMean(sources: readonly DerivedFrom[], mean: PaidMean, miss: number): number {
  const errors = errorsAt(sources, mean, miss)
  return Math.max(
    ...mean.places.map(({ error }, index) => (error === 0 ? 1 : (errors[index] ?? Infinity) / error)),
  )
}

function errorsAt(sources: readonly DerivedFrom[], mean: PaidMean, miss: number): readonly number[] {
  return mean.places.map(({ at }) =>
    errorOfDifference(sources, { of: mean.sum, less: mean.rows, factor: at }, miss),
  )
}
