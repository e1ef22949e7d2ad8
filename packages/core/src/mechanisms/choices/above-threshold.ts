// The sparse vector technique: a stream of questions "is this above the threshold?", paid for by the answers
// above, not by the questions. The proven variant: one noisy threshold, fresh noise for each question, only a
// yes or no comes out.

import { fail } from "../../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { lnUp } from "../../exact/log.ts"
import { add, ceil, divide, multiply, rational, type Rational } from "../../exact/rational.ts"
import { sampleDiscreteLaplace } from "../../noise/discrete-laplace.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import type { ChoiceError } from "../shared/error.ts"
import { pureLosses, type PureLosses } from "../shared/pure-losses.ts"

/** Answers questions against a threshold until `answers` of them were above. */
export interface AboveThresholdSpec {
  readonly kind: "above-threshold"
  readonly thresholdScale: Rational
  readonly queryScale: Rational
  /** How many answers "above" are given before it stops. */
  readonly answers: bigint
  /** How many questions may be asked in all; for the error statement and against endless use. */
  readonly questions: bigint
  readonly sensitivity: bigint
  readonly queries: "monotone" | "any"
}

/**
 * The sparse vector technique with a total pure loss epsilon. The loss is split between threshold and
 * questions in the ratio 1 : (2 answers)^(2/3) (monotone: answers^(2/3)), which minimises the variance of
 * their difference.
 */
export function aboveThreshold(options: {
  readonly epsilon: Numeric
  readonly answers: Numeric
  readonly questions: Numeric
  readonly sensitivity: Numeric
  readonly queries: "monotone" | "any"
}): AboveThresholdSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  const answers = wholeNumber(options.answers, "answers")
  const sensitivity = wholeNumber(options.sensitivity, "query sensitivity", 0n)
  if (sensitivity === 0n) fail("privacy/zero-sensitivity", { name: "the query" })
  const shifts = answers * (options.queries === "monotone" ? 1n : 2n)
  // Any split is private; this one is good. The cube root is taken in integers, on a 2^-20 grid.
  const share = rational(cubeRoot((shifts * shifts) << 60n), 1n << 20n)
  const forThreshold = divide(epsilon, add(rational(1n), share))
  const forQueries = divide(multiply(epsilon, share), add(rational(1n), share))
  return {
    kind: "above-threshold",
    thresholdScale: divide(rational(sensitivity), forThreshold),
    queryScale: divide(rational(shifts * sensitivity), forQueries),
    answers,
    questions: wholeNumber(options.questions, "questions"),
    sensitivity,
    queries: options.queries,
  }
}

/** A running sparse vector: it keeps its noisy threshold to itself. */
export interface ThresholdRun {
  /** Is the exact value above the threshold? A noisy answer; refused once all answers are used up. */
  ask(exact: bigint): boolean
}

/**
 * Starts a run against a public threshold.
 *
 * Guarantee: all answers together lose aboveThresholdLoss(spec), however the questions depend on earlier
 *   answers.
 * Needs: one unit changes each question's value by at most spec.sensitivity; with "monotone", all in the same
 *   direction (the caller).
 * Proof: see aboveThresholdLoss.
 * Numerics: integers with exact integer noise; `>=` on integers.
 * Source: Lyu, Su, Li 2017, algorithm 7 (of the six published variants, one of the two that are private).
 */
export function releaseAboveThreshold(
  spec: AboveThresholdSpec,
  threshold: bigint,
  rng: RandomBits,
): ThresholdRun {
  const noisyThreshold = threshold + sampleDiscreteLaplace(spec.thresholdScale, rng)
  let answersLeft = spec.answers
  let questionsLeft = spec.questions
  return {
    ask(exact) {
      if (answersLeft === 0n || questionsLeft === 0n)
        fail("mechanism/finished", { mechanism: "sparse vector" })
      questionsLeft -= 1n
      const isAbove = exact + sampleDiscreteLaplace(spec.queryScale, rng) >= noisyThreshold
      if (isAbove) answersLeft -= 1n
      return isAbove
    },
  }
}

/**
 * What a whole run loses.
 *
 * Guarantee: pure epsilon = D / thresholdScale + c D / queryScale, c = 2 answers (or answers, if monotone).
 * Needs: as releaseAboveThreshold.
 * Proof: fix the noise t of the threshold. Moving to a neighbour, shift t by D: every "below" stays below,
 *   since no value rose by more than D; that costs D / thresholdScale. Each "above" stays above if its own
 *   noise is raised by 2 D (its value may fall by D while the threshold rose by D), at D 2 / queryScale each,
 *   and there are at most `answers`. If all values move one way: when they fall, t need not be shifted and
 *   each "above" is raised by D; when they rise, t is shifted by D, and each "above" is raised by D for that
 *   alone. D is an integer, so the shifts map integers onto integers.
 * Numerics: exact fractions; rho is rounded up.
 * Source: Lyu, Su, Li 2017, theorems 2 and 4.
 */
export function aboveThresholdLoss(spec: AboveThresholdSpec): PureLosses {
  const shifts = spec.answers * (spec.queries === "monotone" ? 1n : 2n)
  const epsilon = add(
    divide(rational(spec.sensitivity), spec.thresholdScale),
    divide(rational(shifts * spec.sensitivity), spec.queryScale),
  )
  return pureLosses(epsilon)
}

/**
 * With probability at least 1 - miss, every answer is right for values farther than this from the threshold:
 * the size of a noise exceeds s ln(2 n / miss) with probability at most miss / n, and n draws are made, one
 * for each question and one for the threshold.
 */
export function aboveThresholdError(spec: AboveThresholdSpec, miss: Rational): ChoiceError {
  const log = lnUp(divide(rational(2n * (spec.questions + 1n)), miss))
  return { kind: "choice", shortfall: ceil(multiply(log, add(spec.thresholdScale, spec.queryScale))) + 1n }
}

/** floor(n^(1/3)). */
function cubeRoot(n: bigint): bigint {
  let low = 0n
  let high = 1n
  while (high * high * high <= n) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle * middle <= n) low = middle
    else high = middle
  }
  return low
}
