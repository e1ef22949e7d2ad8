// A double as a decimal: its first fifteen digits, halves away from zero.

import { multiply, parseDecimal, rational, type Rational } from "@dosimeter/core"
import { roundHalfAway } from "../catalog/functions/math.ts"

/** The double rounded to so many digits after the point. */
export function floatInUnits(value: number, digits: number): Rational {
  const units = 10n ** BigInt(digits)
  const shown = parseDecimal(value.toPrecision(15).replace("e+", "e"), "value")
  return rational(roundHalfAway(multiply(shown, rational(units))), units)
}
