// The share of a question's loss that learns bounds, and the epsilon that such a share is asked with.

import type { Accounting } from "@dosimeter/core/accounting"
import { compare, multiply, rational, sqrtDown, type Rational } from "@dosimeter/core/exact"
import { fail } from "../errors.ts"
import { fewDigits } from "./fit-question.ts"

/** A smaller share tells nothing. */
export const shareLeast: Rational = rational(1n, 100n)
/** A larger share leaves too little for the question itself. */
const shareMost = rational(9n, 10n)

/** Refuses a share that is too little to learn from, or leaves too little. */
export function checkShare(share: Rational): void {
  if (compare(share, shareLeast) < 0 || compare(share, shareMost) > 0) fail("bounds/bad-share", {})
}

/** Epsilon times the share; where rho or mu squared is added up, its square root. */
export function partOf(epsilon: Rational, share: Rational, accounting: Accounting): Rational {
  return fewDigits(multiply(epsilon, accounting === "pure" ? share : sqrtDown(share)))
}
