// How large groups are beside their noise, before a question is paid for: from counts of the same rows that
// the record keeps, which are paid for. Where none is there, that is said.

import { compare, numberNear, rational } from "@dosimeter/core/exact"
import type { KeptNumbers, KeptTable } from "@dosimeter/answers/reuse/derived-table"
import { textsOf, type KeptFacts } from "@dosimeter/answers/reuse/kept-facts"
import type { Meaning } from "@dosimeter/answers/reuse/meaning"
import { linearHalfWidth } from "@dosimeter/planner/aggregates/errors/reading-errors"
import type { Planned } from "@dosimeter/planner/compile"
import { showNumber } from "@dosimeter/planner/explain/words/show-number"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { readKept } from "../record/kept-table.ts"
import { subjectOf, type KeptSource } from "../record/reuse.ts"

/** For each release that counts in public groups: how large these are beside the noise, in a sentence. */
export async function sizeNotes({ plan, meanings }: Planned, source: KeptSource): Promise<readonly string[]> {
  const notes: string[] = []
  for (const [index, release] of plan.releases.entries()) {
    const meaning = meanings[index]
    const counted = meaning === undefined ? undefined : countIn(release, meaning, plan)
    if (meaning === undefined || counted === undefined) continue
    const size = await sizeOnRecord(meaning, counted, { plan, source })
    notes.push(size === undefined ? unknownSize(counted) : sizeWords(counted, size, plan))
  }
  return [...new Set(notes)]
}

/** A count of a release: of rows or units, in how many groups, and with how much noise. */
interface Counted {
  readonly text: "rows" | "units"
  readonly groups: number
  readonly halfWidth: number
}

function countIn(release: Release, meaning: Meaning, { confidence }: ReleasePlan): Counted | undefined {
  const { keys, readings, measurements } = release
  if (keys.kind === "private" || keys.kind === "top" || hasGroupings(keys)) return undefined
  for (const [place, reading] of readings.entries()) {
    const text = meaning.columns[place]?.text
    const measured = reading.kind === "linear" ? measurements[reading.measurement] : undefined
    if (reading.kind !== "linear" || measured?.kind !== "linear" || !reading.isWhole) continue
    if (text !== "rows" && text !== "units") continue
    const width = linearHalfWidth(measured, reading, confidence)
    const groups = keys.kind === "none" ? 1 : publicRows(keys).length
    if (width !== undefined && groups > 0) return { text, groups, halfWidth: numberNear(width) }
  }
  return undefined
}

/** How large a group is on average, by the least noisy count of the same rows; undefined if there is none. */
async function sizeOnRecord(
  meaning: Meaning,
  { text, groups }: Counted,
  { plan, source }: { readonly plan: ReleasePlan; readonly source: KeptSource },
): Promise<number | undefined> {
  const textOf = textsOf(meaning)
  const conditions = new Set(meaning.conditions.map(textOf))
  const keys = meaning.keys.map(textOf).join("\n")
  const isOfUse = (facts: KeptFacts): boolean =>
    facts.rows === meaning.rows &&
    facts.conditions.length === conditions.size &&
    facts.conditions.every((one) => conditions.has(one)) &&
    facts.selectedFrom === undefined &&
    facts.isPartial !== true
  const kept = await source.ledger.kept(subjectOf(source.version.name, meaning), newestMax)
  let best: Size | undefined
  for (const { charge, text: written } of kept) {
    if (!(await source.mayUse(charge))) continue
    const table = readKept(written, isOfUse)
    const isSame = table?.facts.keys.map((key) => key.text).join("\n") === keys
    const size = table && sizeIn(table, { text, isSame, groups, shownFrom: plan.shownFrom })
    if (size !== undefined && size.deviation < (best?.deviation ?? Infinity)) best = size
  }
  return best === undefined || best.deviation > best.mean / 2 ? undefined : best.mean
}

interface Size {
  readonly mean: number
  readonly deviation: number
}

// Cells of the same groups are averaged; of others, what adds up is shared out.
function sizeIn(
  { facts, columns }: KeptTable,
  wish: Pick<Counted, "text" | "groups"> & {
    readonly isSame: boolean
    readonly shownFrom: bigint | undefined
  },
): Size | undefined {
  const place = facts.columns.findIndex(({ text, part }) => text === wish.text && part === 0)
  const column = columns[place]
  const adds = facts.columns[place]?.adds === "rows" || (wish.text === "units" && facts.oneGroup)
  if (column?.kind !== "noisy" || column.values.length === 0 || !(wish.isSame || adds)) return undefined
  // Nothing is worked out from a count that the owner's rule hides.
  const least = wish.shownFrom === undefined ? undefined : rational(wish.shownFrom)
  if (least !== undefined && column.values.some((value) => compare(value, least) < 0)) return undefined
  const total = column.values.reduce((sum, value) => sum + numberNear(value), 0)
  const cells = wish.isSame ? column.values.length : wish.groups
  return {
    mean: total / cells,
    deviation: Math.sqrt(column.values.length * varianceOf(column)) / cells,
  }
}

function varianceOf({ terms }: KeptNumbers): number {
  return terms.reduce((sum, { noise, factor }) => {
    const amount = numberNear(noise.amount)
    const own = noise.law === "laplace" ? 2 * amount * amount : amount
    return sum + own * (numberNear(noise.grid) * numberNear(factor)) ** 2
  }, 0)
}

/** Older releases of the same rows are not looked at. */
const newestMax = 50

function unknownSize({ groups, halfWidth }: Counted): string {
  // Of a count by itself nothing cheaper than the question tells it.
  if (groups === 1) return `how large the count is beside ± ${short(halfWidth)} is not on record`
  return `how large counts are beside ± ${short(halfWidth)} is not on record: a COUNT(*) of the same rows tells it`
}

function sizeWords({ text, groups, halfWidth }: Counted, mean: number, { unitName }: ReleasePlan): string {
  const size = `${short(Math.max(0, mean))}${text === "rows" ? " rows" : ` (${unitName})`}`
  const what = groups === 1 ? `about ${size}` : `${groups} groups of about ${size} each`
  const sure = `${what} with ± ${short(halfWidth)}, by counts on record`
  return halfWidth >= mean ? `mostly noise at this epsilon: ${sure}` : sure
}

function short(value: number): string {
  return showNumber(Number(value.toPrecision(3)))
}
