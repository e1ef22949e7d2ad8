// The spread of a number that is made of many draws: a cell of a margin.

import { numberNear, type Rational } from "@dosimeter/core/exact"
import { normalWidth, addForms, type LinearForm } from "@dosimeter/core/post"
import { linearSpread, type RegionSpread, type Spread } from "./spread.ts"

/** A number and what it was rounded by, at most. */
export interface MixedValue {
  readonly value: Rational
  readonly rounding: number
}

/** The spread of a sum of noise; numbers that share some of it know it. */
export function spreadOfForms(
  forms: readonly (LinearForm | undefined)[],
  { value, rounding }: MixedValue,
): Spread | undefined {
  return linearSpread(value, sumOf(forms), { slack: rounding, mayBeNull: false, fromZero: false })
}

// In pairs, so that each term is merged into another tree only a few times.
function sumOf(forms: readonly (LinearForm | undefined)[]): LinearForm | undefined {
  if (forms.length <= 1) return forms[0]
  const middle = forms.length >> 1
  return addForms(sumOf(forms.slice(0, middle)), sumOf(forms.slice(middle)))
}

/**
 * The spread of a number with normal noise and roundings of at most half a grid, where nothing is said about
 * what it shares with others: sums of such numbers have intervals that are wider than they need be.
 */
export function spreadOfNormal(
  { variance, grid }: { readonly variance: Rational; readonly grid: Rational },
  { value, rounding }: MixedValue,
): RegionSpread {
  const [deviation, step, centre] = [Math.sqrt(numberNear(variance)), numberNear(grid), numberNear(value)]
  return {
    kind: "region",
    event: {},
    rangeAt: (miss) => {
      const half = (deviation * normalWidth(miss) + 1 / 2) * step * (1 + 1e-11)
      const lost = rounding + Math.abs(centre) * 2 ** -50
      return { low: centre - half - lost, high: centre + half + lost, mayBeNull: false }
    },
  }
}
