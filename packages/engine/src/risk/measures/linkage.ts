// What a second file adds that has some of the same columns: a register, a list of voters, last year's
// release.

import type { Cells } from "./cells.ts"
import { textOf } from "./cells.ts"
import type { Linkage } from "./risk-report.ts"

/** A second file, and which of its columns says the same as which quasi-identifier. */
export interface SecondFile {
  readonly name: string
  /** As it stands in FROM. */
  readonly from: string
  readonly on: readonly { readonly quasi: number; readonly column: string }[]
}

/**
 * Joins both by the values of the common columns, as texts. Every record of the file is counted once: it
 * matches one person, several, or nobody.
 */
export async function linkWith({ rows, columns, sensitive }: Cells, file: SecondFile): Promise<Linkage> {
  const keys = file.on.map((_, index) => `k${index}`)
  const own = file.on.map(({ quasi }, index) => `CAST(q${quasi} AS VARCHAR) AS k${index}`)
  const other = file.on.map(({ column }, index) => `${textOf(column)} AS k${index}`)
  const same = sensitive.map((name) => `min(${name}) = max(${name}) AS same_${name}`)
  // hash(...) tells NULL from every value, and NULL from nothing: who has no value matches who has none.
  const key = `hash(${keys.join(", ")})`
  await rows.ask(`CREATE TEMP TABLE mine AS SELECT ${[`${key} AS k`, "sum(n) AS n", ...same].join(", ")}
    FROM (SELECT ${own.join(", ")}, * FROM cells) GROUP BY ${key}`)
  await rows.ask(`CREATE TEMP TABLE theirs AS SELECT k, count(*) AS n
    FROM (SELECT ${key} AS k FROM (SELECT ${other.join(", ")} FROM ${file.from})) GROUP BY k`)
  const certain = sensitive.map((name) => `coalesce(sum(theirs.n) FILTER (mine.same_${name}), 0)`)
  const [[records, pairs, matched, ...told] = []] = await rows.ask(
    `SELECT ${[
      "coalesce(sum(theirs.n), 0)",
      "count(*) FILTER (mine.n = 1 AND theirs.n = 1)",
      "coalesce(sum(theirs.n) FILTER (mine.n IS NOT NULL), 0)",
      ...certain,
    ].join(", ")} FROM theirs LEFT JOIN mine USING (k)`,
  )
  return {
    file: file.name,
    on: file.on.map(({ quasi }) => columns.quasi[quasi]?.name ?? ""),
    records: Number(records),
    pairs: Number(pairs),
    ambiguous: Number(matched) - Number(pairs),
    unmatched: Number(records) - Number(matched),
    certain: columns.sensitive.map(({ name }, index) => ({ column: name, people: Number(told[index] ?? 0) })),
  }
}

/** The columns of a second file that have the name of a quasi-identifier, or that the owner has paired. */
export function commonColumns(
  quasi: readonly string[],
  theirs: readonly string[],
  paired: Readonly<Record<string, string>>,
): SecondFile["on"] {
  return quasi.flatMap((name, index) => {
    const wanted = paired[name] ?? name
    const column =
      theirs.find((one) => one === wanted) ?? theirs.find((one) => one.toLowerCase() === wanted.toLowerCase())
    return column === undefined ? [] : [{ quasi: index, column }]
  })
}
