// From an epsilon to integer thresholds: fractions rounded to 52 bits, always toward less loss.

import { fail } from "../errors/errors.ts"
import { exactly, positive, showParameter, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { expDown } from "../exact/exp.ts"
import { compare, floor, ceil, multiply, rational, type Rational } from "../exact/rational.ts"
import { whole } from "./draws.ts"

const wholeRational = rational(BigInt(whole))
/** Beyond this a report hides nothing, and 52 bits would no longer tell the probabilities apart. */
const epsilonMax = rational(20n)
const epsilonMin = rational(1n, 1_000_000n)

/** e^epsilon, rounded down: a ratio of probabilities that is at most this keeps the promise. */
export function oddsOf(epsilon: Numeric, name = "epsilon"): Rational {
  const exact = positive(epsilon, name)
  if (compare(exact, epsilonMax) > 0 || compare(exact, epsilonMin) < 0) {
    fail("parameter/out-of-range", { name, got: showParameter(exact), range: "0.000001 to 20" })
  }
  return expDown(exact, 128)
}

/** A probability as an integer over 2^52, rounded down. */
export function thresholdDown(probability: Rational): number {
  return Number(floor(multiply(probability, wholeRational)))
}

/** A probability as an integer over 2^52, rounded up. */
export function thresholdUp(probability: Rational): number {
  return Number(ceil(multiply(probability, wholeRational)))
}

/** The probability of a threshold. */
export function probabilityOf(threshold: number): Rational {
  return rational(BigInt(threshold), BigInt(whole))
}

/** Reads how many values, keys or bits there are. */
export function countOf(
  value: Numeric,
  { name, least, most }: { readonly name: string; readonly least: number; readonly most: number },
): number {
  const count = wholeNumber(value, name, BigInt(least))
  if (count > BigInt(most)) fail("parameter/too-large", { name, got: `${count}`, limit: `${most}` })
  return Number(count)
}

/** Refuses an answer that is none, without saying what it was. */
export function checkAnswer(isAnswer: boolean, range: string): void {
  if (!isAnswer) fail("parameter/out-of-range", { name: "the answer", got: "another value", range })
}

/** Refuses an answer that is not one of `values` categories, counted from 0. */
export function checkCategory(answer: unknown, values: number): asserts answer is number {
  const isOne = typeof answer === "number" && Number.isInteger(answer) && answer >= 0 && answer < values
  checkAnswer(isOne, `0 to ${values - 1}`)
}

/** Is a ratio of probabilities at most e^epsilon? */
export function keepsPromise(ratio: Rational, epsilon: Numeric): boolean {
  return compare(ratio, expDown(exactly(epsilon, "epsilon"), 128)) <= 0
}
