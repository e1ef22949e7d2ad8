// The norm that a ladder recommends: the one of least error; or that one, and where it would leave out more
// than there is noise a longer one, within limits. Post-processing of noisy counts: always the same for the
// same counts.

import type { Norm } from "@dosimeter/core/mechanisms"
import type { NormAim } from "@dosimeter/proof/catalog/terms"
import { crowdAt, ladderPaths, type NoisyLadder } from "./ladder-paths.ts"
import { lastOccupied, peopleAtNorms, type Lengths, type PeopleAt } from "./people-at-norms.ts"

/**
 * What is scaled: whole vectors by their L2 or L1 norm; of people each entry is 0 or 1. Of averages each unit
 * keeps its own however short its vector is, and counts for less.
 */
export interface ScaledVectors {
  readonly norm: Norm
  readonly entries: "amounts" | "people" | "averages"
  /** How many numbers a vector has. */
  readonly groups: number
  /** The standard deviation of an answer's noise for a norm of 1, with what is left of the loss. */
  readonly noise: number
  /** No vector is longer than this, whoever adds it. */
  readonly longest?: number | undefined
}

/** A norm, and how long all that it leaves out may be. */
export interface RecommendedNorm {
  readonly bound: number
  /** The sum over people of what their norms have above the bound: a middle estimate, and a high one. */
  readonly leftOut: { readonly middle: number; readonly high: number }
}

/** From so many groups on a small share finds the norm: many people are above the best one. */
export const manyGroups = 50
/**
 * A high estimate of what is left out is more than nine paths in ten say, up to a limit, since some paths see
 * somebody far out where nobody is: twice the middle, and so many people as six deviations of the ladder's
 * noise hide, each with one norm more than counts.
 */
const high = { quantile: 0.9, middles: 2, deviations: 6 } as const
/**
 * What is left out is brought below the noise by norms up to so many times that of least error. Noise grows
 * as the norm does and what is left out shrinks, so the error grows by this factor at most.
 */
const widest = Math.SQRT2
/** A crowd that stands out less from the noise than this may be a false one. */
const crowdLeast = 10
/** The first lengths that vectors of whole numbers have are norms to choose from. */
const firstLengths = 20
/** Averages have norms that are down to so many times below that of the crowd. */
const belowCrowd = 8
/**
 * How far the averages of those who count for less are thought to be from those of others, as a share of the
 * range. It is not looked at. Half a per cent: with more, people who are alike pay for it in noise; with less
 * averages of many people go on leaning to those who have little.
 */
const unlike = 0.005

/** Whether so many people are seen that a norm can be read from the counts. */
export function isReadable({ counts, deviation }: NoisyLadder): boolean {
  const { height, spread } = crowdAt(counts)
  return height >= crowdLeast * deviation * spread
}

/** Chooses a norm from noisy counts alone. */
export function recommendNorm(ladder: NoisyLadder, vectors: ScaledVectors, aim: NormAim): RecommendedNorm {
  const paths = peopleOf(ladder, vectors)
  const all = candidates(lastOccupied(ladder.counts.length, vectors) + 1, vectors)
  const norms = all.filter((norm) => norm >= shortest(ladder, vectors))
  const least = leastError(paths, norms, vectors)
  const bound = aim === "least-error" ? least : belowNoise(paths, norms, { least, vectors })
  const left = paths.map((people) => leftOut(people, bound, () => 1)).toSorted((a, b) => a - b)
  const middle = quantileOf(left, 0.5)
  const limit = high.middles * middle + high.deviations * ladder.deviation * bound
  return { bound, leftOut: { middle, high: Math.min(limit, quantileOf(left, high.quantile)) } }
}

/** The share of all lengths that is beyond a norm, and so does not count: an estimate from noisy counts. */
export function shareBeyond(ladder: NoisyLadder, lengths: Lengths, bound: number): number {
  const shares = peopleOf(ladder, lengths).map((people) => {
    const all = leftOut(people, 0, () => 1)
    return all === 0 ? 0 : leftOut(people, bound, () => 1) / all
  })
  return quantileOf(
    shares.toSorted((a, b) => a - b),
    0.5,
  )
}

/** Where people stand by each path that the counts allow. */
function peopleOf(ladder: NoisyLadder, lengths: Lengths): readonly (readonly PeopleAt[])[] {
  const counts = ladder.counts.slice(0, lastOccupied(ladder.counts.length, lengths) + 1)
  return ladderPaths({ ...ladder, counts }).map((path) => peopleAtNorms(path, lengths))
}

/**
 * The shortest norm to choose from. Averages gain nothing by norms far below nearly everybody, of which
 * nothing would be left but the rounding of weights.
 */
function shortest({ counts }: NoisyLadder, { entries }: ScaledVectors): number {
  return entries === "averages" ? 2 ** (crowdAt(counts).mode / 2) / belowCrowd : 0
}

/** Eight norms an octave up to the ladder's end, and the first lengths of whole numbers; the longest. */
function candidates(steps: number, { norm, longest = Infinity }: ScaledVectors): readonly number[] {
  const octaves = Array.from({ length: 4 * steps + 1 }, (_, place) => 2 ** (place / 8))
  const lengths = Array.from({ length: firstLengths }, (_, place) =>
    norm === "l2" ? Math.sqrt(place + 1) : place + 1,
  )
  const shorter = [...octaves, ...lengths].filter((bound) => bound < longest)
  const all = Number.isFinite(longest) ? [...shorter, longest] : shorter
  return all.toSorted((a, b) => a - b)
}

/**
 * The norm of least error: in the mean over paths of the error through the least that the path allows. A
 * path with somebody far out has a large error at every norm, so that it decides no more than others do.
 */
function leastError(
  paths: readonly (readonly PeopleAt[])[],
  norms: readonly number[],
  vectors: ScaledVectors,
): number {
  const sums = norms.map(() => 0)
  for (const people of paths) {
    const errors = norms.map((norm) => {
      const { bias, noise } = errorsAt(people, norm, vectors)
      return Math.hypot(bias, noise)
    })
    const least = errors.reduce((best, error) => Math.min(best, error))
    errors.forEach((error, place) => {
      sums[place] = (sums[place] ?? 0) + error / least
    })
  }
  const best = sums.reduce((lowest, sum) => Math.min(lowest, sum))
  return norms[sums.indexOf(best)] ?? 1
}

/**
 * The norm of least error where what it leaves out is below the noise, by the middle of what paths say and in
 * the root mean square over groups; else the shortest at which it is, or the longest that is allowed.
 */
function belowNoise(
  paths: readonly (readonly PeopleAt[])[],
  norms: readonly number[],
  { least, vectors }: { readonly least: number; readonly vectors: ScaledVectors },
): number {
  const allowed = norms.filter((norm) => norm >= least && norm <= widest * least * (1 + 1e-9))
  const isBelow = (bound: number): boolean => {
    const ratios = paths
      .map((people) => errorsAt(people, bound, vectors))
      .map(({ bias, noise }) => bias / noise)
      .toSorted((a, b) => a - b)
    return quantileOf(ratios, 0.5) <= 1
  }
  return allowed.find(isBelow) ?? allowed.at(-1) ?? least
}

/** What a norm leaves out and the noise that it costs, in the same units. */
interface NormErrors {
  readonly bias: number
  readonly noise: number
}

/** As lengths over all groups; for averages as shares of their range. */
function errorsAt(people: readonly PeopleAt[], bound: number, vectors: ScaledVectors): NormErrors {
  if (vectors.entries === "averages") return errorsOfAverages(people, bound, vectors)
  const noise = Math.sqrt(vectors.groups) * vectors.noise * bound
  return { bias: lengthOf(people, bound, vectors), noise }
}

/**
 * An average is a sum through a weight: noise counts by how much weight is left in a group, and what is left
 * out moves the average only as far as those who lose weight are unlike others.
 */
function errorsOfAverages(
  people: readonly PeopleAt[],
  bound: number,
  { norm, groups, noise }: ScaledVectors,
): NormErrors {
  const all = leftOut(people, 0, () => 1)
  const left = all - leftOut(people, bound, () => 1)
  // A vector of length one adds up to between one and the root of the number of groups.
  const sum = norm === "l1" ? left : left * groups ** 0.25
  return { bias: unlike * (all === 0 ? 0 : 1 - left / all), noise: (noise * bound * groups) / sum }
}

/** The length of the sum of what is left out. */
function lengthOf(people: readonly PeopleAt[], bound: number, vectors: ScaledVectors): number {
  return alignment(vectors) * leftOut(people, bound, shrinkOf(vectors))
}

/** How far people's vectors point the same way: the length of their sum through the sum of their lengths. */
function alignment({ entries, groups }: ScaledVectors): number {
  if (entries === "people") return groups >= manyGroups ? 0.6 : 0.9
  return groups >= manyGroups ? 0.85 : 0.95
}

/** The L2 length of a vector through its norm. */
function shrinkOf({ norm, entries, groups }: ScaledVectors): (norm: number) => number {
  if (norm === "l2") return () => 1
  return entries === "people" ? (own) => 1 / Math.sqrt(own) : () => groups ** -0.3
}

function leftOut(all: readonly PeopleAt[], bound: number, shrink: (norm: number) => number): number {
  return all.reduce(
    (sum, { norm, people }) => (norm > bound ? sum + people * (norm - bound) * shrink(norm) : sum),
    0,
  )
}

function quantileOf(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0
}
