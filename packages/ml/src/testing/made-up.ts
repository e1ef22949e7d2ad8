// Made-up data for tests and benchmarks, from replayable bits.

import type { RandomBits } from "@dosimeter/core/noise"
import type { Examples } from "../columns/columns.ts"

/** A number from 0 to 1. */
export function unit(rng: RandomBits): number {
  return (rng.word() + 0.5) / 2 ** 32
}

/** A normal number. */
export function normal(rng: RandomBits): number {
  return Math.sqrt(-2 * Math.log(unit(rng))) * Math.cos(2 * Math.PI * unit(rng))
}

/** Rows made one by one: features, and the target last. */
export function examplesOf(rows: number, make: (row: number) => readonly number[]): Examples {
  const made = Array.from({ length: rows }, (_, row) => make(row))
  const width = (made[0]?.length ?? 1) - 1
  const column = (place: number): Float64Array => Float64Array.from(made, (row) => row[place] ?? NaN)
  return { rows, features: Array.from({ length: width }, (_, place) => column(place)), target: column(width) }
}

/** The same rows but one. */
export function withoutRow({ rows, features, target }: Examples, out: number): Examples {
  const keep = (values: Float64Array): Float64Array => values.filter((_, row) => row !== out)
  return { rows: rows - 1, features: features.map(keep), target: keep(target) }
}

/** The chance that a score of a 1 is above a score of a 0, ties counted by half. */
export function areaUnderCurve(scores: Float64Array, labels: Float64Array): number {
  const order = [...scores.keys()].toSorted((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))
  let [positives, sum] = [0, 0]
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]) to += 1
    for (let at = from; at < to; at += 1) {
      if (labels[order[at] ?? 0] !== 1) continue
      positives += 1
      sum += (from + to + 1) / 2
    }
    from = to
  }
  return (sum - (positives * (positives + 1)) / 2) / (positives * (scores.length - positives))
}
