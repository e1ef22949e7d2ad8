// Running totals, in words.

import { multiply, numberNear, numberUp, rational } from "@dosimeter/core/exact"
import { errorOf, type TotalForm } from "@dosimeter/core/mechanisms"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { withinWords, type MeasurementWords, type WordsContext } from "./common.ts"
import { showNumber } from "./show-number.ts"

/** The noise in what is measured at each step, and how far off the worst of all totals may be. */
export function totalsWords(
  { strategy: { spec }, grid }: LinearMeasurement<"totals">,
  { plan: { confidence, unitName } }: WordsContext,
): MeasurementWords {
  const { noise, amountPerStep, stepsPerUnit, form } = spec
  const [name, size] =
    noise.law === "laplace"
      ? ["Laplace noise of scale", numberUp(noise.scale)]
      : ["Gaussian noise of sigma", Math.sqrt(numberUp(noise.variance))]
  const change = showNumber(numberNear(multiply(rational(amountPerStep), grid)))
  const drawn = `${name} ${showNumber(size * numberNear(grid))} in each ${formName(form)}`
  return {
    mechanism: `${drawn}; one ${unitName} adds at most ${change} in each of ${stepsPerUnit} periods`,
    error: withinWords(multiply(rational(errorOf(spec, confidence).halfWidth), grid), confidence),
  }
}

/** What is measured at a step. */
export function formName(form: TotalForm): string {
  if (form.kind === "tree") return "node of a tree"
  return form.sixteenths === 0n ? "period" : `sum that fades by the power ${form.sixteenths}/16`
}
