// Quotients of two numbers with noise: Fieller's interval where all of it is normal, with room for the
// roundings of the noise; else the ends are searched for.

import { add, numberNear, rationalOfNumber, zero } from "@dosimeter/core/exact"
import {
  ratioOf,
  normalWidth,
  roundingSpread,
  crossSums,
  formSums,
  type LinearForm,
  type NoiseSums,
} from "@dosimeter/core/post"
import { anything, unionOf, type Range } from "../cells/range.ts"
import { searchedRatio } from "./ratio-search.ts"
import type { RatioPart, RatioSpread } from "../cells/spread.ts"

/** The part of the miss that is set aside for roundings. */
const roundingPart = 0.02
/** Fieller's roots are good to about the square root of a double's precision where they nearly meet. */
const rootError = 4e-8

/**
 * Where the quotient of the exact numbers lies, but with probability `miss`.
 *
 * At the true quotient t the form N - t D has no centre of its own. Its normal part stays below z sqrt(V(t))
 * and its roundings below s sqrt(S(t)), V and S being quadratic in t, and (z a + s b)^2 <= (1 + e) z^2 a^2 +
 * (1 + 1/e) s^2 b^2 for every e > 0. So (N - t D)^2 is at most a quadratic form in t, which is what Fieller's
 * set (core's ratioOf) takes in place of z^2 times a variance. e depends on the noise alone, not on the
 * values.
 */
export function ratioRange(ratio: RatioSpread, miss: number): Range {
  const rangeOf = isPlain(ratio) ? fiellerRange : searchedRatio
  if (!ratio.fromZero) return rangeOf(ratio, miss)
  const { top, bottom, mayBeNull } = ratio
  if (bottom.centre.numerator <= 0n) return { low: 0, high: Infinity, mayBeNull }
  const range = rangeOf(ratio, miss)
  // The upper end grows with what is divided: no less than if 0 had been measured (interval-of-cell.ts).
  const isBelow = top.centre.numerator < 0n
  const high = isBelow ? rangeOf({ ...ratio, top: { ...top, centre: zero } }, miss).high : range.high
  return { ...range, low: Math.max(0, range.low), high }
}

/**
 * Where the quotient of the numbers of all rows lies, what is left out of each inside its range: from the
 * least to the greatest end over the corners of the two ranges.
 *
 * With a and b left out, the quotient t is in the set of |N + a - t (D + b)| <= w(t), w being convex. That
 * set grows with the corners: N + a - t (D + b) lies between its values at two of them, whatever the sign of
 * t. Where a corner's set is an interval, the linear side falls faster than w grows, so its difference from w
 * has one zero: below the lower end of that corner no other point of the box can be in its set either. A
 * corner whose set is none makes the whole unbounded.
 */
export function wholeRatioRange(ratio: RatioSpread, miss: number): Range {
  const { top, bottom } = ratio
  const [tops, bottoms] = [cornersOf(top), cornersOf(bottom)]
  if (![...tops, ...bottoms].every(Number.isFinite)) {
    return ratio.fromZero ? { low: 0, high: Infinity, mayBeNull: ratio.mayBeNull } : anything
  }
  return unionOf(
    tops.flatMap((above) =>
      bottoms.map((below) =>
        ratioRange({ ...ratio, top: moved(top, above), bottom: moved(bottom, below) }, miss),
      ),
    ),
  )
}

function cornersOf({ leftOut }: RatioPart): readonly number[] {
  return leftOut?.kind === "range" ? [...new Set([leftOut.low, leftOut.high])] : [0]
}

function moved<Part extends RatioPart>(part: Part, by: number): Part {
  return by === 0 ? part : { ...part, centre: add(part.centre, rationalOfNumber(by)) }
}

// All noise is normal, and nothing was rounded but the last digit of a double.
function isPlain({ top, bottom }: RatioSpread): boolean {
  const isNormal = [top.form, bottom.form].every(
    (form) => form === undefined || form.tree.sums.laplace.terms === 0,
  )
  const isFine = [top, bottom].every(({ slack, centre }) => slack <= Math.abs(numberNear(centre)) * 2 ** -40)
  return isNormal && isFine
}

function fiellerRange({ top, bottom, mayBeNull }: RatioSpread, miss: number): Range {
  const z = normalWidth(miss * (1 - roundingPart))
  const [upper, lower] = [
    top.form === undefined ? undefined : formSums(top.form).gaussian,
    formSums(bottom.form).gaussian,
  ]
  const spread = Math.max(
    roundingSpread(lower, miss * roundingPart),
    upper === undefined
      ? 0
      : roundingSpread({ ...upper, terms: upper.terms + lower.terms }, miss * roundingPart),
  )
  const e = Math.sqrt(spread * Math.max(relative(lower), upper === undefined ? 0 : relative(upper))) / z
  // In units of z^2, as core's quotient has them.
  const joined = ({ variance, steps }: Pick<NoiseSums["gaussian"], "variance" | "steps">): number =>
    ((1 + e) * variance + ((1 + 1 / e) * spread * steps) / (z * z)) * (1 + 1e-8)
  const { interval } = ratioOf(
    {
      numerator: {
        value: numberNear(top.centre),
        variance: upper === undefined ? 0 : joined(upper),
        law: "gaussian",
      },
      denominator: { value: numberNear(bottom.centre), variance: joined(lower), law: "gaussian" },
      covariance: covarianceOf(top.form, bottom.form, joined),
    },
    1 - miss * (1 - roundingPart),
  )
  if (!Number.isFinite(interval.lower) || !Number.isFinite(interval.upper)) return anything
  const error = rootError * Math.max(Math.abs(interval.lower), Math.abs(interval.upper))
  return { low: interval.lower - error, high: interval.upper + error, mayBeNull }
}

function relative({ variance, steps }: NoiseSums["gaussian"]): number {
  return steps / variance
}

function covarianceOf(
  top: LinearForm | undefined,
  bottom: LinearForm,
  joined: (sums: { readonly variance: number; readonly steps: number }) => number,
): number {
  return top === undefined ? 0 : joined(crossSums(top, bottom))
}
