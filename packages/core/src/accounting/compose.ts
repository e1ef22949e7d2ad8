// Composition of losses that are known beforehand, or that add up whatever comes: basic, advanced, optimal,
// parallel, and groups of people. For losses chosen while answers come in, see filter.ts.

import { fail } from "../errors/errors.ts"
import { expUp, expDown } from "../exact/exp.ts"
import { lnUp, sqrtUp } from "../exact/log.ts"
import {
  add,
  divide,
  maximum,
  minimum,
  multiply,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import type { ApproxLoss } from "../privacy/loss.ts"

/**
 * The loss of several releases together: epsilons and deltas add up.
 *
 * Guarantee: valid also when each release is chosen after seeing the ones before.
 * Needs: each loss holds for its release (its mechanism).
 * Proof: the source.
 * Numerics: exact.
 * Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, theorem 1.
 */
export function composeBasic(losses: readonly ApproxLoss[]): ApproxLoss {
  return {
    measure: "approx",
    epsilon: losses.map(({ epsilon }) => epsilon).reduce(add, zero),
    delta: minimum(one, losses.map(({ delta }) => delta).reduce(add, zero)),
  }
}

/**
 * The loss of releases on disjoint sets of units: the largest.
 *
 * Guarantee: as the largest loss, for add-or-remove neighbours.
 * Needs: no unit is in two of the sets, whatever the data (proved by the plan, never by looking);
 *   add-or-remove.
 * Proof: a unit that comes or goes changes the input of one release only; the others are the same on both
 *   sides.
 * Numerics: exact.
 * Source: McSherry 2009, theorem 4.
 */
export function composeParallel(losses: readonly ApproxLoss[]): ApproxLoss {
  if (losses.length === 0) return fail("parameter/empty", { name: "losses" })
  return {
    measure: "approx",
    epsilon: losses.map(({ epsilon }) => epsilon).reduce(maximum, zero),
    delta: losses.map(({ delta }) => delta).reduce(maximum, zero),
  }
}

/**
 * Advanced composition of k releases of one loss, for comparison: the textbook form, and the sharper one with
 * tanh.
 *
 * Guarantee: k releases of (epsilon, delta) are (result, k delta + slack)-private.
 * Needs: 0 < slack < 1 (the caller); the releases' parameters are fixed beforehand.
 * Proof: the sources.
 * Numerics: logarithm and root are rounded up.
 * Source: Dwork, Rothblum, Vadhan 2010, theorem III.3 (e^epsilon - 1); Kairouz, Oh, Viswanath 2017, theorem
 *   3.4 (tanh).
 */
export function composeAdvanced(
  release: { readonly loss: ApproxLoss; readonly count: bigint },
  slack: Rational,
  formula: "textbook" | "tanh" = "tanh",
): ApproxLoss {
  const { loss, count } = release
  const k = rational(count)
  const root = sqrtUp(multiply(rational(2n * count), lnUp(divide(one, slack))))
  const grown = expUp(loss.epsilon)
  const drift =
    formula === "textbook"
      ? subtract(grown, one)
      : divide(subtract(grown, one), add(expDown(loss.epsilon), one))
  return {
    measure: "approx",
    epsilon: add(multiply(loss.epsilon, root), multiply(multiply(k, loss.epsilon), drift)),
    delta: minimum(one, add(multiply(k, loss.delta), slack)),
  }
}

/**
 * What a loss for one unit means for a group of k: (k epsilon, delta (e^(k epsilon) - 1) / (e^epsilon - 1)).
 *
 * Guarantee: for datasets that differ in k units.
 * Needs: k >= 1 (the caller).
 * Proof: k steps from one dataset to the other, each a neighbour of the one before; the deltas are multiplied
 *   by the factors of the steps after them.
 * Numerics: exponentials are rounded so that delta grows.
 * Source: Vadhan 2017, "The complexity of differential privacy", lemma 2.2.
 */
export function groupLoss(loss: ApproxLoss, k: bigint): ApproxLoss {
  const epsilon = multiply(rational(k), loss.epsilon)
  if (loss.delta.numerator === 0n || k === 1n) return { ...loss, epsilon }
  const below = subtract(expDown(loss.epsilon, 96), one)
  // For a tiny epsilon the quotient tends to k; the sum of k powers is the same and never divides by 0.
  const factor =
    below.numerator > 0n
      ? divide(subtract(expUp(epsilon, 96), one), below)
      : multiply(rational(k), expUp(epsilon))
  return { measure: "approx", epsilon, delta: minimum(one, multiply(loss.delta, factor)) }
}

/**
 * The loss of a release on a Poisson sample at rate q: (ln(1 + q (e^epsilon - 1)), q delta).
 *
 * Guarantee: for add-or-remove neighbours, each unit sampled independently with probability q.
 * Needs: 0 < q <= 1 (the caller).
 * Proof: the output is (1-q) Q + q P against Q; the factor of the mixture is 1 - q + q e^epsilon.
 * Numerics: rounded up.
 * Source: Balle, Barthe, Gaboardi 2018, theorem 8.
 */
export function subsampleLoss(loss: ApproxLoss, rate: Rational): ApproxLoss {
  const growth = multiply(rate, subtract(expUp(loss.epsilon, 96), one))
  return { measure: "approx", epsilon: lnUp(add(one, growth)), delta: multiply(rate, loss.delta) }
}
