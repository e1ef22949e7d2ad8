// What no rule that reads a ladder can do better: two tables that differ in a few people far above all
// others, whom the ladder's noise hides.

import { noiseOf } from "./loss.ts"

/** Everybody has a norm of 1, but for some people in one of two tables. */
export interface HiddenPeople {
  readonly groups: number
  /** The share of the loss that the ladder has. */
  readonly share: number
  readonly people: number
  /** Their norm. */
  readonly norm: number
  /** How likely the table that has them is. */
  readonly prior: number
}

const places = 240

/**
 * The error of the chosen norm through that of the best one, in the mean over both tables and the ladder's
 * noise, of the rule that is best for these two: so every rule is at least so bad on one of them.
 */
export function leastRatio({ groups, share, people, norm, prior }: HiddenPeople): number {
  const [whole, left] = [noiseOf("zcdp"), noiseOf("zcdp", 1 - share)].map((one) => one * Math.sqrt(groups))
  const norms = Array.from({ length: Math.ceil(8 * Math.log2(norm)) + 1 }, (_, place) => 2 ** (place / 8))
  const without = norms.map((each) => (left ?? 0) * each)
  const withThem = (noise = 0): readonly number[] =>
    norms.map((each) => Math.hypot(people * Math.max(0, norm - each), noise * each))
  const best = Math.min(...withThem(whole))
  const errors = withThem(left)
  // The count of their step is all that tells the tables apart.
  const apart = people / noiseOf("zcdp", share)
  const width = (apart + 10) / places
  let sum = 0
  for (let place = 0; place < places; place += 1) {
    const seen = -5 + width * (place + 0.5)
    const [not, there] = [(1 - prior) * density(seen), prior * density(seen - apart)]
    const ratios = norms.map(
      (_, at) => (not * (without[at] ?? 0)) / (whole ?? 1) + (there * (errors[at] ?? 0)) / best,
    )
    sum += width * Math.min(...ratios)
  }
  return sum
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}
