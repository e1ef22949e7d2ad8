// The bound that a ladder of norms recommends: the least error, or what is left out below the noise. The
// reference for what the planner chooses: it shares no code with it.

import { ladderPaths, type NoisyLadder } from "./ladder-paths.ts"

/** What is bounded: whole vectors by their L2 or L1 norm; of people each entry is 0 or 1. */
export interface Bounded {
  readonly norm: "L1" | "L2"
  readonly entries: "amounts" | "people"
  readonly groups: number
  /** The standard deviation of an answer's noise for a bound of 1, with what is left of the loss. */
  readonly noise: number
}

/** What shall hold at the bound. */
export type Aim = "least error" | "below the noise"

/** A bound, and how much of people's norms it is expected to leave out. */
export interface Recommended {
  readonly bound: number
  /** The sum over people of what their norms have above the bound: a middle estimate, and a high one. */
  readonly leftOut: { readonly middle: number; readonly high: number }
}

/** The share of the loss that a ladder is worth, by accounting. */
export function ladderShare(accounting: "pure" | "zcdp" | "gdp", groups: number): number {
  if (accounting === "pure") return groups >= manyGroups ? 0.05 : 0.12
  return groups >= manyGroups ? 0.05 : 0.2
}

const manyGroups = 50
const parts = 4
const highQuantile = 0.8
/** Paths are averaged by squared errors to this power: from 0.3 on, a few far tails decide alone. */
const power = 0.1

/** People at a norm. */
interface Point {
  readonly norm: number
  readonly people: number
}

/** Chooses a bound from noisy counts alone. */
export function recommend(ladder: NoisyLadder, bounded: Bounded, aim: Aim): Recommended {
  const paths = ladderPaths(ladder).map(pointsOf)
  const bound = candidates(ladder.counts.length)
    .map((each) => ({ each, score: scoreOf(paths, each, bounded, aim) }))
    .reduce((best, next) => (next.score < best.score ? next : best)).each
  const left = paths.map((points) => leftOut(points, bound, () => 1)).toSorted((a, b) => a - b)
  return { bound, leftOut: { middle: quantileOf(left, 0.5), high: quantileOf(left, highQuantile) } }
}

/** Eight bounds an octave, up to the ladder's end. */
function candidates(steps: number): readonly number[] {
  return Array.from({ length: 4 * steps + 1 }, (_, place) => 2 ** (place / 8))
}

function scoreOf(paths: readonly (readonly Point[])[], bound: number, bounded: Bounded, aim: Aim): number {
  const { groups, noise } = bounded
  const lengths = paths.map((points) => alignment(bounded) * leftOut(points, bound, shrinkOf(bounded)))
  const whole = groups * (noise * bound) ** 2
  if (aim === "least error") {
    return lengths.reduce((sum, length) => sum + (length ** 2 + whole) ** power, 0) / paths.length
  }
  // The smallest bound that holds; where none does, the one that comes nearest.
  const high =
    quantileOf(
      lengths.toSorted((a, b) => a - b),
      highQuantile,
    ) / Math.sqrt(whole)
  return high <= 1 ? bound : 1e300 * high
}

/** How far people's vectors point the same way: the length of their sum through the sum of their lengths. */
function alignment({ entries, groups }: Bounded): number {
  if (entries === "people") return 0.6
  return groups >= manyGroups ? 0.85 : 0.95
}

/** The L2 length of a vector through its norm. */
function shrinkOf({ norm, entries, groups }: Bounded): (norm: number) => number {
  if (norm === "L2") return () => 1
  return entries === "people" ? (own) => 1 / Math.sqrt(own) : () => groups ** -0.3
}

function leftOut(points: readonly Point[], bound: number, shrink: (norm: number) => number): number {
  return points.reduce(
    (sum, { norm, people }) => (norm > bound ? sum + people * (norm - bound) * shrink(norm) : sum),
    0,
  )
}

/** People of a step stand in it as thickly as the steps around it tell: falling where those fall. */
function pointsOf(path: readonly number[]): readonly Point[] {
  return path.flatMap((people, h) => {
    if (people === 0) return []
    const before = path[h - 1] ?? 0
    const fall = before === 0 ? 1 : Math.sqrt(((path[h + 1] ?? 0) + 0.25) / (before + 0.25))
    const ratio = Math.min(1, Math.max(0.003, fall))
    const weights = Array.from({ length: parts }, (_, part) => ratio ** ((part + 0.5) / parts))
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    return weights.map((weight, part) => ({
      norm: 2 ** ((h - 1 + (part + 0.5) / parts) / 2),
      people: (people * weight) / whole,
    }))
  })
}

function quantileOf(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0
}
