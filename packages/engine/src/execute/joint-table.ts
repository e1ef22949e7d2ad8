// The table behind several groupings that were released together: its finest rows, with what was measured of
// them. Every grouping is a sum of these rows.

import type { Rational } from "@dosimeter/core"
import {
  keptFacts,
  publicRows,
  treeChildren,
  type JointLaw,
  type JointShape,
  type KeptJoint,
  type KeptTable,
  type MarginsPlan,
  type Meaning,
  type Release,
} from "@dosimeter/sql"
import type { Measured } from "./measurements.ts"

/** The table of such a release, or undefined if it is none. */
export function jointTable(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  measured: readonly Measured[],
  confidence: Rational,
): KeptTable | undefined {
  const { keys, measures } = release
  if (keys.kind !== "margins" && keys.kind !== "tree") return undefined
  const shape: JointShape =
    keys.kind === "margins"
      ? { kind: "table", sizes: keys.lists.map((list) => BigInt(list.length)) }
      : { kind: "tree", children: treeChildren(keys) }
  const columns = measures.map((measure): KeptJoint | undefined => {
    const source = measure.kind === "same" ? measures[measure.measure] : measure
    const draw = measured.findIndex((one) => one.measure === source)
    const found = measured[draw]
    return found && jointColumn(found, { shape, draw })
  })
  if (!columns.every((column) => column !== undefined)) return undefined
  return { facts: keptFacts(meaning, release, confidence), keys: publicRows(keys), columns, sets: keys.sets }
}

function jointColumn(
  { measure, noisy }: Measured,
  { shape, draw }: Pick<KeptJoint, "shape" | "draw">,
): KeptJoint {
  const { grid, bits, isWhole, spec } = measure
  return { kind: "joint", shape, law: lawOf(spec), noisy, grid, bits, isWhole, draw }
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
