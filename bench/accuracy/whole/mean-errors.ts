// The whole error of means by ward: groups x rows drawn, or each person clamped to some rows a ward and then
// scaled. A mean is read from two sums (how far above the lower bound, how far below the upper one), to which
// a row adds one width of the range in all.

import type { DuckDBConnection } from "@duckdb/node-api"
import { keptBy } from "./cut-errors.ts"
import { numbers } from "./scaled-errors.ts"
import { keyCounts, mostAmount } from "./skewed-people.ts"

const groupsKept = [1, 2, 3, 4, 6, 8, 12, 20] as const
const rowsKept = [1, 2, 3, 4, 6, 8, 16, 32] as const
/** Rows a ward that count before scaling; the last stands for all. */
const rowsClamped = [1, 2, 4, 8, 1e9] as const

/** The norm that is bounded, and the noise for a bound of 1. */
export interface Noise {
  readonly norm: "L1" | "L2"
  readonly noise: number
}

/** The error of means whose rows are kept in part; the noise is for one row of one person. */
function meanError(
  truth: Float64Array,
  kept: { readonly counts: Float64Array; readonly sums: Float64Array },
  noise: number,
): number {
  const squared = truth.map((mean, g) => {
    const count = Math.max(kept.counts[g] ?? 0, 1)
    const place = mean / mostAmount
    const spread = (noise * mostAmount * Math.hypot(1 - place, place)) / count
    // No answer leaves the range.
    return Math.min(((kept.sums[g] ?? 0) / count - mean) ** 2 + spread ** 2, mostAmount ** 2)
  })
  return Math.sqrt(squared.reduce((sum, value) => sum + value, 0) / truth.length)
}

/** Groups x rows at their best, and clamped then scaled at its best, knowing the truth. */
export async function meanErrors(
  connection: DuckDBConnection,
  { norm, noise }: Noise,
): Promise<{ readonly cut: number; readonly scaled: number; readonly scaledRows: number }> {
  const kind = { groups: keyCounts.ward, key: "ward", most: 1 } as const
  const counts = await keptBy(connection, { ...kind, value: "1" })
  const sums = await keptBy(connection, { ...kind, value: "amount" })
  const truth = sums.whole.map((sum, g) => sum / Math.max(counts.whole[g] ?? 0, 1))
  const cut = groupsKept.flatMap((most) =>
    rowsKept.map((rows) => {
      const reach = rows * (norm === "L2" ? Math.sqrt(most) : most)
      return meanError(truth, { counts: counts.of(most, rows), sums: sums.of(most, rows) }, noise * reach)
    }),
  )
  const scaled: number[] = []
  for (const clamp of rowsClamped) scaled.push(await scaledMean(connection, truth, clamp, { norm, noise }))
  return { cut: Math.min(...cut), scaled: Math.min(...scaled), scaledRows: scaled.at(-1) ?? Infinity }
}

/** Means of people who are clamped to so many rows a ward and then scaled, at the best bound. */
async function scaledMean(
  connection: DuckDBConnection,
  truth: Float64Array,
  clamp: number,
  { norm, noise }: Noise,
): Promise<number> {
  const length = norm === "L2" ? "sqrt(sum(v * v) OVER person)" : "sum(v) OVER person"
  const cells = await numbers(
    connection,
    `SELECT CAST(ceil(8 * log2(norm) - 1e-9) AS INTEGER) AS step, ward,
      sum(v), sum(v * mean), sum(v / norm), sum(v * mean / norm)
    FROM (SELECT *, ${length} AS norm
      FROM (SELECT person_id, ward, CAST(least(count(*), ${clamp}) AS DOUBLE) AS v, avg(amount) AS mean
        FROM events GROUP BY ALL)
      WINDOW person AS (PARTITION BY person_id))
    GROUP BY ALL`,
  )
  const steps = cells.map(([step = 0]) => step)
  const [low, high] = [Math.min(...steps), Math.max(...steps)]
  let least = Infinity
  for (let step = low; step <= high; step += 1) {
    const bound = 2 ** (step / 8)
    const kept = { counts: new Float64Array(truth.length), sums: new Float64Array(truth.length) }
    for (const [own = 0, g = 0, count = 0, sum = 0, countPart = 0, sumPart = 0] of cells) {
      const isUnder = own <= step
      kept.counts[g] = (kept.counts[g] ?? 0) + (isUnder ? count : bound * countPart)
      kept.sums[g] = (kept.sums[g] ?? 0) + (isUnder ? sum : bound * sumPart)
    }
    least = Math.min(least, meanError(truth, kept, noise * bound))
  }
  return least
}
