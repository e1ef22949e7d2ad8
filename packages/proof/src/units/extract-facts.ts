// The declared keys that the proof of an extract rests on.

import type { ColumnId } from "../algebra/expr.ts"
import type { Rel } from "../algebra/rel.ts"
import type { KeyFact } from "../algebra/release-plan.ts"
import { inputsOf } from "../algebra/walk.ts"
import { distinctFacts, pathFacts } from "./path-facts.ts"
import { storedBounds } from "./stored-places.ts"
import { unitFacts } from "./unit-facts.ts"

/** Those behind paths to the unit, behind what needs no bounding, and behind bounds by stored places. */
function extractFacts(rel: Rel, keys: readonly ColumnId[]): readonly KeyFact[] {
  const ofInputs = inputsOf(rel).flatMap((input) => {
    const { facts, owner } = unitFacts(input, keys)
    return [...facts, ...storedBounds(input, keys, owner).facts]
  })
  return [...pathFacts(rel), ...ofInputs]
}

/** Those of some extracts, without repetitions. */
export function distinctExtractFacts(
  extracts: readonly { readonly rel: Rel; readonly keys: readonly ColumnId[] }[],
): readonly KeyFact[] {
  return distinctFacts(extracts.flatMap(({ rel, keys }) => extractFacts(rel, keys)))
}
