// Checks a promise of the form "this happens with at least that probability" by drawing: it is broken only
// when the misses prove it, by the lower end of Clopper and Pearson's interval.

import type { RandomBits } from "../random/random-bits.ts"
import { spendAlpha } from "./alpha-budget.ts"
import { clopperPearson } from "./clopper-pearson.ts"
import { freshSeed, seededBits } from "./seeded-bits.ts"

/** A promise, and how to try it once. */
export interface CoverageCheck {
  readonly name: string
  /** Tries once: did it hold? */
  readonly holds: (rng: RandomBits) => boolean
  /** The probability that it holds with, at least. */
  readonly confidence: number
  readonly draws: number
  /** The false-alarm rate; 1e-9 unless given. */
  readonly alpha?: number
}

/** Throws when the draws prove that the promise is broken; returns the share of draws that kept it. */
export function checkCoverage(check: CoverageCheck): number {
  const { name, holds, confidence, draws, alpha = 1e-9 } = check
  spendAlpha(alpha)
  const rng = seededBits(freshSeed())
  let misses = 0
  for (let i = 0; i < draws; i += 1) if (!holds(rng)) misses += 1
  const { lower } = clopperPearson({ successes: misses, trials: draws, alpha })
  if (lower > 1 - confidence) {
    throw new Error(
      `${name}: missed in ${misses} of ${draws} draws, more than ${1 - confidence} of them ` +
        `(alpha ${alpha}). Replay with SEED=${rng.seed}`,
    )
  }
  return 1 - misses / draws
}
