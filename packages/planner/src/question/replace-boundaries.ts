// The post-processing of a plan: the same tree with a leaf of noisy rows in place of every boundary.

import { assert } from "@dosimeter/core/errors"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"

/** The boundaries of a tree, each once, in the order in which they stand. */
export function boundariesOf(rel: Rel): readonly Boundary[] {
  const found = new Set<Boundary>()
  const visit = (at: Rel): void => {
    if (at.kind === "boundary") found.add(at)
    else for (const input of inputsOf(at)) visit(input)
  }
  visit(rel)
  return [...found]
}

/** The tree above the boundaries. A boundary that is used twice becomes the same rows twice. */
export function replaceBoundaries(rel: Rel, rowsOf: (boundary: Boundary) => Rel | undefined): Rel {
  const replace = (input: Rel): Rel => replaceBoundaries(input, rowsOf)
  switch (rel.kind) {
    case "boundary": {
      const rows = rowsOf(rel)
      assert(rows !== undefined, "every boundary is released")
      return rows
    }
    case "scan":
    case "values":
    case "released":
      return rel
    case "filter":
    case "project":
    case "aggregate":
    case "window":
    case "sort":
      return { ...rel, input: replace(rel.input) }
    case "join":
    case "mark":
      return { ...rel, left: replace(rel.left), right: replace(rel.right) }
    case "union":
      return { ...rel, inputs: rel.inputs.map(replace) }
    default:
      return rel satisfies never
  }
}
