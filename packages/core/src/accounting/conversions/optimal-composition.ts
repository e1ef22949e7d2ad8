// The exact composition of losses of which nothing is known but (epsilon, delta): the worst case is
// randomized response, whose losses are few numbers, so the curve of delta against epsilon can be summed up.

import { assert } from "../../errors/assert.ts"

/** So many releases of one (epsilon, delta). */
export interface RepeatedLoss {
  readonly epsilon: number
  readonly delta: number
  readonly count: number
}

/**
 * What doubles may have lost, made up for: a mass that is d steps from the mode of its binomial has 5 d
 * roundings, and beyond 40 standard deviations (d = 40,000 for 4 million releases) doubles hold none.
 */
const raised = 1 + 5e-11
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
  return Math.min(1, deltaCurve(losses)(epsilon))
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
  const deltaAt = deltaCurve(losses)
  if (deltaAt(most * raised) > delta) return Infinity
  if (deltaAt(0) <= delta) return 0
  let low = 0
  let high = most * raised
  for (let step = 0; step < 44; step += 1) {
    const middle = (low + high) / 2
    if (deltaAt(middle) <= delta) high = middle
    else low = middle
  }
  return high
}

/** The law of a sum of losses. */
interface Sums {
  readonly losses: Float64Array
  readonly masses: Float64Array
}

function deltaCurve(losses: readonly RepeatedLoss[]): (epsilon: number) => number {
  const size = losses.reduce((product, { count }) => product * (count + 1), 1)
  assert(size <= atomsMax, "the number of distinct sums is limited")
  const kept = losses.reduce((sum, { delta, count }) => sum + count * Math.log1p(-delta), 0)
  // Given that nothing was revealed outright.
  const sums = losses
    .map(binomialSums)
    .reduce(addSums, { losses: new Float64Array(1), masses: new Float64Array([1]) })
  return (epsilon) => {
    let finite = 0
    for (let i = 0; i < sums.losses.length; i += 1) {
      const loss = sums.losses[i] ?? 0
      if (loss > epsilon) finite += (sums.masses[i] ?? 0) * -Math.expm1(epsilon - loss)
    }
    return (-Math.expm1(kept) + Math.exp(kept) * finite) * raised
  }
}

function addSums(a: Sums, b: Sums): Sums {
  const width = b.losses.length
  const losses = new Float64Array(a.losses.length * width)
  const masses = new Float64Array(losses.length)
  for (let i = 0; i < losses.length; i += 1) {
    const [x, y] = [Math.floor(i / width), i % width]
    losses[i] = (a.losses[x] ?? 0) + (b.losses[y] ?? 0)
    masses[i] = (a.masses[x] ?? 0) * (b.masses[y] ?? 0)
  }
  return { losses, masses }
}

/**
 * j of k times +epsilon, else -epsilon, each + with probability e^epsilon / (1 + e^epsilon). From the mode
 * outward by the ratio of neighbours: logarithms of large binomials would lose too many digits.
 */
function binomialSums({ epsilon, count }: RepeatedLoss): Sums {
  const masses = new Float64Array(count + 1)
  const mode = Math.min(count, Math.floor((count + 1) / (1 + Math.exp(-epsilon))))
  masses[mode] = 1
  for (let j = mode; j < count; j += 1) {
    masses[j + 1] = (masses[j] ?? 0) * ((count - j) / (j + 1)) * Math.exp(epsilon)
  }
  for (let j = mode; j > 0; j -= 1) {
    masses[j - 1] = (masses[j] ?? 0) * (j / (count - j + 1)) * Math.exp(-epsilon)
  }
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  return {
    losses: Float64Array.from({ length: count + 1 }, (_, j) => (2 * j - count) * epsilon),
    masses: masses.map((mass) => mass / total),
  }
}
