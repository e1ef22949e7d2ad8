// Released numbers with noise that they may share, seen through one question: how uncertain is a sum of
// multiples of them? And how far a normal part and a Laplace part together may reach.

import { logNormalTail } from "../../exact/normal-doubles.ts"
import { allFinite, checkLength, openUnit } from "./check.ts"
import { checkEstimate, type Estimate } from "./estimate.ts"
import { normalUpper } from "./normal-quantile.ts"
import { at } from "./vector.ts"

/** The variance of a normal part and of a Laplace part, which are independent. */
export interface MixedVariance {
  readonly normal: number
  readonly laplace: number
}

/** Released numbers. */
export interface NoisyNumbers {
  readonly values: readonly number[]
  /** The noise in the sum of coefficient times value, over all values. */
  readonly varianceOf: (coefficients: readonly number[]) => MixedVariance
}

/** Numbers that were released independently of each other. A law that is not known counts as Laplace. */
export function independentNumbers(estimates: readonly Estimate[]): NoisyNumbers {
  estimates.forEach((estimate, index) => checkEstimate(estimate, `estimate ${index}`))
  return {
    values: estimates.map(({ value }) => value),
    varianceOf: (coefficients) => {
      let [normal, laplace] = [0, 0]
      for (const [index, { variance, law }] of estimates.entries()) {
        const part = at(coefficients, index) ** 2 * variance
        if (law === "gaussian") normal += part
        else laplace += part
      }
      return { normal, laplace }
    },
  }
}

/** Numbers without noise. */
export function publicNumbers(values: readonly number[]): NoisyNumbers {
  return { values: allFinite(values, "value"), varianceOf: () => ({ normal: 0, laplace: 0 }) }
}

/** Some of the numbers, in another order. */
export function pickNumbers({ values, varianceOf }: NoisyNumbers, places: readonly number[]): NoisyNumbers {
  return {
    values: places.map((place) => at(values, place)),
    varianceOf: (coefficients) => {
      checkLength(coefficients, { name: "coefficients", expected: places.length })
      const spread = values.map(() => 0)
      places.forEach((place, index) => (spread[place] = at(spread, place) + at(coefficients, index)))
      return varianceOf(spread)
    },
  }
}

/** The variance of both parts together. */
export function totalVariance({ normal, laplace }: MixedVariance): number {
  return normal + laplace
}

/**
 * A width that the sum of a normal and of Laplace variables passes, up or down, with probability `miss` at
 * most; good to four digits.
 *
 * Several Laplace variables are taken for one with their variance, and the width is at least that of a normal
 * variable with the variance of all. The tail of a sum of Laplace variables lies between those two: it is a
 * normal one whose variance is itself random, and the more terms, the less so. Checked against convolutions
 * in noisy-numbers.test.ts.
 */
export function mixedWidth({ normal, laplace }: MixedVariance, miss: number): number {
  openUnit(miss, "miss")
  const total = normal + laplace
  if (!(laplace > 0)) return Math.sqrt(total) * normalUpper(miss / 2)
  if (!Number.isFinite(total)) return Infinity
  const widths = widthsAt(miss)
  const place = (laplace / total) * nodes
  const index = Math.min(nodes - 1, Math.floor(place))
  const [before, after] = [at(widths, index), at(widths, index + 1)]
  return Math.sqrt(total) * (before + (after - before) * (place - index))
}

/** In how many steps the share of the Laplace part is cut. */
const nodes = 128

/** Widths for variance 1, by the share of the Laplace part. A table has thousands of cells and few misses. */
const known = new Map<number, Float64Array>()

function widthsAt(miss: number): Float64Array {
  const found = known.get(miss)
  if (found !== undefined) return found
  const widths = Float64Array.from({ length: nodes + 1 }, (_, index) => widthOf(index / nodes, miss))
  if (known.size >= 64) known.clear()
  known.set(miss, widths)
  return widths
}

/** The width for variance 1, of which the Laplace part has this share. */
function widthOf(share: number, miss: number): number {
  const asNormal = normalUpper(miss / 2)
  if (share === 0) return asNormal
  const scale = Math.sqrt(share / 2)
  if (share === 1) return Math.max(asNormal, -scale * Math.log(miss))
  const deviation = Math.sqrt(1 - share)
  const target = Math.log(miss)
  // ln of the tail is concave and falls: Newton's steps end at the root from above.
  let t = 0
  for (let step = 0; step < 100; step += 1) {
    const { logTail, slope } = mixedTail(t, deviation, scale)
    const next = t + (logTail - target) / slope
    if (step > 0 && !(next < t - 1e-12 * t)) break
    t = next
  }
  return Math.max(asNormal, t)
}

/**
 * ln P(|N + L| > t) for a normal N and a Laplace L, and how fast it falls: P(N + L > t) = P(N > t) + e^(s^2 /
 * 2b^2) / 2 (e^(-t/b) P(Z > s/b - t/s) - e^(t/b) P(Z > t/s + s/b)).
 */
function mixedTail(
  t: number,
  deviation: number,
  scale: number,
): { readonly logTail: number; readonly slope: number } {
  const [ratio, standard] = [deviation / scale, t / deviation]
  const lift = (ratio * ratio) / 2
  const falling = Math.exp(lift - t / scale + logNormalTail(ratio - standard))
  const rising = Math.exp(lift + t / scale + logNormalTail(standard + ratio))
  const tail = 2 * Math.exp(logNormalTail(standard)) + falling - rising
  return { logTail: Math.log(tail), slope: (falling + rising) / scale / tail }
}
