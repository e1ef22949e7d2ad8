// What must be known to read the numbers of an answer, in one or two sentences: what the intervals cover, and
// what is not shown.

import type { AnswerColumn, AnswerTable, BoundingWord } from "@dosimeter/answers/shown/answer-table"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { countsAll } from "./left-out-tables.ts"

/** Where the noise of an answer comes from. */
export type NoiseOrigin = "its own" | "of earlier releases"

/** The notes of an answer. */
export function answerNotes(
  table: Pick<AnswerTable, "columns" | "rows">,
  plan: ReleasePlan,
  noise: NoiseOrigin,
): readonly string[] {
  const noisy = table.columns.filter(({ bounding }) => bounding !== undefined)
  const notes = kinds.flatMap((kind) => {
    const own = noisy.filter(({ bounding }) => bounding === kind)
    return own.length === 0 ? [] : [noteOf(kind, whichIntervals(own, noisy), { plan, noise })]
  })
  return [...notes, ...noteOnAverages(noisy, plan), ...noteOnHidden(table, plan)]
}

const kinds = ["proven", "estimate", "too-much", "noise-only"] as const

function noteOf(
  kind: Exclude<BoundingWord, "all-counts">,
  which: string,
  { plan, noise }: { readonly plan: ReleasePlan; readonly noise: NoiseOrigin },
): string {
  switch (kind) {
    case "proven":
      return `${which} cover the noise and all that scaling may have left out, by the declared cap`
    case "estimate":
      return `${which} cover the noise and an estimate of what scaling left out, which may be more`
    case "too-much":
      return `${which} have no upper end: scaling may have left out more than can be estimated well`
    case "noise-only":
      return `${which} are of the noise only: ${boundsOf(plan, noise)}`
    default:
      return kind satisfies never
  }
}

function boundsOf({ releases, unitName }: ReleasePlan, noise: NoiseOrigin): string {
  if (noise === "of earlier releases") return "what the bounds of earlier releases left out is not in them"
  const words = releases.filter(isCut).map((release) => boundsWords(release, unitName))
  const all = [...new Set(words)]
  return all.length === 0
    ? "what bounding left out is not in them"
    : `${all.join("; ")}, which is not in them`
}

function boundsWords({ bounds }: Release, unit: string): string {
  const { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled } = bounds
  if (scaled !== undefined) {
    const rows = rowsProof === undefined ? `${rowsPerGroup} rows` : "one row"
    return `more than ${rows} in each of ${groupsPerUnit} groups of a ${unit} counts for less`
  }
  const parts = [
    ...(groupsProof === undefined ? [`${groupsPerUnit} groups a ${unit}`] : []),
    ...(rowsProof === undefined
      ? [`${rowsPerGroup} rows a ${groupsProof === undefined ? "group" : unit}`]
      : []),
  ]
  return `all beyond ${parts.join(" and ")} is dropped`
}

function isCut(release: Release): boolean {
  return release.extracts.length > 0 && release.readings.some((reading) => !countsAll(reading, release))
}

function whichIntervals(own: readonly AnswerColumn[], all: readonly AnswerColumn[]): string {
  if (own.length === all.length) return "intervals"
  const names = own.slice(0, namesMax).map(({ name }) => name)
  const more = own.length > namesMax ? ` and ${own.length - namesMax} more` : ""
  return `intervals of ${names.join(", ")}${more}`
}

const namesMax = 4

// Whoever has more rows than count weighs less in an average than in the data.
function noteOnAverages(noisy: readonly AnswerColumn[], { releases }: ReleasePlan): readonly string[] {
  const isLess = noisy.some(({ bounding }) => bounding !== "all-counts")
  const hasAverage = releases.some(
    (release) => isCut(release) && release.readings.some(({ label }) => /^(AVG|VAR|STDDEV)/i.test(label)),
  )
  if (!isLess || !hasAverage) return []
  return ["averages are over the rows that count, and may differ from those of all rows"]
}

// The states are part of the answer, so their number is.
function noteOnHidden({ rows }: Pick<AnswerTable, "rows">, { shownFrom }: ReleasePlan): readonly string[] {
  const hidden = rows.filter((row) => row.some(({ state }) => state === "below-threshold")).length
  if (hidden === 0 || shownFrom === undefined) return []
  const which = `${hidden} of ${rows.length} ${rows.length === 1 ? "row" : "rows"}`
  const what = `below the owner's threshold of ${shownFrom}, and not shown`
  return [
    `${which} ${hidden === 1 ? "is" : "are"} ${what}: small numbers that are shown look too high for it`,
  ]
}
