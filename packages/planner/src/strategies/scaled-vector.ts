// The vector of all that a unit adds to the sums and counts of a boundary: which amounts, in which steps, and
// how long it may be.

import type { Accounting } from "@dosimeter/core/accounting"
import { ceil, compare, floor, multiply, rational, sqrtUp } from "@dosimeter/core/exact"
import type { Rational } from "@dosimeter/core/exact"
import type { Neighbours, Norm } from "@dosimeter/core/mechanisms"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { addedBounds } from "../aggregates/build-moments.ts"
import { firstLike } from "../aggregates/moment-families.ts"
import type { Bounding } from "../extracts/build-extract.ts"
import { isTotal, type TotalAggregate } from "../extracts/partial-of.ts"
import type { ScaledAmount, UnitAmounts } from "../extracts/scale-units.ts"
import { reachesOf } from "../loss/weigh.ts"

/** Squares of norms up to this, added up over all rows of a table, have fewer than 38 digits. */
export const boundMax: bigint = 1n << 40n
/** A norm of so many steps is hardly rounded. */
const stepsOfOne = 1n << 10n

/** What the norm is worked out from. */
export interface ScalingFacts {
  readonly bounding: Bounding
  readonly neighbours: Neighbours
  readonly accounting: Accounting
  readonly ids: ColumnIds
  readonly prepared: readonly PreparedTable[]
  /** How much each aggregate of the boundary counts; all alike if it is left out. */
  readonly weights?: readonly number[]
  /** The rows that a unit has at most, where the owner declares it. */
  readonly rowsPerUnit?: bigint
  /** The norm that a ladder told; the one of groups and rows if it is left out. */
  readonly learnt?: LearntNorm
}

/** A norm that was read from a ladder, in the vector's own steps. */
export interface LearntNorm {
  readonly bound: Rational
  /** The length of what it leaves out. */
  readonly beyond: { readonly estimate: Rational; readonly most?: Rational }
  /** How it came about, for people. */
  readonly note: string
}

/** The vector, in steps that do not depend on how long it may be. */
export interface ScaledVector extends UnitAmounts {
  readonly norm: Norm
  /** The column of an aggregate. */
  readonly place: (aggregate: TotalAggregate) => number
  /** The length of one full row. */
  readonly ofRow: Rational
  /** The norm of a unit that is in as many groups as count, with as many rows in each. */
  readonly usual: RefinedNorm
  /** No longer, where the owner declares how many rows a unit has. */
  readonly cap: bigint | undefined
}

/** The vector of the aggregates that add up totals; undefined where there is none. */
export function vectorOf(asked: Boundary, facts: ScalingFacts): ScaledVector | undefined {
  const { unit, groupsPerUnit, rowsPerGroup } = facts.bounding
  const all = asked.aggregates.filter(isTotal)
  // What is asked for twice is one column.
  const totals = all.filter((one, index) => firstLike(one, all) === index)
  if (unit === undefined || totals.length === 0) return undefined
  const norm = facts.accounting === "pure" ? "l1" : "l2"
  const sizes = totals.map((aggregate) => mostInGroup(aggregate, rowsPerGroup))
  if (sizes.includes(0n)) return undefined
  const weights = totals.map((one) => facts.weights?.[asked.aggregates.indexOf(one)] ?? 1)
  const multipliers = multipliersOf(sizes, weights, facts.accounting)
  const amounts = totals.map((aggregate, index): ScaledAmount => {
    return { aggregate, multiplier: multipliers[index] ?? 1n, isSigned: isSigned(aggregate) }
  })
  // Where the most in a group is few steps, they are cut finer.
  const finer = sizes.length === 1 ? finerSteps(sizes[0] ?? 1n) : 1n
  const inGroups = multipliers.map((multiplier, index) => {
    return { most: finer * multiplier * (sizes[index] ?? 1n), times: groupsPerUnit }
  })
  return {
    unit,
    amounts,
    norm,
    // Upward: who is just in as many groups, with as many rows, is not scaled down.
    usual: { finer, bound: ceil(lengthOf(inGroups, norm)) },
    ofRow: lengthOfRows(amounts, 1n, norm),
    cap: facts.rowsPerUnit === undefined ? undefined : ceil(lengthOfRows(amounts, facts.rowsPerUnit, norm)),
    place: (aggregate) => totals.indexOf(all[firstLike(aggregate, all)] ?? aggregate),
  }
}

/** A norm in finer steps: so many for each step of the vector. */
export interface RefinedNorm {
  readonly finer: bigint
  readonly bound: bigint
}

/**
 * A learnt norm in steps so fine that it is hardly rounded; of at least one step. The same steps for nearly
 * all norms, so that releases can be compared.
 */
export function refined(bound: Rational): RefinedNorm {
  const finer = compare(bound, rational(stepsOfOne)) >= 0 ? 1n : stepsOfOne
  return { finer, bound: floor(multiply(bound, rational(finer))) }
}

function finerSteps(most: bigint): bigint {
  return most >= stepsOfOne ? 1n : (stepsOfOne + most - 1n) / most
}

// A single amount has its own steps. Where several count alike, the most of each in a group is as many steps;
// of others it is less.
function multipliersOf(
  sizes: readonly bigint[],
  weights: readonly number[],
  accounting: Accounting,
): readonly bigint[] {
  if (sizes.length === 1) return [1n]
  const common = sizes.reduce((a, b) => (a > b ? a : b), 1n) * stepsOfOne
  return reachesOf(weights, accounting).map((reach, index) => {
    const multiplier = (common * reachSteps(reach)) / (reachSteps(1) * (sizes[index] ?? 1n))
    return multiplier > 0n ? multiplier : 1n
  })
}

// The longest vector of a unit with so many rows: all of them in one group, but for units, which count there
// once.
function lengthOfRows(amounts: readonly ScaledAmount[], rows: bigint, norm: Norm): Rational {
  const each = amounts.map(({ aggregate, multiplier }) =>
    aggregate.kind === "persons"
      ? { most: multiplier, times: rows }
      : { most: multiplier * mostInGroup(aggregate, rows), times: 1n },
  )
  return lengthOf(each, norm)
}

// Rounded upward.
function lengthOf(each: readonly { readonly most: bigint; readonly times: bigint }[], norm: Norm): Rational {
  if (norm === "l1") return rational(each.reduce((sum, { most, times }) => sum + most * times, 0n))
  const square = rational(each.reduce((sum, { most, times }) => sum + most * most * times, 0n))
  return sqrtUp(square)
}

// The most that a unit with so many rows in a group adds to it, in steps.
function mostInGroup(aggregate: TotalAggregate, rowsPerGroup: bigint): bigint {
  if (aggregate.kind === "persons") return 1n
  if (aggregate.kind === "rows") return rowsPerGroup
  const { lower, upper } = addedBounds(aggregate)
  const most = upper > -lower ? upper : -lower
  return most * rowsPerGroup
}

function isSigned(aggregate: TotalAggregate): boolean {
  return aggregate.kind === "sum" && addedBounds(aggregate).lower < 0n
}

// A share of 1 in steps.
function reachSteps(share: number): bigint {
  return BigInt(Math.round(share * 2 ** 30))
}
