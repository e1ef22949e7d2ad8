// Quantiles cover what was proven of the histogram that they are drawn from, and keep the plan's confidence.

import { compare, type Rational } from "@dosimeter/core/exact"
import { distinctPlaces, drawsOf, endShift, type QuantilesSpec } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { ChoiceMeasurement } from "../../algebra/measurement.ts"
import type { MeasurementContext } from "./context.ts"
import { checkHistogram, checkRows } from "./histogram.ts"

/** Checks the mechanism. */
export function checkQuantiles(
  measurement: ChoiceMeasurement<"quantiles">,
  context: MeasurementContext,
): void {
  const { spec } = measurement.choice
  const proven = checkHistogram(measurement, spec.cells, context)
  if (spec.full !== proven.full) reject("quantiles of rows with another weight")
  checkRows({ ...spec, rows: spec.rowsPerUnit * (spec.full ?? 1n) }, proven, context)
  if (spec.neighbours !== context.neighbours) reject("quantiles have other neighbours")
  const draws = drawsOf(spec.tree)
  if (draws.some(({ epsilon }) => epsilon.numerator <= 0n) || spec.slots <= 0n)
    reject("quantiles without a loss")
  // Each quantile is drawn once, those below another among the rows below it.
  const places = distinctPlaces(spec.quantiles)
  if (draws.length !== places.length || draws.some(({ which }, at) => which !== places[at]))
    reject("quantiles are drawn out of order")
  if (spec.ends !== undefined && spec.counted !== undefined) reject("quantiles have two kinds of ends")
  checkEnds(spec, context.miss)
  checkCounted(spec, context.miss)
}

// Where ends are aimed at decides nothing but widths: what holds is proven by the counts.
function checkCounted({ counted, quantiles }: QuantilesSpec, miss: Rational): void {
  if (counted === undefined) return
  const { epsilonPerEnd, noise, shifts } = counted
  const size = noise.law === "laplace" ? noise.scale : noise.variance
  if (epsilonPerEnd.numerator <= 0n || size.numerator <= 0n) reject("counted ends without a loss")
  if (counted.miss.numerator <= 0n || compare(counted.miss, miss) > 0)
    reject("intervals of quantiles fail too often")
  if (shifts.length !== quantiles.length || shifts.some((rows) => rows <= 0n))
    reject("counted ends without a place")
}

// Whatever the shifts are, a unit changes no more; but people are told that intervals hold.
function checkEnds(spec: QuantilesSpec, miss: Rational): void {
  const { ends, quantiles } = spec
  if (ends === undefined) return
  if (ends.epsilonPerEnd.numerator <= 0n) reject("ends of quantiles without a loss")
  if (ends.miss.numerator <= 0n || compare(ends.miss, miss) > 0)
    reject("intervals of quantiles fail too often")
  const isFar = quantiles.every((quantile, index) => ends.shifts[index] === endShift(spec, ends, quantile))
  if (!isFar || ends.shifts.length !== quantiles.length) reject("ends of quantiles are aimed elsewhere")
}
