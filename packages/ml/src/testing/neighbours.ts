// The second way of knowing a learner's sensitivity: all of its exact sums, on data with one unit and
// without, at every state that a training comes to.

import { l2SquaredOf } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { Learner } from "../rounds/learner.ts"
import { releaseSums } from "../rounds/release-sums.ts"

/** For every round: the squared length of the change, beside what its spec allows. */
export function changesBetween<Data, State, Model>(
  learner: Learner<Data, State, Model>,
  [data, neighbour]: readonly [Data, Data],
  rng: RandomBits,
): { readonly name: string; readonly change: bigint; readonly allowed: bigint }[] {
  const [own, other] = [learner.open(data), learner.open(neighbour)]
  let state = learner.start
  return learner.rounds.map(({ name, spec }, round) => {
    const [exact, without] = [own.sums(state, round), other.sums(state, round)]
    if (exact.length !== without.length) throw new Error(`${name}: the number of sums depends on a unit`)
    const change = exact.reduce((sum, value, at) => sum + BigInt(value - (without[at] ?? NaN)) ** 2n, 0n)
    state = learner.next(state, round, releaseSums(spec, exact, rng))
    return { name, change, allowed: l2SquaredOf(spec.sensitivity) }
  })
}
