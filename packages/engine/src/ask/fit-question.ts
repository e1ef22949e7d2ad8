// A question that may cost no more than an amount: the epsilon that it is asked with, in few tries.

import type { Accounting } from "@dosimeter/core/accounting"
import {
  compare,
  divide,
  exactly,
  multiply,
  numberNear,
  rational,
  sqrtDown,
  type Rational,
} from "@dosimeter/core/exact"
import type { Compiled } from "@dosimeter/planner/compile"
import { epsilonLeast } from "@dosimeter/proof/catalog/terms"

/** What a question may cost, and where the search for its epsilon begins. */
export interface Fit {
  readonly epsilon: Rational
  readonly most: Rational
  readonly accounting: Accounting
}

/** A question that fits, and the epsilon that it was compiled with. */
export interface FittedQuestion {
  readonly compiled: Compiled
  readonly epsilon: Rational
}

/** So often a question is compiled in search of its epsilon. */
export const triesMax = 16

/**
 * The question with the first epsilon found, from the given one down, at which it costs no more than `most`;
 * undefined where none is found. Costs grow with epsilon, or with its square where rho or mu squared is added
 * up: the next epsilon is the one that would fit by that rule, or a little less.
 */
export function fitQuestion(
  compileAt: (epsilon: Rational) => Compiled,
  { epsilon: first, most, accounting }: Fit,
): FittedQuestion | undefined {
  if (most.numerator <= 0n) return undefined
  let epsilon = first
  for (let tries = 0; tries < triesMax && compare(epsilon, epsilonLeast) >= 0; tries += 1) {
    const compiled = compileAt(epsilon)
    const { amount } = compiled.plan.charge
    if (compare(amount, most) <= 0) return { compiled, epsilon }
    const ratio = divide(most, amount)
    const less = multiply(accounting === "pure" ? ratio : sqrtDown(ratio), rational(999n, 1000n))
    epsilon = fewDigits(multiply(epsilon, less))
  }
  return undefined
}

/** A fraction in at most six digits, rounded to the nearest. */
export function fewDigits(value: Rational): Rational {
  return exactly(`${Number(numberNear(value).toPrecision(6))}`, "epsilon")
}
