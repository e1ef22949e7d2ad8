// How much of the budget's delta one question takes, for selecting keys or for noise that needs one.

import {
  compare,
  decimalExponent,
  divide,
  floor,
  minimum,
  maximum,
  multiply,
  numberDown,
  one,
  rational,
  showParameter,
  type Rational,
} from "@dosimeter/core/exact"
import { amountLimit, deltaLimit, type Budget } from "@dosimeter/core/accounting"
import { fail } from "../errors.ts"

/**
 * However little a question loses, it takes at least this share of what there is for deltas: 10,000 such
 * questions fit, and thresholds grow with the logarithm only.
 */
const leastShare = rational(1n, 10_000n)

/** What a question would take. */
export interface TakenDelta {
  /** Its loss, in the measure of the account. */
  readonly amount: Rational
  /** The most that the owner allows for one question. */
  readonly most: Rational
  /** What is asked for, in place of the part in proportion. */
  readonly wish: Rational | undefined
}

/**
 * The delta of a question: the share of the account's that its loss is of the account's, so that delta runs
 * out no sooner than the loss, in whatever order questions come. To two digits, rounded down.
 */
export function deltaOfQuestion(budget: Budget, { amount, most, wish }: TakenDelta): Rational {
  if (wish !== undefined) return asWished(wish, most)
  const share = minimum(one, maximum(leastShare, divide(amount, amountLimit(budget))))
  const taken = multiply(deltaLimit(budget), share)
  if (taken.numerator === 0n) return taken
  return compare(taken, most) >= 0 ? most : twoDigitsDown(taken)
}

function asWished(wish: Rational, most: Rational): Rational {
  const name = "delta for keys"
  if (wish.numerator <= 0n) fail("ask/not-positive", { name })
  if (compare(wish, most) > 0) {
    fail("ask/too-large", { name, got: showParameter(wish), limit: showParameter(most) })
  }
  return wish
}

function twoDigitsDown(value: Rational): Rational {
  const exponent = decimalExponent(numberDown(value)) - 1
  const power = rational(10n ** BigInt(Math.abs(exponent)))
  const unit = exponent < 0 ? divide(one, power) : power
  return multiply(rational(floor(divide(value, unit))), unit)
}
