// The post-processing of a plan: the same tree with a leaf of noisy rows in place of every boundary.

import { assert } from "@dosimeter/core/errors"
import { mapInputs } from "@dosimeter/proof/algebra/change"
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
  if (rel.kind !== "boundary") return mapInputs(rel, (input) => replaceBoundaries(input, rowsOf))
  const rows = rowsOf(rel)
  assert(rows !== undefined, "every boundary is released")
  return rows
}
