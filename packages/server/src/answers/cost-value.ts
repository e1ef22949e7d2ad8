// What a charge costs, for programs: numbers as decimal texts.

import { priceOf } from "@dosimeter/planner/explain/price"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"

/** The cost; every number is rounded up. */
export function costValue(charge: Charge) {
  const { accounting, amount, delta, epsilon, words } = priceOf(charge)
  return {
    accounting,
    amount: `${amount}`,
    delta: `${delta}`,
    epsilon: epsilon === null ? null : `${epsilon}`,
    words,
  }
}
