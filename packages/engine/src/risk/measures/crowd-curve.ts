// How many columns somebody has to know until nobody is in a crowd. Where a handful of any columns singles
// out everybody, as with genomes, places visited or long medical histories, coarser columns do not help.

import { writeName } from "@dosimeter/proof/spell/literal"
import { createHash } from "node:crypto"
import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { CrowdCurve } from "./risk-report.ts"

/** Up to so many rows all of them are looked for; of a larger table so many, in all of its rows. */
const lookedUsually = { most: 1_000_000, drawn: 100_000 }
/** So many values are kept: of wide tables the first columns, of tables beyond that a sample of rows. */
const valuesMax = 120_000_000
const columnsMax = 64
const columnsLeast = 4
const knownMax = 8
const triesMax = 12
/** So many rows are gone through in all; rows among which a few are looked for cost less than grouping. */
const groupedRowsMax = 20_000_000
const probedRowsMax = 200_000_000

interface CurveOptions {
  readonly columns: readonly string[]
  readonly count: number
  readonly looks?: typeof lookedUsually
}

/** The curve over these columns; none for fewer than two. */
export async function crowdCurve(
  rows: ExactRows,
  from: string,
  { columns, count, looks = lookedUsually }: CurveOptions,
): Promise<CrowdCurve | undefined> {
  const fitting = Math.max(columnsLeast, Math.min(columnsMax, Math.floor(valuesMax / Math.max(1, count))))
  const used = columns.slice(0, fitting)
  if (used.length < 2 || count === 0) return undefined
  const size = Math.min(count, Math.floor(valuesMax / used.length))
  const hashes = used.map(
    (name, index) => `hash(${writeName(name)}, ${writeName(name)} IS NULL) AS c${index}`,
  )
  await rows.ask(`CREATE TEMP TABLE known AS SELECT ${hashes.join(", ")} FROM ${from}
    ${size < count ? drawn(size) : ""}`)
  const looked = size > looks.most ? looks.drawn : size
  if (looked < size) await rows.ask(`CREATE TEMP TABLE looked AS SELECT * FROM known ${drawn(looked)}`)
  const deepest = Math.min(knownMax, used.length)
  const budget = looked < size ? probedRowsMax : groupedRowsMax
  const tries = Math.max(1, Math.min(triesMax, Math.floor(budget / size / deepest)))
  const points: CrowdCurve["points"][number][] = []
  for (let known = 1; known <= deepest; known += 1) {
    const choices = choicesOf(used.length, { known, tries })
    const shares: number[] = []
    for (const choice of choices) shares.push((await uniqueBy(rows, choice, looked < size)) / looked)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    points.push({ known, mean, least: Math.min(...shares), most: Math.max(...shares), tried: shares.length })
  }
  const columnsLeftOut = columns.length - used.length
  return { columns: used, columnsLeftOut, rows: size, looked, isSample: size < count, points }
}

/** Rows at random, the same for the same table. */
function drawn(size: number): string {
  return `USING SAMPLE reservoir(${size} ROWS) REPEATABLE (22)`
}

/** How many of the rows that are looked for are the only ones with their values, in all rows. */
async function uniqueBy(rows: ExactRows, choice: readonly number[], isDrawn: boolean): Promise<number> {
  const key =
    choice.length === 1 ? `c${choice[0] ?? 0}` : `hash(${choice.map((index) => `c${index}`).join(", ")})`
  const among = isDrawn
    ? `(SELECT ${key} AS key FROM known WHERE ${key} IN (SELECT ${key} FROM looked))`
    : `(SELECT ${key} AS key FROM known)`
  const [[unique = 0] = []] = await rows.ask(
    `SELECT count(*) FROM (SELECT 1 FROM ${among} GROUP BY key HAVING count(*) = 1)`,
  )
  return Number(unique)
}

/** Choices of columns: the same for the same table, and none twice. */
function choicesOf(
  count: number,
  { known, tries }: { readonly known: number; readonly tries: number },
): readonly (readonly number[])[] {
  const found = new Map<string, readonly number[]>()
  for (let attempt = 0; attempt < 4 * tries && found.size < tries; attempt += 1) {
    const order = Array.from({ length: count }, (_, index) => index).toSorted((a, b) =>
      markOf(known, attempt, a) < markOf(known, attempt, b) ? -1 : 1,
    )
    const choice = order.slice(0, known).toSorted((a, b) => a - b)
    found.set(choice.join(" "), choice)
  }
  return [...found.values()]
}

function markOf(...parts: readonly number[]): string {
  return createHash("sha256").update(parts.join(" ")).digest("hex")
}
