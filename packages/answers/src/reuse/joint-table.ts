// The table behind several groupings that are released together: its finest rows, with what was measured of
// them, or is to be. Every grouping is a sum of these rows.

import type { Rational } from "@dosimeter/core/exact"
import {
  areWhole,
  bitsFor,
  groupingSums,
  hasGroupings,
  type GroupedKeys,
} from "@dosimeter/proof/algebra/grouping-sums"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { JointMeasurement } from "@dosimeter/proof/algebra/released"
import { treeChildren, treeOf } from "@dosimeter/proof/algebra/tree-layout"
import { errorOfColumn, type KeptTable } from "./derived-table.ts"
import { canSum, type JointShape, type KeptJoint } from "./joint-column.ts"
import { keptFacts } from "./kept-facts.ts"
import type { Meaning } from "./meaning.ts"
import { jointLaw, undrawn } from "../measurements/reading-noise.ts"

/** The table of such a release, or undefined if it is none. */
export function jointTable(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  measured: readonly JointMeasurement[],
  confidence: Rational,
): KeptTable | undefined {
  const { keys } = release
  if (!hasGroupings(keys)) return undefined
  const columns = columnsOf(release, keys, measured)
  if (!columns.every((column) => column !== undefined)) return undefined
  return {
    facts: keptFacts(meaning, release, confidence),
    keys: publicRows(keys),
    columns,
    sets: keys.groupings.sets,
  }
}

/** How far off the worst cell of each column of each grouping would be, if the release were made. */
export function groupingErrors(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  { confidence, miss }: { readonly confidence: Rational; readonly miss: number },
): readonly (readonly number[])[] {
  const { keys, measurements } = release
  if (!hasGroupings(keys)) return []
  const planned = measurements.flatMap((measurement) =>
    measurement.kind === "linear" ? [{ measurement, noisy: undrawn(measurement, keys) }] : [],
  )
  const table = jointTable({ release, meaning }, planned, confidence)
  if (table === undefined) return []
  const sumsOf = groupingSums(keys)
  const lists = sumsOf.flat().map(({ rows }) => rows)
  if (!table.columns.every((column) => column.kind === "joint" && canSum(column, lists))) return []
  return sumsOf.map((sums) => {
    const groups = sums.map((sum) => ({ keys: sum.keys, from: sum.rows }))
    const derivation = { groups, columns: [...table.columns.keys()], differences: [], isEqual: true }
    const drawOf = (draw: number, place: number): number => draw * drawsMax + place
    return table.columns.map((_, column) => errorOfColumn([{ table, derivation, drawOf }], column, miss))
  })
}

/** More measurements than a column has. */
const drawsMax = 1 << 25

function columnsOf(
  { readings, measurements }: Release,
  keys: GroupedKeys,
  measured: readonly JointMeasurement[],
): readonly (KeptJoint | undefined)[] {
  const tree = treeOf(keys)
  const shape: JointShape =
    tree === undefined
      ? { kind: "table", sizes: keys.lists.map((list) => BigInt(list.length)) }
      : { kind: "tree", children: treeChildren(tree) }
  return readings.map((reading) => {
    const source = reading.kind === "linear" ? measurements[reading.measurement] : undefined
    const draw = measured.findIndex((one) => one.measurement === source)
    const found = measured[draw]
    const law = found === undefined ? undefined : jointLaw(found.measurement)
    if (found === undefined || law === undefined) return undefined
    const { measurement, noisy } = found
    const { grid } = measurement
    const isWhole = areWhole(measurement, keys.groupings)
    return { kind: "joint", shape, law, noisy, grid, bits: bitsFor(grid), isWhole, draw }
  })
}
