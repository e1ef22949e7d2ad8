// Which rows a step of learning reads: each by a coin of its own. The accountant of sampled steps takes a
// PoissonSample and nothing else, and only this file makes one: a loader that deals out a shuffled list has
// another, larger loss.

import {
  compare,
  divide,
  floor,
  multiply,
  one,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { bernoulli, type RandomBits } from "@dosimeter/core/noise"
import type { LossEvent, Planned } from "@dosimeter/core/accounting"
import { fail } from "../errors.ts"

const wordValues = rational(1n << 32n)

/** Rows by independent coins of one bias. */
export class PoissonSample {
  /** The bias of the coins. */
  readonly rate: Rational
  readonly #whole: number
  readonly #rest: Rational

  private constructor(rate: Rational) {
    this.rate = rate
    const words = multiply(rate, wordValues)
    const whole = floor(words)
    this.#whole = Number(whole)
    this.#rest = subtract(words, rational(whole))
  }

  /**
   * So many rows a step, on average, of so many people: both are public guesses, and how many rows there
   * are is not looked at.
   */
  static ofBatch({ batch, people }: { readonly batch: number; readonly people: number }): PoissonSample {
    for (const [name, got] of [
      ["batch", batch],
      ["people", people],
    ] as const) {
      if (!Number.isSafeInteger(got) || got < 1)
        fail("model/bad-setting", { name, got: `${got}`, range: "a whole number from 1 up" })
    }
    const rate = divide(rational(BigInt(batch)), rational(BigInt(people)))
    return new PoissonSample(compare(rate, one) > 0 ? one : rate)
  }

  /**
   * Draws the rows of a step.
   *
   * Guarantee: every row below `rows` is in the sample with probability exactly `rate`, independently.
   * Needs: fair bits.
   * Proof: with T the floor of rate 2^32, a uniform word below T has the row in, and the word T itself with
   *   probability rate 2^32 - T: together T / 2^32 + (rate 2^32 - T) / 2^32 = rate. At rate 1 every word is
   *   below T.
   * Numerics: integers and fractions.
   * Source: by definition.
   */
  draw(rows: number, rng: RandomBits): Uint32Array {
    const words = new Uint32Array(rows)
    rng.fill(words)
    const drawn = new Uint32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row += 1) {
      const word = words[row] ?? 0
      if (word > this.#whole || (word === this.#whole && !bernoulli(this.#rest, rng))) continue
      drawn[count] = row
      count += 1
    }
    words.fill(0)
    return drawn.slice(0, count)
  }
}

/**
 * The events of so many steps on Poisson samples, each with Gaussian noise of `sigma` lengths of what one row
 * adds.
 *
 * Guarantee: what accountants say of these events holds for the steps together, for add-or-remove neighbours.
 * Needs: every step draws its rows by `sample.draw`, and its noise has at least that multiplier.
 * Proof: each step is the Gaussian mechanism on a Poisson sample: the event of core of that name. A sample at
 *   rate 1 is everybody.
 * Numerics: none.
 * Source: Abadi et al. 2016; core's accountants for the rest.
 */
export function stepEvents(
  sample: PoissonSample,
  { sigma, steps }: { readonly sigma: Rational; readonly steps: number },
): Planned {
  const { rate } = sample
  const event: LossEvent =
    compare(rate, one) === 0
      ? { kind: "gaussian", muSquared: divide(one, multiply(sigma, sigma)) }
      : { kind: "sampled-gaussian", rate, sigma, neighbours: "add-or-remove" }
  return { event, count: steps }
}
