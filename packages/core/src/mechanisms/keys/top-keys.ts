// The k keys with the largest scores, when the keys themselves come from the data: k choices by the
// exponential mechanism among the keys that are there and "no more", which has a fixed score so high that a
// key of a single unit hardly ever passes it. How many keys a unit holds matters in a logarithm only.

import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { roundUp } from "../../exact/dyadic.ts"
import { lnUp } from "../../exact/log.ts"
import {
  ceil,
  divide,
  minimum,
  multiply,
  one,
  rational,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { sampleSoftmax } from "../../noise/argmax.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import type { KeyError } from "../shared/error.ts"
import { decayUp } from "../additive/laplace.ts"
import { rangeLosses } from "../shared/pure-losses.ts"

/** Choose the k best keys of those that are there, best first; fewer, where "no more" is drawn before. */
export interface TopKeysSpec {
  readonly kind: "top-keys"
  readonly k: bigint
  /** The loss of each choice. */
  readonly epsilonPerChoice: Rational
  /** The most that one unit adds to the score of a key; it takes nothing away. */
  readonly sensitivity: bigint
  /** The most keys that one unit may hold. */
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
  /** The score of "no more". */
  readonly threshold: bigint
}

/** The k best keys, for a total pure loss epsilon but for a probability of delta. */
export function topKeys(options: {
  readonly k: Numeric
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly sensitivity: Numeric
  readonly groupsPerUnit: Numeric
  readonly neighbours: Neighbours
}): TopKeysSpec {
  const k = wholeNumber(options.k, "k")
  const sensitivity = wholeNumber(options.sensitivity, "score sensitivity", 0n)
  if (sensitivity === 0n) fail("privacy/zero-sensitivity", { name: "the score" })
  const groupsPerUnit = wholeNumber(options.groupsPerUnit, "groups per unit")
  const delta = betweenZeroAndOne(options.delta, "delta")
  const spec = {
    kind: "top-keys",
    k,
    epsilonPerChoice: divide(positive(options.epsilon, "epsilon"), rational(k)),
    sensitivity,
    groupsPerUnit,
    neighbours: options.neighbours,
  } as const
  // k g e^(-rate (threshold - sensitivity)) <= delta; a little more room, so that the rounding of the power
  // does not matter.
  const odds = divide(rational(k * groupsPerUnit), multiply(delta, subtract(one, rational(1n, 1n << 40n))))
  return { ...spec, threshold: sensitivity + ceil(divide(lnUp(odds), rateOf(spec))) }
}

/**
 * Chooses by the scores of all keys that are there; returns places in the list, best first.
 *
 * Guarantee: the loss is topKeysLoss(spec), for the list returned.
 * Needs: the keys are those that at least one unit holds; a unit holds at most groupsPerUnit keys and adds
 *   between 0 and spec.sensitivity to the score of each; keys are named only where they are in the list, and
 *   in an order that does not depend on the others (the caller).
 * Proof: see topKeysLoss.
 * Numerics: exact draws.
 * Source: as topKeysLoss.
 */
export function releaseTopKeys(spec: TopKeysSpec, scores: readonly bigint[], rng: RandomBits): number[] {
  const rate = rateOf(spec)
  const left = scores.map((score, key) => ({ score, key }))
  const chosen: number[] = []
  for (let i = 0n; i < spec.k; i += 1n) {
    const place = sampleSoftmax({ scores: [...left.map(({ score }) => score), spec.threshold] }, rate, rng)
    // The last candidate is "no more".
    if (place === left.length) break
    const [best] = left.splice(place, 1)
    if (best !== undefined) chosen.push(best.key)
  }
  return chosen
}

/**
 * What the choices lose together.
 *
 * Guarantee: k epsilon, k epsilon^2/8-zCDP and k times the GDP loss of a pure epsilon, each but for a
 *   probability of delta; epsilon the loss of each choice.
 * Needs: as releaseTopKeys.
 * Proof: top-keys.proof.md.
 * Numerics: delta is rounded up; epsilon and rho are exact.
 * Source: after Durfee and Rogers 2019, whose threshold follows the data; proof and constants are ours.
 */
export function topKeysLoss(spec: TopKeysSpec): Losses {
  const { k, epsilonPerChoice } = spec
  const { pure, zcdp, gdp } = rangeLosses(epsilonPerChoice, k)
  const delta = missUp(spec)
  return {
    approx: { measure: "approx", epsilon: pure.epsilon, delta },
    zcdp: { ...zcdp, delta },
    ...(gdp === undefined ? {} : { gdp: { ...gdp, delta } }),
  }
}

/** A key of this score is preferred to "no more" with probability at least 1 - miss, whenever both are left. */
export function topKeysError(spec: TopKeysSpec, miss: Rational): KeyError {
  const odds = divide(subtract(one, miss), miss)
  const isLikely = odds.numerator > odds.denominator
  const more = isLikely ? ceil(divide(lnUp(odds), rateOf(spec))) : 0n
  return { kind: "keys", shownFrom: spec.threshold + more }
}

/** k g e^(-rate (threshold - sensitivity)), rounded up, and at most 1. */
function missUp(spec: TopKeysSpec): Rational {
  const rise = spec.threshold - spec.sensitivity
  if (rise <= 0n) return one
  const each = decayUp(multiply(rateOf(spec), rational(rise)))
  return minimum(one, roundUp(multiply(rational(spec.k * spec.groupsPerUnit), each)))
}

/** Scores move one way when a unit comes or goes, both ways when it is replaced. */
function rateOf(spec: Pick<TopKeysSpec, "epsilonPerChoice" | "sensitivity" | "neighbours">): Rational {
  const sides = spec.neighbours === "replace" ? 2n : 1n
  return divide(spec.epsilonPerChoice, rational(sides * spec.sensitivity))
}
