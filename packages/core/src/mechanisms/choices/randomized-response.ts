// Randomized response: tell the truth with a known probability, else any of the other answers alike.

import { fail } from "../../errors/errors.ts"
import { positive, showParameter, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { numberNear, numberUp, roundDown } from "../../exact/dyadic.ts"
import { expDown } from "../../exact/exp.ts"
import { lnUp } from "../../exact/log.ts"
import {
  add,
  compare,
  divide,
  minimum,
  multiply,
  one,
  rational,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { bernoulli } from "../../random/bernoulli.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { uniformBelow } from "../../random/uniform.ts"
import type { ReportError } from "../shared/error.ts"
import { pureLosses, type PureLosses } from "../shared/pure-losses.ts"

/** One answer out of `categories`; the truth with probability `truth`. */
export interface RandomizedResponseSpec {
  readonly kind: "randomized-response"
  readonly categories: number
  readonly truth: Rational
}

/**
 * Randomized response with a given pure loss. The best probability of truth, e^epsilon / (e^epsilon + k - 1),
 * is irrational; it is rounded down to 64 bits, so the loss is a hair below what was asked.
 */
export function randomizedResponse(options: {
  readonly epsilon: Numeric
  readonly categories: Numeric
}): RandomizedResponseSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  const categories = categoryCount(options.categories)
  // Beyond 128 the truth is 1 - 2^-64 whatever epsilon is, and the power would only cost time.
  const odds = expDown(minimum(epsilon, rational(128n)), 96)
  const truth = roundDown(divide(odds, add(odds, rational(BigInt(categories) - 1n))))
  // Rounded to 1/k or below, the truth would be as rare as any other answer, or rarer.
  if (compare(truth, rational(1n, BigInt(categories))) <= 0) {
    fail("parameter/out-of-range", {
      name: "epsilon",
      got: showParameter(epsilon),
      range: "values above 1e-18",
    })
  }
  return { kind: "randomized-response", categories, truth }
}

/** Randomized response with a given probability of truth: the coin of the classic survey is 3/4. */
export function randomizedResponseOfTruth(options: {
  readonly truth: Numeric
  readonly categories: Numeric
}): RandomizedResponseSpec {
  const categories = categoryCount(options.categories)
  const truth = positive(options.truth, "truth")
  const uniform = rational(1n, BigInt(categories))
  if (compare(truth, uniform) <= 0 || compare(truth, one) >= 0) {
    fail("parameter/out-of-range", {
      name: "truth",
      got: `${numberUp(truth)}`,
      range: `(1/${categories}, 1)`,
    })
  }
  return { kind: "randomized-response", categories, truth }
}

/**
 * Randomizes one person's answer, a category from 0.
 *
 * Guarantee: the loss is randomizedResponseLoss(spec), between any two answers that a person could have.
 * Needs: 0 <= answer < categories (checked here).
 * Proof: P(report = answer) = truth, P(report = other) = (1 - truth) / (k - 1) for each other.
 * Numerics: exact coins.
 * Source: Warner 1965; Kairouz, Oh, Viswanath 2016, for k categories.
 */
export function releaseRandomizedResponse(
  spec: RandomizedResponseSpec,
  answer: number,
  rng: RandomBits,
): number {
  if (!Number.isInteger(answer) || answer < 0 || answer >= spec.categories) {
    fail("parameter/out-of-range", {
      name: "the answer",
      got: "another value",
      range: `0 to ${spec.categories - 1}`,
    })
  }
  // Both draws are made whatever comes, so that time does not tell whether the report is true.
  const isTrue = bernoulli(spec.truth, rng)
  const other = uniformBelow(spec.categories - 1, rng)
  return isTrue ? answer : other < answer ? other : other + 1
}

/**
 * What a report loses.
 *
 * Guarantee: pure epsilon = ln(truth (k - 1) / (1 - truth)).
 * Needs: truth > 1/k (checked when the spec is made).
 * Proof: the largest ratio of two probabilities of one report is truth over (1 - truth) / (k - 1).
 * Numerics: the logarithm is rounded up.
 * Source: Warner 1965; Kairouz, Oh, Viswanath 2016.
 */
export function randomizedResponseLoss(spec: RandomizedResponseSpec): PureLosses {
  const others = rational(BigInt(spec.categories) - 1n)
  // 128 bits: rounded up less than `truth` was rounded down, so the loss stays below what was asked for.
  const epsilon = lnUp(divide(multiply(spec.truth, others), subtract(one, spec.truth)), 128)
  return pureLosses(epsilon)
}

/** How likely a single report is not the truth. */
export function randomizedResponseError(spec: RandomizedResponseSpec): ReportError {
  return { kind: "report", wrong: numberUp(subtract(one, spec.truth)) }
}

/**
 * Unbiased counts from the counts of reports: (reports - n q) / (p - q), with q = (1 - p) / (k - 1). They may
 * be negative and need not be integers; variance is about n q (1 - q) / (p - q)^2.
 */
export function estimateCounts(spec: RandomizedResponseSpec, reports: readonly bigint[]): number[] {
  if (reports.length !== spec.categories) {
    fail("parameter/length", { name: "reports", got: `${reports.length}`, expected: `${spec.categories}` })
  }
  const people = reports.reduce((sum, count) => sum + count, 0n)
  const lie = divide(subtract(one, spec.truth), rational(BigInt(spec.categories) - 1n))
  const slope = subtract(spec.truth, lie)
  return reports.map((count) => {
    const estimate = divide(subtract(rational(count), multiply(rational(people), lie)), slope)
    return numberNear(estimate)
  })
}

function categoryCount(value: Numeric): number {
  const count = wholeNumber(value, "categories", 2n)
  const limit = 1n << 32n
  if (count > limit) fail("parameter/too-large", { name: "categories", got: `${count}`, limit: `${limit}` })
  return Number(count)
}
