// Errors of means. A sum and its count share noise, and part of it cancels in the quotient: the error of a
// mean is what is left.

import { divide, multiply, rational, subtract, type Rational } from "@dosimeter/core/exact"
import type { MomentsPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import { factorsOf } from "@dosimeter/proof/algebra/moment-reading"
import { errorOfDifference, errorOfTerms, type DerivedFrom } from "./derived-table.ts"
import { widthOf } from "./kept-facts.ts"
import type { NoiseLaw } from "./noise-law.ts"

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
export function paidMeans({ measures }: Release, miss: number): readonly PaidMean[] {
  const starts: number[] = []
  let next = 0
  for (const measure of measures) {
    starts.push(next)
    next += widthOf(measure)
  }
  return measures.flatMap((measure, index): PaidMean[] => {
    if (measure.kind !== "moments" || measure.isWhole) return []
    const read = measures.findIndex(
      (one) => one.kind === "moment-read" && one.measure === index && one.reads === "rows" && !one.isWhole,
    )
    const [sum, rows] = [starts[index], starts[read]]
    if (sum === undefined || rows === undefined) return []
    const places = placesOf(measure).map((at) => ({ at, error: errorAt(measure, at, miss) }))
    return [{ sum, rows, label: measure.label, places }]
  })
}

/** The ends of the range, and its middle. */
function placesOf({ lower, upper, grid }: MomentsPlan): readonly Rational[] {
  const [low, high] = [multiply(rational(lower), grid), multiply(rational(upper), grid)]
  return [low, divide(multiply(rational(lower + upper), grid), rational(2n)), high]
}

function errorAt(plan: MomentsPlan, at: Rational, miss: number): number {
  const { spec } = plan
  const noise: NoiseLaw =
    spec.kind === "laplace"
      ? { law: "laplace", amount: spec.scale, grid: rational(1n) }
      : { law: "gaussian", amount: spec.variance, grid: rational(1n) }
  const rows = factorsOf(plan, "rows")
  const terms = factorsOf(plan, "sum").map((factor, draw) => ({
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
