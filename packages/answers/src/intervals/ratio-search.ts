// Quotients of two numbers with any noise, Laplace tails and roundings included: as Fieller's interval, but
// the ends are searched for.

import { multiply, numberNear } from "@dosimeter/core/exact"
import {
  missMin,
  normalWidth,
  roundingSpread,
  laplaceSumQuantile,
  termsOf,
  type LinearForm,
} from "@dosimeter/core/post"
import { anything, type Range } from "../cells/range.ts"
import type { RatioSpread } from "../cells/spread.ts"

/** More draws than this are left to interval arithmetic: each is looked at in every step of the search. */
export const searchedTermsMax = 64

/**
 * Where the quotient of the exact numbers lies, but with probability `miss`.
 *
 * At the true quotient t the exact numbers of N - t D cancel, and what is left is noise: a linear form with
 * the coefficients a - t b of the draws, and roundings of at most r + |t| s. So |N - t D| <= w(t) but with
 * probability `miss`, for every bound w that holds for the form; t is in the set where that is true. Each w
 * taken here is a seminorm of (a - t b, r, t s), so that w(t) <= w(u) + |t - u| w', w' being w of the bottom
 * alone. With D > w' > 0 (else nothing is known) the set is an interval: t D - N - w(t) is concave, at most 0
 * at u = N / D, and at least 0 from u + w(u) / (D - w') on. Bisection finds the end between. Several bounds
 * hold at the same t, so the part that all sets share may be taken.
 */
export function searchedRatio({ top, bottom, mayBeNull }: RatioSpread, miss: number): Range {
  const sign = bottom.centre.numerator < 0n ? -1 : 1
  const [above, below] = [sign * numberNear(top.centre), sign * numberNear(bottom.centre)]
  if (miss < missMin) return anything
  let [low, high] = [-Infinity, Infinity]
  for (const width of widthsOf({ top, bottom }, miss)) {
    high = Math.min(high, endOf(above, below, width))
    low = Math.max(low, -endOf(-above, below, (t) => width(-t)))
  }
  return Number.isFinite(high) && Number.isFinite(low) ? { low, high, mayBeNull } : anything
}

/** A bound of the form N - t D that holds but for the miss. */
type Width = (t: number) => number

/** More than all roundings of doubles on the way. */
const slack = 1 + 1e-9

/** The largest t with t * bottom - top <= width(t), rounded up; Infinity if there is none. */
function endOf(top: number, bottom: number, width: Width): number {
  const far = 2 ** 200
  const slope = (width(far) / far) * slack
  if (!(bottom > slope)) return Infinity
  const start = top / bottom
  const isOutside = (t: number): boolean =>
    t * bottom - top > width(t) * slack + (Math.abs(t * bottom) + Math.abs(top)) * 2 ** -50
  let step = (width(start) / (bottom - slope)) * slack + Math.abs(start) * 2 ** -40
  for (let tries = 0; !isOutside(start + step); tries += 1) {
    if (tries > 60) return Infinity
    step = step * 2 + Number.MIN_VALUE
  }
  let [low, high] = [start, start + step]
  for (let tries = 0; tries < 40; tries += 1) {
    const middle = (low + high) / 2
    if (isOutside(middle)) high = middle
    else low = middle
  }
  return high
}

/** What each part of a form's noise counts for in a bound. */
interface Factors {
  readonly deviation: number
  readonly normalReach: number
  readonly normalSteps: number
  readonly largest: number
  readonly reach: number
  readonly steps: number
}

function widthsOf(ratio: Pick<RatioSpread, "top" | "bottom">, miss: number): readonly Width[] {
  const terms = joined(ratio)
  const { top, bottom } = ratio
  return factorsFor(terms, miss).map((factors) => (t) => {
    let [variance, normalSquares, normalReach] = [0, 0, 0]
    let [largest, squares, reach] = [0, 0, 0]
    for (const { a, b, isNormal, size } of terms) {
      const c = Math.abs(a - t * b)
      if (isNormal) {
        variance += c * c * size
        normalSquares += c * c
        normalReach += c
      } else {
        largest = Math.max(largest, c * size)
        squares += c * c
        reach += c
      }
    }
    return (
      factors.deviation * Math.sqrt(variance) +
      factors.normalReach * normalReach +
      factors.normalSteps * Math.sqrt(normalSquares) +
      factors.largest * largest +
      factors.reach * reach +
      factors.steps * Math.sqrt(squares) +
      top.slack +
      Math.abs(t) * bottom.slack
    )
  })
}

// The bounds of half-width.ts, but for those that are no seminorms.
function factorsFor(terms: readonly Term[], miss: number): readonly Factors[] {
  const tails = terms.filter(({ isNormal }) => !isNormal).length
  const normals = terms.filter(({ isNormal }) => isNormal)
  const shares = tails > 0 && normals.length > 0 ? [0.1, 0.5, 0.9] : [tails > 0 ? 1 : 0]
  return shares.flatMap((share) =>
    laplaceFactors(tails, miss * share).flatMap((laplace) =>
      normalFactors(normals, miss * (1 - share)).map((normal) => ({ ...laplace, ...normal })),
    ),
  )
}

type LaplaceFactors = Pick<Factors, "largest" | "reach" | "steps">
type NormalFactors = Pick<Factors, "deviation" | "normalReach" | "normalSteps">

function laplaceFactors(terms: number, miss: number): readonly LaplaceFactors[] {
  if (terms === 0) return [{ largest: 0, reach: 0, steps: 0 }]
  const width = 1.7
  return [
    { largest: laplaceSumQuantile(terms, miss), reach: 1, steps: 0 },
    { largest: laplaceSumQuantile(terms, miss * (1 - Math.exp(-width * width))), reach: 0, steps: width },
  ]
}

function normalFactors(terms: readonly Term[], miss: number): readonly NormalFactors[] {
  if (terms.length === 0) return [{ deviation: 0, normalReach: 0, normalSteps: 0 }]
  const part = 0.1
  const least = terms.reduce((a, { size }) => Math.min(a, size), Infinity)
  const rounding = Math.sqrt(roundingSpread({ least, terms: terms.length }, miss * part))
  return [
    { deviation: normalWidth(miss), normalReach: 1 / 2, normalSteps: 0 },
    { deviation: normalWidth(miss * (1 - part)), normalReach: 0, normalSteps: rounding },
  ]
}

/** A draw: its coefficients (times its grid) in N and in D, and its variance or scale in steps. */
interface Term {
  readonly a: number
  readonly b: number
  readonly isNormal: boolean
  readonly size: number
}

function joined({ top, bottom }: Pick<RatioSpread, "top" | "bottom">): readonly Term[] {
  const found = new Map<number, Term>()
  const put = (
    form: LinearForm,
    set: (coefficient: number) => { readonly a?: number; readonly b?: number },
  ): void => {
    for (const { base, coefficient } of termsOf(form)) {
      const isNormal = base.law === "gaussian"
      const size = numberNear(isNormal ? base.variance : base.scale)
      const known = found.get(base.id) ?? { a: 0, b: 0, isNormal, size }
      found.set(base.id, { ...known, ...set(numberNear(multiply(coefficient, base.grid))) })
    }
  }
  put(bottom.form, (b) => ({ b }))
  if (top.form !== undefined) put(top.form, (a) => ({ a }))
  return [...found.values()]
}
