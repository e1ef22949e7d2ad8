// Several groupings of one table: the groups of each, as sums of rows of the table.

import { rational, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "../catalog/constant.ts"
import { scaleMax } from "../catalog/sql-type.ts"
import { isCount, type LinearMeasurement } from "./measurement.ts"
import { groupName, publicRows } from "./public-rows.ts"
import type { Groupings, KeyPlan, PublicKeys } from "./release-plan.ts"

/** Keys of several groupings. */
export interface GroupedKeys extends PublicKeys {
  readonly groupings: Groupings
}

/** Whether keys are of several groupings. */
export function hasGroupings(keys: KeyPlan): keys is GroupedKeys {
  return keys.kind === "public" && keys.groupings !== undefined
}

/** A group of a grouping: its keys, NULL for those that the grouping has not, its number, and its rows. */
export interface GroupingSum {
  readonly keys: readonly Constant[]
  readonly rows: readonly number[]
}

/** The groups of each grouping, in the order in which they are released. */
export function groupingSums(keys: GroupedKeys): readonly (readonly GroupingSum[])[] {
  const rows = publicRows(keys)
  return keys.groupings.sets.map((set, number) => {
    const groups = new Map<string, { readonly keys: readonly Constant[]; readonly rows: number[] }>()
    for (const [row, values] of rows.entries()) {
      const shown = values.map((value, place): Constant => (set.includes(place) ? value : { kind: "null" }))
      const name = groupName(shown)
      const known = groups.get(name)
      const grouping: Constant = { kind: "number", value: rational(BigInt(number)) }
      if (known === undefined) groups.set(name, { keys: [...shown, grouping], rows: [row] })
      else known.rows.push(row)
    }
    return [...groups.values()]
  })
}

/** How many groups each grouping has, and how many rows of the table are in the largest. */
export function groupingSizes(
  keys: GroupedKeys,
): readonly { readonly groups: number; readonly most: number }[] {
  const { lists, rows, groupings } = keys
  if (rows !== undefined) {
    return groupingSums(keys).map((sums) => ({
      groups: sums.length,
      most: sums.reduce((most, sum) => Math.max(most, sum.rows.length), 1),
    }))
  }
  const product = (places: readonly number[]): number =>
    places.reduce((count, place) => count * (lists[place]?.length ?? 1), 1)
  const all = product([...lists.keys()])
  return groupings.sets.map((set) => ({ groups: product(set), most: all / product(set) }))
}

/** Whether the groups of a measurement are shown as whole numbers from 0. */
export function areWhole({ columns }: LinearMeasurement, { nonNegative }: Groupings): boolean {
  return nonNegative && columns.every(isShownWhole)
}

function isShownWhole({ of }: LinearMeasurement["columns"][number]): boolean {
  return isCount({ of }) || of === "distinct"
}

/**
 * How many times a step of a grid must be doubled to be a whole number: counts of weighed units are in finer
 * steps than one.
 */
export function finerBits({ numerator, denominator }: Rational): number {
  const bits = denominator.toString(2).length - 1
  return numerator === 1n && denominator === 1n << BigInt(bits) ? bits : 0
}

/**
 * How many bits of the grid an estimate has that is put together from several draws: 2^-b is a decimal of b
 * digits, with those of the grid no more than a decimal may have.
 */
export function bitsFor({ denominator }: Rational): number {
  for (let digits = 0; digits < scaleMax; digits += 1) {
    if (10n ** BigInt(digits) % denominator === 0n) return scaleMax - digits
  }
  return floatBits
}

const floatBits = 24
