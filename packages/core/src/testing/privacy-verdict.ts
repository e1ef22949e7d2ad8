// From counts on two neighbours to a lower bound on epsilon. It can only falsify a claim; the proof is the
// proof.

import { clopperPearson } from "./clopper-pearson.ts"

/** How often one event happened on each of two neighbours, and the loss that was claimed. */
export interface EventCounts {
  readonly count: number
  readonly countOnNeighbour: number
  /** The draws on each of the two. */
  readonly trials: number
  readonly epsilon: number
  readonly delta: number
  readonly alphaEachSide: number
}

/** What the counts prove, but for a probability of 2 alphaEachSide. */
export interface PrivacyVerdict {
  readonly lower: number
  readonly upperOnNeighbour: number
  /** No (epsilon, delta) with this delta and a smaller epsilon holds. */
  readonly epsilonLower: number
  readonly violation: boolean
}

/** Finds a violation when P(event) > e^epsilon P'(event) + delta even with both probabilities at their kind
 * ends. */
export function privacyVerdict(counts: EventCounts): PrivacyVerdict {
  const { count, countOnNeighbour, trials, epsilon, delta, alphaEachSide: alpha } = counts
  const { lower } = clopperPearson({ successes: count, trials, alpha })
  const { upper } = clopperPearson({ successes: countOnNeighbour, trials, alpha })
  const epsilonLower = lower <= delta ? 0 : Math.max(0, Math.log((lower - delta) / upper))
  return {
    lower,
    upperOnNeighbour: upper,
    epsilonLower,
    violation: lower > Math.exp(epsilon) * upper + delta,
  }
}
