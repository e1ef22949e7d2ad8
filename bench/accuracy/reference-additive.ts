// Counts, sums, means and variances as peers answer them. With n aggregates in one question each gets an
// equal part of the loss, and so does key selection, as in GoogleSQL; a mean is a centred sum and a count
// with half each, a variance two sums and a count with a third each, as in Google's library.

import { split, type Loss, type NoiseKind, type PlainNoise } from "./reference-noise.ts"

/** What one group holds. */
export interface Moments {
  readonly count: number
  readonly sum: number
  readonly squares: number
}

/** The declared range of the values. */
export interface ValueRange {
  readonly lower: number
  readonly upper: number
}

/** How a peer protects numbers: its noise, its loss, and how many groups of a unit count. */
export interface Protection {
  readonly kind: NoiseKind
  readonly noise: PlainNoise
  readonly loss: Loss
  readonly groups: number
}

/** A noisy count of rows, one from each unit and group. */
export function referenceCount(exact: number, protection: Protection): number {
  return noisy(exact, 1, protection)
}

/** A noisy sum: one unit adds at most the end of the range that is farther from 0. */
export function referenceSum({ sum }: Moments, { lower, upper }: ValueRange, protection: Protection): number {
  return noisy(sum, Math.max(Math.abs(lower), Math.abs(upper)), protection)
}

/** A noisy mean: the sum of distances from the middle of the range, and a count, half of the loss each. */
export function referenceMean(exact: Moments, range: ValueRange, protection: Protection): number {
  const half = part(protection, 2)
  const [middle, reach] = middleOf(range)
  const count = Math.max(1, noisy(exact.count, 1, half))
  const sum = noisy(exact.sum - middle * exact.count, reach, half)
  return clamp(middle + sum / count, range.lower, range.upper)
}

/** A noisy population variance: a third of the loss each for squares, sum and count. */
export function referenceVariance(exact: Moments, range: ValueRange, protection: Protection): number {
  const third = part(protection, 3)
  const [middle, reach] = middleOf(range)
  const count = Math.max(1, Math.round(noisy(exact.count, 1, third)))
  const sum = noisy(exact.sum - middle * exact.count, reach, third)
  const centred = exact.squares - 2 * middle * exact.sum + middle ** 2 * exact.count
  const squares = noisy(centred, reach ** 2, third)
  return clamp(squares / count - (sum / count) ** 2, 0, reach ** 2)
}

/** The same protection with one of so many equal parts of its loss. */
export function part(protection: Protection, parts: number): Protection {
  return { ...protection, loss: split(protection.loss, parts) }
}

/** A number plus noise. */
export function noisy(exact: number, amount: number, { kind, noise, loss, groups }: Protection): number {
  return exact + kind.draw(noise, loss, { groups, amount })
}

function middleOf({ lower, upper }: ValueRange): readonly [middle: number, reach: number] {
  return [(lower + upper) / 2, (upper - lower) / 2]
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.min(Math.max(value, lower), upper)
}
