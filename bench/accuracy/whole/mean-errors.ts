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
    const count = Math.max(kept.counts[g] ?? 0, 1e-9)
    const place = mean / mostAmount
    const spread = (noise * mostAmount * Math.hypot(1 - place, place)) / count
    // No answer leaves the range.
    return Math.min(((kept.sums[g] ?? 0) / count - mean) ** 2 + spread ** 2, mostAmount ** 2)
  })
  return Math.sqrt(squared.reduce((sum, value) => sum + value, 0) / truth.length)
}

const kind = { groups: keyCounts.ward, key: "ward", most: 1 } as const

/** Groups x rows at their best, and clamped then scaled at its best, knowing the truth. */
export async function meanErrors(
  connection: DuckDBConnection,
  { norm, noise }: Noise,
): Promise<{ readonly cut: number; readonly scaled: number }> {
  const counts = await keptBy(connection, { ...kind, value: "1" })
  const sums = await keptBy(connection, { ...kind, value: "amount" })
  const truth = await trueMeans(connection)
  const cut = groupsKept.flatMap((most) =>
    rowsKept.map((rows) => {
      const reach = rows * (norm === "L2" ? Math.sqrt(most) : most)
      return meanError(truth, { counts: counts.of(most, rows), sums: sums.of(most, rows) }, noise * reach)
    }),
  )
  const scaled: number[] = []
  for (const clamp of rowsClamped)
    scaled.push(bestMeanError(await scaledMeans(connection, { norm, clamp }), noise))
  return { cut: Math.min(...cut), scaled: Math.min(...scaled) }
}

async function trueMeans(connection: DuckDBConnection): Promise<Float64Array> {
  const truth = new Float64Array(kind.groups)
  for (const [ward = 0, mean = 0] of await numbers(
    connection,
    "SELECT ward, avg(amount) FROM events GROUP BY 1",
  ))
    truth[ward] = mean
  return truth
}

/** People who are clamped to so many rows a ward and then scaled. */
export interface ScaledMeans {
  readonly norm: Noise["norm"]
  /** How many people are on which step of a ladder, in steps of sqrt 2; `stepsOfRow` is the length of a row. */
  readonly ladder: readonly number[]
  /** The error of the means at a norm, in rows. */
  readonly errorAt: (bound: number, noise: number) => number
}

/** The length of a row on a ladder: lengths far below one row are seen, too. */
export const stepsOfRow = 1024

/** Looks at the table. */
export async function scaledMeans(
  connection: DuckDBConnection,
  { norm, clamp }: { readonly norm: Noise["norm"]; readonly clamp: number },
): Promise<ScaledMeans> {
  const truth = await trueMeans(connection)
  const length = norm === "L2" ? "sqrt(sum(v * v) OVER person)" : "sum(v) OVER person"
  const lengths = `SELECT *, ${length} AS norm
    FROM (SELECT person_id, ward, CAST(least(count(*), ${clamp}) AS DOUBLE) AS v, avg(amount) AS mean
      FROM events GROUP BY ALL)
    WINDOW person AS (PARTITION BY person_id)`
  const cells = await numbers(
    connection,
    `SELECT CAST(ceil(8 * log2(norm) - 1e-9) AS INTEGER) AS step, ward,
      sum(v), sum(v * mean), sum(v / norm), sum(v * mean / norm)
    FROM (${lengths}) GROUP BY ALL`,
  )
  const people = await numbers(
    connection,
    `SELECT CAST(ceil(2 * log2(${stepsOfRow} * norm) - 1e-9) AS INTEGER), count(DISTINCT person_id)
    FROM (${lengths}) GROUP BY 1`,
  )
  const ladder: number[] = Array.from({ length: 1 + Math.max(...people.map(([step = 0]) => step)) }, () => 0)
  for (const [step = 0, count = 0] of people) ladder[step] = count
  const errorAt = (bound: number, noise: number): number => {
    const kept = { counts: new Float64Array(truth.length), sums: new Float64Array(truth.length) }
    for (const [own = 0, g = 0, count = 0, sum = 0, countPart = 0, sumPart = 0] of cells) {
      const isUnder = 2 ** (own / 8) <= bound
      kept.counts[g] = (kept.counts[g] ?? 0) + (isUnder ? count : bound * countPart)
      kept.sums[g] = (kept.sums[g] ?? 0) + (isUnder ? sum : bound * sumPart)
    }
    return meanError(truth, kept, noise * bound)
  }
  return { norm, ladder, errorAt }
}

/** The least error at any norm, knowing the truth: from half a row on, below which all people count alike. */
export function bestMeanError({ ladder, errorAt }: ScaledMeans, noise: number): number {
  const octaves = Math.ceil(ladder.length / 2 - Math.log2(stepsOfRow))
  const bounds = Array.from({ length: 8 * (octaves + 1) + 1 }, (_, place) => 2 ** (place / 8 - 1))
  return Math.min(...bounds.map((bound) => errorAt(bound, noise)))
}
