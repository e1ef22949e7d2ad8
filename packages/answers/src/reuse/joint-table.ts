// The table behind several groupings that are released together: its finest rows, with what was measured of
// them, or is to be. Every grouping is a sum of these rows.

import type { Rational } from "@dosimeter/core"
import { marginPartVariances, treeDrawVariances } from "@dosimeter/core/mechanisms"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { MarginsPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import { treeChildren } from "@dosimeter/proof/algebra/tree-layout"
import { errorOfColumn, type KeptTable } from "./derived-table.ts"
import { familySums, type FamilyKeys } from "./family-sums.ts"
import { canSum, type JointLaw, type JointShape, type KeptJoint } from "./joint-column.ts"
import { keptFacts } from "./kept-facts.ts"
import type { Meaning } from "./meaning.ts"

/** The noisy numbers of one measure, as they were drawn. */
export interface MeasuredTogether {
  readonly measure: MarginsPlan
  /** Noisy cells, or for each part or level its noisy comparisons. */
  readonly noisy: readonly (readonly bigint[])[]
}

/** The table of such a release, or undefined if it is none. */
export function jointTable(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  measured: readonly MeasuredTogether[],
  confidence: Rational,
): KeptTable | undefined {
  const { keys } = release
  if (keys.kind !== "margins" && keys.kind !== "tree") return undefined
  const columns = columnsOf(release, keys, measured)
  if (!columns.every((column) => column !== undefined)) return undefined
  return { facts: keptFacts(meaning, release, confidence), keys: publicRows(keys), columns, sets: keys.sets }
}

/** How far off the worst cell of each column of each grouping would be, if the release were made. */
export function groupingErrors(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  { confidence, miss }: { readonly confidence: Rational; readonly miss: number },
): readonly (readonly number[])[] {
  const { keys, measures } = release
  if (keys.kind !== "margins" && keys.kind !== "tree") return []
  const planned = measures.flatMap((measure) =>
    measure.kind === "margins" ? [{ measure, noisy: zerosOf(measure, keys) }] : [],
  )
  const table = jointTable({ release, meaning }, planned, confidence)
  if (table === undefined) return []
  const sumsOf = familySums(keys)
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
  { measures }: Release,
  keys: FamilyKeys,
  measured: readonly MeasuredTogether[],
): readonly (KeptJoint | undefined)[] {
  const shape: JointShape =
    keys.kind === "margins"
      ? { kind: "table", sizes: keys.lists.map((list) => BigInt(list.length)) }
      : { kind: "tree", children: treeChildren(keys) }
  return measures.map((measure) => {
    const source = measure.kind === "same" ? measures[measure.measure] : measure
    const draw = measured.findIndex((one) => one.measure === source)
    const found = measured[draw]
    if (found === undefined) return undefined
    const { grid, bits, isWhole, spec } = found.measure
    return { kind: "joint", shape, law: lawOf(spec), noisy: found.noisy, grid, bits, isWhole, draw }
  })
}

function lawOf(spec: MarginsPlan["spec"]): JointLaw {
  switch (spec.kind) {
    case "laplace":
      return { kind: "cells", scale: spec.scale }
    case "margins":
      return { kind: "parts", parts: spec.parts }
    case "tree": {
      const { weights, total, variances } = spec
      return { kind: "levels", weights, total, variances }
    }
    default:
      return spec satisfies never
  }
}

// What will be measured, with zeros for values: enough to say how well.
function zerosOf({ spec }: MarginsPlan, keys: FamilyKeys): readonly (readonly bigint[])[] {
  const zeros = (list: readonly unknown[]): readonly bigint[] => list.map(() => 0n)
  switch (spec.kind) {
    case "laplace":
      return [zeros(publicRows(keys))]
    case "margins":
      return spec.parts.map((part) => zeros(marginPartVariances(spec.sizes, part)))
    case "tree":
      return treeDrawVariances(spec).map(zeros)
    default:
      return spec satisfies never
  }
}
