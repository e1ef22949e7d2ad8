// Sums and counts of a boundary whose units are scaled to one norm: how long the vector of a unit may be, in
// which steps, and the measurement that is made of it.

import { divide, floor, rational, sqrtDown, type Rational } from "@dosimeter/core/exact"
import {
  gaussianOfVariance,
  laplace,
  normSensitivity,
  type Neighbours,
  type Norm,
} from "@dosimeter/core/mechanisms"
import type { Accounting } from "@dosimeter/core/accounting"
import type { LinearMeasurement, MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { addedBounds, addedGrid } from "../aggregates/build-moments.ts"
import { varianceFor } from "../aggregates/choose-mechanisms.ts"
import { firstLike } from "../aggregates/moment-families.ts"
import type { Bounding } from "../extracts/build-extract.ts"
import { isTotal, type TotalAggregate } from "../extracts/partial-of.ts"
import { buildScaled, type ScaledAmount } from "../extracts/scale-units.ts"
import { unitTotals } from "./unit-totals.ts"
import type { Allowance } from "../loss/share-out.ts"
import { reachesOf } from "../loss/weigh.ts"

/** The weight of a unit within the norm. */
const full = 1n << 16n
/** Squares of norms up to this, added up over all rows of a table, have fewer than 38 digits. */
const boundMax = 1n << 40n
/** A norm of so many steps is hardly rounded. */
const stepsOfOne = 1n << 10n

/** Sums that are measured as one vector. */
export interface ScaledTable {
  readonly extract: Extract
  /** The copies that are read. */
  readonly labels: readonly string[]
  readonly norm: Norm
  /** Of weight times common steps: what one unit adds at most. */
  readonly bound: bigint
  /** The column of an aggregate. */
  readonly place: (aggregate: TotalAggregate) => number
  /** The measurement, for a part of the loss. */
  readonly measurement: (allowance: Allowance, part: Rational) => LinearMeasurement<"scaled">
}

/** What the norm is worked out from. */
export interface ScalingFacts {
  readonly bounding: Bounding
  readonly neighbours: Neighbours
  readonly accounting: Accounting
  readonly ids: ColumnIds
  readonly prepared: readonly PreparedTable[]
  /** How much each aggregate of the boundary counts; all alike if it is left out. */
  readonly weights?: readonly number[]
}

/**
 * The table of the aggregates that add up totals, with the norm of a unit that is in as many groups as count,
 * with as many rows in each. Undefined where a unit cannot be scaled, or need not be.
 */
export function scaledTable(asked: Boundary, facts: ScalingFacts): ScaledTable | undefined {
  const { unit, groupsPerUnit, rowsPerGroup } = facts.bounding
  const all = asked.aggregates.filter(isTotal)
  // What is asked for twice is one column.
  const totals = all.filter((one, index) => firstLike(one, all) === index)
  if (unit === undefined || totals.length === 0) return undefined
  const norm = facts.accounting === "pure" ? "l1" : "l2"
  const sizes = totals.map((aggregate) => mostInGroup(aggregate, rowsPerGroup))
  if (sizes.includes(0n)) return undefined
  const largest = sizes.reduce((a, b) => (a > b ? a : b), 1n)
  // Where aggregates count alike, the most of each in a group is `common` steps; of others it is less.
  const common = totals.length === 1 ? multipleAbove(largest, stepsOfOne) : largest * stepsOfOne
  const weights = totals.map((one) => facts.weights?.[asked.aggregates.indexOf(one)] ?? 1)
  const multipliers = reachesOf(weights, facts.accounting).map((reach, index) => {
    const multiplier = (common * reachSteps(reach)) / (reachSteps(1) * (sizes[index] ?? 1n))
    return multiplier > 0n ? multiplier : 1n
  })
  const reaches = multipliers.map((multiplier, index) => multiplier * (sizes[index] ?? 1n))
  const bound =
    norm === "l1"
      ? groupsPerUnit * reaches.reduce((a, b) => a + b, 0n)
      : floor(sqrtDown(rational(groupsPerUnit * reaches.reduce((a, b) => a + b * b, 0n))))
  if (bound > boundMax) return undefined
  const amounts = totals.map((aggregate, index): ScaledAmount => {
    return { aggregate, multiplier: multipliers[index] ?? 1n, isSigned: isSigned(aggregate) }
  })
  const { labels, rows } = unitTotals(asked, { unit, totals }, facts)
  const extract = buildScaled(rows, amounts, { norm, bound, full }, facts.ids)
  return {
    labels,
    extract,
    norm,
    bound: full * bound,
    place: (aggregate) => totals.indexOf(all[firstLike(aggregate, all)] ?? aggregate),
    measurement: (allowance, part) =>
      measurementOf({ extract, amounts, norm, bound }, allowance, part, facts),
  }
}

interface Scaled {
  readonly extract: Extract
  readonly amounts: readonly ScaledAmount[]
  readonly norm: Norm
  readonly bound: bigint
}

function measurementOf(
  { extract, amounts, norm, bound }: Scaled,
  allowance: Allowance,
  part: Rational,
  { neighbours }: ScalingFacts,
): LinearMeasurement<"scaled"> {
  const sensitivity = normSensitivity({
    norm,
    bound: full * bound,
    isSigned: amounts.some((one) => one.isSigned),
    neighbours,
  })
  const spec =
    norm === "l1"
      ? laplace({ sensitivity, epsilon: part })
      : gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, part) })
  const grids = amounts.map(({ aggregate }) => gridOf(aggregate))
  return {
    kind: "linear",
    label: amounts[0]?.aggregate.label ?? "",
    extract: 0,
    columns: amounts.map(({ aggregate }, index): MeasuredColumn => ({
      id: extract.values[index] ?? -1,
      of: aggregate.kind === "sum" ? "values" : aggregate.kind === "rows" ? "rows" : "units",
    })),
    grid: rational(1n),
    strategy: {
      kind: "scaled",
      worths: amounts.map(({ multiplier }, index) =>
        divide(grids[index] ?? rational(1n), rational(full * multiplier)),
      ),
      steps: grids,
      spec,
    },
  }
}

function gridOf(aggregate: TotalAggregate): Rational {
  return aggregate.kind === "sum" ? addedGrid(aggregate) : rational(1n)
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

// A multiple of a number that is no less than another.
function multipleAbove(size: bigint, least: bigint): bigint {
  return size >= least ? size : size * ((least + size - 1n) / size)
}
