// What units were scaled to, as a receipt tells it: in the units of the answer, with where the norm comes
// from and the parts of the intervals.

import { multiply, numberNear, rational, type Rational } from "@dosimeter/core/exact"
import type { KeptScale } from "@dosimeter/answers/reuse/kept-facts"
import type { NormOrigin, ScaledTexts } from "@dosimeter/answers/shown/receipt"
import { linearHalfWidth } from "@dosimeter/planner/aggregates/errors/reading-errors"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { mostFactor } from "@dosimeter/proof/algebra/scaled-reading"
import type { LeftOutLength, Release, ScaledBounds } from "@dosimeter/proof/algebra/release-plan"

/** Of a release that is paid for; undefined where nothing is scaled. */
export function scaledTexts(release: Release, confidence: Rational): ScaledTexts | undefined {
  const { scaled } = release.bounds
  const measured = release.measurements.find((one) => hasStrategy(one, "scaled"))
  if (scaled === undefined || measured === undefined) return undefined
  const columns = measured.columns.map((_, column) => column)
  const widths = columns.map((column) => {
    const reading = release.readings.find((one) => one.kind === "linear" && one.column === column)
    return reading?.kind === "linear" ? linearHalfWidth(measured, reading, confidence) : undefined
  })
  const noise = widths.flatMap((width) => (width === undefined ? [] : [digits(width)]))
  const worths = columns.map((column) => mostFactor(measured, column))
  return { ...textsOf(scaled, worths), ...(noise.length === worths.length ? { noise } : {}) }
}

/** Of an earlier table that an answer is worked out from. */
export function keptScaledTexts(scale: KeptScale): ScaledTexts | undefined {
  return scale.worths === undefined ? undefined : textsOf(scale, scale.worths)
}

function textsOf(
  { bound, beyond, isCap }: Pick<ScaledBounds, "bound" | "beyond" | "isCap">,
  worths: readonly Rational[],
): ScaledTexts {
  const inUnits = (length: Rational): readonly string[] =>
    worths.map((worth) => digits(multiply(length, worth)))
  const from: NormOrigin = isCap === true ? "cap" : beyond === undefined ? "fixed" : "learnt"
  return {
    from,
    ...(beyond === undefined ? {} : { leftOut: lengthTexts(beyond, inUnits) }),
    norms: inUnits(rational(bound)),
  }
}

function lengthTexts(
  { estimate, most }: LeftOutLength,
  inUnits: (length: Rational) => readonly string[],
): NonNullable<ScaledTexts["leftOut"]> {
  return { estimate: inUnits(estimate), ...(most === undefined ? {} : { most: inUnits(most) }) }
}

function digits(value: Rational): string {
  return `${Number(numberNear(value).toPrecision(6))}`
}
