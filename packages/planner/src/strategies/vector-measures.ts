// What the vector of a unit is made of: a total for each count and sum, and the moments of each value that is
// averaged, with the counts and sums of the same rows that are asked for beside it.

import type { Accounting } from "@dosimeter/core/accounting"
import { momentSensitivity, type MomentBasis, type Neighbours } from "@dosimeter/core/mechanisms"
import type { Boundary, BoundaryAggregate, RowsAggregate } from "@dosimeter/proof/algebra/rel"
import { addedBounds, rangeOf } from "../aggregates/build-moments.ts"
import { firstLike, momentFamilies, type MomentFamily } from "../aggregates/moment-families.ts"
import { definitionsIn } from "../aggregates/same-expression.ts"
import type { Bounding } from "../extracts/build-extract.ts"
import { isTotal, type TotalAggregate } from "../extracts/partial-of.ts"
import type { AmountMoments, ScaledAmount } from "../extracts/unit-amounts.ts"

/** What is looked at. */
export interface MeasureFacts {
  readonly bounding: Bounding
  readonly neighbours: Neighbours
  readonly accounting: Accounting
}

/** Where an aggregate is read, and whether in whole steps. */
export interface ReadPlace {
  readonly column: number
  readonly isWhole: boolean
}

/** Something that is measured: one amount, or the coordinates of moments. */
export interface VectorMeasure {
  readonly amounts: readonly Omit<ScaledAmount, "multiplier">[]
  /** The aggregates that are read from it, with places among its own amounts. */
  readonly reads: ReadonlyMap<BoundaryAggregate, ReadPlace>
  /** The longest that it is in one group, for a unit with so many rows there. */
  readonly mostIn: (rows: bigint) => bigint
  /** The longest that it is for a unit with so many rows in all: so much, in so many groups. */
  readonly inRows: (rows: bigint) => { readonly most: bigint; readonly times: bigint }
}

/** The measures of a boundary; undefined where one of its aggregates is none of a vector. */
export function measuresOf(asked: Boundary, facts: MeasureFacts): readonly VectorMeasure[] | undefined {
  const families = familiesOf(asked, facts)
  const inFamilies = new Set(families.flatMap(({ readings }) => [...readings.keys()]))
  const others = asked.aggregates.filter((one) => !inFamilies.has(one))
  const totals = others.filter(isTotal)
  if (totals.length < others.length) return undefined
  const moments = families.map((family) => ofFamily(family, asked, facts))
  const found = moments.filter((one) => one !== undefined)
  if (found.length < moments.length) return undefined
  // What is asked for twice is one column.
  const first = totals.filter((one, index) => firstLike(one, totals) === index)
  return [
    ...first.map((one) =>
      ofTotal(
        one,
        totals.filter((other) => totals[firstLike(other, totals)] === one),
      ),
    ),
    ...found,
  ]
}

/**
 * Whether at most so many rows of a unit count in a group. Averages by themselves are better so: somebody
 * with many rows would bring a share of the noise with each. Counts and sums beside them are of all rows, and
 * averages then are of the same ones.
 */
export function clampsRows({ aggregates }: Boundary, { bounding }: MeasureFacts): boolean {
  if (bounding.oneRow || aggregates.length === 0) return false
  return aggregates.every((one) =>
    one.kind === "sum" ? one.manner === "mean" : one.kind === "rows" && one.divisorOf !== undefined,
  )
}

// One for each value that is averaged.
function familiesOf(asked: Boundary, facts: MeasureFacts): readonly MomentFamily[] {
  const { aggregates, input } = asked
  if (!aggregates.some((one) => one.kind === "sum" && one.manner === "mean")) return []
  return momentFamilies(aggregates, {
    sameRows: !clampsRows(asked, facts),
    rowsPerGroup: facts.bounding.rowsPerGroup,
    definitions: definitionsIn(input),
    isFree: () => false,
  }).filter(({ sum }) => sum.manner === "mean")
}

function ofTotal(aggregate: TotalAggregate, all: readonly TotalAggregate[]): VectorMeasure {
  return {
    amounts: [{ aggregate, isSigned: aggregate.kind === "sum" && addedBounds(aggregate).lower < 0n }],
    reads: new Map(all.map((one) => [one, { column: 0, isWhole: true }])),
    mostIn: (rows) => mostInGroup(aggregate, rows),
    // All rows in one group, but for units, which count there once.
    inRows: (rows) =>
      aggregate.kind === "persons"
        ? { most: 1n, times: rows }
        : { most: mostInGroup(aggregate, rows), times: 1n },
  }
}

// The most that a unit with so many rows in a group adds to it, in steps.
function mostInGroup(aggregate: TotalAggregate, rowsPerGroup: bigint): bigint {
  if (aggregate.kind === "persons") return 1n
  if (aggregate.kind === "rows") return rowsPerGroup
  const { lower, upper } = addedBounds(aggregate)
  const most = upper > -lower ? upper : -lower
  return most * rowsPerGroup
}

// Variances have vectors of their own.
function ofFamily(family: MomentFamily, asked: Boundary, facts: MeasureFacts): VectorMeasure | undefined {
  const rows = divisorOf(family, asked)
  const range = rangeOf(family)
  const clamped = clampsRows(asked, facts) ? facts.bounding.rowsPerGroup : undefined
  const most = clamped ?? (facts.bounding.oneRow ? 1n : mostRows(family))
  if (rows === undefined || family.squares !== undefined || most < 1n || most > mostRows(family))
    return undefined
  const basis = basisOf(family, facts)
  const of: AmountMoments = { rows, sum: { ...family.sum, manner: "total" }, basis, range, most }
  const reads = [...family.readings].map(([aggregate, reading]): readonly [BoundaryAggregate, ReadPlace] => [
    aggregate,
    { column: reading.of === "rows" ? 0 : 1, isWhole: reading.isWhole },
  ])
  const mostIn = (count: bigint): bigint =>
    sizeOf(basis, range.upper - range.lower, count < most ? count : most)
  return {
    amounts: [0, 1].map((place) => ({
      aggregate: of.sum,
      isSigned: basis === "tilted" && place === 0,
      moments: { of, place },
    })),
    reads: new Map(reads),
    mostIn,
    inRows: (count) => {
      const inGroup = clamped === undefined || count < clamped ? count : clamped
      return { most: mostIn(inGroup), times: (count + inGroup - 1n) / inGroup }
    },
  }
}

// The count that the average divides by: the same one for all averages of the same rows.
function divisorOf({ readings }: MomentFamily, { aggregates }: Boundary): RowsAggregate | undefined {
  const own = [...readings.keys()].find((one) => one.kind === "rows")
  const first = own === undefined ? undefined : aggregates[firstLike(own, aggregates)]
  return first?.kind === "rows" ? first : undefined
}

/**
 * Products of rows, bounds and the numbers of a basis are below 64 bits for so many rows of a unit in a
 * group: all that it has, hardly ever less.
 */
function mostRows({ sum: { lower, upper } }: MomentFamily): bigint {
  const size = [lower, upper, -lower, -upper].reduce((a, b) => (a > b ? a : b))
  return (1n << 56n) / (32n * (size + upper - lower))
}

// Tilted coordinates have less noise in an average, and the less the nearer values are to the middle; the
// pair has less in counts and sums, and no signs, which cost more where units are replaced.
function basisOf({ readings }: MomentFamily, { accounting, neighbours }: MeasureFacts): MomentBasis {
  const onlyMean = [...readings.values()].every(({ isWhole }) => !isWhole)
  return accounting !== "pure" && neighbours === "add-or-remove" && onlyMean ? "tilted" : "pair"
}

// The most that so many values add to the length of the coordinates.
function sizeOf(basis: MomentBasis, width: bigint, rowsPerGroup: bigint): bigint {
  const { patterns } = momentSensitivity({
    basis,
    width,
    groupsPerUnit: 1n,
    rowsPerGroup,
    neighbours: "add-or-remove",
  })
  return patterns.flat().reduce((most, { amount }) => (amount > most ? amount : most), 0n)
}
