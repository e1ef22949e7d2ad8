// What an attacker who must say whether one unit is in the data can reach, at best: advantage, accuracy, and
// how many are found at a given rate of false accusations. Every figure is rounded up, against ourselves.

import { zcdpToEpsilon } from "../accounting/conversions/zcdp-to-approx.ts"
import { fail } from "../errors/errors.ts"
import { exactly, showParameter, type Numeric } from "../exact/decimal.ts"
import { numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { expUp } from "../exact/exp.ts"
import { sqrtUp } from "../exact/log.ts"
import { normalCdfUp } from "../exact/normal.ts"
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
import type { Loss, ZcdpLoss } from "../privacy/loss.ts"
import { checkLoss, ownDelta } from "./check-loss.ts"
import { deltaAt } from "./delta-curve.ts"
import { normalQuantileUp } from "./normal-quantile.ts"

/**
 * The most by which the attacker's rate of true accusations can exceed that of false ones.
 *
 * For the event "accuse", TPR - FPR = P(A) - P'(A) is at most the total variation, which is deltaAt(loss, 0):
 * (e^epsilon - 1 + 2 delta) / (e^epsilon + 1) for approx, 2 F(mu/2) - 1 for GDP.
 */
export function membershipAdvantage(loss: Loss): number {
  return numberUp(deltaAt(loss, zero))
}

/** How often the attacker is right at best, if both answers are equally likely: (1 + advantage) / 2. */
export function balancedAccuracy(loss: Loss): number {
  return numberUp(divide(add(one, deltaAt(loss, zero)), rational(2n)))
}

/**
 * The most of those present that an attacker can find, who accuses this share of those absent.
 *
 * Guarantee: for every test with P'(accuse) <= falsePositiveRate, P(accuse) is at most the value returned.
 * Needs: 0 <= falsePositiveRate <= 1 (checked here).
 * Proof: P(A) <= e^epsilon P'(A) + delta; and for the complement, P'(not A) <= e^epsilon P(not A) + delta.
 *   Both hold at every point of the curve: for pure and approx its corner is enough (the region is a
 *   polygon), for zCDP the best of a few is taken. For GDP the Gaussian pair gives F(F^-1(falsePositiveRate)
 *   + mu) = G, and an event set aside makes (1 - delta) G(rate / (1 - delta)) + delta <= G(rate) + delta of
 *   it, since G is concave.
 * Numerics: rounded up. For zCDP not the best possible bound.
 * Source: Kairouz, Oh, Viswanath 2015; Dong, Roth, Su 2022.
 */
export function truePositiveRate(options: {
  readonly loss: Loss
  readonly falsePositiveRate: Numeric
}): number {
  const { loss } = options
  checkLoss(loss)
  const rate = exactly(options.falsePositiveRate, "the false positive rate")
  if (rate.numerator < 0n || compare(rate, one) > 0) {
    fail("parameter/out-of-range", {
      name: "the false positive rate",
      got: showParameter(rate),
      range: "[0, 1]",
    })
  }
  return numberUp(minimum(one, rateBound(loss, rate)))
}

function rateBound(loss: Loss, rate: Rational): Rational {
  switch (loss.measure) {
    case "pure":
    case "approx":
      return bestLine({ epsilon: loss.epsilon, delta: ownDelta(loss), rate })
    case "zcdp":
      return isPositive(loss.rho) ? zcdpRate(loss, rate) : add(rate, loss.delta)
    case "gdp":
      return isPositive(loss.muSquared)
        ? add(gaussianRate(loss.muSquared, rate), loss.delta)
        : add(rate, loss.delta)
    default:
      return loss satisfies never
  }
}

interface CurvePoint {
  readonly epsilon: Rational
  readonly delta: Rational
  readonly rate: Rational
}

function bestLine(point: CurvePoint): Rational {
  return minimum(steepLine(point), flatLine(point))
}

/** e^epsilon rate + delta. */
function steepLine({ epsilon, delta, rate }: CurvePoint): Rational {
  if (!isPositive(rate)) return delta
  return compare(epsilon, farEpsilon) > 0 ? one : add(multiply(expUp(epsilon), rate), delta)
}

/** 1 - e^-epsilon (1 - delta - rate). */
function flatLine({ epsilon, delta, rate }: CurvePoint): Rational {
  const rest = subtract(subtract(one, delta), rate)
  if (!isPositive(rest) || compare(epsilon, farEpsilon) > 0) return one
  return subtract(one, divide(rest, expUp(epsilon)))
}

/** From here on both lines are 1 to a double, whatever rate a person could mean. */
const farEpsilon = rational(5000n)

function gaussianRate(muSquared: Rational, rate: Rational): Rational {
  if (!isPositive(rate)) return zero
  if (compare(rate, one) >= 0 || compare(muSquared, rational(40_000n)) > 0) return one
  const at = add(normalQuantileUp(rate), sqrtUp(muSquared))
  // F(10) is 1 within 1e-23.
  return compare(at, rational(10n)) > 0 ? one : normalCdfUp(at)
}

/** Each line has its own best epsilon: found on a grid, then on finer grids around the best so far. */
function zcdpRate(loss: ZcdpLoss, rate: Rational): Rational {
  // As epsilon grows delta falls to the loss's own: what never happens to the absent never does to the
  // present.
  if (!isPositive(rate)) return loss.delta
  const end = numberUp(zcdpToEpsilon(loss.rho, divide(rate, rational(1024n))))
  if (compare(rate, one) >= 0 || end > 5000) return one
  const search = (line: (point: CurvePoint) => Rational): Rational => {
    const at = (x: number): Rational => {
      const epsilon = rationalOfNumber(Math.fround(x))
      return line({ epsilon, delta: deltaAt(loss, epsilon), rate })
    }
    let best = { x: 0, value: at(0) }
    let step = end / 16
    for (let round = 0; round < 4; round += 1) {
      const from = round === 0 ? 0 : Math.max(0, best.x - 4 * step)
      for (let k = 0; k <= (round === 0 ? 16 : 8); k += 1) {
        const x = from + k * step
        const value = at(x)
        if (compare(value, best.value) < 0) best = { x, value }
      }
      step /= 4
    }
    return best.value
  }
  return minimum(search(steepLine), search(flatLine))
}
