// A family of groupings whose units are weighed in place of being cut: one weight a unit, by what it changes
// in all sums that are measured, so that nothing is dropped and all groupings still add up. The noise is that
// of groups and rows: whoever is within these bounds counts in full.

import { add, ceil, compare, divide, multiply, rational, sqrtUp, zero } from "@dosimeter/core/exact"
import type { Rational } from "@dosimeter/core/exact"
import { lossOf, squaredLevels, squaredMargins } from "@dosimeter/core/mechanisms"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { bitsFor, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { specOf, type LinearMeasurement, type Strategy } from "@dosimeter/proof/algebra/measurement"
import type { Extract, ScaledBounds } from "@dosimeter/proof/algebra/release-plan"
import type { Bounding } from "../extracts/build-extract.ts"
import { isTotal, type TotalAggregate } from "../extracts/partial-of.ts"
import { buildWeighed, type SquaredAmount } from "../extracts/weigh-sums.ts"
import type { DraftOptions } from "./draft.ts"
import type { Amounts } from "./plan-release.ts"
import { unitTotals } from "./unit-totals.ts"

/** The norm, in steps of the total: so large that what squares count for is hardly rounded. */
const bound = 1n << 31n
/** Squares that count for fewer times than this are rounded too much. */
const timesLeast = 64n
/** Weights of fewer steps are rounded too much. */
const fullLeast = 1n << 8n
const fullMost = 1n << 12n
/** More windows take long. */
const sumsMax = 24

/** A column that is measured, by the aggregate that pays for it. */
export interface JointColumn {
  readonly aggregate: TotalAggregate
  /** What a unit adds within the bounds of groups and rows, in steps of its grid. */
  readonly amounts: Amounts
  /** Without weights. */
  readonly measurement: LinearMeasurement
  /** How it is measured, in steps that a full weight is `full` of. */
  readonly strategyOf: (full: bigint) => Strategy
}

/** The table, and what is measured of it. */
export interface WeighedJoint {
  readonly extract: Extract
  /** The copies that are read. */
  readonly labels: readonly string[]
  readonly scaled: ScaledBounds
  readonly measurements: readonly LinearMeasurement[]
}

/** What is weighed. */
export interface JointFamily {
  readonly finest: Boundary
  readonly keys: GroupedKeys
  readonly bounding: Bounding
  /** Only if a copy of pairs is read. */
  readonly onPairs: boolean
}

/** The weighed table; undefined where units cannot be weighed, or are better cut. */
export function weighJoint(
  columns: readonly JointColumn[],
  { finest, keys, bounding, onPairs }: JointFamily,
  options: DraftOptions,
): WeighedJoint | undefined {
  const { unit } = bounding
  if (unit === undefined) return undefined
  const full = columns
    .map(({ measurement }) => 1n << BigInt(bitsFor(measurement.grid)))
    .reduce((a, b) => (a < b ? a : b), fullMost)
  if (full < fullLeast) return undefined
  const measured = columns.map(({ measurement, strategyOf }): LinearMeasurement => ({
    ...measurement,
    grid: divide(measurement.grid, rational(full)),
    strategy: strategyOf(full),
  }))
  const isSigned = columns.some(({ amounts }) => amounts.lower < 0n)
  const factor = options.neighbours === "add-or-remove" ? 1n : isSigned ? 4n : 2n
  const muSquared = measured.map(muSquaredOf).reduce(add, zero)
  // What a square that counts once costs.
  const each = divide(muSquared, rational(factor * (full * bound) ** 2n))
  const amounts = columns.map((column, index) =>
    squaredAmount(column, costsOf(measured[index], keys), { finest, each, full }),
  )
  if (!amounts.every((one) => one !== undefined)) return undefined
  if (amounts.reduce((sum, { sums }) => sum + sums.length, 0) > sumsMax) return undefined
  // A unit within the bounds of groups and rows is within the norm, but for what is rounded.
  const usual = amounts.reduce((sum, one) => sum + one.usual, 0n)
  if (usual * 128n > bound * bound * 129n) return undefined
  const totals = columns.map(({ aggregate }) => aggregate)
  const { labels, rows } = unitTotals(finest, { unit, totals }, options)
  if (onPairs && labels.length === 0) return undefined
  const extract = buildWeighed(rows, amounts, { bound, full }, options.ids)
  return {
    extract,
    labels,
    scaled: { norm: "l2", bound: full * bound },
    measurements: measured.map((one, index) => ({
      ...one,
      columns: one.columns.map((column) => ({ ...column, id: extract.values[index] ?? -1 })),
    })),
  }
}

/** The aggregate of each measurement: the first that is read from it. */
export function payersOf(
  { aggregates }: Boundary,
  readings: readonly { readonly kind: string; readonly measurement?: number }[],
  measurements: number,
): readonly TotalAggregate[] | undefined {
  const found = Array.from({ length: measurements }, (_, place) => {
    const index = readings.findIndex(({ measurement }) => measurement === place)
    return aggregates[index]
  })
  // A person in several cells would count in part in each, and more than once in their sums.
  const totals = found.flatMap((one) =>
    one !== undefined && isTotal(one) && one.kind !== "persons" ? [one] : [],
  )
  return totals.length === found.length && readings.length === aggregates.length ? totals : undefined
}

/** Sums by some keys, what their squares cost, and how many groups the largest has. */
interface Cost {
  readonly places: readonly number[]
  readonly factor: Rational
  readonly cells: bigint
}

function costsOf(measurement: LinearMeasurement | undefined, { groupings }: GroupedKeys): readonly Cost[] {
  const strategy = measurement?.strategy
  if (strategy?.kind === "parts") {
    return squaredMargins(strategy.spec).map((one) => ({ ...one, places: one.attributes }))
  }
  if (strategy?.kind !== "levels") return []
  return squaredLevels(strategy.spec).map((one, level) => ({
    ...one,
    places: groupings.levels?.[level] ?? [],
  }))
}

// How often squares count: as often as they cost. Those that cost little are put onto the groups themselves.
function squaredAmount(
  { aggregate, amounts }: JointColumn,
  costs: readonly Cost[],
  { finest, each, full }: { readonly finest: Boundary; readonly each: Rational; readonly full: bigint },
): (SquaredAmount & { readonly usual: bigint }) | undefined {
  const { keys } = finest
  const isFinest = ({ places }: Cost): boolean => places.length === keys.length
  const own = costs
    .filter(isFinest)
    .map(({ factor }) => factor)
    .reduce(add, zero)
  const onGroups = ({ factor, cells }: Cost): Rational => multiply(factor, rational(cells))
  const others = costs.filter((cost) => !isFinest(cost) && cost.factor.numerator > 0n)
  const little = others.filter((cost) => compare(multiply(onGroups(cost), rational(1024n)), own) <= 0)
  const rest = others.filter((cost) => !little.includes(cost))
  const timesOf = (factor: Rational): bigint => ceil(divide(factor, each))
  const times = timesOf(little.map(onGroups).reduce(add, own))
  const sums = rest.map(({ factor, places }) => {
    const often = timesOf(factor)
    return {
      keys: places.flatMap((place) => keys[place] ?? []),
      times: often,
      cut: rootUp((full * bound) ** 2n, often),
    }
  })
  const all = [...(own.numerator > 0n ? [times] : []), ...sums.map((sum) => sum.times)]
  if (all.length === 0 || all.some((one) => one < timesLeast)) return undefined
  const often = all.reduce((a, b) => (a > b ? a : b), 1n)
  const { groupsPerUnit, lower, upper } = amounts
  const size = -lower > upper ? -lower : upper
  const inSums = rest.map(({ cells }, index) => (sums[index]?.times ?? 0n) * together(groupsPerUnit, cells))
  return {
    aggregate,
    multiplier: 1n,
    isSigned: lower < 0n,
    times: times > 0n ? times : 1n,
    // Who has more than the norm in one group fills it with this group alone.
    most: rootUp(bound ** 2n, often),
    sums,
    usual: size * size * inSums.reduce((a, b) => a + b, times * groupsPerUnit),
  }
}

// The most that the squares of sums of g ones are, where up to `cells` of them are in one sum.
function together(groups: bigint, cells: bigint): bigint {
  const left = groups % cells
  return (groups / cells) * cells * cells + left * left
}

// The least whole number whose square times `times` is no less than a square.
function rootUp(square: bigint, times: bigint): bigint {
  return ceil(sqrtUp(rational(square, times)))
}

function muSquaredOf(measurement: LinearMeasurement): Rational {
  return lossOf(specOf(measurement)).gdp?.muSquared ?? zero
}
