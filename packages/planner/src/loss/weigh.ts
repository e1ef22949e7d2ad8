// How much each aggregate counts: the weights that an analyst gives to columns of the answer, carried down to
// the aggregates that the columns are worked out from, and turned into parts of the loss.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { Accounting } from "@dosimeter/core/accounting"
import { multiply, numberNear, rational, showParameter, type Rational } from "@dosimeter/core/exact"
import { fail } from "../errors.ts"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { columnsIn, inputsOf } from "@dosimeter/proof/algebra/walk"

/** The weight of every column of a boundary that somebody weighs; all others count 1. */
export type ColumnWeights = ReadonlyMap<ColumnId, Rational>

/** The weights of the columns of all boundaries: the largest of the outputs that a column is part of. */
export function columnWeights(
  rel: Rel,
  outputNames: readonly string[],
  weights: Readonly<Record<string, Rational>>,
): ColumnWeights {
  const found = new Map<ColumnId, Rational>()
  const sources = sourcesIn(rel)
  for (const [name, weight] of Object.entries(weights)) {
    if (weight.numerator <= 0n) fail("ask/not-positive", { name: `the weight of ${name}` })
    const places = outputNames.flatMap((output, index) => (output === name ? [index] : []))
    if (places.length === 0) fail("ask/no-such-column", { name, columns: outputNames.join(", ") })
    const waiting = places.flatMap((place) => rel.columns[place]?.id ?? [])
    const seen = new Set(waiting)
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const before = found.get(at)
      if (before === undefined || numberNear(before) < numberNear(weight)) found.set(at, weight)
      for (const below of sources.get(at) ?? []) {
        if (seen.has(below)) continue
        seen.add(below)
        waiting.push(below)
      }
    }
  }
  return found
}

/** The weight of each aggregate of a boundary. */
export function aggregateWeights(
  { keys, aggregates, columns }: Boundary,
  weights: ColumnWeights,
): readonly number[] {
  let next = keys.length
  return aggregates.map((aggregate) => {
    const width = columnCount(aggregate)
    const own = columns.slice(next, next + width).map(({ id }) => weightOf(weights.get(id)))
    next += width
    return Math.max(...own)
  })
}

function weightOf(weight: Rational | undefined): number {
  return weight === undefined ? 1 : numberNear(weight)
}

const steps = 1 << 20

/**
 * The parts of an amount for mechanisms of these weights. The error of a mechanism falls with its part as
 * 1 / part where epsilons add up, and as its root where rho or mu squared do. The sum of weight times error
 * (each relative to what the mechanism would give alone) is least for parts in proportion to weight^(1/2),
 * or weight^(2/3). Rounded down, so that they are never more than the amount together; equal weights have
 * equal parts, exactly.
 */
export function partsOfLoss(
  weights: readonly number[],
  amount: Rational,
  accounting: Accounting,
): readonly Rational[] {
  const [first, ...others] = weights
  if (others.every((weight) => weight === first)) {
    return weights.map(() => multiply(amount, rational(1n, BigInt(weights.length))))
  }
  const powers = weights.map((weight) => weight ** exponentOf(accounting))
  const total = powers.reduce((sum, power) => sum + power, 0)
  const shared = powers.map((power) =>
    BigInt(Math.max(1, Math.floor((power / total) * (steps - weights.length)))),
  )
  return shared.map((share) => multiply(amount, rational(share, BigInt(steps))))
}

/** What a part of the loss grows with: a power of the weight. */
function exponentOf(accounting: Accounting): number {
  return accounting === "pure" ? 1 / 2 : 2 / 3
}

/** The weight of something that has the parts of all of these together. */
export function weightOfAll(weights: readonly number[], accounting: Accounting): number {
  const exponent = exponentOf(accounting)
  return weights.reduce((sum, weight) => sum + weight ** exponent, 0) ** (1 / exponent)
}

/** How far apart noise is for such weights, relative to the largest: 1 and less. */
export function reachesOf(weights: readonly number[], accounting: Accounting): readonly number[] {
  // Noise falls as a part of epsilon, and as the root of a part of rho or mu squared.
  const power = exponentOf(accounting) * (accounting === "pure" ? 1 : 1 / 2)
  const most = Math.max(...weights)
  return weights.map((weight) => (weight / most) ** power)
}

/** In words, for the explanation: "persons 2". */
export function showWeights(weights: Readonly<Record<string, Rational>>): string {
  return Object.entries(weights)
    .map(([name, weight]) => `${name} ${showParameter(weight)}`)
    .join(", ")
}

// Which columns a column is worked out from, right below. Conditions and orders are not looked at.
function sourcesIn(rel: Rel, found: Map<ColumnId, ColumnId[]> = new Map()): Map<ColumnId, ColumnId[]> {
  const put = (id: ColumnId | undefined, from: Iterable<ColumnId>): void => {
    if (id === undefined) return
    found.set(
      id,
      [...(found.get(id) ?? []), ...from].filter((one) => one !== id),
    )
  }
  switch (rel.kind) {
    case "project":
      for (const [index, item] of rel.items.entries()) put(rel.columns[index]?.id, columnsIn(item))
      break
    case "aggregate":
      for (const [index, { argument }] of rel.items.entries()) {
        if (argument !== undefined) put(rel.columns[rel.keys.length + index]?.id, columnsIn(argument))
      }
      break
    case "window":
      for (const [index, item] of rel.items.entries()) {
        const id = rel.columns[rel.input.columns.length + index]?.id
        for (const arg of item.args) put(id, columnsIn(arg))
      }
      break
    case "union":
      for (const [index, { id }] of rel.columns.entries()) {
        put(
          id,
          rel.inputs.flatMap(({ columns }) => columns[index]?.id ?? []),
        )
      }
      break
    case "boundary":
      return found
    case "scan":
    case "values":
    case "filter":
    case "join":
    case "mark":
    case "sort":
    case "released":
      break
    default:
      return rel satisfies never
  }
  for (const input of inputsOf(rel)) sourcesIn(input, found)
  return found
}
