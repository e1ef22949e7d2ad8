// What one unit can do to the parts of a table. Part A of a table is what its attributes A say jointly beyond
// what fewer of them say: summed over all other attributes, compared within each of A.

import { assert } from "../../errors/assert.ts"
import {
  add,
  compare,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { boundedSensitivity, l2SquaredOf } from "../../privacy/sensitivity.ts"
import type { Neighbours } from "../../privacy/unit.ts"

/** A table of sums and what one unit may add to it: between lower and upper in each of its cells. */
export interface CountedTable {
  /** How many values each attribute has. */
  readonly sizes: readonly bigint[]
  /** The most cells of the table that a unit is in. */
  readonly groupsPerUnit: bigint
  readonly lower: bigint
  readonly upper: bigint
  readonly neighbours: Neighbours
}

/**
 * The most that one unit changes part A of a table: the greatest d' P d over all changes d of the table,
 * where P is K over A times 11' over the other attributes, K = I - 11'/c.
 *
 * Guarantee: no change that a unit can make has a greater d' P d. Where a unit is in one cell and its amounts
 *   have one sign, some change reaches it.
 * Needs: the bounds of the table hold (proved by whoever made them).
 * Proof: the entries of P for two cells depend on where they agree only, so the worst choice of at most g
 *   cells is bounded by the largest of them: margin-parts.proof.md.
 * Numerics: exact fractions.
 * Source: Xiao, He, Zhang, Kifer 2023 (ResidualPlanner), for one cell; the rest is above.
 */
export function partChange(table: CountedTable, attributes: readonly number[]): Rational {
  const { sizes, neighbours } = table
  const groups = groupsOf(table)
  const [least, most] = amountsOf(table)
  const largest = -least > most ? -least : most
  if (attributes.length === 0) {
    const change = groups * (neighbours === "replace" ? most - least : largest)
    return rational(change * change)
  }
  const entries = entriesOf(attributes.map((attribute) => sizeAt(sizes, attribute)))
  const other = productOf(sizes.filter((_, attribute) => !attributes.includes(attribute)))
  const apart = entries.filter(({ agree }) => other > 1n || agree < attributes.length)
  const hasBothSigns = least < 0n && most > 0n
  const pull = worst(apart, hasBothSigns, (entry) => entry)
  const push = worst(entries, hasBothSigns, negate)
  const p = entries.find(({ agree }) => agree === attributes.length)?.entry ?? one
  const pairs = multiply(rational(groups * (groups - 1n)), pull)
  const square = rational(largest * largest)
  const own = multiply(square, add(multiply(rational(groups), p), pairs))
  const spread = rational(other * tableChange(table))
  if (neighbours === "add-or-remove") return minimum(own, spread)
  const cross = multiply(square, multiply(rational(2n * groups * groups), push))
  const both = minimum(add(multiply(rational(2n), own), cross), multiply(rational(4n), own))
  return minimum(both, spread)
}

/** The most that one unit changes the table: the greatest sum of squares. */
export function tableChange(table: CountedTable): bigint {
  const [lower, upper] = amountsOf(table)
  const groupsInAll = productOf(table.sizes)
  const { neighbours } = table
  return l2SquaredOf(
    boundedSensitivity({ groupsPerUnit: groupsOf(table), groupsInAll, lower, upper, neighbours }),
  )
}

/** The product of some sizes. */
export function productOf(sizes: readonly bigint[]): bigint {
  return sizes.reduce((product, size) => product * size, 1n)
}

/** The size of an attribute. */
export function sizeAt(sizes: readonly bigint[], attribute: number): bigint {
  const size = sizes[attribute]
  assert(size !== undefined, "an attribute is one of the table's")
  return size
}

/** How many attributes of the part two cells agree in, and their entry of P. */
interface Entry {
  readonly agree: number
  readonly entry: Rational
}

function entriesOf(sizes: readonly bigint[]): readonly Entry[] {
  let entries: readonly Entry[] = [{ agree: 0, entry: one }]
  for (const size of sizes) {
    const share = rational(1n, size)
    entries = entries.flatMap(({ agree, entry }) => [
      { agree, entry: multiply(entry, negate(share)) },
      { agree: agree + 1, entry: multiply(entry, subtract(one, share)) },
    ])
  }
  return entries
}

function worst(
  entries: readonly Entry[],
  hasBothSigns: boolean,
  direction: (entry: Rational) => Rational,
): Rational {
  const sizeOf = (entry: Rational): Rational => (compare(entry, zero) < 0 ? negate(entry) : entry)
  return entries.map(({ entry }) => (hasBothSigns ? sizeOf(entry) : direction(entry))).reduce(maximum, zero)
}

// Nobody is in more cells than there are.
function groupsOf({ sizes, groupsPerUnit }: CountedTable): bigint {
  const cells = productOf(sizes)
  return groupsPerUnit < cells ? groupsPerUnit : cells
}

// A unit may be in fewer cells: then it adds nothing to the others.
function amountsOf({ lower, upper }: CountedTable): readonly [bigint, bigint] {
  return [lower < 0n ? lower : 0n, upper > 0n ? upper : 0n]
}
