// How often intervals hold the number of the whole table, by size of group: of noise alone; with what the
// bound is estimated to leave out (norms counted up to four bounds), shared among groups in proportion to
// their answers; all of that for each group; and proven, where the owner declared the largest norm there is.

import type { DuckDBConnection } from "@duckdb/node-api"
import { systemBits } from "@dosimeter/core"
import { formatTable, percent, short } from "../../table.ts"
import { normalUpper, PlainNoise } from "../reference-noise.ts"
import { recommendNorm } from "@dosimeter/planner/learn/choose-norm"
import { ladderShare } from "@dosimeter/planner/learn/ladder-share"
import { boundedOf, noisyLadder } from "./ladder-error.ts"
import { noiseOf, normOf, type Accounting } from "./loss.ts"
import {
  errorsAt,
  numbers,
  scaledErrors,
  squares,
  vectorKinds,
  type ScaledErrors,
  type VectorKind,
} from "./scaled-errors.ts"
import { makeEvents, openMemory, profiles, skews, type SkewedTable } from "./skewed-people.ts"

/** The kinds of intervals. */
export const intervalKinds = [
  "noise only",
  "in proportion",
  "whole, to 4 bounds",
  "proven, to the largest norm",
] as const

/** How a kind of interval did among groups of one size. */
export interface Held {
  readonly table: string
  readonly size: string
  readonly kind: (typeof intervalKinds)[number]
  readonly intervals: number
  readonly held: number
  /** The mean width through that of noise alone. */
  readonly width: number
}

const confidence = 0.95
/** The share of the loss for one more number: how much norms have above the bound, up to the cap. */
const leftOutShare = 0.05
const capTimes = 4
const runsDefault = 20

/** Groups by size: places from the largest down, as [name, first, end). */
function sizesOf(groups: number): readonly (readonly [string, number, number])[] {
  if (groups < 200) return [["all", 0, groups]]
  return [
    ["10 largest", 0, 10],
    ["next 90", 10, 100],
    ["rest", 100, groups],
  ]
}

interface Releasing {
  readonly errors: ScaledErrors
  readonly truth: readonly number[]
  readonly entries: VectorKind["entries"]
  readonly accounting: Accounting
  readonly noise: PlainNoise
}

/** An answer's values, with the half-width of noise and what may be left out, by kind of interval. */
interface Released {
  readonly values: Float64Array
  readonly half: number
  readonly above: Readonly<Record<(typeof intervalKinds)[number], (group: number) => number>>
}

/** One release by calculation: a ladder, a bound, the scaled answer with noise, and what is left out. */
function release({ errors, truth, entries, accounting, noise }: Releasing): Released {
  const share = ladderShare(accounting, errors.groups)
  const left = 1 - share - leftOutShare
  const bounded = { ...boundedOf(errors, entries, accounting), noise: noiseOf(accounting, left) }
  const { bound } = recommendNorm(noisyLadder(errors, accounting, share, noise), bounded, "least-error")
  const deviation = bounded.noise * bound
  const draw = (own: number): number =>
    accounting === "pure" ? noise.laplace(own / Math.SQRT2) : noise.gaussian(own)
  const bias = errorsAt(errors, bound).bias
  const values = bias.map((own, g) => (truth[g] ?? 0) - own + draw(deviation))
  const length = Math.sqrt(Math.max(1, squares(values)))
  const near = mostLeftOut(errors, [bound, capTimes * bound], accounting, draw)
  const far = mostLeftOut(errors, [bound, errors.bounds.at(-1)?.bound ?? bound], accounting, draw)
  return {
    values,
    half: tailOf(accounting, (1 - confidence) / 2) * deviation,
    above: {
      "noise only": () => 0,
      "in proportion": (g) => (near * Math.max(0, values[g] ?? 0)) / length,
      "whole, to 4 bounds": () => near,
      "proven, to the largest norm": () => far,
    },
  }
}

/**
 * An upper bound of what norms have above a bound, up to a cap: one number of sensitivity cap - bound, for a
 * share of the loss. It holds at the stated confidence if nobody's norm is above the cap.
 */
function mostLeftOut(
  errors: ScaledErrors,
  [bound, cap]: readonly [number, number],
  accounting: Accounting,
  draw: (deviation: number) => number,
): number {
  const spread = noiseOf(accounting, leftOutShare) * Math.max(0, cap - bound)
  const above = errorsAt(errors, bound).leftOut - errorsAt(errors, Math.max(bound, cap)).leftOut
  return Math.max(0, above + draw(spread) + tailOf(accounting, 1 - confidence) * spread)
}

/** How many deviations up a tail of probability p begins. */
function tailOf(accounting: Accounting, p: number): number {
  return accounting === "pure" ? -Math.log(2 * p) / Math.SQRT2 : normalUpper(p)
}

/** Counts how often intervals hold, for one table and question. */
export async function coverageOf(
  connection: DuckDBConnection,
  kind: VectorKind,
  {
    accounting,
    table,
    runs = runsDefault,
  }: {
    readonly accounting: Accounting
    readonly table: string
    readonly runs?: number
  },
): Promise<readonly Held[]> {
  const errors = await scaledErrors(connection, kind, normOf(accounting))
  const truth = Array.from({ length: kind.groups }, () => 0)
  for (const [g = 0, sum = 0] of await numbers(
    connection,
    `SELECT g, sum(v) FROM (${kind.pairs}) GROUP BY g`,
  )) {
    truth[g] = sum
  }
  const places = [...truth.keys()].toSorted((a, b) => (truth[b] ?? 0) - (truth[a] ?? 0))
  const noise = new PlainNoise(systemBits())
  const releases = Array.from({ length: runs }, () =>
    release({ errors, truth, entries: kind.entries, accounting, noise }),
  )
  return sizesOf(kind.groups).flatMap(([name, first, end]) =>
    intervalKinds.map((way) => {
      const tally = tallyOf(releases, way, places.slice(first, end), truth)
      return { table, size: `${kind.name}, ${name}`, kind: way, ...tally }
    }),
  )
}

function tallyOf(
  releases: readonly Released[],
  way: (typeof intervalKinds)[number],
  groups: readonly number[],
  truth: readonly number[],
): Pick<Held, "intervals" | "held" | "width"> {
  let [held, widths] = [0, 0]
  for (const { values, half, above } of releases) {
    for (const g of groups) {
      const [value, exact, more] = [values[g] ?? 0, truth[g] ?? 0, above[way](g)]
      if (value - half <= exact && exact <= value + half + more) held += 1
      widths += (2 * half + more) / (2 * half)
    }
  }
  const intervals = releases.length * groups.length
  return { intervals, held, width: widths / intervals }
}

/** Measures the tables of one size. */
export async function benchCoverage(options: {
  readonly accounting: Accounting
  readonly rows: number
  readonly runs: number
}): Promise<readonly Held[]> {
  const { accounting, rows, runs } = options
  const connection = await openMemory()
  const found: Held[] = []
  for (const skew of skews) {
    for (const profile of profiles) {
      const table: SkewedTable = { skew, profile, rows }
      await makeEvents(connection, table)
      for (const kind of Object.values(vectorKinds)) {
        found.push(
          ...(await coverageOf(connection, kind, { accounting, table: `${skew}, ${profile}`, runs })),
        )
      }
    }
  }
  connection.closeSync()
  return found
}

/** The table: mean over tables (lowest), and widths; people of Zipf 1.0 by themselves. */
export function showCoverage(found: readonly Held[]): string {
  const sizes = [...new Set(found.map(({ size }) => size))]
  const rows = intervalKinds.flatMap((way) =>
    sizes.map((size) => {
      const own = found.filter(({ kind, size: each }) => kind === way && each === size)
      const heavy = own.filter(({ table }) => table.startsWith("zipf 1.0"))
      return [way, size, ...figuresOf(own.filter((each) => !heavy.includes(each))), ...figuresOf(heavy)]
    }),
  )
  return formatTable([
    ["interval", "groups", "held", "lowest", "width", "zipf 1.0: held", "lowest", "width"],
    ...rows,
  ])
}

function figuresOf(found: readonly Held[]): readonly string[] {
  const shares = found.map(({ held, intervals }) => held / intervals)
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return [percent(mean(shares)), percent(Math.min(...shares)), short(mean(found.map(({ width }) => width)))]
}
