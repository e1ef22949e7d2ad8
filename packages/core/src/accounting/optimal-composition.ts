// The exact composition of losses of which nothing is known but (epsilon, delta): the worst case is
// randomized response, whose losses are few numbers, so the curve of delta against epsilon can be summed up.

import { assert } from "../errors/assert.ts"
import type { LossAtom } from "./loss-law.ts"

/** So many releases of one (epsilon, delta). */
export interface RepeatedLoss {
  readonly epsilon: number
  readonly delta: number
  readonly count: number
}

/** What doubles may have lost, made up for. */
const raised = 1 + 1e-11
/** More distinct sums than this are left to the lattice (pld.ts). */
const atomsMax = 4_000_000

/**
 * delta at epsilon for any mixture of releases with known losses, exactly (but for rounding, upward).
 *
 * Guarantee: no smaller delta holds for all releases of these losses; this one does.
 * Needs: the losses are fixed beforehand; the product of (count + 1) is at most 4 million (checked here).
 * Proof: an (e, d)-private release is a post-processing of one that reveals all with probability d, and else
 *   is randomized response of odds e^e; sums of the latter's losses +-e are binomial.
 * Numerics: all terms have one sign; roundings are made up for.
 * Source: Kairouz, Oh, Viswanath 2017, theorem 3.3; Murtagh and Vadhan 2016, theorem 1.5.
 */
export function optimalToDelta(losses: readonly RepeatedLoss[], epsilon: number): number {
  const kept = losses.reduce((sum, { delta, count }) => sum + count * Math.log1p(-delta), 0)
  const finite = sumAtoms(losses).reduce((sum, { loss, mass }) => {
    return loss > epsilon ? sum + mass * -Math.expm1(epsilon - loss) : sum
  }, 0)
  return Math.min(1, (-Math.expm1(kept) + Math.exp(kept) * finite) * raised)
}

/**
 * The least epsilon at which these releases keep delta; Infinity if none does.
 *
 * Guarantee: the releases together are (epsilon, delta)-private for the epsilon returned.
 * Needs: as optimalToDelta.
 * Proof: optimalToDelta falls as epsilon grows; the value returned keeps delta itself.
 * Numerics: bisection to 1e-12 of the sum of epsilons, from above.
 * Source: as optimalToDelta.
 */
export function optimalToEpsilon(losses: readonly RepeatedLoss[], delta: number): number {
  const most = losses.reduce((sum, { epsilon, count }) => sum + epsilon * count, 0)
  if (optimalToDelta(losses, most * raised) > delta) return Infinity
  if (optimalToDelta(losses, 0) <= delta) return 0
  const atoms = sumAtoms(losses)
  const kept = losses.reduce((sum, loss) => sum + loss.count * Math.log1p(-loss.delta), 0)
  const deltaAt = (epsilon: number): number => {
    const finite = atoms.reduce((sum, { loss, mass }) => {
      return loss > epsilon ? sum + mass * -Math.expm1(epsilon - loss) : sum
    }, 0)
    return (-Math.expm1(kept) + Math.exp(kept) * finite) * raised
  }
  let low = 0
  let high = most * raised
  for (let step = 0; step < 44; step += 1) {
    const middle = (low + high) / 2
    if (deltaAt(middle) <= delta) high = middle
    else low = middle
  }
  return high
}

/** The law of the sum of all losses, given that nothing was revealed outright. */
function sumAtoms(losses: readonly RepeatedLoss[]): readonly LossAtom[] {
  const size = losses.reduce((product, { count }) => product * (count + 1), 1)
  assert(size <= atomsMax, "the number of distinct sums is limited")
  return losses.reduce<readonly LossAtom[]>(
    (sums, loss) => {
      const own = binomialAtoms(loss)
      return sums.flatMap((sum) =>
        own.map((atom) => ({ loss: sum.loss + atom.loss, mass: sum.mass * atom.mass })),
      )
    },
    [{ loss: 0, mass: 1 }],
  )
}

/** j of k times +epsilon, else -epsilon, each + with probability e^epsilon / (1 + e^epsilon). */
function binomialAtoms({ epsilon, count }: RepeatedLoss): LossAtom[] {
  const logUp = -Math.log1p(Math.exp(-epsilon))
  const logDown = -Math.log1p(Math.exp(epsilon))
  let logChoose = 0
  return Array.from({ length: count + 1 }, (_, j) => {
    const mass = Math.exp(logChoose + j * logUp + (count - j) * logDown)
    logChoose += Math.log((count - j) / (j + 1))
    return { loss: (2 * j - count) * epsilon, mass }
  })
}
