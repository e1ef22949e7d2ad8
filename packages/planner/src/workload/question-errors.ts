// How far off the answers of a workload may be, before anything is paid.

import type { Accounting } from "@dosimeter/core/accounting"
import { assert } from "@dosimeter/core/errors"
import { numberNear, type Rational } from "@dosimeter/core/exact"
import type { Compiled } from "../compile.ts"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { partLabel, payerOf } from "../explain/explain.ts"
import { chooseSources, paidErrors } from "@dosimeter/answers/reuse/choose-sources"
import { wantedOf } from "@dosimeter/answers/reuse/derive"
import { errorOfColumn } from "@dosimeter/answers/reuse/derived-table"
import { errorOfMean, paidMeans, type PaidMean } from "@dosimeter/answers/reuse/mean-errors"
import { errorsByGrouping, type GroupingError } from "./errors-by-grouping.ts"
import { tableOf, type Planned } from "./arrange.ts"
import { virtualCandidates } from "./virtual-table.ts"

/** A measured column: what it is, and how far off it may be. */
export interface ColumnError {
  readonly label: string
  /**
   * Half the width of the interval; rows of the order where a value is chosen; of a mean what is divided by
   * its number of values, wherever in the range it lies.
   */
  readonly error: number
  readonly kind: "value" | "rows" | "mean"
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
    const paid = paidErrors(release, confidence, miss)
    const means = paidMeans(release, miss)
    const here = own?.releases[index]
    const inPlan = own === undefined ? derived(index, means) : paidHere(here ?? release, confidence, miss)
    return labelsOf(release).flatMap((column, place) => {
      const mean = means.find(({ sum, rows }) => sum === place || rows === place)
      const groupings = here === undefined ? [] : groupingsOf(here, place, confidence)
      if (groupings.length > 0) {
        const alone = groupingsOf(release, place, confidence)
        for (const [set, { error }] of groupings.entries()) pushRatio((alone[set]?.error ?? error) / error)
        return groupings.map(({ name, error }) => ({
          label: `${column.label} ${name}`,
          kind: "value",
          error,
        }))
      }
      const error = inPlan[place] ?? Infinity
      const before = mean === undefined ? (paid[place] ?? 0) : worstOf(mean)
      pushRatio(error === 0 ? 1 : before / error)
      if (mean?.rows === place || column.isHidden) return []
      if (mean !== undefined) return [{ label: mean.label, kind: "mean", error }]
      return [{ label: column.label, kind: column.kind, error }]
    })
  })
  const cheaper = ratios.length === 0 ? 0 : ratios.reduce((sum, one) => sum + one, 0) / ratios.length
  return { errors, cheaper }

  function pushRatio(ratio: number): void {
    ratios.push(accounting === "pure" ? ratio : ratio * ratio)
  }

  function derived(index: number, means: readonly PaidMean[]): readonly number[] {
    const [release, meaning] = [plan.releases[index], meanings[index]]
    if (release === undefined || meaning === undefined) return []
    const wanted = wantedOf(release, meaning, confidence)
    const paid = paidErrors(release, confidence, miss)
    if (release.extracts.length === 0) return []
    const chosen = chooseSources(wanted, candidates, { paid, means, miss, shownFrom: plan.shownFrom })
    assert(chosen !== undefined, "a question of a workload can be worked out from its parts")
    return wanted.facts.columns.map((_, column) => {
      const mean = means.find(({ sum, rows }) => sum === column || rows === column)
      return mean === undefined
        ? errorOfColumn(chosen.sources, column, miss)
        : errorOfMean(chosen.sources, mean, miss)
    })
  }
}

function groupingsOf(release: Release, place: number, confidence: Rational): readonly GroupingError[] {
  const reading = release.readings[place]
  const source = reading?.kind === "linear" ? release.measurements[reading.measurement] : undefined
  return source?.kind === "linear" ? errorsByGrouping(source, release, confidence) : []
}

function paidHere(release: Release, confidence: Rational, miss: number): readonly number[] {
  const means = paidMeans(release, miss)
  return paidErrors(release, confidence, miss).map((error, place) => {
    const mean = means.find(({ sum, rows }) => sum === place || rows === place)
    return mean === undefined ? error : worstOf(mean)
  })
}

function worstOf({ places }: PaidMean): number {
  return Math.max(...places.map(({ error }) => error))
}

interface ColumnLabel extends Pick<ColumnError, "label" | "kind"> {
  /** Whether the column is only computed with, and not shown. */
  readonly isHidden: boolean
}

function labelsOf(release: Release): readonly ColumnLabel[] {
  return release.readings.map((reading): ColumnLabel => {
    const { label } = reading
    const source = "measurement" in reading ? release.measurements[reading.measurement] : undefined
    if (source?.kind === "choice") return { label, kind: "rows", isHidden: false }
    if (source === undefined || reading.kind !== "linear") return { label, kind: "value", isHidden: false }
    const isPayer = payerOf(source, release) === reading
    const [column, ...others] = source.columns
    const isAlone = others.length === 0 && !hasGroupings(release.keys)
    return {
      label: isPayer && isAlone && column !== undefined ? partLabel({ label, of: column.of }) : label,
      kind: "value",
      isHidden: !isPayer && !reading.isWhole,
    }
  })
}
