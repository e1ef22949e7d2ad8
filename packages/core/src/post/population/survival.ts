// Survival from one histogram of (time bin, event or not): numbers at risk by sums from the end, Kaplan and
// Meier's product, and intervals that count both the noise and the sample.

import { checkLength, openUnit } from "../estimates/check.ts"
import { isotonic } from "../consistency/isotonic.ts"
import { mixedWidth, totalVariance, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { invert, type SampledEstimate } from "./sampled-ratio.ts"
import { at } from "../estimates/vector.ts"

/** More bins than this have values and no bounded intervals. */
const binsMax = 2000

/** What is known at the end of a bin. */
export interface SurvivalPoint extends SampledEstimate {
  /** The number at risk in the bin. */
  readonly atRisk: number
  /** Greenwood's variance: from sample to sample, without the noise. */
  readonly greenwood: number
  /** The variance of the noise, to first order. */
  readonly noise: number
}

/**
 * The probability to be without the event at the end of each bin.
 *
 * `numbers` are the events of all bins in the order of time, then those who were last seen in each bin
 * without the event. People are at risk in their bin and in all before it; who was last seen in a bin is at
 * risk in the whole of it.
 *
 * Value: the product of 1 - events / at risk. Noise may make it rise; the nearest curve that does not, inside
 * 0 to 1, is given. Undefined from the first bin on where nobody is left at risk.
 *
 * Interval: all S with (product - S)^2 within the width for S (1 - S) / n plus the noise, where n is the
 * number of people that Greenwood's variance is worth (Rothman 1978: Wilson's interval, without noise). The
 * noise is carried through the product to first order. From the first bin on where the number at risk cannot
 * be told from 0 it is what the bin before says, down to 0. It holds for each bin by itself, not for all of
 * the curve at once.
 */
export function survivalCurve(numbers: NoisyNumbers, miss: number): readonly SurvivalPoint[] {
  openUnit(miss, "miss")
  const bins = numbers.values.length / 2
  checkLength(numbers.values, { name: "numbers", expected: 2 * Math.floor(bins) })
  const atRisk = atRiskOf(numbers.values, bins)
  const isBounded = bins <= binsMax
  const steps = isBounded ? stepsOf(numbers, { atRisk, miss }) : plainSteps(numbers.values, atRisk)
  const curve = monotone(steps)
  const people = peopleOf(steps, curve)
  let before: Pick<SampledEstimate, "low" | "high"> = { low: 0, high: 1 }
  return atRisk.map((risk, bin) => {
    const step = steps[bin]
    const value = curve[bin]
    const own = people[bin]
    if (step === undefined || value === undefined || own === undefined) {
      return {
        value: undefined,
        low: 0,
        high: before.high,
        atRisk: risk,
        greenwood: Infinity,
        noise: Infinity,
      }
    }
    const { noise } = step
    const bounds =
      isBounded && step.isClear
        ? invert({
            top: step.product,
            bottom: 1,
            varianceAt: (s) => ({ ...noise, normal: noise.normal + (s * Math.max(0, 1 - s)) / own.worth }),
            most: 1,
            miss,
          })
        : { low: 0, high: before.high }
    before = bounds
    return { value, ...bounds, atRisk: risk, greenwood: own.greenwood, noise: totalVariance(noise) }
  })
}

/** How many are at risk in each bin: all of its own and of later ones. */
function atRiskOf(values: readonly number[], bins: number): readonly number[] {
  const atRisk = Array.from({ length: bins }, () => 0)
  let sum = 0
  for (let bin = bins - 1; bin >= 0; bin -= 1) {
    sum += at(values, bin) + at(values, bins + bin)
    atRisk[bin] = sum
  }
  return atRisk
}

interface Step {
  /** The product up to here; may be above 1, and rise. */
  readonly product: number
  readonly atRisk: number
  readonly noise: { readonly normal: number; readonly laplace: number }
  /** Whether the numbers at risk up to here can be told from 0. */
  readonly isClear: boolean
}

/** As long as somebody is at risk. The gradient of the product, by all numbers, goes along. */
function stepsOf(
  { values, varianceOf }: NoisyNumbers,
  { atRisk, miss }: { readonly atRisk: readonly number[]; readonly miss: number },
): readonly Step[] {
  const bins = atRisk.length
  const steps: Step[] = []
  const gradient = values.map(() => 0)
  let [product, isClear] = [1, true]
  for (const [bin, people] of atRisk.entries()) {
    if (!(people > 0)) break
    const later = values.map((_, place) => (place % bins >= bin ? 1 : 0))
    isClear &&= people > mixedWidth(varianceOf(later), miss)
    const events = at(values, bin)
    const kept = isClear ? Math.max(0, 1 - events / people) : clampUnit(1 - events / people)
    const byRisk = (product * events) / (people * people)
    for (let place = 0; place < gradient.length; place += 1) {
      gradient[place] = kept * at(gradient, place) + (place % bins >= bin ? byRisk : 0)
    }
    gradient[bin] = at(gradient, bin) - product / people
    product *= kept
    steps.push({ product, atRisk: people, noise: isClear ? varianceOf(gradient) : endless, isClear })
  }
  return steps
}

const endless = { normal: Infinity, laplace: 0 }

function plainSteps(values: readonly number[], atRisk: readonly number[]): readonly Step[] {
  const steps: Step[] = []
  let product = 1
  for (const [bin, people] of atRisk.entries()) {
    if (!(people > 0)) break
    product *= Math.max(0, 1 - at(values, bin) / people)
    steps.push({ product, atRisk: people, noise: endless, isClear: false })
  }
  return steps
}

/** The nearest curve that never rises; what is nearly certain hardly moves. */
function monotone(steps: readonly Step[]): readonly number[] {
  const weights = steps.map(({ noise }) => {
    const variance = totalVariance(noise)
    return 1 / (1e-12 + (Number.isFinite(variance) ? variance : 1e6))
  })
  const products = steps.map(({ product }) => Math.min(product, 1e6))
  return isotonic(products, { direction: "falling", weights, atLeast: 0, atMost: 1 })
}

interface Worth {
  readonly greenwood: number
  /** How many people the variance is worth, all of them seen to the end. */
  readonly worth: number
}

/** Greenwood's variance by its recursion, along the curve that does not rise. */
function peopleOf(steps: readonly Step[], curve: readonly number[]): readonly Worth[] {
  let [before, greenwood] = [1, 0]
  let worth = 1
  return steps.map(({ atRisk }, bin) => {
    const now = at(curve, bin)
    const kept = before > 0 ? Math.min(1, now / before) : 0
    greenwood = kept * kept * greenwood + (before * before * kept * (1 - kept)) / atRisk
    if (now >= 1) worth = atRisk
    else if (now > 0 && greenwood > 0) worth = (now * (1 - now)) / greenwood
    else if (before > 0) worth = atRisk / before
    before = now
    return { greenwood, worth }
  })
}

function clampUnit(value: number): number {
  return Math.min(1, Math.max(0, value))
}
