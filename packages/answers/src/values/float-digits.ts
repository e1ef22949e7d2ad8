// A double as a decimal, as DuckDB makes it: times a power of ten in doubles, then halves away from zero.

import { rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { roundHalfAway } from "@dosimeter/proof/functions/math"

/** The double rounded to so many digits after the point; a product beyond doubles is taken exactly. */
export function floatInUnits(value: number, digits: number): Rational {
  const units = 10n ** BigInt(digits)
  const scaled = value * 10 ** digits
  return Number.isFinite(scaled)
    ? rational(roundHalfAway(rationalOfNumber(scaled)), units)
    : rationalOfNumber(value)
}
