// The noise of one step on a Poisson sample, without a lattice: the curves of a single step are sums of a few
// normal tails.

import { numberUp, numberDown, rationalOfNumber, roundUp } from "../../exact/dyadic.ts"
import { expDown } from "../../exact/exp.ts"
import { lnDown } from "../../exact/log.ts"
import { normalCdf } from "../../exact/normal.ts"
import { logNormalTail, solveFalling } from "../../exact/normal-doubles.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  maximum,
  multiply,
  negate,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { approxToMu, gdpToDelta } from "../conversions/gaussian-delta.ts"
import { replacedGaussianLaw } from "./loss-law.ts"

/** What one step must keep, and the chance of a unit to be in its sample; delta is below it. */
export interface SingleSample {
  readonly epsilon: Rational
  readonly delta: Rational
  readonly rate: Rational
}

/** The least noise multiplier for one step on a Poisson sample. */
export function singleSampledSigma(sample: SingleSample, neighbours: Neighbours): Rational {
  return neighbours === "replace" ? replacedSigma(sample) : addedSigma(sample)
}

/**
 * The sigma for adding or removing a unit, in closed form.
 *
 * Guarantee: one step with the sigma returned is (epsilon, delta)-private.
 * Needs: delta < rate (the caller).
 * Proof: with P = N(mu, 1), Q = N(0, 1), mu = 1/sigma, P' = (1-q) Q + q P and a = e^epsilon: the hockey stick
 *   of P' from Q is E_Q (q P/Q - (a-1+q))+ = q H(P, Q) at b = 1 + (a-1)/q, which is gdpToDelta(mu, ln b) q.
 *   That of Q from P' is E_Q (c - a q P/Q)+ with c = 1 - a (1-q): nothing where c <= 0, else c H(Q, P) at a q
 *   / c. Both fall as sigma grows; the value returned was seen to keep delta in both.
 * Numerics: ln b is rounded down, so delta up; c up, ln(a q / c) down.
 * Source: Balle, Barthe, Gaboardi 2018, theorem 2.
 */
function addedSigma({ epsilon, delta, rate }: SingleSample): Rational {
  const grown = expDown(epsilon, 128)
  const forward = lnDown(add(one, divide(subtract(grown, one), rate)), 128)
  const rest = subtract(one, multiply(grown, subtract(one, rate)))
  const keepsBack = (mu: Rational): boolean => {
    if (!isPositive(rest)) return true
    const back = maximum(zero, lnDown(divide(multiply(grown, rate), rest), 128))
    return compare(multiply(rest, gdpToDelta(mu, back)), delta) <= 0
  }
  let mu = approxToMu(forward, divide(delta, rate))
  while (!keepsBack(mu)) mu = multiply(mu, rational(4095n, 4096n))
  return roundUp(divide(one, mu), 60)
}

/** How far on either side of where the loss is epsilon tails are taken. */
const margin = 1e-9

/**
 * The sigma for replacing a unit, to a part in a million.
 *
 * Guarantee: one step with the sigma returned is (epsilon, delta)-private.
 * Needs: delta < rate (the caller).
 * Proof: the worst pair is P = (1-q) N(0) + q N(mu), R = (1-q) N(0) + q N(-mu) (replacedGaussianLaw), whose
 *   loss grows with x. With loss(s) <= epsilon <= loss(t), P - e^epsilon R is at most 0 below s and at least
 *   0 above t, so the hockey stick is at most P(x > s) - e^epsilon R(x > t). It falls as sigma grows; the
 *   value returned was seen to keep delta. Symmetric.
 * Numerics: s and t lie 1e-9 on either side of a root found in doubles to 1e-15; tails are rounded outward.
 * Source: Zhu, Dong, Wang 2022, section 4.
 */
function replacedSigma({ epsilon, delta, rate }: SingleSample): Rational {
  const target = Math.log(numberDown(delta))
  const guess = solveFalling((sigma) => roughLogDelta(1 / sigma, numberUp(rate), numberUp(epsilon)) - target)
  const start = rationalOfNumber(Number.isFinite(guess) && guess > 0 ? guess : 1)
  for (let slack = 20n; ; slack -= 1n) {
    const factor = slack > 0n ? add(one, rational(1n, 1n << slack)) : rational(1n << (1n - slack))
    const sigma = roundUp(multiply(start, factor), 60)
    if (compare(replacedDeltaUp(divide(one, sigma), rate, epsilon), delta) <= 0) return sigma
  }
}

function replacedDeltaUp(mu: Rational, rate: Rational, epsilon: Rational): Rational {
  const root = rootOf(numberUp(mu), numberUp(rate), numberUp(epsilon))
  if (root === undefined) return rate
  const [s, t] = [rationalOfNumber(root - margin), rationalOfNumber(root + margin)]
  const stays = subtract(one, rate)
  const tail = (x: Rational): ReturnType<typeof normalCdf> => normalCdf(x, 256)
  const above = add(multiply(stays, tail(negate(s)).up), multiply(rate, tail(subtract(mu, s)).up))
  const other = add(multiply(stays, tail(negate(t)).down), multiply(rate, tail(negate(add(mu, t))).down))
  return subtract(above, multiply(expDown(epsilon, 256), other))
}

/** Where the loss is epsilon; undefined where normal laws are too far apart, or the loss never gets there. */
function rootOf(mu: number, rate: number, epsilon: number): number | undefined {
  const { smooth } = replacedGaussianLaw(mu, rate).forward
  return smooth === undefined || smooth.lossAt(smooth.to) < epsilon ? undefined : smooth.whereLoss(epsilon)
}

function roughLogDelta(mu: number, rate: number, epsilon: number): number {
  const root = rootOf(mu, rate, epsilon)
  if (root === undefined) return mu > 1 ? 0 : -Infinity
  const tail = (x: number): number => Math.exp(logNormalTail(x))
  const above = (1 - rate) * tail(root) + rate * tail(root - mu)
  const other = (1 - rate) * tail(root) + rate * tail(root + mu)
  return Math.log(above - Math.exp(epsilon) * other)
}
