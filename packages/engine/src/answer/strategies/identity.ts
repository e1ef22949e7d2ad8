// What an answer says of groups with noise of their own.

import { numberNear } from "@dosimeter/core/exact"
import { errorOf } from "@dosimeter/core/mechanisms"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Comparison, StrategyAnswer } from "./strategy-answer.ts"

/** Every group by itself. */
export const identityAnswer: StrategyAnswer<"identity"> = {
  noise: ({ strategy: { spec }, grid }, _, keys) => {
    if (hasGroupings(keys)) return { mechanism: spec.kind, grid }
    const amounts = spec.sensitivity.patterns.flat().map(({ amount }) => amount)
    return {
      mechanism: spec.kind,
      scale: spec.kind === "laplace" ? numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance)),
      grid,
      sensitivity: amounts.reduce((most, amount) => (amount > most ? amount : most), 0n),
    }
  },
  numbers: ({ strategy: { spec } }, [noisy = []], keys) => {
    const variance = errorOf(spec, "0.5").standardDeviation ** 2
    const sizes = keys.rows === undefined ? keys.lists.map((list) => list.length) : [noisy.length]
    return noisy.map((value, cell) => ({
      over: placesOf(sizes, cell).map(alone),
      value: `${value}`,
      variance,
    }))
  },
}

function placesOf(sizes: readonly number[], cell: number): readonly number[] {
  let left = cell
  return sizes
    .toReversed()
    .map((size) => {
      const place = left % size
      left = Math.floor(left / size)
      return place
    })
    .toReversed()
}

function alone(place: number): Comparison {
  return [place, place + 1, place + 1, "1", "0"]
}
