// From groups of values back to values: in the proportions of the column's own noisy table.

import type { SeededNumbers } from "./seeded-numbers.ts"

/** What values of a group are told apart by. */
export interface WithinOptions {
  /** Noisy counts, one for each value. */
  readonly counts: Float64Array
  readonly random: SeededNumbers
}

/** A value for each row, of the row's group. */
export function withinGroups(
  rows: Int32Array,
  groups: readonly number[],
  { counts, random }: WithinOptions,
): Int32Array {
  const out = new Int32Array(rows.length)
  const size = Math.max(0, ...groups) + 1
  for (let group = 0; group < size; group += 1) {
    const values = groups.flatMap((one, value) => (one === group ? [value] : []))
    const members = rows.reduce<number[]>((list, one, row) => {
      if (one === group) list.push(row)
      return list
    }, [])
    random.shuffle(members)
    const shares = fromZero(values.map((value) => counts[value] ?? 0))
    const start = random.next()
    let [reached, next] = [0, 0]
    for (const [place, value] of values.entries()) {
      reached += (shares[place] ?? 0) * members.length
      const end = place === values.length - 1 ? Infinity : reached
      while (next < members.length && next + start < end) {
        out[members[next] ?? 0] = value
        next += 1
      }
    }
  }
  return out
}

/**
 * The nearest shares that are no less than 0 and add up to 1: all are lowered by the same amount, and what
 * would be below 0 is 0. Equal shares where nothing is above 0.
 */
export function fromZero(counts: readonly number[]): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= 0 || counts.length === 0) return counts.map(() => 1 / counts.length)
  let lowered = 0
  let held = 0
  for (const [place, count] of counts.toSorted((a, b) => b - a).entries()) {
    held += count
    const lower = (held - total) / (place + 1)
    if (count - lower <= 0) break
    lowered = lower
  }
  return counts.map((count) => Math.max(0, count - lowered) / total)
}
