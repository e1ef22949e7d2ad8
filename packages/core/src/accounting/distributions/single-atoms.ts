// One release whose loss sits on atoms alone (Laplace noise, randomized response, an (epsilon, delta)): its
// curve is a finite sum, so no lattice is needed.

import type { LossLaw, LossPair } from "./loss-law.ts"

/** What roundings of the sum may amount to, as a part of its terms. */
const slack = 1e-12

/** Whether the curve of a pair is a finite sum. */
export function isAtomic({ forward, backward }: LossPair): boolean {
  return [forward, backward].every(({ smooth, lower }) => smooth === undefined && lower?.smooth === undefined)
}

/**
 * delta at an epsilon, from above and from below.
 *
 * Guarantee: upper is at least, lower at most, the hockey-stick divergence of the law at epsilon.
 * Needs: a law without a smooth part; epsilon >= 0 (the callers).
 * Proof: delta(epsilon) = P(infinite) + sum over losses above epsilon of mass (1 - e^(epsilon - loss)). Where
 *   the law is itself an upper bound, `lower` bounds the truth from below.
 * Numerics: doubles; all terms are positive, so the relative error of the sum is below that of a term plus
 *   the number of terms (at most 2^18) times 2^-53, together below the slack.
 * Source: Sommer, Meiser, Mohammadi 2019, section 4.
 */
export function atomicDelta(
  law: LossLaw,
  epsilon: number,
): { readonly upper: number; readonly lower: number } {
  return {
    upper: sumAbove(law, epsilon) * (1 + slack),
    lower: sumAbove(law.lower ?? law, epsilon) * (1 - slack),
  }
}

function sumAbove({ atoms, infinite }: LossLaw, epsilon: number): number {
  let sum = infinite
  for (const { loss, mass } of atoms) if (loss > epsilon) sum -= mass * Math.expm1(epsilon - loss)
  return sum
}

/** The least epsilon at which delta is kept, from above and from below; Infinity where none keeps it. */
export function atomicEpsilon(
  law: LossLaw,
  delta: number,
): { readonly upper: number; readonly lower: number } {
  return {
    upper: leastThat(law, (epsilon) => atomicDelta(law, epsilon).upper <= delta).kept,
    lower: leastThat(law, (epsilon) => atomicDelta(law, epsilon).lower <= delta).missed,
  }
}

/** Two neighbouring epsilons: one that keeps, one that does not; a condition that once true stays true. */
function leastThat(
  { atoms }: LossLaw,
  keeps: (epsilon: number) => boolean,
): { readonly kept: number; readonly missed: number } {
  let missed = 0
  if (keeps(missed)) return { kept: 0, missed: 0 }
  let kept = atoms.reduce((most, { loss }) => Math.max(most, loss), 0)
  if (!keeps(kept)) return { kept: Infinity, missed: Infinity }
  for (let step = 0; step < 1100; step += 1) {
    const middle = missed + (kept - missed) / 2
    if (middle <= missed || middle >= kept) break
    if (keeps(middle)) kept = middle
    else missed = middle
  }
  return { kept, missed }
}
