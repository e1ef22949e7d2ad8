// Every combination of quasi-identifiers: how many people it singles out, and about how many it makes a
// sensitive value certain.

import type { Cells } from "./cells.ts"
import type { CertainPeople, Combination } from "./risk-report.ts"

/** So many cells are grouped in all; combinations beyond that are left out, and their number is said. */
const groupedCellsMax = 120_000_000
const combinationsMax = 127

/** The combinations that were counted, the most telling first, and how many were not. */
export async function countCombinations(
  cells: Cells,
): Promise<{ readonly combinations: readonly Combination[]; readonly leftOut: number }> {
  const all = combinationsOf(cells.quasi.length)
  const most = Math.min(combinationsMax, Math.max(cells.quasi.length + 1, groupedCellsMax / cells.count))
  const counted: Combination[] = []
  for (const columns of all.slice(0, Math.floor(most))) counted.push(await countOne(cells, columns))
  const telling = counted.toSorted((a, b) => b.unique - a.unique || a.columns.length - b.columns.length)
  return { combinations: telling, leftOut: Math.max(0, all.length - counted.length) }
}

/** All subsets: the whole, single columns, pairs, and so on; what is left out comes last. */
function combinationsOf(count: number): readonly (readonly number[])[] {
  const subsets = Array.from({ length: 2 ** count - 1 }, (_, index) =>
    Array.from({ length: count }, (__, column) => column).filter(
      (column) => ((index + 1) >> column) % 2 === 1,
    ),
  )
  const rank = (subset: readonly number[]): number => (subset.length === count ? 0 : subset.length)
  return subsets.toSorted((a, b) => rank(a) - rank(b))
}

async function countOne(cells: Cells, subset: readonly number[]): Promise<Combination> {
  const names = subset.map((index) => cells.columns.quasi[index]?.name ?? "")
  const group = subset.map((index) => `q${index}`).join(", ")
  return { columns: names, ...(await countGroups(cells, { from: "cells", group })) }
}

/** Classes of some cells by some columns. */
export async function countGroups(
  { rows, sensitive, columns }: Pick<Cells, "rows" | "sensitive" | "columns">,
  { from, group }: { readonly from: string; readonly group: string },
): Promise<Omit<Combination, "columns"> & { readonly k: number }> {
  const same = sensitive.map((name) => `min(${name}) = max(${name}) AS same_${name}`)
  const certain = sensitive.map((name) => `sum(n) FILTER (same_${name})`)
  const counts = [
    "min(n)",
    "count(*)",
    ...["n = 1", "n < 5", "n < 11"].map((condition) => `sum(n) FILTER (${condition})`),
    ...certain,
  ]
  const by = group === "" ? "" : `GROUP BY ${group}`
  const [[k, classes, unique, below5, below11, ...rest] = []] = await rows.ask(
    `SELECT ${counts.map((count) => `coalesce(${count}, 0)`).join(", ")}
     FROM (SELECT ${["sum(n) AS n", ...same].join(", ")} FROM ${from} ${by})`,
  )
  const told: readonly CertainPeople[] = columns.sensitive.map(({ name }, index) => ({
    column: name,
    people: Number(rest[index] ?? 0),
  }))
  return {
    k: Number(k),
    classes: Number(classes),
    unique: Number(unique),
    below5: Number(below5),
    below11: Number(below11),
    certain: told,
  }
}
