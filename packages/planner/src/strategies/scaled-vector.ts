// The vector of all that a unit adds to the sums and counts of a boundary: which amounts, in which steps, and
// how long it may be.

import type { Accounting } from "@dosimeter/core/accounting"
import { ceil, compare, multiply, rational, sqrtUp } from "@dosimeter/core/exact"
import type { Rational } from "@dosimeter/core/exact"
import type { Neighbours, Norm } from "@dosimeter/core/mechanisms"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, BoundaryAggregate } from "@dosimeter/proof/algebra/rel"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { Bounding } from "../extracts/build-extract.ts"
import type { AmountMoments, UnitAmounts } from "../extracts/unit-amounts.ts"
import { reachesOf } from "../loss/weigh.ts"
import { clampsRows, measuresOf, type ReadPlace, type VectorMeasure } from "./vector-measures.ts"

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
  /** Where an aggregate is read: the amount at its place, or the moments there. */
  readonly place: (aggregate: BoundaryAggregate) => ReadPlace | undefined
  /** How much each measure counts, given how much the aggregates of the boundary do. */
  readonly weights: (aggregates: readonly number[]) => readonly number[]
  /** The places of moments among the amounts, in the order of their coordinates. */
  readonly moments: readonly VectorMoments[]
  /** Where averages are of so many rows of a unit in a group at most. */
  readonly rowsPerGroup: bigint | undefined
  /** The length of one full row. */
  readonly ofRow: Rational
  /** The norm of a unit that is in as many groups as count, with as many rows in each. */
  readonly usual: RefinedNorm
  /** No longer, where the owner declares how many rows a unit has. */
  readonly cap: bigint | undefined
}

/** Moments of a vector. */
export interface VectorMoments {
  readonly places: readonly number[]
  readonly of: AmountMoments
}

/** The vector of the aggregates of a boundary; undefined where there is none, or it cannot be scaled. */
export function vectorOf(asked: Boundary, facts: ScalingFacts): ScaledVector | undefined {
  const { unit, groupsPerUnit, rowsPerGroup } = facts.bounding
  const measures = measuresOf(asked, facts)
  if (unit === undefined || measures === undefined || measures.length === 0) return undefined
  const norm = facts.accounting === "pure" ? "l1" : "l2"
  const sizes = measures.map(({ mostIn }) => mostIn(rowsPerGroup))
  if (sizes.includes(0n)) return undefined
  const weights = (each: readonly number[]): readonly number[] =>
    measures.map(({ reads }) => weightOf([...reads.keys()], asked, each))
  const multipliers = multipliersOf(sizes, weights(facts.weights ?? []), facts.accounting)
  const each = measures.map((measure, index) => ({ ...measure, multiplier: multipliers[index] ?? 1n }))
  const amounts = each.flatMap(({ amounts: own, multiplier }) => own.map((one) => ({ ...one, multiplier })))
  // Where the most in a group is few steps, they are cut finer.
  const finer = sizes.length === 1 ? finerSteps(sizes[0] ?? 1n) : 1n
  const inGroups = each.map(({ multiplier }, index) => {
    return { most: finer * multiplier * (sizes[index] ?? 1n), times: groupsPerUnit }
  })
  const { rowsPerUnit } = facts
  const lengthOfRows = (rows: bigint): Rational =>
    lengthOf(
      each.map(({ multiplier, inRows }) => {
        const { most, times } = inRows(rows)
        return { most: multiplier * most, times }
      }),
      norm,
    )
  return {
    unit,
    amounts,
    norm,
    // Upward: who is just in as many groups, with as many rows, is not scaled down.
    usual: { finer, bound: ceil(lengthOf(inGroups, norm)) },
    ofRow: lengthOfRows(1n),
    cap: rowsPerUnit === undefined ? undefined : ceil(lengthOfRows(rowsPerUnit)),
    weights,
    ...placesOf(each),
    rowsPerGroup: clampsRows(asked, facts) ? rowsPerGroup : undefined,
  }
}

function placesOf(measures: readonly VectorMeasure[]): Pick<ScaledVector, "place" | "moments"> {
  const found = new Map<BoundaryAggregate, ReadPlace>()
  const moments: VectorMoments[] = []
  let next = 0
  for (const { amounts, reads } of measures) {
    for (const [aggregate, { column, isWhole }] of reads) {
      found.set(aggregate, { column: next + column, isWhole })
    }
    const of = amounts[0]?.moments?.of
    if (of !== undefined) moments.push({ of, places: amounts.map((_, index) => next + index) })
    next += amounts.length
  }
  return { place: (aggregate) => found.get(aggregate), moments }
}

// What somebody weighs most of all that is read from one measure.
function weightOf(
  aggregates: readonly BoundaryAggregate[],
  asked: Boundary,
  weights: readonly number[],
): number {
  return Math.max(...aggregates.map((one) => weights[asked.aggregates.indexOf(one)] ?? 1))
}

/** A norm in finer steps: so many for each step of the vector. */
export interface RefinedNorm {
  readonly finer: bigint
  readonly bound: bigint
}

/**
 * A learnt norm in steps so fine that it is hardly rounded; of at least one step. The same steps for nearly
 * all norms, so that releases can be compared. Upward: a norm that nobody exceeds goes on being one.
 */
export function refined(bound: Rational): RefinedNorm {
  const finer = compare(bound, rational(stepsOfOne)) >= 0 ? 1n : stepsOfOne
  return { finer, bound: ceil(multiply(bound, rational(finer))) }
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

// Rounded upward.
function lengthOf(each: readonly { readonly most: bigint; readonly times: bigint }[], norm: Norm): Rational {
  if (norm === "l1") return rational(each.reduce((sum, { most, times }) => sum + most * times, 0n))
  const square = rational(each.reduce((sum, { most, times }) => sum + most * most * times, 0n))
  return sqrtUp(square)
}

// A share of 1 in steps.
function reachSteps(share: number): bigint {
  return BigInt(Math.round(share * 2 ** 30))
}
