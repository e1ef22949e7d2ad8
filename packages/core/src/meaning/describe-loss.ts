// A loss in plain English, for people who decide about data and do not speak epsilon. Calm and true: every
// number is rounded against ourselves, and where nothing useful is promised it says so.

import { exactly, type Numeric } from "../exact/decimal.ts"
import { add, compare, divide, minimum, one, rational, type Rational } from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"
import type { Neighbours } from "../privacy/unit.ts"
import { balancedAccuracy, truePositiveRate } from "./attacker.ts"
import { ownDelta } from "./check-loss.ts"
import { posteriorBounds } from "./odds.ts"
import { percent, percentDown, percentUp, wordsUp } from "./words.ts"

/** What the sentences are about. */
export interface DescribeOptions {
  /** What two neighbours are; it decides what an attacker guesses. "add-or-remove" unless given. */
  readonly neighbours?: Neighbours
  /**
   * The probability with which the first two sentences may fail, for a loss that is not pure; 1/1000 unless
   * given.
   */
  readonly failure?: Numeric
  /** The share of false accusations in the last sentence; 1/100 unless given. */
  readonly falsePositiveRate?: Numeric
}

const onePercent = rational(1n, 100n)
/** Odds that may change by this much or more are as good as unprotected. */
const uselessFactor = 1_000_000

/**
 * Four sentences: how far odds move, two examples, how often an attacker is right, and how many are found.
 */
export function describeLoss(loss: Loss, options: DescribeOptions = {}): readonly string[] {
  const isPresence = (options.neighbours ?? "add-or-remove") === "add-or-remove"
  return [
    ...beliefSentences(loss, options),
    accuracySentence(loss, isPresence),
    rateSentence(loss, {
      isPresence,
      rate: exactly(options.falsePositiveRate ?? onePercent, "the false positive rate"),
    }),
  ]
}

function beliefSentences(loss: Loss, options: DescribeOptions): readonly string[] {
  const failure = exactly(options.failure ?? usualFailure(loss), "failure")
  const rare = posteriorBounds({ loss, prior: onePercent, failure })
  const even = posteriorBounds({ loss, prior: rational(1n, 2n), failure })
  const surely = rare.failure === 0 ? "Whatever is released" : `But for a chance of ${percent(failure)}`
  if (!(rare.oddsFactor < uselessFactor)) {
    return [
      `A loss this large limits what can be learned about one person too little to be called protection.`,
      `An attacker could become all but certain of a guess that was held at 1 %.`,
    ]
  }
  return [
    `${surely}, one person's data changes the odds of any guess about that person by a factor of at most ` +
      `${wordsUp(rare.oddsFactor)}, up or down.`,
    `A guess that was held at 1 % rises to ${percentUp(rare.upper)} at most, and one held at 50 % stays between ` +
      `${percentDown(even.lower)} and ${percentUp(even.upper)}.`,
  ]
}

function accuracySentence(loss: Loss, isPresence: boolean): string {
  const question = isPresence
    ? "whether a person is in the data, both being equally likely,"
    : "which of two equally likely records a person has"
  const right = percentUp(balancedAccuracy(loss))
  return `An attacker who must say ${question} is right at most ${right} of the time; a coin is right 50 % of it.`
}

function rateSentence(
  loss: Loss,
  { isPresence, rate }: { readonly isPresence: boolean; readonly rate: Rational },
): string {
  const found = percentUp(truePositiveRate({ loss, falsePositiveRate: rate }))
  const [wrongly, rightly] = isPresence
    ? ["of the people who are not in the data", "of those who are"]
    : ["of the people to whom a suspicion does not apply", "of those to whom it does"]
  return `An attacker who may accuse ${percent(rate)} ${wrongly} accuses at most ${found} ${rightly}.`
}

/** 1/1000; where delta is not below that, twice delta or half way to 1. */
function usualFailure(loss: Loss): Rational {
  const usual = rational(1n, 1000n)
  const delta = ownDelta(loss)
  if (compare(delta, usual) < 0) return usual
  return minimum(add(delta, delta), divide(add(delta, one), rational(2n)))
}
