// Two groups compared: risk ratio and difference, rate ratio, odds ratio. The interval of the comparison is
// recovered from those of the two groups.

import { fail } from "../../errors/errors.ts"
import { pickNumbers, totalVariance, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { sampledRatio, sampleVariance, type SampledEstimate, type SamplingLaw } from "./sampled-ratio.ts"
import { at } from "../estimates/vector.ts"

/**
 * (a / b) / (c / d) of the population, for numbers a, b, c, d: a risk ratio, rate ratio or odds ratio.
 *
 * The distance of each group's ratio from the end of its interval stands for its deviation (Zou and Donner's
 * method of variance estimates recovery; Donner and Zou 2012 for ratios), so the interval is not symmetric
 * where those of the groups are not. Without noise the groups' intervals are score intervals. Noise that the
 * groups share counts as correlation.
 *
 * Where the second group's ratio cannot be told from 0 there is no upper end.
 */
export function ratioOfRatios(numbers: NoisyNumbers, law: SamplingLaw, miss: number): SampledEstimate {
  const { first, second, correlation } = groupsOf(numbers, law, miss)
  const [p, q] = [first.value, second.value]
  const value = p === undefined || q === undefined || q <= 0 ? undefined : p / q
  if (p === undefined || q === undefined || q <= 0) return { value, low: 0, high: Infinity }
  const lower = rootsOf({ p, q, up: p - first.low, down: second.high - q, correlation })
  const upper = rootsOf({ p, q, up: first.high - p, down: q - second.low, correlation })
  return { value, low: Math.max(0, lower.small), high: upper.large }
}

/**
 * a / b - c / d of the population. Without noise, Newcombe's interval (his method 10) for a difference of
 * risks. See ratioOfRatios.
 */
export function differenceOfRatios(numbers: NoisyNumbers, law: SamplingLaw, miss: number): SampledEstimate {
  const { first, second, correlation } = groupsOf(numbers, law, miss)
  const [p, q] = [first.value, second.value]
  const value = p === undefined || q === undefined ? undefined : p - q
  const least = first.low - second.high
  const most = first.high - second.low
  if (p === undefined || q === undefined || value === undefined) return { value, low: least, high: most }
  const width = (a: number, b: number): number =>
    Math.sqrt(Math.max(0, a * a + b * b - 2 * correlation * a * b))
  return {
    value,
    // No further than the ends of both, which also takes care of those that are infinite.
    low: Math.max(least, value - finiteOr(width(p - first.low, second.high - q))),
    high: Math.min(most, value + finiteOr(width(first.high - p, q - second.low))),
  }
}

function finiteOr(width: number): number {
  return Number.isNaN(width) ? Infinity : width
}

interface Groups {
  readonly first: SampledEstimate
  readonly second: SampledEstimate
  /** Of the two ratios, through noise that they share. */
  readonly correlation: number
}

function groupsOf(numbers: NoisyNumbers, law: SamplingLaw, miss: number): Groups {
  const { values, varianceOf } = numbers
  if (values.length !== 4) {
    fail("parameter/length", { name: "numbers", got: `${values.length}`, expected: "4" })
  }
  const [a, b, c, d] = [at(values, 0), at(values, 1), at(values, 2), at(values, 3)]
  const first = sampledRatio(pickNumbers(numbers, [0, 1]), law, miss)
  const second = sampledRatio(pickNumbers(numbers, [2, 3]), law, miss)
  if (first.value === undefined || second.value === undefined) return { first, second, correlation: 0 }
  const one = [1 / b, -first.value / b, 0, 0]
  const other = [0, 0, 1 / d, -second.value / d]
  const sum = totalVariance(varianceOf(one.map((part, index) => part + at(other, index))))
  const difference = totalVariance(varianceOf(one.map((part, index) => part - at(other, index))))
  const own =
    totalVariance(varianceOf(one)) + sampleVariance(law, { top: a, bottom: b, t: first.value }) / (b * b)
  const others =
    totalVariance(varianceOf(other)) + sampleVariance(law, { top: c, bottom: d, t: second.value }) / (d * d)
  const scale = 4 * Math.sqrt(own * others)
  const correlation = scale > 0 ? (sum - difference) / scale : 0
  return { first, second, correlation: Math.min(1, Math.max(-1, correlation)) }
}

/** The t with (p - t q)^2 = up^2 + t^2 down^2 - 2 t correlation up down. */
function rootsOf(of: {
  readonly p: number
  readonly q: number
  readonly up: number
  readonly down: number
  readonly correlation: number
}): { readonly small: number; readonly large: number } {
  const { p, q, up, down, correlation } = of
  if (!Number.isFinite(down)) return { small: 0, large: Infinity }
  if (!Number.isFinite(up)) return { small: 0, large: Infinity }
  const a = q * q - down * down
  const b = p * q - correlation * up * down
  const c = p * p - up * up
  const root = Math.sqrt(Math.max(0, b * b - a * c))
  const small = b + root > 0 ? c / (b + root) : 0
  return { small: Number.isFinite(small) ? small : 0, large: a > 0 ? (b + root) / a : Infinity }
}
