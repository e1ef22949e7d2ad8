// The errors of running totals.

import { numberNear, rational, rationalOfNumber } from "@dosimeter/core/exact"
import { spreadOf, type TotalForm } from "@dosimeter/core/mechanisms"
import type { NoiseLaw } from "@dosimeter/answers/measurements/noise-law"
import { errorOfTerms } from "@dosimeter/answers/reuse/derived-table"
import type { StrategyErrors } from "./strategy-errors.ts"

/** Every total has another error; there are no groupings of periods. */
export const totalsErrors: StrategyErrors<"totals"> = {
  halfWidth: () => undefined,
  step: ({ grid }) => grid,
  groupings: () => [],
}

/** What is measured at each step, and the noise in it. */
export interface TotalsMeasured {
  readonly form: TotalForm
  readonly noise: NoiseLaw
}

/** Half the width of the interval of each of the first totals, but with probability `miss`. */
export function totalHalfWidths(of: TotalsMeasured, steps: number, miss: number): readonly number[] {
  return spreadOf(of.form, steps).map((spread) => halfWidthOf(spread, of, miss))
}

// As many draws as the total has nodes or periods; or, of fading sums, Gaussian noise of so many times the
// variance, whose roundings and that of the total are less than a step together.
function halfWidthOf(spread: number, { form, noise }: TotalsMeasured, miss: number): number {
  if (form.kind === "tree" || form.sixteenths === 0n) {
    const terms = Array.from({ length: spread }, (_, draw) => ({ draw, noise, factor: rational(1n) }))
    return errorOfTerms({ terms, slack: 0 }, miss)
  }
  const term = { draw: 0, noise, factor: rationalOfNumber(Math.sqrt(spread) * (1 + 1e-6)) }
  return errorOfTerms({ terms: [term], slack: numberNear(noise.grid) }, miss)
}
