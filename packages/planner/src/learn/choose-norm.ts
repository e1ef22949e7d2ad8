// The norm that a ladder recommends: the one of least error, or the least at which what is left out is below
// the noise. Post-processing of noisy counts: always the same for the same counts.

import type { Norm } from "@dosimeter/core/mechanisms"
import type { NormAim } from "@dosimeter/proof/catalog/terms"
import { crowdAt, ladderPaths, type NoisyLadder } from "./ladder-paths.ts"

/** What is scaled: whole vectors by their L2 or L1 norm; of people each entry is 0 or 1. */
export interface ScaledVectors {
  readonly norm: Norm
  readonly entries: "amounts" | "people"
  /** How many numbers a vector has. */
  readonly groups: number
  /** The standard deviation of an answer's noise for a norm of 1, with what is left of the loss. */
  readonly noise: number
}

/** A norm, and how long all that it leaves out may be. */
export interface RecommendedNorm {
  readonly bound: number
  /** The sum over people of what their norms have above the bound: a middle estimate, and a high one. */
  readonly leftOut: { readonly middle: number; readonly high: number }
}

/** From so many groups on a small share finds the norm: many people are above the best one. */
export const manyGroups = 50
/** People of a step stand at so many places of it. */
const parts = 4
const highQuantile = 0.8
/** Paths are averaged by squared errors to this power: from 0.3 on, a few far tails decide alone. */
const power = 0.1
/** What is left out is brought below the noise by norms up to so many times that of least error. */
const widest = 4
/** A crowd that stands out less from the noise than this may be a false one. */
const crowdLeast = 10

/** People at a norm. */
interface Point {
  readonly norm: number
  readonly people: number
}

/** Whether so many people are seen that a norm can be read from the counts. */
export function isReadable({ counts, deviation }: NoisyLadder): boolean {
  const { height, spread } = crowdAt(counts)
  return height >= crowdLeast * deviation * spread
}

/** Chooses a norm from noisy counts alone. */
export function recommendNorm(ladder: NoisyLadder, vectors: ScaledVectors, aim: NormAim): RecommendedNorm {
  const paths = ladderPaths(ladder).map(pointsOf)
  const all = candidates(ladder.counts.length)
  const least = bestOf(all, (bound) => meanError(paths, bound, vectors))
  // A few paths may see people far out where there are none: noise for those would drown the answer.
  const near = all.filter((bound) => bound <= widest * least)
  const bound = aim === "least-error" ? least : bestOf(near, (each) => shortfall(paths, each, vectors))
  const left = paths.map((points) => leftOut(points, bound, () => 1)).toSorted((a, b) => a - b)
  return { bound, leftOut: { middle: quantileOf(left, 0.5), high: quantileOf(left, highQuantile) } }
}

/** The share of all lengths that is beyond a norm, and so does not count: an estimate from noisy counts. */
export function shareBeyond(ladder: NoisyLadder, bound: number): number {
  const shares = ladderPaths(ladder).map((path) => {
    const points = pointsOf(path)
    const all = leftOut(points, 0, () => 1)
    return all === 0 ? 0 : leftOut(points, bound, () => 1) / all
  })
  return quantileOf(
    shares.toSorted((a, b) => a - b),
    0.5,
  )
}

function bestOf(bounds: readonly number[], scoreOf: (bound: number) => number): number {
  return bounds
    .map((bound) => ({ bound, score: scoreOf(bound) }))
    .reduce((best, next) => (next.score < best.score ? next : best)).bound
}

/** Eight norms an octave, up to the ladder's end. */
function candidates(steps: number): readonly number[] {
  return Array.from({ length: 4 * steps + 1 }, (_, place) => 2 ** (place / 8))
}

/** The error, as a mean over paths in which far tails count little. */
function meanError(paths: readonly (readonly Point[])[], bound: number, vectors: ScaledVectors): number {
  const noise = vectors.groups * (vectors.noise * bound) ** 2
  return paths.reduce((sum, points) => sum + (lengthOf(points, bound, vectors) ** 2 + noise) ** power, 0)
}

/** The smallest norm at which what is left out is below the noise; where none is, the one nearest to it. */
function shortfall(paths: readonly (readonly Point[])[], bound: number, vectors: ScaledVectors): number {
  const lengths = paths.map((points) => lengthOf(points, bound, vectors)).toSorted((a, b) => a - b)
  const high = quantileOf(lengths, highQuantile) / (Math.sqrt(vectors.groups) * vectors.noise * bound)
  return high <= 1 ? bound : 1e300 * high
}

/** The length of the sum of what is left out. */
function lengthOf(points: readonly Point[], bound: number, vectors: ScaledVectors): number {
  return alignment(vectors) * leftOut(points, bound, shrinkOf(vectors))
}

/** How far people's vectors point the same way: the length of their sum through the sum of their lengths. */
function alignment({ entries, groups }: ScaledVectors): number {
  if (entries === "people") return 0.6
  return groups >= manyGroups ? 0.85 : 0.95
}

/** The L2 length of a vector through its norm. */
function shrinkOf({ norm, entries, groups }: ScaledVectors): (norm: number) => number {
  if (norm === "l2") return () => 1
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
