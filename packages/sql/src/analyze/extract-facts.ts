// The declared keys that the proof of an extract rests on.

import type { ColumnId } from "../ir/expr.ts"
import type { Rel } from "../ir/rel.ts"
import type { KeyFact } from "../ir/release-plan.ts"
import { inputsOf } from "../ir/walk.ts"
import { pathFacts } from "./path-facts.ts"
import { storedBounds } from "./stored-places.ts"
import { unitFacts } from "./unit-facts.ts"

/** Those behind paths to the unit, behind what needs no bounding, and behind bounds by stored places. */
export function extractFacts(rel: Rel, keys: readonly ColumnId[]): readonly KeyFact[] {
  const ofInputs = inputsOf(rel).flatMap((input) => {
    const { facts, owner } = unitFacts(input, keys)
    return [...facts, ...storedBounds(input, keys, owner).facts]
  })
  return [...pathFacts(rel), ...ofInputs]
}
