// How a descent with momentum, penalty and averaging responds, in one direction of the curvature: how much of
// the optimum it reaches, and how much of the noise of its rounds stays in the average.

import { averagedFrom } from "./train.ts"
import type { Schedule } from "./schedule.ts"

/** The response of a descent in a direction. */
export interface Response {
  /** The share of the optimum that the average reaches from 0. */
  readonly reached: number
  /** The deviation of the average for noise of deviation 1 in every round. */
  readonly noise: number
}

/** The response where the loss has this curvature. */
export function responseTo(curvature: number, schedule: Schedule): Response {
  const { rounds, step, momentum, penalty } = schedule
  const from = averagedFrom(rounds)
  // A curvature that noise made so large that a descent would not settle is taken for one where it does.
  const pull = Math.min(step * (Math.max(curvature, 0) + penalty), 1.9 * (1 + momentum))
  // Where a push of 1 in one round has got to after so many more, added up.
  const added = new Float64Array(rounds + 1)
  let [place, velocity] = [-step, -step]
  for (let later = 0; later < rounds; later += 1) {
    added[later + 1] = (added[later] ?? 0) + place
    velocity = momentum * velocity - pull * place
    place += velocity
  }
  let [reached, square] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    // Pushed in this round, seen after it: the average is over what follows rounds `from` to the last.
    const seen = ((added[rounds - round] ?? 0) - (added[Math.max(0, from - round)] ?? 0)) / (rounds - from)
    reached -= seen * Math.max(pull / step - penalty, 0)
    square += seen * seen
  }
  return { reached: Math.min(1, Math.max(0, reached)), noise: Math.sqrt(square) }
}
