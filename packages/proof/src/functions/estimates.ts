// Estimates about a population from released numbers: risks, rates and what compares them. What they give;
// their values and intervals are in the package answers.

import { compare, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain } from "../catalog/domain.ts"
import type { Argument, NoResult } from "./definition.ts"
import type { EstimateName, FunctionName } from "./function-name.ts"
import { mismatch, wrongTypes } from "./no-result.ts"
import { endAt, numericOf } from "./numeric-domain.ts"

/** No estimate is larger than this; what would be has no value. */
export const estimateMax: Rational = rational(10n ** 15n)

const zero = rational(0n)
const one = rational(1n)

/** The domain of a number that may be NULL, between two ends. */
export function estimateDomain(least: Rational, most: Rational): Domain {
  const range = { min: endAt(least, true), max: endAt(most, compare(most, estimateMax) < 0) }
  return { type: { kind: "float" }, nullable: true, range }
}

/** A number from 0 on. */
export const positiveEstimate: Domain = estimateDomain(zero, estimateMax)
/** A probability. */
export const shareEstimate: Domain = estimateDomain(zero, one)

function ofNumbers(what: string, count: number, domain: Domain) {
  return (args: readonly Argument[]): Domain | NoResult =>
    args.length === count && args.every((arg) => numericOf(arg) !== undefined)
      ? domain
      : wrongTypes(what, args, `${count} numbers`)
}

/** events, time, per. */
function ratePer(args: readonly Argument[]): Domain | NoResult {
  const per = args[2]?.literal
  if (per?.kind !== "number" || per.value.numerator <= 0n || compare(per.value, rational(10n ** 9n)) > 0) {
    return mismatch(
      "RATE_PER needs a constant above 0 as its third argument",
      "write 1000 there, for example",
    )
  }
  return ofNumbers("RATE_PER", 3, positiveEstimate)(args)
}

const difference = estimateDomain(rational(-(10n ** 15n)), estimateMax)

/** What each function of this family gives. */
export const estimateResults = {
  "rate-per": ratePer,
  risk: ofNumbers("RISK", 2, shareEstimate),
  "risk-ratio": ofNumbers("RISK_RATIO", 4, positiveEstimate),
  "risk-difference": ofNumbers("RISK_DIFFERENCE", 4, estimateDomain(rational(-1n), one)),
  "rate-ratio": ofNumbers("RATE_RATIO", 4, positiveEstimate),
  "rate-difference": ofNumbers("RATE_DIFFERENCE", 4, difference),
  "odds-ratio": ofNumbers("ODDS_RATIO", 4, positiveEstimate),
  "row-of": () => ({ type: { kind: "boolean" }, nullable: true }),
} satisfies Record<EstimateName, (args: readonly Argument[]) => Domain | NoResult>

/** Whether a function is computed after a release only. */
export function isEstimate(name: FunctionName): name is EstimateName {
  return Object.hasOwn(estimateResults, name)
}
