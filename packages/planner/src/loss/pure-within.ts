// The largest pure loss whose charge is within an amount: rho and mu squared turned back into epsilon.

import type { Accounting } from "@dosimeter/core"
import { numberNear, rationalOfNumber, tanhNear, type Rational } from "@dosimeter/core/exact"

/**
 * About the largest epsilon such that a pure loss of epsilon costs `amount`, a little below it. Found in
 * doubles: what a mechanism made with it costs is decided by lossOf, not here.
 */
export function pureWithin(accounting: Accounting, amount: Rational): Rational {
  switch (accounting) {
    case "pure":
      return amount
    case "zcdp":
      return justBelow(inverseOfRho(numberNear(amount)))
    case "gdp":
      // A pure loss costs at most pi / 2 times its square in mu squared.
      return justBelow(Math.sqrt((2 * numberNear(amount)) / Math.PI))
    default:
      return accounting satisfies never
  }
}

// The epsilon with epsilon tanh(epsilon / 2) = rho, which lies between sqrt(2 rho) and sqrt(2 rho) + rho.
function inverseOfRho(rho: number): number {
  let low = Math.sqrt(2 * rho)
  let high = low + rho
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (middle * tanhNear(middle / 2) <= rho) low = middle
    else high = middle
  }
  return low
}

function justBelow(value: number): Rational {
  return rationalOfNumber(value * (1 - 2 ** -30))
}
