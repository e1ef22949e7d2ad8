// Noise on margins of a table, or on levels of a tree, whose units are weighed: a unit is kept to so much in
// all sums together, in place of few groups and small amounts.

import { compare, maximum, multiply, rational, subtract, zero, add, divide } from "@dosimeter/core/exact"
import type { Rational } from "@dosimeter/core/exact"
import { lossOf, type SquaredSums } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { ColumnId } from "../../algebra/expr.ts"
import { specOf, type LinearMeasurement } from "../../algebra/measurement.ts"
import type { WeighedColumn } from "../extracts/prove-norm.ts"
import type { MeasurementContext } from "./context.ts"

/** Sums by some of the keys, and what their squares cost. */
export interface CostlySums extends SquaredSums {
  /** The places of the keys. */
  readonly places: readonly number[]
}

/** The weighed column that a measurement reads; undefined where it is not weighed. */
export function weighedColumn(
  { extract, columns }: LinearMeasurement,
  { prove }: MeasurementContext,
): WeighedColumn | undefined {
  const [column, ...others] = columns
  if (column === undefined || others.length > 0) return reject("a measurement of another number of columns")
  return prove(extract).weighed.get(column.id)
}

/**
 * Checks the mechanism of a weighed column; `costs` are the sums whose squares bound what a change costs.
 *
 * Guarantee: all measurements of the release together lose no more than the sum of their lossOf(spec).
 * Needs: as the strategy; every measurement of the release is checked by this function; `costs` bound the
 *   cost of every change of this measurement's table, in units of its noise (squaredMargins, squaredLevels).
 * Proof: what squares cost is no more than they count for in the proven total, times mu^2 of all
 *   measurements; so all costs together are at most that mu^2: weighed-sums.proof.md.
 * Numerics: exact fractions.
 * Source: this file; Dong, Roth, Su 2022 (composition of Gaussian mechanisms).
 */
export function checkWeighedSums(
  { extract }: LinearMeasurement,
  own: WeighedColumn,
  costs: readonly CostlySums[],
  context: MeasurementContext,
): void {
  const { release, neighbours } = context
  const keys = release.extracts[extract]?.keys ?? reject("a measurement reads no extract")
  const all = together(context)
  const muSquared = all.map(({ measurement }) => muSquaredOf(measurement)).reduce(add, zero)
  const isSigned = all.some(({ weighed }) => weighed.isSigned)
  const factor = neighbours === "add-or-remove" ? 1n : isSigned ? 4n : 2n
  const reach = rational(factor * own.bound * own.bound)
  const each = divide(muSquared, reach)
  const paid = (of: ReadonlySet<ColumnId>): Rational => multiply(each, rational(timesOf(own, of)))
  let onGroups = zero
  const known = new Set<string>()
  for (const { places, factor: cost, cells } of costs) {
    const of = new Set(places.map((place) => keys[place] ?? reject("sums by other keys")))
    known.add([...of].toSorted((a, b) => a - b).join())
    const more = of.size === keys.length ? cost : maximum(zero, subtract(cost, paid(of)))
    onGroups = add(onGroups, of.size === keys.length ? more : multiply(rational(cells), more))
  }
  if (known.size !== costs.length) reject("the same sums count twice")
  if (compare(onGroups, paid(new Set(keys))) > 0) reject("a unit changes more in all sums than is charged")
}

// Which sums count how often.
function timesOf({ squares }: WeighedColumn, keys: ReadonlySet<ColumnId>): bigint {
  const found = squares.find(
    (one) => one.keys.size === keys.size && [...keys].every((id) => one.keys.has(id)),
  )
  return found?.times ?? 0n
}

interface Together {
  readonly measurement: LinearMeasurement
  readonly weighed: WeighedColumn
}

// One norm holds for all measurements of the release: of one table, by one weight, each of another value.
function together(context: MeasurementContext): readonly Together[] {
  const all = context.release.measurements.map((measurement): Together => {
    const { kind } = measurement
    if (kind !== "linear") return reject("something else beside weighed sums")
    const isJoint = measurement.strategy.kind === "parts" || measurement.strategy.kind === "levels"
    const weighed = isJoint ? weighedColumn(measurement, context) : undefined
    if (weighed?.norm !== "l2" || measurement.extract !== 0)
      return reject("something else beside weighed sums")
    return { measurement, weighed }
  })
  const [first] = all
  if (all.some(({ weighed }) => weighed.weight !== first?.weighed.weight))
    reject("columns of several weights are one vector")
  const values = new Set(all.map(({ weighed }) => weighed.value))
  return values.size === all.length ? all : reject("a value is in one vector twice")
}

function muSquaredOf(measurement: LinearMeasurement): Rational {
  return lossOf(specOf(measurement)).gdp?.muSquared ?? reject("weighed sums without Gaussian noise")
}
