// The counts of a ladder as they were measured, with what is known of their noise.

import { numberNear } from "@dosimeter/core/exact"
import { formVariance, termsOf, type LinearForm } from "@dosimeter/core/post"
import type { Row } from "@dosimeter/answers/cells/table"
import type { NoisyLadder } from "./ladder-paths.ts"

/** Noisy counts, and the noise in each. */
export interface ReadLadder extends NoisyLadder {
  readonly forms: readonly LinearForm[]
}

/** The counts in a ladder's rows, each a step and its count; undefined if some are missing. */
export function readLadder(rows: readonly Row[]): ReadLadder | undefined {
  const steps = rows.toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const read = steps.flatMap(([step, units], place) =>
    placeOf(step) === place && units?.spread?.kind === "linear" ? [units.spread] : [],
  )
  if (read.length === 0 || read.length < rows.length) return undefined
  const forms = read.map(({ form }) => form)
  const isNormal = forms.every((form) => [...termsOf(form)].every(({ base }) => base.law === "gaussian"))
  return {
    counts: read.map(({ centre }) => numberNear(centre)),
    deviation: Math.sqrt(Math.max(...forms.map(formVariance))),
    law: isNormal ? "gaussian" : "laplace",
    forms,
  }
}

function placeOf(cell: Row[number] | undefined): number {
  return cell?.value.kind === "number" ? numberNear(cell.value.value) : NaN
}
