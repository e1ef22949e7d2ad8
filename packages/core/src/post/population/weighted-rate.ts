// Directly standardised rates of a population: the mean of the rates of strata with public weights, and an
// interval that counts both the noise and the sample.

import { fail } from "../../errors/errors.ts"
import { checkLength, notNegative, openUnit } from "../estimates/check.ts"
import { mixedWidth, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { invert, type SampledEstimate } from "./sampled-ratio.ts"
import { at } from "../estimates/vector.ts"

/** Strata: their events, then their people or time, in one list; and their weights. */
export interface WeightedStrata {
  /** The events of all strata, then the people or time of all, in the same order. */
  readonly numbers: NoisyNumbers
  readonly weights: readonly number[]
}

/**
 * The standardised rate, for one person or one unit of time.
 *
 * With weights w that add up to 1 it is the sum of w E / P. Its variance from sample to sample is the sum of
 * w^2 E / P^2, and in proportion to the rate: so the interval is the set of all rates R with (estimate -
 * R)^2 within the width for k R plus the noise, k being that variance divided by the estimate. Without noise
 * this is the score interval of a Poisson count of estimate^2 / variance events. Noise is carried through the
 * quotients to first order; where some P cannot be told from 0, all of them looked at together, the interval
 * has no upper end.
 */
export function weightedRate({ numbers, weights }: WeightedStrata, miss: number): SampledEstimate {
  openUnit(miss, "miss")
  const { values, varianceOf } = numbers
  const count = weights.length
  checkLength(values, { name: "numbers", expected: 2 * count })
  const total = weights.reduce((sum, weight, index) => sum + notNegative(weight, `weight ${index}`), 0)
  if (!(total > 0)) fail("parameter/empty", { name: "strata with a positive weight" })
  const strata = weights
    .map((weight, index) => ({
      index,
      share: weight / total,
      events: at(values, index),
      people: at(values, count + index),
    }))
    .filter(({ share }) => share > 0)
  const none = { value: undefined, low: 0, high: Infinity }
  if (strata.some(({ people }) => !(people > 0))) return none
  const estimate = strata.reduce((sum, { share, events, people }) => sum + (share * events) / people, 0)
  const value = Math.max(0, estimate)
  const isClear = strata.every(({ index, people }) => {
    const alone = values.map((_, place) => (place === count + index ? 1 : 0))
    return people > mixedWidth(varianceOf(alone), miss / strata.length)
  })
  if (!isClear) return { ...none, value }
  const gradient = values.map(() => 0)
  for (const { index, share, events, people } of strata) {
    gradient[index] = share / people
    gradient[count + index] = (-share * events) / (people * people)
  }
  const noise = varianceOf(gradient)
  const factor = factorOf(strata)
  const varianceAt = (rate: number): typeof noise => ({ ...noise, normal: noise.normal + factor * rate })
  return { value, ...invert({ top: estimate, bottom: 1, varianceAt, most: Infinity, miss }) }
}

interface Stratum {
  readonly share: number
  readonly events: number
  readonly people: number
}

/** Variance by rate. Without events it is that of the stratum whose events weigh most. */
function factorOf(strata: readonly Stratum[]): number {
  const weighs = strata.map(({ share, people }) => share / people)
  const parts = strata.map(({ events }, index) => Math.max(0, events) * at(weighs, index))
  const sum = parts.reduce((a, b) => a + b, 0)
  if (!(sum > 0)) return Math.max(...weighs)
  return parts.reduce((a, part, index) => a + part * at(weighs, index), 0) / sum
}
