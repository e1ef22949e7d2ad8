// One round of synthetic rows: its plans are proven, read under the permit of the charge and released.

import { assert } from "@dosimeter/core/errors"
import { multiply, numberNear, square } from "@dosimeter/core/exact"
import { groupCount } from "@dosimeter/ml/synthetic/cell-places"
import type { Round } from "@dosimeter/ml/synthetic/rounds"
import type { CompileOptions } from "@dosimeter/planner/compile"
import { MeasuredTables } from "../answer/measurements.ts"
import type { Asker, Walk } from "../ask/run-query.ts"
import type { NoisyRow } from "../release/measurements/noisy-cell.ts"
import type { Permit } from "../release/permit.ts"
import { printed } from "../release/printed-plan.ts"
import { releasePlan } from "../release/release.ts"
import type { MeasuredRound } from "./kept-rounds.ts"
import { planRound, type PlannedTable, type SyntheticPlan } from "./plan-synthesis.ts"

/** What a synthesis runs with. */
export interface SynthesisRun {
  readonly walk: Walk
  readonly asker: Asker
  readonly options: Omit<CompileOptions, "parameters">
  readonly onProgress?: ((step: string) => void) | undefined
}

/** The noisy tables of a round, in the order of its requests. */
export async function measureRound(
  plan: SyntheticPlan,
  round: Round,
  { walk, asker, options, permit }: SynthesisRun & { readonly permit: Permit },
): Promise<MeasuredRound["tables"]> {
  const planned = planRound(round, plan, options)
  // All of the SQL of a round is printed before any of it is read.
  const readings = planned.map(({ plan: proven }) => printed(proven, walk.backend))
  const tables: MeasuredRound["tables"][number][] = []
  for (const [place, reading] of readings.entries()) {
    const measured = new MeasuredTables()
    const [rows = []] = await releasePlan(reading, permit, walk, { signal: asker.signal, measured })
    const [request, table] = [round.tables[place], planned[place]]
    assert(request !== undefined && table !== undefined, "every table has a reading")
    tables.push(countsOf(rows, table, request))
  }
  return tables
}

// Noisy rows as cells in the order of the groups.
function countsOf(
  rows: readonly NoisyRow[],
  { question: { keys } }: PlannedTable,
  request: Round["tables"][number],
): { readonly counts: Float64Array; readonly variance: number } {
  const sizes = request.attributes.map((_, place) => groupCount(request, place, 1))
  const counts = new Float64Array(sizes.reduce((product, size) => product * size, 1))
  let variance = 0
  let filled = 0
  for (const { keys: values, cells } of rows) {
    const [cell] = cells
    const { value, noise } = cell ?? {}
    assert(value?.kind === "number" && noise?.law === "gaussian", "a count has Gaussian noise of its own")
    const place = sizes.reduce((sum, size, at) => {
      const key = values[keys.indexOf(at)]
      return sum * size + (key?.kind === "number" ? numberNear(key.value) : 0)
    }, 0)
    counts[place] = numberNear(value.value)
    variance = numberNear(multiply(noise.amount, square(noise.grid)))
    filled += 1
  }
  assert(filled === counts.length, "every group has a count")
  return { counts, variance }
}
