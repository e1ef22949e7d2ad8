// Errors of means. A sum and its count share noise, and part of it cancels in the quotient: the error of a
// mean is what is left.

import { divide, multiply, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { hasStrategy, type Measurement } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { errorOfDifference, errorOfTerms, type DerivedFrom } from "./derived-table.ts"
import type { NumberNoise } from "../measurements/noise-law.ts"
import { noiseOf } from "../measurements/reading-noise.ts"

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
export function paidMeans(release: Release, miss: number): readonly PaidMean[] {
  const { measurements, readings } = release
  return measurements.flatMap((measurement, index) =>
    meansIn(measurement).flatMap((mean): PaidMean[] => {
      const [sum, rows] = [mean.sum, mean.rows].map((column) =>
        readings.findIndex(
          (one) =>
            one.kind === "linear" && one.measurement === index && one.column === column && !one.isWhole,
        ),
      )
      const [top, bottom] = [readings[sum ?? -1], readings[rows ?? -1]]
      if (sum === undefined || rows === undefined || top === undefined || bottom === undefined) return []
      const places = placesOf(mean).map((at) => ({
        at,
        error: errorAt({ top: noiseOf(top, release), bottom: noiseOf(bottom, release) }, at, miss),
      }))
      return [{ sum, rows, label: top.label, places }]
    }),
  )
}

/** Moments of a measurement: the columns of sum and number, and the range of their values. */
interface MeasuredMean {
  readonly sum: number
  readonly rows: number
  readonly lower: bigint
  readonly upper: bigint
  readonly grid: Rational
}

function meansIn(measurement: Measurement): readonly MeasuredMean[] {
  if (hasStrategy(measurement, "moments")) {
    const { strategy, columns, grid } = measurement
    const [rows, sum] = (["rows", "values"] as const).map((of) => columns.findIndex((one) => one.of === of))
    if (rows === undefined || sum === undefined) return []
    return [{ rows, sum, lower: strategy.lower, upper: strategy.upper, grid }]
  }
  if (!hasStrategy(measurement, "scaled")) return []
  const { moments = [], steps } = measurement.strategy
  return moments.flatMap(({ places: [rows, sum], lower, upper }) => {
    const grid = sum === undefined ? undefined : steps[sum]
    if (rows === undefined || sum === undefined || grid === undefined) return []
    return [{ rows, sum, lower, upper, grid }]
  })
}

/** The ends of the range, and its middle. */
function placesOf({ lower, upper, grid }: MeasuredMean): readonly Rational[] {
  const [low, high] = [multiply(rational(lower), grid), multiply(rational(upper), grid)]
  return [low, divide(multiply(rational(lower + upper), grid), rational(2n)), high]
}

interface QuotientNoise {
  readonly top: NumberNoise | undefined
  readonly bottom: NumberNoise | undefined
}

function errorAt({ top, bottom }: QuotientNoise, at: Rational, miss: number): number {
  if (top === undefined || bottom === undefined) return Infinity
  const draws = new Map([...bottom.terms, ...top.terms].map((term) => [term.draw, term.noise]))
  const factorIn = ({ terms }: NumberNoise, draw: number): Rational =>
    terms.find((term) => term.draw === draw)?.factor ?? rational(0n)
  const terms = [...draws].map(([draw, noise]) => ({
    draw,
    noise,
    factor: subtract(factorIn(top, draw), multiply(factorIn(bottom, draw), at)),
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
