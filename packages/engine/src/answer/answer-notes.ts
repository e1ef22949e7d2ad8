// What must be known to read the numbers of an answer, in one or two notes: what the intervals cover, and
// what is not shown.

import type { AnswerNote, NoiseOnlyNote, NoteBounds, NoteColumns } from "@dosimeter/answers/shown/answer-note"
import type { AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { countsAll } from "./left-out-tables.ts"

/** Where the noise of an answer comes from. */
export type NoiseOrigin = "its own" | "of earlier releases"

/** The notes of an answer. */
export function answerNotes(
  table: Pick<AnswerTable, "columns" | "rows">,
  plan: ReleasePlan,
  noise: NoiseOrigin,
): readonly AnswerNote[] {
  const noisy = table.columns.filter(({ bounding }) => bounding !== undefined)
  const notes = kinds.flatMap((kind): readonly AnswerNote[] => {
    const own = noisy.filter(({ bounding }) => bounding === kind)
    if (own.length === 0) return []
    const which = whichColumns(own, noisy)
    return [kind === "noise-only" ? noiseOnly(which, plan, noise) : { kind, ...which }]
  })
  return [...notes, ...noteOnAverages(noisy, plan), ...noteOnHidden(table, plan)]
}

const kinds = ["proven", "estimate", "too-much", "noise-only"] as const

function noiseOnly(which: NoteColumns, plan: ReleasePlan, noise: NoiseOrigin): NoiseOnlyNote {
  const { releases, unitName: unit } = plan
  const isEarlier = noise === "of earlier releases"
  const cut = isEarlier ? [] : releases.filter(isCut).map(boundsOf)
  const bounds = [...new Map(cut.map((one) => [JSON.stringify(one), one])).values()]
  return { kind: "noise-only", ...which, bounds, unit, isEarlier }
}

function boundsOf({ bounds, measurements }: Release): NoteBounds {
  const { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled } = bounds
  const averaged = measurements.find((one) => hasStrategy(one, "scaled"))?.strategy.rowsPerGroup
  if (averaged !== undefined) return { beyond: "averaged", rows: `${averaged}` }
  const rows = rowsProof === undefined ? { rows: `${rowsPerGroup}` } : {}
  if (scaled !== undefined) return { beyond: "scaled", groups: `${groupsPerUnit}`, ...rows }
  return { beyond: "dropped", ...(groupsProof === undefined ? { groups: `${groupsPerUnit}` } : {}), ...rows }
}

function isCut(release: Release): boolean {
  return release.extracts.length > 0 && release.readings.some((reading) => !countsAll(reading, release))
}

function whichColumns(own: readonly AnswerColumn[], all: readonly AnswerColumn[]): NoteColumns {
  if (own.length === all.length) return { columns: [], more: 0 }
  const columns = own.slice(0, namesMax).map(({ name }) => name)
  return { columns, more: own.length - columns.length }
}

const namesMax = 4

// Whoever has more rows than count weighs less in an average than in the data.
function noteOnAverages(noisy: readonly AnswerColumn[], { releases }: ReleasePlan): readonly AnswerNote[] {
  const isLess = noisy.some(({ bounding }) => bounding !== "all-counts")
  const hasAverage = releases.some(
    (release) => isCut(release) && release.readings.some(({ label }) => /^(AVG|VAR|STDDEV)/i.test(label)),
  )
  return isLess && hasAverage ? [{ kind: "averages" }] : []
}

// The states are part of the answer, so their number is.
function noteOnHidden(
  { rows }: Pick<AnswerTable, "rows">,
  { shownFrom }: ReleasePlan,
): readonly AnswerNote[] {
  const hidden = rows.filter((row) => row.some(({ state }) => state === "below-threshold")).length
  if (hidden === 0 || shownFrom === undefined) return []
  return [{ kind: "hidden", hidden, rows: rows.length, from: `${shownFrom}` }]
}
