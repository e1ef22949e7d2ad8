// What to spend as rho, for every door: the epsilon whose question costs no more.

import { compare, multiply, rational, type Rational } from "@dosimeter/core/exact"
import { approxToRho, zcdpToEpsilon } from "@dosimeter/core/meaning"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { fail } from "../errors.ts"

/** The epsilon whose question costs no more than rho: the planner turns it back with delta, or half of it. */
export function epsilonOfRho(rho: Rational, { budget, question: { delta } }: Terms): Rational {
  if (budget.accounting !== "zcdp") return fail("cli/rho-elsewhere", { accounting: budget.accounting })
  if (rho.numerator <= 0n) {
    return fail("cli/bad-option", { option: "rho", got: "0 or less", wanted: "a number such as 0.01" })
  }
  const less = rational(1_000_000_000n - 1n, 1_000_000_000n)
  let epsilon = zcdpToEpsilon(rho, delta)
  while (compare(approxToRho(epsilon, delta), rho) > 0) epsilon = multiply(epsilon, less)
  return epsilon
}
