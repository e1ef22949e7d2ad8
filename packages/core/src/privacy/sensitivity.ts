// What one privacy unit can change in a vector of exact answers, and its norms. Made only by the functions
// here, from contribution bounds; never 0, never guessed.

import { assert } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { wholeNumber, type Numeric } from "../exact/decimal.ts"
import type { Neighbours } from "./unit.ts"

/** `groups` coordinates that each change by at most `amount`. */
export interface ChangeBlock {
  readonly groups: bigint
  readonly amount: bigint
}

/**
 * The worst changes that one unit can make. Each pattern is a set of blocks that may occur together; whatever
 * a unit does is, coordinate by coordinate, no larger than a mixture of the patterns.
 */
export interface Sensitivity {
  readonly neighbours: Neighbours
  readonly patterns: readonly (readonly ChangeBlock[])[]
  /**
   * Where only a norm of the whole change is bounded: the patterns have that norm, and say nothing about
   * single coordinates. A bound of the L1 norm bounds the L2 norm too; not the other way round.
   */
  readonly norm?: Norm
}

/** The sum of absolute values, or the square root of the sum of squares. */
export type Norm = "l1" | "l2"

/** How one unit's contributions are bounded, in steps of the grid. */
export interface ContributionBounds {
  /** The most groups that one unit may touch; 1 for a single answer. */
  readonly groupsPerUnit: Numeric
  /** How many groups there are in all, if that is public: 1 for a single answer. Matters for replace only. */
  readonly groupsInAll?: Numeric
  /** The least and greatest amount of one unit in one group. */
  readonly lower: Numeric
  readonly upper: Numeric
  readonly neighbours: Neighbours
}

/**
 * The sensitivity of sums of amounts that lie in [lower, upper] for each unit and group that it touches.
 *
 * Adding or removing a unit changes at most k groups by at most M = max(|lower|, |upper|). Replacing it
 * changes the groups that both versions touch by at most R = upper - lower, and those that one version
 * touches by at most M: o shared ones, and at most 2 (k - o) others, o + others <= n if there are n groups
 * in all. Every additive cost is linear in these numbers, so the worst is at a corner: o = 0, o = k, or (for
 * k < n < 2k) o = 2k - n with n - k others on each side.
 */
export function boundedSensitivity(bounds: ContributionBounds): Sensitivity {
  const groups = wholeNumber(bounds.groupsPerUnit, "groups per unit")
  const lower = integerOf(bounds.lower, "the lower bound")
  const upper = integerOf(bounds.upper, "the upper bound")
  if (lower > upper)
    fail("parameter/out-of-range", { name: "the lower bound", got: `${lower}`, range: `up to ${upper}` })
  const most = magnitude(lower) > magnitude(upper) ? magnitude(lower) : magnitude(upper)
  if (most === 0n) fail("privacy/zero-sensitivity", { name: "this sum" })
  const { neighbours } = bounds
  const all =
    bounds.groupsInAll === undefined ? 2n * groups : wholeNumber(bounds.groupsInAll, "groups in all")
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
  if (neighbours === "add-or-remove")
    return { neighbours, patterns: [[{ groups: least(groups, all), amount: most }]] }
  const range = upper - lower
  const apart = [{ groups: least(2n * groups, all), amount: most }]
  // Where all amounts have one sign, `apart` is larger coordinate by coordinate.
  if (range <= most) return { neighbours, patterns: [apart] }
  const shared = [{ groups: least(groups, all), amount: range }]
  if (all <= groups) return { neighbours, patterns: [shared] }
  if (all >= 2n * groups) return { neighbours, patterns: [apart, shared] }
  const mixed = [
    { groups: 2n * groups - all, amount: range },
    { groups: 2n * (all - groups), amount: most },
  ]
  return { neighbours, patterns: [mixed, shared] }
}

/** The sensitivity of counts: each unit adds between 0 and `rowsPerGroup` to each group that it touches. */
export function countSensitivity(bounds: {
  readonly groupsPerUnit: Numeric
  readonly groupsInAll?: Numeric
  readonly rowsPerGroup: Numeric
  readonly neighbours: Neighbours
}): Sensitivity {
  const upper = wholeNumber(bounds.rowsPerGroup, "rows per group")
  return boundedSensitivity({ ...bounds, lower: 0n, upper })
}

/** The norm that all of a unit's amounts, in all groups and columns together, are kept to. */
export interface NormBounds {
  readonly norm: Norm
  /** In steps, at least 1. */
  readonly bound: bigint
  /** Whether amounts may be below 0. */
  readonly isSigned: boolean
  readonly neighbours: Neighbours
}

/**
 * The sensitivity of sums to which each unit adds a vector of a bounded norm c.
 *
 * Adding or removing a unit changes the sums by its vector w. Replacing it changes them by w - w', of norm at
 * most 2 c. Where no amount is below 0, <w, w'> >= 0, so |w - w'|^2 <= |w|^2 + |w'|^2 <= 2 c^2 for the L2
 * norm: two coordinates that change by c each.
 */
export function normSensitivity({ norm, bound, isSigned, neighbours }: NormBounds): Sensitivity {
  if (bound <= 0n) fail("privacy/zero-sensitivity", { name: "this sum" })
  if (neighbours === "add-or-remove") return { neighbours, norm, patterns: [[{ groups: 1n, amount: bound }]] }
  const worst = isSigned ? { groups: 1n, amount: 2n * bound } : { groups: 2n, amount: bound }
  return { neighbours, norm, patterns: [[worst]] }
}

/** Several columns over the same units, released as one vector. */
export function joinSensitivities(columns: readonly Sensitivity[]): Sensitivity {
  const [first, ...others] = columns
  if (first === undefined) return fail("parameter/empty", { name: "columns" })
  return others.reduce((joined, column) => {
    assert(joined.neighbours === column.neighbours, "columns of one release have the same neighbours")
    assert(joined.norm === undefined && column.norm === undefined, "a norm is that of all columns already")
    const patterns = joined.patterns.flatMap((a) => column.patterns.map((b) => [...a, ...b]))
    return { neighbours: joined.neighbours, patterns }
  }, first)
}

/** The sum of absolute changes, at worst. */
export function l1Of(sensitivity: Sensitivity): bigint {
  assert(sensitivity.norm !== "l2", "a bound of the L2 norm bounds no L1 norm")
  return worst(sensitivity, ({ groups, amount }) => groups * amount)
}

/** The sum of squared changes, at worst: the square of the L2 norm, which is what stays exact. */
export function l2SquaredOf(sensitivity: Sensitivity): bigint {
  return worst(sensitivity, ({ groups, amount }) => groups * amount * amount)
}

function worst(sensitivity: Sensitivity, cost: (block: ChangeBlock) => bigint): bigint {
  const costs = sensitivity.patterns.map((pattern) => pattern.reduce((sum, block) => sum + cost(block), 0n))
  const most = costs.reduce((a, b) => (a > b ? a : b), 0n)
  if (most <= 0n) fail("privacy/zero-sensitivity", { name: "this answer" })
  return most
}

function integerOf(value: Numeric, name: string): bigint {
  return wholeNumber(value, name, -(1n << 4096n))
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
