// What one site estimates, from noisy cells of its answer: an effect on the scale on which sites are pooled,
// with the variance of the sample and that of the noise. To first order, with the noise that cells share.

import { numberNear } from "@dosimeter/core/exact"
import { totalVariance, type LinearForm, type NoisyNumbers, type SiteEstimate } from "@dosimeter/core/post"
import { linearSpread, type RatioPart } from "../cells/spread.ts"
import { cellOf, type Cell } from "../cells/table.ts"
import { noisyNumbersOf } from "./noisy-inputs.ts"

/** Effects of two groups, from how many of how many. The two ratios are pooled as logarithms. */
export const countedEffects = ["risk-difference", "risk-ratio", "odds-ratio"] as const

/** One of these. */
export type CountedEffect = (typeof countedEffects)[number]

/** The cells of one group. */
export interface CountedCells {
  readonly events: Cell
  readonly of: Cell
}

/** The cells of one mean: the average, the variance of the values, and how many there are. */
export interface MeanCells {
  readonly mean: Cell
  readonly variance: Cell
  readonly of: Cell
}

/** A count that is nearer to 0 than this many standard deviations of its noise tells nothing of a site. */
const clearance = 3

/** The effect of a first group against a second one; undefined where counts drown in the noise. */
export function countedEffect(
  kind: CountedEffect,
  first: CountedCells,
  second: CountedCells,
): SiteEstimate | undefined {
  const numbers = noisyNumbersOf([first.events, first.of, second.events, second.of])
  if (numbers === undefined) return undefined
  if (!countParts.every((part) => isClear(numbers, part))) return undefined
  const [e1 = 0, n1 = 0, e0 = 0, n0 = 0] = numbers.values
  const { value, gradient, sampling } = effectOf(kind, { e1, n1, e0, n0 })
  return { value, sampling, noise: totalVariance(numbers.varianceOf(gradient)) }
}

/** Events and others of the first group, and of the second. */
const countParts = [
  [1, 0, 0, 0],
  [-1, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, -1, 1],
]

interface Counts {
  readonly e1: number
  readonly n1: number
  readonly e0: number
  readonly n0: number
}

interface Effect {
  readonly value: number
  /** In the order of the counts: events and all of the first group, then of the second. */
  readonly gradient: readonly number[]
  readonly sampling: number
}

function effectOf(kind: CountedEffect, { e1, n1, e0, n0 }: Counts): Effect {
  switch (kind) {
    case "risk-difference": {
      const [p1, p0] = [e1 / n1, e0 / n0]
      return {
        value: p1 - p0,
        gradient: [1 / n1, -p1 / n1, -1 / n0, p0 / n0],
        sampling: (p1 * (1 - p1)) / n1 + (p0 * (1 - p0)) / n0,
      }
    }
    case "risk-ratio":
      return {
        value: Math.log(e1 / n1 / (e0 / n0)),
        gradient: [1 / e1, -1 / n1, -1 / e0, 1 / n0],
        sampling: 1 / e1 - 1 / n1 + 1 / e0 - 1 / n0,
      }
    case "odds-ratio": {
      const [f1, f0] = [n1 - e1, n0 - e0]
      return {
        value: Math.log((e1 * f0) / (f1 * e0)),
        gradient: [1 / e1 + 1 / f1, -1 / f1, -1 / e0 - 1 / f0, 1 / f0],
        sampling: 1 / e1 + 1 / f1 + 1 / e0 + 1 / f0,
      }
    }
    default:
      return kind satisfies never
  }
}

/** A mean; undefined where the count drowns in the noise, or the variance came out below 0. */
export function meanEffect({ mean, variance, of }: MeanCells): SiteEstimate | undefined {
  const counted = noisyNumbersOf([of])
  const spread = numberOf(variance)
  const [count = 0] = counted?.values ?? []
  if (counted === undefined || spread === undefined || spread <= 0) return undefined
  if (!isClear(counted, [1])) return undefined
  const own = meanOf(mean)
  return own === undefined ? undefined : { ...own, sampling: spread / count }
}

/** A mean less another one; undefined where one of them is. */
export function meanDifference(first: MeanCells, second: MeanCells): SiteEstimate | undefined {
  const [one, other] = [meanEffect(first), meanEffect(second)]
  if (one === undefined || other === undefined) return undefined
  return {
    value: one.value - other.value,
    sampling: one.sampling + other.sampling,
    // Of different people, with noise of their own.
    noise: one.noise + other.noise,
  }
}

/** An average is a sum over a count, or one number with its noise. */
function meanOf(cell: Cell): Pick<SiteEstimate, "value" | "noise"> | undefined {
  const { spread } = cell
  if (spread?.kind === "ratio") {
    const numbers = noisyNumbersOf([
      partCell(spread.top, spread.top.form),
      partCell(spread.bottom, spread.bottom.form),
    ])
    const [top = 0, bottom = 0] = numbers?.values ?? []
    if (numbers === undefined || !isClear(numbers, [0, 1])) return undefined
    const value = top / bottom
    return { value, noise: totalVariance(numbers.varianceOf([1 / bottom, -value / bottom])) }
  }
  const numbers = noisyNumbersOf([cell])
  const [value] = numbers?.values ?? []
  if (numbers === undefined || value === undefined) return undefined
  return { value, noise: totalVariance(numbers.varianceOf([1])) }
}

function partCell({ centre, slack }: RatioPart, form: LinearForm | undefined): Cell {
  const spread = linearSpread(centre, form, { slack, mayBeNull: false, fromZero: false })
  return cellOf({ kind: "number", value: centre }, spread, "released")
}

function numberOf({ value, state }: Cell): number | undefined {
  return state === "released" && value.kind === "number" ? numberNear(value.value) : undefined
}

function isClear({ values, varianceOf }: NoisyNumbers, coefficients: readonly number[]): boolean {
  const count = values.reduce((sum, value, place) => sum + value * (coefficients[place] ?? 0), 0)
  return count > 0 && count > clearance * Math.sqrt(totalVariance(varianceOf(coefficients)))
}
