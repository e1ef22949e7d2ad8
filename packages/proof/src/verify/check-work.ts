// What one unit can make a database do is bounded by public numbers, whatever its rows hold.

import { reject } from "../units/reject.ts"
import { workOf, type UnitWork } from "../work/unit-work.ts"
import type { WorkLimits } from "../work/work-limits.ts"
import type { Rel } from "../algebra/rel.ts"
import { inputsOf } from "../algebra/walk.ts"

/**
 * Checks an extract, from its tables up.
 *
 * Guarantee: in every step of the extract, a unit has at most `timesMax` times the rows that it has stored,
 *   and limits.rows rows that a join has made of them, with at most limits.characters in their texts, or
 *   `togetherMax` joins' worth. All steps together compute and keep at most limits.spent of it. Texts that a
 *   question makes have at most `madeMax` characters, and searches compare at most `searchMax` pairs of
 *   characters.
 * Needs: the extract is unit-local (proveExtract); public tables have as many rows as the catalog says.
 * Proof: by induction over the relation, a rule for each kind of node (workOf). Where a join would pass the
 *   limits the plan must have cut its sides: a filter on a number that rows have within their unit, which is
 *   a function of the unit's own rows, so that proveExtract and the charge know nothing of it.
 * Numerics: whole numbers below 2^53, or Infinity.
 * Source: McSherry 2009 (stability of a transformation of one unit's rows). Failure and delay are outputs
 *   that no epsilon bounds: Haeberlen, Pierce and Narayan 2011, "Differential Privacy Under Fire".
 */
export function checkWork(rel: Rel, limits: WorkLimits): void {
  proven(rel, limits)
}

function proven(rel: Rel, limits: WorkLimits): UnitWork {
  const inputs = inputsOf(rel).map((input) => proven(input, limits))
  const found = workOf(rel, inputs, limits)
  return found.kind === "work" ? found : reject(`the work of one unit is not bounded: ${found.what}`)
}
