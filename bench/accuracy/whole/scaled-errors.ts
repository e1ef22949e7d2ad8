// What is left out where a person's whole vector is scaled to a norm, for every bound at once: exact on eight
// bounds an octave, from sums by group and step of the norm.

import type { DuckDBConnection } from "@duckdb/node-api"

/** A question as vectors: what each person adds to each group, as SQL of `person_id, g, v`. */
export interface VectorKind {
  readonly name: string
  readonly groups: number
  readonly entries: "amounts" | "people"
  readonly pairs: string
}

const by = (key: string, value: string): string =>
  `SELECT person_id, ${key} AS g, CAST(${value} AS DOUBLE) AS v FROM events GROUP BY ALL`

/** The questions that add up. */
export const vectorKinds = {
  codes: { name: "events by code", groups: 1000, entries: "amounts", pairs: by("code", "count(*)") },
  people: { name: "people by code", groups: 1000, entries: "people", pairs: by("code", "1") },
  months: { name: "sum by month", groups: 12, entries: "amounts", pairs: by("month", "sum(amount)") },
} as const satisfies Readonly<Record<string, VectorKind>>

/** The errors of one kind of bounding of one table. */
export interface ScaledErrors {
  readonly groups: number
  /** From small to large bounds, up to the longest norm. */
  readonly bounds: readonly BoundErrors[]
  /** People by step of their norm, as a ladder counts them: step h is up to 2^(h/2). */
  readonly ladder: readonly number[]
}

/** What a bound leaves out. */
export interface BoundErrors {
  readonly bound: number
  /** By group. */
  readonly bias: Float64Array
  /** The sum over people of what their norms have above the bound. */
  readonly leftOut: number
}

/** The sum of squares. */
export function squares(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0)
}

/** Rows of a query as numbers. */
export async function numbers(connection: DuckDBConnection, sql: string): Promise<readonly number[][]> {
  const rows = (await connection.runAndReadAll(sql)).getRows()
  return rows.map((row) => row.map(Number))
}

/** Computes them for a table `events`. */
export async function scaledErrors(
  connection: DuckDBConnection,
  kind: VectorKind,
  norm: "L1" | "L2",
): Promise<ScaledErrors> {
  const length = norm === "L2" ? "sqrt(sum(v * v))" : "sum(v)"
  await connection.run(`CREATE OR REPLACE TEMP TABLE pairs AS ${kind.pairs}`)
  // A norm on the edge of a step belongs to the step below, whatever rounding does to its logarithm.
  await connection.run(`CREATE OR REPLACE TEMP TABLE norms AS
    SELECT person_id, norm, CAST(ceil(8 * log2(norm) - 1e-9) AS INTEGER) AS step
    FROM (SELECT person_id, ${length} AS norm FROM pairs GROUP BY person_id) WHERE norm > 0`)
  const people = await numbers(
    connection,
    "SELECT step, count(*), sum(norm), max(norm) FROM norms GROUP BY step ORDER BY step",
  )
  const cells = await numbers(
    connection,
    `SELECT step, g, sum(v), sum(v / norm) FROM pairs JOIN norms USING (person_id)
      GROUP BY step, g ORDER BY step DESC`,
  )
  return { groups: kind.groups, bounds: boundsOf(people, cells, kind.groups), ladder: ladderOf(people) }
}

/** From the largest step down: everybody above a bound has v (1 - bound / norm) left out. */
function boundsOf(
  people: readonly number[][],
  cells: readonly number[][],
  groups: number,
): readonly BoundErrors[] {
  const steps = people.map(([step = 0]) => step)
  // From a norm of 1 on, as ladders do.
  const [low, high] = [Math.min(0, ...steps), Math.max(...steps)]
  const counted = new Map(people.map(([step = 0, count = 0, norms = 0]) => [step, { count, norms }]))
  const [sums, parts] = [new Float64Array(groups), new Float64Array(groups)]
  const found: BoundErrors[] = []
  let [count, norms, next] = [0, 0, 0]
  for (let step = high; step >= low; step -= 1) {
    const bound = 2 ** (step / 8)
    for (; (cells[next]?.[0] ?? -Infinity) > step; next += 1) {
      const [, g = 0, sum = 0, part = 0] = cells[next] ?? []
      sums[g] = (sums[g] ?? 0) + sum
      parts[g] = (parts[g] ?? 0) + part
    }
    const bias = sums.map((sum, g) => sum - bound * (parts[g] ?? 0))
    found.unshift({ bound, bias, leftOut: norms - bound * count })
    const own = counted.get(step)
    count += own?.count ?? 0
    norms += own?.norms ?? 0
  }
  // At the longest norm there is nothing is left out.
  const longest = people.at(-1)?.[3] ?? 1
  const end = found.findLastIndex(({ bound }) => bound < longest) + 1
  return [...found.slice(0, end), { bound: longest, bias: new Float64Array(groups), leftOut: 0 }]
}

function ladderOf(people: readonly number[][]): readonly number[] {
  const stepOf = (fine: number): number => Math.max(0, Math.ceil(fine / 4))
  const most = Math.max(...people.map(([fine = 0]) => stepOf(fine)))
  const ladder = Array.from({ length: most + 1 }, () => 0)
  for (const [fine = 0, count = 0] of people) {
    ladder[stepOf(fine)] = (ladder[stepOf(fine)] ?? 0) + count
  }
  return ladder
}

/** The root mean square over groups of bias and noise together. */
export function wholeError(bias: Float64Array, noise: number): number {
  return Math.sqrt(squares(bias) / bias.length + noise ** 2)
}

/** A bound with its error. */
export interface Best {
  readonly bound: number
  readonly error: number
}

/** The bound of least error, knowing the truth. */
export function bestBound({ bounds }: ScaledErrors, noise: number): Best {
  return bounds
    .map(({ bound, bias }) => ({ bound, error: wholeError(bias, noise * bound) }))
    .reduce((best, each) => (each.error < best.error ? each : best))
}

/**
 * What a bound leaves out that may be none of the eight an octave: on the line between the bounds around it.
 * What is left out is convex in the bound, so it is no more than that.
 */
export function errorsAt({ bounds }: ScaledErrors, bound: number): BoundErrors {
  const place = bounds.findLastIndex((each) => each.bound <= bound * (1 + 1e-9))
  const [below, above] = [bounds[place], bounds[place + 1]]
  if (below === undefined) throw new Error("bounds are at least 1")
  if (above === undefined) return { ...below, bound }
  const part = Math.max(0, (bound - below.bound) / (above.bound - below.bound))
  const between = (low: number, high: number): number => low + part * (high - low)
  const bias = below.bias.map((own, g) => between(own, above.bias[g] ?? 0))
  return { bound, bias, leftOut: between(below.leftOut, above.leftOut) }
}
