// What an attacker may come to believe: how far a release can move the odds of any guess about one unit,
// beyond what would be believed without that unit's data.

import { logGaussianDelta, solveFalling } from "../exact/normal-doubles.ts"
import { zcdpToEpsilon } from "../accounting/conversions/zcdp-to-approx.ts"
import { fail } from "../errors/errors.ts"
import {
  atLeastZero,
  betweenZeroAndOne,
  exactly,
  showParameter,
  wholeNumber,
  type Numeric,
} from "../exact/decimal.ts"
import { numberDown, numberUp, rationalOfNumber, roundUp } from "../exact/dyadic.ts"
import { expUp } from "../exact/exp.ts"
import { lnUp } from "../exact/log.ts"
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
import { checkLoss, ownDelta } from "./check-loss.ts"
import { deltaAt } from "./delta-curve.ts"

/** Between which values a belief stays. */
export interface BeliefBounds {
  readonly lower: number
  readonly upper: number
  /** The odds change by at most this factor, up or down; Infinity if nothing is promised. */
  readonly oddsFactor: number
  /** The bounds hold but for this probability over the release: 0 if they always hold. */
  readonly failure: number
}

/** A belief before the release, and (unless the loss is pure) how often the bounds on it may fail. */
export interface BeliefQuestion {
  readonly loss: Loss
  /** The probability that the attacker gives to the guess beforehand. */
  readonly prior: Numeric
  readonly failure?: Numeric
}

/** Above this exponent a factor says nothing, and its digits would be slow to find. */
const exponentMax = rational(5000n)

/**
 * The bounds within which the attacker's belief stays after the release.
 *
 * Guarantee: whichever of the two neighbours is the real dataset, with probability at least 1 - failure over
 *   the release the posterior lies within [lower, upper]; for a pure loss always.
 * Needs: a prior within (0, 1); a failure above the loss's delta unless the loss is pure (checked here).
 * Proof: posterior odds = prior odds times the ratio of likelihoods, which oddsExponentOf bounds on both
 *   sides.
 * Numerics: upper is rounded up, lower down.
 * Source: Dwork, McSherry, Nissim, Smith 2006; Kasiviswanathan and Smith 2014.
 */
export function posteriorBounds(question: BeliefQuestion): BeliefBounds {
  const prior = betweenZeroAndOne(question.prior, "prior")
  const { exponent, failure } = oddsExponentOf(question)
  if (exponent === undefined) return { lower: 0, upper: 1, oddsFactor: Infinity, failure: numberUp(failure) }
  const factor = isPositive(exponent) ? expUp(exponent) : one
  const other = subtract(one, prior)
  const raised = multiply(prior, factor)
  return {
    lower: numberDown(divide(prior, add(prior, multiply(other, factor)))),
    upper: numberUp(divide(raised, add(raised, other))),
    oddsFactor: numberUp(factor),
    failure: numberUp(failure),
  }
}

/** The factor by which the odds of a guess about k units may change under a pure loss: e^(k epsilon). */
export function groupFactor(epsilon: Numeric, k: Numeric): number {
  const exponent = multiply(atLeastZero(epsilon, "epsilon"), rational(wholeNumber(k, "k")))
  return compare(exponent, exponentMax) > 0 ? Infinity : numberUp(expUp(exponent))
}

/**
 * The least exponent e' that we can prove such that likelihoods change by a factor within e^-e' and e^e', but
 * for `failure`; none if it would be above 5000.
 *
 * Guarantee: under either neighbour, P(o) <= e^e' P'(o) and P'(o) <= e^e' P(o), but with probability
 *   `failure`.
 * Needs: failure > the loss's delta, unless the loss is pure (checked here).
 * Proof: let S be the outputs with P(o) > e^e' P'(o), T those with P'(o) > e^e' P(o). For e < e', with d =
 *   deltaAt(e): P(S) <= e^e P'(S) + d <= e^(e-e') P(S) + d, so P(S) <= d / (1 - e^(e-e')); the same for
 *   P'(T), and P(T) <= e^-e' P'(T). So P(S or T) <= d (1 + e^-e') / (1 - e^(e-e')), which is at most f if
 *   e^e' >= (d + f e^e) / (f - d). Any e will do, so the best of a few is taken.
 * Numerics: the logarithm is rounded up.
 * Source: after Kasiviswanathan and Smith 2014; the constant is ours.
 */
export function oddsExponentOf(options: { readonly loss: Loss; readonly failure?: Numeric }): {
  readonly exponent: Rational | undefined
  readonly failure: Rational
} {
  const { loss } = options
  checkLoss(loss)
  const always = pureEpsilon(loss)
  if (always !== undefined) return { exponent: within(always), failure: zero }
  const failure = failureOf(options)
  const exponents = candidates(loss, failure).flatMap((epsilon) => {
    if (within(epsilon) === undefined) return []
    const delta = deltaAt(loss, epsilon)
    if (compare(delta, failure) >= 0) return []
    const ratio = divide(add(delta, multiply(failure, expUp(epsilon))), subtract(failure, delta))
    return [lnUp(ratio)]
  })
  const [first, ...others] = exponents
  return { exponent: first === undefined ? undefined : within(others.reduce(minimum, first)), failure }
}

/** The bound that always holds, if the loss has one. */
function pureEpsilon(loss: Loss): Rational | undefined {
  switch (loss.measure) {
    case "pure":
      return loss.epsilon
    case "approx":
      return isPositive(loss.delta) ? undefined : loss.epsilon
    case "zcdp":
      return isPositive(loss.delta) || isPositive(loss.rho) ? undefined : zero
    case "gdp":
      return isPositive(loss.delta) || isPositive(loss.muSquared) ? undefined : zero
    default:
      return loss satisfies never
  }
}

function failureOf(options: { readonly loss: Loss; readonly failure?: Numeric }): Rational {
  const { loss, failure } = options
  const delta = ownDelta(loss)
  const range = `(${showParameter(delta)}, 1), above the delta of the loss`
  if (failure === undefined)
    return fail("parameter/out-of-range", { name: "failure", got: "not given", range })
  const exact = exactly(failure, "failure")
  if (compare(exact, delta) <= 0 || compare(exact, one) >= 0)
    fail("parameter/out-of-range", { name: "failure", got: showParameter(exact), range })
  return exact
}

/** Values of e to try: those at which delta takes a share of the failure. */
function candidates(loss: Loss, failure: Rational): Rational[] {
  switch (loss.measure) {
    case "pure":
      return [loss.epsilon]
    case "approx":
      return sixteenths.map((part) => multiply(part, loss.epsilon))
    case "zcdp":
      if (!isPositive(loss.rho)) return [zero]
      return [zero, ...shares(loss, failure).map((delta) => zcdpToEpsilon(loss.rho, delta))]
    case "gdp": {
      if (!isPositive(loss.muSquared)) return [zero]
      const mu = Math.sqrt(numberUp(loss.muSquared))
      const epsilonAt = (delta: Rational): Rational => {
        const target = numberUp(lnUp(delta))
        const solution = solveFalling((epsilon) => logGaussianDelta(mu, epsilon) - target)
        return roundUp(rationalOfNumber(solution), 30)
      }
      return [zero, ...shares(loss, failure).map(epsilonAt)]
    }
    default:
      return loss satisfies never
  }
}

const sixteenths = Array.from({ length: 17 }, (_, k) => rational(BigInt(k), 16n))

/** 2/3 of what the failure leaves, 4/9 of it, and so on. */
function shares(loss: { readonly delta: Rational }, failure: Rational): Rational[] {
  const room = subtract(failure, loss.delta)
  return Array.from({ length: 20 }, (_, k) =>
    multiply(room, rational(2n ** BigInt(k + 1), 3n ** BigInt(k + 1))),
  )
}

function within(exponent: Rational): Rational | undefined {
  return compare(exponent, exponentMax) > 0 ? undefined : exponent
}
