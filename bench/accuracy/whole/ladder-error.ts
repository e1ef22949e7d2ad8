// The error of a bound that the ladder chooses, its own cost included.

import type { RandomBits } from "@dosimeter/core"
import { PlainNoise } from "../reference-noise.ts"
import { recommendNorm, type ScaledVectors } from "@dosimeter/planner/learn/choose-norm"
import type { NormAim } from "@dosimeter/proof/catalog/terms"
import type { NoisyLadder } from "@dosimeter/planner/learn/ladder-paths"
import { ladderShare } from "@dosimeter/planner/learn/ladder-share"
import { noiseOf, normOf, type Accounting } from "./loss.ts"
import { stepsOfRow, type ScaledMeans } from "./mean-errors.ts"
import { errorsAt, wholeError, type ScaledErrors } from "./scaled-errors.ts"
import { keyCounts } from "./skewed-people.ts"

/** Steps of a ladder that has no declared end: norms up to 2^40. */
const openEnd = 81

/** Noisy counts of people by step; what the ladder has beyond its end counts at the end. */
export function noisyLadder(
  { ladder }: Pick<ScaledErrors, "ladder">,
  accounting: Accounting,
  share: number,
  noise: PlainNoise,
): NoisyLadder {
  const deviation = noiseOf(accounting, share)
  const steps = Math.max(openEnd, ladder.length)
  const counts = Array.from({ length: steps }, (_, h) => {
    const drawn = accounting === "pure" ? noise.laplace(deviation / Math.SQRT2) : noise.gaussian(deviation)
    return (ladder[h] ?? 0) + drawn
  })
  return { counts, deviation, law: accounting === "pure" ? "laplace" : "gaussian" }
}

/** What is bounded, with the noise that is left after paying for a ladder. */
export function boundedOf(
  errors: ScaledErrors,
  entries: Exclude<ScaledVectors["entries"], "averages">,
  accounting: Accounting,
): ScaledVectors {
  const share = ladderShare(accounting, errors.groups)
  const norm = normOf(accounting) === "L1" ? "l1" : "l2"
  const ofAll = norm === "l2" ? Math.sqrt(errors.groups) : errors.groups
  const longest = entries === "people" ? ofAll : undefined
  return { norm, entries, groups: errors.groups, noise: noiseOf(accounting, 1 - share), longest }
}

/** Ladders with fresh noise, so many, and what the norm is for. */
export interface LadderRuns {
  readonly runs: number
  readonly aim: NormAim
  readonly bits: RandomBits
}

/** The mean error of means by ward whose norms are chosen by ladders with fresh noise. */
export function meanLadderError(
  means: ScaledMeans,
  accounting: Accounting,
  { runs, aim, bits }: LadderRuns,
): number {
  const draws = new PlainNoise(bits)
  const groups = keyCounts.ward
  // A vector has two coordinates a group.
  const share = ladderShare(accounting, 2 * groups)
  const noise = noiseOf(accounting, 1 - share)
  const vectors = {
    norm: means.norm === "L2" ? "l2" : "l1",
    entries: "averages",
    groups,
    noise,
  } as const
  let sum = 0
  for (let run = 0; run < runs; run += 1) {
    const { bound } = recommendNorm(noisyLadder(means, accounting, share, draws), vectors, aim)
    sum += means.errorAt(bound / stepsOfRow, noise)
  }
  return sum / runs
}

/** The mean error of bounds chosen by ladders with fresh noise. */
export function ladderError(
  errors: ScaledErrors,
  entries: Exclude<ScaledVectors["entries"], "averages">,
  accounting: Accounting,
  { runs, aim, bits }: LadderRuns,
): number {
  const noise = new PlainNoise(bits)
  const bounded = boundedOf(errors, entries, accounting)
  const share = ladderShare(accounting, errors.groups)
  let sum = 0
  for (let run = 0; run < runs; run += 1) {
    const { bound } = recommendNorm(noisyLadder(errors, accounting, share, noise), bounded, aim)
    sum += wholeError(errorsAt(errors, bound).bias, bounded.noise * bound)
  }
  return sum / runs
}
