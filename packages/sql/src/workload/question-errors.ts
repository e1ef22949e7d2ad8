// How far off the answers of a workload may be, before anything is paid.

import { assert, numberNear, type Accounting } from "@dosimeter/core"
import type { Compiled } from "../compile.ts"
import type { MeasurePlan, Release } from "../ir/release-plan.ts"
import { chooseSources, paidErrors } from "../reuse/choose-sources.ts"
import { wantedOf } from "../reuse/derive.ts"
import { errorOfColumn } from "../reuse/derived-table.ts"
import { widthOf } from "../reuse/kept-facts.ts"
import { tableOf, type Planned } from "./arrange.ts"
import { virtualCandidates } from "./virtual-table.ts"

/** A measured column: what it is, and how far off it may be. */
export interface ColumnError {
  readonly label: string
  /** Half the width of the interval, or rows of the order where a value is chosen. */
  readonly error: number
  readonly kind: "value" | "rows"
}

/** The errors of a question in a workload, and what it would cost by itself as a share of the whole loss. */
export function questionErrors(
  { plan, meanings }: Compiled,
  parts: readonly Planned[],
  { part, accounting }: { readonly part: number | undefined; readonly accounting: Accounting },
): { readonly errors: readonly ColumnError[]; readonly cheaper: number } {
  const { confidence } = plan
  const miss = 1 - numberNear(confidence)
  const candidates = virtualCandidates(parts.map((one) => tableOf(one, confidence)))
  const own = part === undefined ? undefined : parts[part]?.plan
  const ratios: number[] = []
  const errors = plan.releases.flatMap((release, index): ColumnError[] => {
    const alone = paidErrors(release, confidence, miss)
    const inPlan =
      own === undefined ? derived(index) : paidErrors(own.releases[index] ?? release, confidence, miss)
    return labelsOf(release).map(({ label, kind }, column) => {
      const error = inPlan[column] ?? Infinity
      const ratio = error === 0 ? 1 : (alone[column] ?? 0) / error
      ratios.push(accounting === "pure" ? ratio : ratio * ratio)
      return { label, kind, error }
    })
  })
  const cheaper = ratios.length === 0 ? 0 : ratios.reduce((sum, one) => sum + one, 0) / ratios.length
  return { errors, cheaper }

  function derived(index: number): readonly number[] {
    const [release, meaning] = [plan.releases[index], meanings[index]]
    if (release === undefined || meaning === undefined) return []
    const wanted = wantedOf(release, meaning, confidence)
    const options = { paid: paidErrors(release, confidence, miss), miss, shownFrom: plan.shownFrom }
    if (release.extracts.length === 0) return []
    const chosen = chooseSources(wanted, candidates, options)
    assert(chosen !== undefined, "a question of a workload can be worked out from its parts")
    return wanted.facts.columns.map((_, column) => errorOfColumn(chosen.sources, column, miss))
  }
}

function labelsOf({ measures }: Release): readonly Pick<ColumnError, "label" | "kind">[] {
  return measures.flatMap((measure: MeasurePlan) =>
    Array.from({ length: widthOf(measure) }, () => ({
      label: measure.label,
      kind: measure.kind === "quantiles" || measure.kind === "mode" ? ("rows" as const) : ("value" as const),
    })),
  )
}
