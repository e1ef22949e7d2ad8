// A learner that sees data through noisy sums only. What every round measures is fixed before anything is
// read; which sums they are may depend on the noisy sums of the rounds before, and on nothing else.

import { add, rational, zero, type Rational } from "@dosimeter/core/exact"
import { lossIn, type GaussianSpec } from "@dosimeter/core/mechanisms"
import type { GdpLoss } from "@dosimeter/core"
import type { RandomBits } from "@dosimeter/core/noise"
import { releaseSums } from "./release-sums.ts"

/** One measurement of a training: what it is for, and its noise. */
export interface Round {
  readonly name: string
  readonly spec: GaussianSpec
}

/** The side that sees data: exact sums, to be kept secret until noise is on them. */
export interface Reader<State> {
  /**
   * The exact sums of a round. Neighbours change them by no more than the sensitivity of the round's spec.
   */
  sums(state: State, round: number): Float64Array
}

/** A training as plain steps; whoever holds the data drives it. */
export interface Learner<Data, State, Model> {
  readonly rounds: readonly Round[]
  /** What is known before the first round. */
  readonly start: State
  open(data: Data): Reader<State>
  /** What is known after a round, from its noisy sums. */
  next(state: State, round: number, noisy: Float64Array): State
  finish(state: State): Model
}

/**
 * Runs all rounds of a training.
 *
 * Guarantee: the loss is roundsLoss(learner.rounds).
 * Needs: each round's exact sums change by no more than its spec's sensitivity between neighbours, for every
 *   state (the learner's promise, proven where its sums are made).
 * Proof: the model is a function of the noisy sums alone. Each round is a Gaussian mechanism on the data
 *   whose question depends on the noisy sums before it, and their losses add up (roundsLoss).
 * Numerics: as releaseSums.
 * Source: none; the composition is that of roundsLoss.
 */
export function trainLearner<Data, State, Model>(
  learner: Learner<Data, State, Model>,
  data: Data,
  rng: RandomBits,
): Model {
  const reader = learner.open(data)
  let state = learner.start
  for (const [round, { spec }] of learner.rounds.entries()) {
    state = learner.next(state, round, releaseSums(spec, reader.sums(state, round), rng))
  }
  return learner.finish(state)
}

/**
 * The loss of all rounds together.
 *
 * Guarantee: as a mu-GDP loss, for rounds whose sums depend on earlier noisy sums.
 * Needs: all rounds read the same units by specs fixed beforehand.
 * Proof: Gaussian mechanisms add up in mu squared, also where each depends on the answers before it.
 * Numerics: exact fractions.
 * Source: Dong, Roth, Su 2022, corollary 2; lossOf of core for each round.
 */
export function roundsLoss(rounds: readonly Round[]): GdpLoss {
  let muSquared: Rational = zero
  for (const { spec } of rounds) {
    const loss = lossIn(spec, "gdp")
    muSquared = add(muSquared, loss.measure === "gdp" ? loss.muSquared : rational(0n))
  }
  return { measure: "gdp", muSquared, delta: zero }
}
