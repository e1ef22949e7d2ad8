// The delta that a loss in any measure has at a given epsilon: the one curve from which every statement about
// an attacker is read. Each bound holds for both orders of two neighbours.

import { gdpToDelta } from "../accounting/conversions/gaussian-delta.ts"
import { zcdpToDelta } from "../accounting/conversions/zcdp-to-approx.ts"
import { atLeastZero, type Numeric } from "../exact/decimal.ts"
import { exponentOf, roundUp } from "../exact/dyadic.ts"
import { lowerEnd } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { sqrtUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  minimum,
  multiply,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"
import { checkLoss } from "./check-loss.ts"
import { zcdpTotalVariation } from "./total-variation.ts"

/** From here on a loss protects nobody: 1 is as good as the delta that slow arithmetic would find. */
const hopelessRho = rational(1_000_000n)

/**
 * The least delta that we can prove at epsilon, rounded up.
 *
 * Guarantee: a release with this loss is (epsilon, delta)-private for the delta returned.
 * Needs: epsilon >= 0, the amounts of the loss at least 0, its delta below 1 (checked here).
 * Proof: pure: every pair of outputs is a post-processing of randomized response with odds e^e0, which
 *   attains (e^e0 - e^epsilon) / (1 + e^e0). Approx: the same, after a coin that shows everything with
 *   probability d0, so d0 + (1 - d0) times the pure value. zCDP: zcdpToDelta, and total variation, which is
 *   delta at 0 and so bounds it everywhere (zcdpTotalVariation). GDP: the Gaussian pair attains gdpToDelta.
 *   For the last two, an event of probability delta at most is set aside, which adds no more than delta.
 * Numerics: rounded up to 64 bits; exact where it is the loss's own delta. For zCDP not the best possible
 *   bound.
 * Source: Kairouz, Oh, Viswanath 2015; Canonne, Kamath, Steinke 2020; Balle and Wang 2018.
 */
export function deltaAt(loss: Loss, epsilon: Numeric): Rational {
  const at = atLeastZero(epsilon, "epsilon")
  checkLoss(loss)
  switch (loss.measure) {
    case "pure":
      return pureDelta(loss.epsilon, at)
    case "approx":
      return withDelta(multiply(subtract(one, loss.delta), pureDelta(loss.epsilon, at)), loss.delta)
    case "zcdp":
      return withDelta(zcdpDelta(loss.rho, at), loss.delta)
    case "gdp":
      return withDelta(gdpDelta(loss.muSquared, at), loss.delta)
    default:
      return loss satisfies never
  }
}

/** (1 - e^(epsilon - loss)) / (1 + e^-loss), or 0 from epsilon = loss on. */
function pureDelta(loss: Rational, epsilon: Rational): Rational {
  const gap = subtract(loss, epsilon)
  if (!isPositive(gap)) return zero
  // As many more bits as 1 - e^-gap loses to cancellation.
  const bits = 96 + Math.max(0, -exponentOf(gap))
  const above = subtract(one, lowerEnd(encloseExpNegative(gap, bits)))
  return upToOne(divide(above, add(one, lowerEnd(encloseExpNegative(loss, bits)))))
}

function zcdpDelta(rho: Rational, epsilon: Rational): Rational {
  if (!isPositive(rho)) return zero
  if (compare(rho, hopelessRho) >= 0) return one
  // At rho + 90 sqrt(rho) delta is below e^-2025; it falls with epsilon, so that value holds beyond it too.
  const far = add(rho, multiply(rational(90n), sqrtUp(rho)))
  return minimum(zcdpTotalVariation(rho), zcdpToDelta(rho, minimum(epsilon, far)))
}

function gdpDelta(muSquared: Rational, epsilon: Rational): Rational {
  if (!isPositive(muSquared)) return zero
  if (compare(muSquared, multiply(rational(2n), hopelessRho)) >= 0) return one
  return gdpToDelta(sqrtUp(muSquared), epsilon)
}

function withDelta(value: Rational, delta: Rational): Rational {
  return isPositive(value) ? upToOne(add(value, delta)) : delta
}

function upToOne(value: Rational): Rational {
  return minimum(one, roundUp(value))
}
