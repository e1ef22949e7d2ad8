// How far noise may carry a value: bounds that hold with at least the stated probability, for one draw and
// for sums of many. They depend on public parameters alone, so the narrowest of several may be taken.

import { assert } from "../../errors/assert.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { type Rational } from "../../exact/rational.ts"
import { gaussianEstimate, intervalOf, laplaceEstimate } from "../estimates/estimate.ts"
import { laplaceSumQuantile } from "./laplace-sum.ts"
import { formSums, onlyTerm, type LinearForm } from "./linear-form.ts"
import type { NoiseBase } from "./noise-base.ts"
import type { NoiseSums } from "./noise-sums.ts"

/** Below this the doubles behind a quantile are not good enough, and there is no bound. */
export const missMin = 1e-12
/** More than all roundings on the way. */
const slack = 1 + 1e-11

/**
 * What P(|form| > halfWidth) <= miss holds for: exact steps for a single draw; Infinity if there is no bound.
 */
export function halfWidthOf(form: LinearForm, miss: number): HalfWidth {
  assert(miss > 0 && miss < 1, "a probability of missing lies between 0 and 1")
  if (miss < missMin) return { kind: "unbounded" }
  const only = onlyTerm(form)
  if (only !== undefined) {
    return { kind: "steps", steps: stepsOf(only.base, miss), step: { ...only, grid: only.base.grid } }
  }
  return { kind: "size", size: sumHalfWidth(formSums(form), miss) * slack }
}

/** A half-width: whole steps of |coefficient| * grid, or a size. */
export type HalfWidth =
  | { readonly kind: "unbounded" }
  | { readonly kind: "size"; readonly size: number }
  | {
      readonly kind: "steps"
      readonly steps: number
      readonly step: { readonly coefficient: Rational; readonly grid: Rational }
    }

/** The least whole number that a single draw does not pass, but with probability `miss`. */
function stepsOf(base: NoiseBase, miss: number): number {
  const amount = base.law === "gaussian" ? base.variance : base.scale
  const known = steps.get(amount)
  if (known?.miss === miss && known.law === base.law) return known.steps
  const found = intervalOf(estimateOf(base), confidenceOf(miss)).upper
  steps.set(amount, { law: base.law, miss, steps: found })
  return found
}

/** The cells of a column have the same amount of noise, the same object. */
const steps = new WeakMap<
  Rational,
  { readonly law: NoiseBase["law"]; readonly miss: number; readonly steps: number }
>()

/** A draw with very little noise is taken for a little wider one, so that its variance is a double. */
function estimateOf(base: NoiseBase): Parameters<typeof intervalOf>[0] {
  return base.law === "gaussian"
    ? gaussianEstimate({ value: 0, sigmaSquared: Math.max(numberNear(base.variance), 1e-6), grid: 1 })
    : laplaceEstimate({ value: 0, scale: Math.max(numberNear(base.scale), 1 / 256), grid: 1 })
}

/** 1 - miss, with a miss that is smaller by more than the rounding of the difference. */
function confidenceOf(miss: number): number {
  return 1 - miss * (miss < 1e-7 ? 1 - 1e-3 : 1 - 1e-9)
}

/** The t with P(|Z| > t) = miss for a standard normal Z. */
export function normalWidth(miss: number): number {
  const known = widths.get(miss)
  if (known !== undefined) return known
  const found = intervalOf(gaussianEstimate({ value: 0, sigmaSquared: 1 }), confidenceOf(miss)).upper
  if (widths.size >= 4096) widths.clear()
  widths.set(miss, found)
  return found
}

/** A table has thousands of cells and one confidence. */
const widths = new Map<number, number>()

/** Parts of the miss that may be set aside for what is small. */
const parts = [0.02, 0.1, 0.3] as const

function sumHalfWidth({ gaussian, laplace }: NoiseSums, miss: number): number {
  if (laplace.terms === 0) return gaussianSum(gaussian, miss)
  if (gaussian.terms === 0) return laplaceSum(laplace, miss)
  const shares = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98]
  return Math.min(
    ...shares.map((part) => gaussianSum(gaussian, miss * part) + laplaceSum(laplace, miss * (1 - part))),
  )
}

/**
 * A sum of rounded normals is the sum of the normals, which is normal, plus the sum of the roundings. The
 * roundings are at most reach / 2 together; or `roundingSpread` bounds them, at a part of the miss.
 */
function gaussianSum(sums: NoiseSums["gaussian"], miss: number): number {
  const deviation = Math.sqrt(sums.variance)
  const certain = deviation * normalWidth(miss) + sums.reach / 2
  return parts.reduce((least, part) => {
    const rounding = Math.sqrt(roundingSpread(sums, miss * part) * sums.steps)
    return Math.min(least, deviation * normalWidth(miss * (1 - part)) + rounding)
  }, certain)
}

/**
 * The s^2 for which roundings U of normals keep |sum of c U| <= s sqrt(sum of c^2) but with probability
 * `miss`.
 *
 * U lies in [-1/2, 1/2] and is symmetric, so Hoeffding gives 2 exp(-2 s^2). From sigma = 1 on its density is
 * at most 1 + 5.4e-9 (Poisson summation: 1 + 2 sum of exp(-2 pi^2 sigma^2 j^2) cos), so its moments exceed
 * those of a uniform one by that factor at most, E exp(l U) <= (1 + 5.4e-9) exp(l^2 / 24), and the bound is
 * 2 exp(-6 s^2 + 5.4e-9 terms).
 */
export function roundingSpread(
  { least, terms }: Pick<NoiseSums["gaussian"], "least" | "terms">,
  miss: number,
): number {
  const exponent = Math.log(2 / miss)
  return least < 1 ? exponent / 2 : (exponent + 5.4e-9 * terms) / 6
}

/**
 * Discrete Laplace noise is continuous Laplace noise less an independent part: geometric variables are floors
 * of exponential ones, and the fraction does not depend on the floor. So with the sum S of the discrete ones,
 * V of the parts (each the difference of two numbers in [0, 1)), and T = S + V of the continuous ones, P(|T|
 * > t - s) >= P(|S| > t) P(V >= -s), and P(V < -s) <= exp(-s^2 / steps) by Hoeffding, or 0 for s = reach.
 */
function laplaceSum(sums: NoiseSums["laplace"], miss: number): number {
  const certain = continuousSum(sums, miss) + sums.reach
  const dithered = [1.2, 1.7, 2.2].map(
    (width) => continuousSum(sums, miss * (1 - Math.exp(-width * width))) + width * Math.sqrt(sums.steps),
  )
  // Each draw by itself, |X| > x with probability below exp(-x / scale) 2 / (1 + q) < 2 exp(-x / scale).
  const apart = sums.total * Math.log((2 * sums.terms) / miss)
  return Math.min(certain, ...dithered, chernoffSum(sums, miss), apart)
}

/**
 * A sum of Laplace variables of different scales is at least as near to 0 as if all had the largest one:
 * symmetric unimodal laws keep the order of peakedness under sums (Birnbaum 1948).
 */
function continuousSum({ terms, largest }: NoiseSums["laplace"], miss: number): number {
  return largest * laplaceSumQuantile(terms, miss)
}

/**
 * P(|S| > t) <= 2 exp(-l t) prod 1 / (1 - (l b)^2), b = |c| grid scale. The moments of discrete Laplace noise
 * are at most those of continuous: (cosh a - 1) / (cosh a - cosh l) <= a^2 / (a^2 - l^2) for a = 1 / scale,
 * since cosh(sqrt x) - 1 is convex and 0 at 0. And -ln(1 - x) / x grows with x, so that the sum of the
 * squares of the b and the largest of them are enough. Every l = share / largest gives a bound; a search
 * finds a good one.
 */
function chernoffSum({ squares, largest }: NoiseSums["laplace"], miss: number): number {
  const count = squares / (largest * largest)
  const bound = (share: number): number =>
    (largest * (Math.log(2 / miss) - count * Math.log1p(-share * share))) / share
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step += 1) {
    const [a, b] = [low + (high - low) * 0.382, low + (high - low) * 0.618]
    if (bound(a) < bound(b)) high = b
    else low = a
  }
  return bound((low + high) / 2)
}
