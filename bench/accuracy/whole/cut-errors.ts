// What is left out where people are cut: so many groups of a person by a hash, so many rows in each; or a
// person's total in each group clamped.

import type { DuckDBConnection } from "@duckdb/node-api"
import { numbers, wholeError, type Best, type VectorKind } from "./scaled-errors.ts"

const groupsKept = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 150, 250, 400, 1000] as const
const rowsKept = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024] as const

/** Groups x rows at their best. */
export interface BestCut extends Best {
  readonly groupsKept: number
  readonly rowsKept: number
}

/** A question of rows: how many, or the sum of amounts, by key. */
export interface RowKind {
  readonly groups: number
  readonly key: "code" | "month" | "ward"
  readonly value: "1" | "amount"
  /** What a row adds at most. */
  readonly most: number
  /** Whether a person counts once in a group, whatever its rows. */
  readonly once?: boolean
}

/** What is kept of each group, by groups kept and rows kept, drawn by a hash; and what there is in all. */
export interface Kept {
  readonly whole: Float64Array
  readonly of: (groups: number, rows: number) => Float64Array
}

/** The least of a list that is not below a number, in SQL. */
function upTo(list: readonly number[], number: string): string {
  return `CASE ${list.map((most) => `WHEN ${number} <= ${most} THEN ${most}`).join(" ")} ELSE 1000000000 END`
}

/** Draws groups and rows once, and adds up what is kept. */
export async function keptBy(connection: DuckDBConnection, kind: RowKind): Promise<Kept> {
  const { key, value, groups } = kind
  const cells = await numbers(
    connection,
    `SELECT ${key}, ${upTo(groupsKept, "place")} AS k, ${upTo(rowsKept, "turn")} AS r, sum(${value})
    FROM (SELECT *, row_number() OVER (PARTITION BY person_id, ${key} ORDER BY hash(id, 1)) AS turn
      FROM events) JOIN
      (SELECT person_id, ${key},
        row_number() OVER (PARTITION BY person_id ORDER BY hash(person_id, ${key}, 2)) AS place
      FROM (SELECT DISTINCT person_id, ${key} FROM events)) USING (person_id, ${key})
    GROUP BY ALL`,
  )
  const keep = (most: readonly [number, number]): Float64Array => {
    const sums = new Float64Array(groups)
    for (const [g = 0, k = 0, r = 0, sum = 0] of cells) {
      if (k <= most[0] && r <= most[1]) sums[g] = (sums[g] ?? 0) + sum
    }
    return sums
  }
  const whole = keep([Infinity, kind.once === true ? 1 : Infinity])
  return { whole, of: (most, rows) => keep([most, rows]) }
}

/** The best of groups x rows, knowing the truth: L2 sensitivity rows x sqrt(groups), L1 rows x groups. */
export async function bestCut(
  connection: DuckDBConnection,
  kind: RowKind,
  { norm, noise }: { readonly norm: "L1" | "L2"; readonly noise: number },
): Promise<BestCut> {
  const { whole, of } = await keptBy(connection, kind)
  const rows = kind.once === true ? [1] : rowsKept
  return groupsKept
    .filter((most) => most <= kind.groups)
    .flatMap((most) =>
      rows.map((each) => {
        const kept = of(most, each)
        const bound = each * kind.most * (norm === "L2" ? Math.sqrt(most) : most)
        const bias = whole.map((sum, g) => sum - (kept[g] ?? 0))
        return { bound, error: wholeError(bias, noise * bound), groupsKept: most, rowsKept: each }
      }),
    )
    .reduce((best, each) => (each.error < best.error ? each : best))
}

/** A person's total in each group clamped, at the best clamp, knowing the truth; no group is dropped. */
export async function bestClamp(
  connection: DuckDBConnection,
  kind: VectorKind,
  { norm, noise }: { readonly norm: "L1" | "L2"; readonly noise: number },
): Promise<Best> {
  // By steps of the total from the largest down: everybody above the clamp has v - clamp left out.
  const cells = await numbers(
    connection,
    `SELECT CAST(ceil(8 * log2(v) - 1e-9) AS INTEGER) AS step, g, count(*), sum(v)
    FROM (${kind.pairs}) WHERE v > 0 GROUP BY ALL ORDER BY step DESC`,
  )
  const [low, high] = [cells.at(-1)?.[0] ?? 0, cells[0]?.[0] ?? 0]
  const [counts, sums] = [new Float64Array(kind.groups), new Float64Array(kind.groups)]
  let best: Best = { bound: 0, error: Infinity }
  let next = 0
  for (let step = high; step >= low; step -= 1) {
    const clamp = 2 ** (step / 8)
    for (; (cells[next]?.[0] ?? -Infinity) > step; next += 1) {
      const [, g = 0, count = 0, sum = 0] = cells[next] ?? []
      counts[g] = (counts[g] ?? 0) + count
      sums[g] = (sums[g] ?? 0) + sum
    }
    const bound = clamp * (norm === "L2" ? Math.sqrt(kind.groups) : kind.groups)
    const bias = sums.map((sum, g) => sum - clamp * (counts[g] ?? 0))
    const error = wholeError(bias, noise * bound)
    if (error < best.error) best = { bound: clamp, error }
  }
  return best
}
