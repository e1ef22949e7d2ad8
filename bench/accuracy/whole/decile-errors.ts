// The whole error of the nine deciles of all amounts, in ranks: rows of a person drawn, or all rows with the
// same weight in all. Noise is that of an exponential mechanism with a ninth of the loss each.

import type { DuckDBConnection } from "@duckdb/node-api"
import { rankNoise, type Accounting } from "./loss.ts"
import { numbers } from "./scaled-errors.ts"

/** The nine fractions. */
export const deciles = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const
const rowsKept = [1, 2, 4, 8, 16, 32, 64, 128, 512] as const

/** How many rows have each amount, and how many have one that is less. */
export type Ranks = ReadonlyMap<number, { readonly below: number; readonly up: number }>

/** The share of rows below each amount and up to it. */
export async function ranksOf(connection: DuckDBConnection): Promise<Ranks> {
  const rows = await numbers(
    connection,
    `SELECT amount, (sum(n) OVER up - n) / sum(n) OVER (), sum(n) OVER up / sum(n) OVER ()
    FROM (SELECT amount, CAST(count(*) AS DOUBLE) AS n FROM events GROUP BY amount)
    WINDOW up AS (ORDER BY amount)`,
  )
  return new Map(rows.map(([amount = 0, below = 0, up = 0]) => [amount, { below, up }]))
}

/** How far a value is from a rank, as a share of all rows; 0 where the rank is among its rows. */
export function rankError(ranks: Ranks, value: number, fraction: number): number {
  const known = ranks.get(value) ?? nearest(ranks, value)
  return Math.max(0, known.below - fraction, fraction - known.up)
}

function nearest(ranks: Ranks, value: number): { readonly below: number; readonly up: number } {
  const before = [...ranks]
    .filter(([amount]) => amount < value)
    .reduce((up, [, own]) => Math.max(up, own.up), 0)
  return { below: before, up: before }
}

/** Both at their best number of rows, knowing the truth. */
export async function decileErrors(
  connection: DuckDBConnection,
  accounting: Accounting,
  ranks: Ranks,
): Promise<{ readonly cut: number; readonly weighted: number }> {
  const columns = rowsKept.flatMap((most) => [
    `CAST(count(*) FILTER (WHERE turn <= ${most}) AS DOUBLE)`,
    `sum(least(1, ${most} / rows_))`,
  ])
  const rows = await numbers(
    connection,
    `SELECT amount, ${columns.join(", ")}
    FROM (SELECT amount, CAST(count(*) OVER (PARTITION BY person_id) AS DOUBLE) AS rows_,
        row_number() OVER (PARTITION BY person_id ORDER BY hash(id, 3)) AS turn FROM events)
    GROUP BY amount ORDER BY amount`,
  )
  const errorOf = (most: number, column: number): number => {
    const whole = rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)
    const bias = weightedDeciles(rows, column, whole).map((value, place) =>
      rankError(ranks, value, deciles[place] ?? 0),
    )
    const noise = (rankNoise(accounting) * most) / whole
    return Math.sqrt(bias.reduce((sum, each) => sum + each ** 2, 0) / bias.length + noise ** 2)
  }
  return {
    cut: Math.min(...rowsKept.map((most, place) => errorOf(most, 1 + 2 * place))),
    weighted: Math.min(...rowsKept.map((most, place) => errorOf(most, 2 + 2 * place))),
  }
}

function weightedDeciles(rows: readonly number[][], column: number, whole: number): readonly number[] {
  const found: number[] = []
  let sum = 0
  for (const row of rows) {
    sum += row[column] ?? 0
    while (found.length < deciles.length && sum >= (deciles[found.length] ?? 1) * whole)
      found.push(row[0] ?? 0)
  }
  return found
}
