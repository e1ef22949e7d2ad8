// How many columns somebody has to know until nobody is in a crowd. Where a handful of any columns singles
// out everybody, as with genomes, places visited or long medical histories, coarser columns do not help.

import { writeName } from "@dosimeter/proof/spell/literal"
import { createHash } from "node:crypto"
import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { CrowdCurve } from "./risk-report.ts"

/** A larger table is sampled: a sample has smaller crowds, which the report says. */
const sampleRows = 1_000_000
const columnsMax = 64
const knownMax = 8
const triesMax = 12
const groupedRowsMax = 20_000_000

/** The curve over these columns; none for fewer than two. */
export async function crowdCurve(
  rows: ExactRows,
  from: string,
  { columns, count }: { readonly columns: readonly string[]; readonly count: number },
): Promise<CrowdCurve | undefined> {
  const used = columns.slice(0, columnsMax)
  if (used.length < 2 || count === 0) return undefined
  const hashes = used.map(
    (name, index) => `hash(${writeName(name)}, ${writeName(name)} IS NULL) AS c${index}`,
  )
  const isSample = count > sampleRows
  await rows.ask(`CREATE TEMP TABLE known AS SELECT ${hashes.join(", ")} FROM ${from}
    ${isSample ? `USING SAMPLE reservoir(${sampleRows} ROWS) REPEATABLE (22)` : ""}`)
  const size = Math.min(count, sampleRows)
  const deepest = Math.min(knownMax, used.length)
  const tries = Math.max(1, Math.min(triesMax, Math.floor(groupedRowsMax / size / deepest)))
  const points: CrowdCurve["points"][number][] = []
  for (let known = 1; known <= deepest; known += 1) {
    const choices = choicesOf(used.length, { known, tries })
    const shares: number[] = []
    for (const choice of choices) shares.push((await uniqueBy(rows, choice)) / size)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    points.push({ known, mean, least: Math.min(...shares), most: Math.max(...shares), tried: shares.length })
  }
  return { columns: used, rows: size, isSample, points }
}

async function uniqueBy(rows: ExactRows, choice: readonly number[]): Promise<number> {
  const group = choice.map((index) => `c${index}`).join(", ")
  const [[unique = 0] = []] = await rows.ask(
    `SELECT count(*) FROM (SELECT 1 FROM known GROUP BY ${group} HAVING count(*) = 1)`,
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
