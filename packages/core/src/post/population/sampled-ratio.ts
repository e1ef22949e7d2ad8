// Risks, rates and odds of a population, from released numbers of events and of people or time. An interval
// holds the population's value: it counts the noise, and that another sample would have had other events.

import { openUnit } from "../estimates/check.ts"
import { mixedWidth, type MixedVariance, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { at } from "../estimates/vector.ts"

/** An estimate of something about a population, with the interval that was asked for. */
export interface SampledEstimate {
  /** Undefined where a denominator is not above 0. */
  readonly value: number | undefined
  readonly low: number
  readonly high: number
}

/**
 * How events vary from sample to sample. `poisson`: events in a stretch of time. `binomial`: people with
 * something among all. `odds`: people with something, and people without.
 */
export type SamplingLaw = "poisson" | "binomial" | "odds"

/**
 * The first number divided by the second, of the population.
 *
 * At the population's ratio t the form A - t B has mean 0. Its variance is that of the noise in it plus that
 * of the sample: B t for a rate, B t (1 - t) for a risk, (A + B) t for odds. The interval is the set of all t
 * at which A - t B is not too far from 0 for its variance. Without noise this is the score interval: Wilson's
 * for a risk, and the same for the odds. Where B cannot be told from 0 it reaches to the end of what is
 * possible.
 *
 * Bias: values are cut to what is possible (a risk to 0 to 1), and ratios are biased as in rates.ts.
 * Coverage: approximate, as the events are taken for normal; checked in epidemiology.stat.test.ts.
 */
export function sampledRatio(
  { values, varianceOf }: NoisyNumbers,
  law: SamplingLaw,
  miss: number,
): SampledEstimate {
  openUnit(miss, "miss")
  const [top, bottom] = [at(values, 0), at(values, 1)]
  const most = law === "binomial" ? 1 : Infinity
  const value = bottom > 0 ? Math.min(most, Math.max(0, top / bottom)) : undefined
  const clear = mixedWidth(varianceOf([0, 1]), miss)
  if (value === undefined || bottom <= clear) return { value, low: 0, high: most }
  const varianceAt = (t: number): MixedVariance => {
    const { normal, laplace } = varianceOf([1, -t])
    return { normal: normal + sampleVariance(law, { top, bottom, t }), laplace }
  }
  return { value, ...invert({ top, bottom, varianceAt, most, miss }) }
}

/** The variance of A - t B from sample to sample. */
export function sampleVariance(
  law: SamplingLaw,
  { top, bottom, t }: { readonly top: number; readonly bottom: number; readonly t: number },
): number {
  const people = Math.max(0, bottom)
  switch (law) {
    case "poisson":
      return people * t
    case "binomial":
      return people * t * Math.max(0, 1 - t)
    case "odds":
      return (Math.max(0, top) + people) * t
    default:
      return law satisfies never
  }
}

/** A test to be turned round. */
export interface Inversion {
  readonly top: number
  readonly bottom: number
  /** The variance of top - t bottom. */
  readonly varianceAt: (t: number) => MixedVariance
  /** No t is above this, or below 0. */
  readonly most: number
  readonly miss: number
}

/** The range of all t at which top - t bottom is not too far from 0. The bottom must be clear of 0. */
export function invert({ top, bottom, varianceAt, most, miss }: Inversion): {
  readonly low: number
  readonly high: number
} {
  const width = (t: number): number => mixedWidth(varianceAt(t), miss)
  const below = (t: number): number => top - t * bottom - width(t)
  const above = (t: number): number => t * bottom - top - width(t)
  const middle = Math.min(most, Math.max(0, top / bottom))
  const low = below(0) <= 0 ? 0 : lastInside(below, middle, 0)
  let far = Math.min(most, middle + (2 * width(middle) + 1) / bottom)
  for (let step = 0; step < 200 && far < most && above(far) <= 0; step += 1) {
    far = Math.min(most, middle + (far - middle) * 4)
  }
  return { low, high: above(far) <= 0 ? most : lastInside(above, middle, far) }
}

/**
 * The last point from the middle on, toward one outside, where the function is at most 0. In the middle it
 * may be 0, and fall before it rises: with no events at all the variance is 0 there, and nowhere else.
 */
function lastInside(f: (t: number) => number, middle: number, outside: number): number {
  for (let part = 1e-9; part < 1; part *= 4) {
    const start = f(middle) < 0 ? middle : middle + (outside - middle) * part
    if (f(start) < 0) return crossing(f, start, outside)
  }
  return middle
}

/** Where a function goes from at most 0 to above 0: regula falsi, with the Illinois rule. */
function crossing(f: (t: number) => number, from: number, to: number): number {
  let [inside, outside] = [from, to]
  let [valueIn, valueOut] = [f(inside), f(outside)]
  let side = 0
  for (let step = 0; step < 60; step += 1) {
    if (Math.abs(outside - inside) <= 1e-10 * Math.max(Math.abs(inside), Math.abs(outside))) break
    const weight = valueIn / (valueIn - valueOut)
    const next = inside + (outside - inside) * Math.min(0.999, Math.max(0.001, weight))
    const value = f(next)
    if (value > 0) {
      ;[outside, valueOut] = [next, value]
      if (side === 1) valueIn /= 2
      side = 1
    } else {
      ;[inside, valueIn] = [next, value]
      if (side === -1) valueOut /= 2
      side = -1
    }
    if (value === 0) return next
  }
  return outside
}
