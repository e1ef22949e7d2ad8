// How far off the groups of each grouping may be, where several groupings are measured together.

import { numberNear, one, subtract, zero, type Rational } from "@dosimeter/core/exact"
import { marginError, treeNodeError } from "@dosimeter/core/mechanisms"
import type { KeyPlan, MarginsPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import { treeGroupings } from "@dosimeter/proof/algebra/tree-layout"
import { cellsOf, namesOf } from "../explain/explain-margins.ts"
import { mostLeaves, mostVariance } from "../explain/explain-tree.ts"
import { errorOfTerms } from "@dosimeter/answers/reuse/derived-table"
import type { NoiseLaw } from "@dosimeter/answers/reuse/noise-law"

/** A grouping, and half the width of the widest interval of its groups. */
export interface GroupingError {
  readonly name: string
  readonly error: number
}

/** The errors of all groupings of a measure, in the order of their sets. */
export function errorsByGrouping(
  measure: MarginsPlan,
  release: Release,
  confidence: Rational,
): readonly GroupingError[] {
  const { keys } = release
  if (keys.kind !== "margins" && keys.kind !== "tree") return []
  const names = namesOf(release, measure.extract)
  const widthOf = widthsOf(measure, keys, confidence)
  return keys.sets.map((set, index) => ({
    name: set.length === 0 ? "in all" : `by ${set.map((place) => names[place] ?? "?").join(", ")}`,
    error: widthOf(set, index),
  }))
}

function widthsOf(
  { spec, grid }: MarginsPlan,
  keys: Extract<KeyPlan, { readonly kind: "margins" | "tree" }>,
  confidence: Rational,
): (set: readonly number[], index: number) => number {
  const step = numberNear(grid)
  const miss = subtract(one, confidence)
  const groupings = keys.kind === "tree" ? treeGroupings(keys) : []
  const summed = (set: readonly number[], index: number): number => {
    const grouping = groupings[index]
    if (keys.kind === "tree") return grouping === undefined ? 1 : mostLeaves(grouping, keys)
    return cellsOf([...keys.lists.keys()], keys.lists) / cellsOf(set, keys.lists)
  }
  switch (spec.kind) {
    case "laplace": {
      const noise: NoiseLaw = { law: "laplace", amount: spec.scale, grid }
      return (set, index) => {
        const terms = Array.from({ length: summed(set, index) }, (_, draw) => ({ draw, noise, factor: one }))
        return errorOfTerms({ terms, slack: 0 }, numberNear(miss))
      }
    }
    case "margins":
      return (set) => Number(marginError(spec, set, confidence).halfWidth) * step
    case "tree":
      return (_, index) => {
        const grouping = groupings[index]
        const variance = grouping === undefined ? zero : mostVariance(spec, grouping)
        return Number(treeNodeError(variance, miss).halfWidth) * step
      }
    default:
      return spec satisfies never
  }
}
