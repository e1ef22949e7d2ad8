// What coarser columns cost and still leak. Greedy: each step coarsens the column that brings most people
// into a crowd for the information that is lost; so the path is a good one, and not always the cheapest.

import type { Cells } from "./cells.ts"
import { countGroups } from "./combinations.ts"
import type { Ladder } from "./ladders.ts"
import type { GeneralisationStep } from "./risk-report.ts"

/** Up to so many cells every next step is tried; above, the column with most values is taken. */
const triedCellsMax = 1_000_000
const dust = 1e-9

interface At {
  /** The table with the columns as coarse as they are now. */
  readonly table: string
  readonly count: number
  readonly levels: readonly number[]
  readonly step: GeneralisationStep
}

/** The steps from the table as it is to a crowd of `k` for everybody, or to no columns at all. */
export async function generalise(
  cells: Cells,
  { ladders, k }: { readonly ladders: readonly Ladder[]; readonly k: number },
): Promise<readonly GeneralisationStep[]> {
  const whole = await entropiesIn(cells, "cells")
  const path = new Path(cells, ladders, sumOf(whole))
  const first = await path.measure("cells", { levels: ladders.map(() => 0), what: "as it is" })
  let at: At = { table: "cells", count: cells.count, levels: ladders.map(() => 0), step: first }
  const steps = [first]
  while (at.step.k < k && at.levels.some((level, index) => level + 1 < (ladders[index]?.length ?? 0))) {
    at = await path.next(at)
    steps.push(at.step)
  }
  return steps
}

class Path {
  readonly #cells: Cells
  readonly #ladders: readonly Ladder[]
  readonly #entropy: number
  #made = 0

  constructor(cells: Cells, ladders: readonly Ladder[], entropy: number) {
    this.#cells = cells
    this.#ladders = ladders
    this.#entropy = entropy
  }

  /** The next step from here. */
  async next(at: At): Promise<At> {
    const open = this.#ladders.flatMap((ladder, index) =>
      (at.levels[index] ?? 0) + 1 < ladder.length ? [index] : [],
    )
    const tried = at.count > triedCellsMax ? [await this.#mostVaried(at, open)] : open
    const found: At[] = []
    for (const index of tried) found.push(await this.#coarsen(at, index))
    const worth = ({ step }: At): number => {
      const gained = at.step.below11 - step.below11 + (at.step.below5 - step.below5)
      return gained / Math.max(1e-9, step.lost - at.step.lost)
    }
    const [best = at] = found.toSorted((a, b) => worth(b) - worth(a))
    const others = [at, ...found]
      .map(({ table }) => table)
      .filter((table) => table !== best.table && table !== "cells")
    for (const table of others) await this.#cells.rows.ask(`DROP TABLE ${table}`)
    return best
  }

  async #coarsen(at: At, index: number): Promise<At> {
    const { rows, quasi, sensitive, columns } = this.#cells
    const levels = at.levels.map((level, own) => (own === index ? level + 1 : level))
    const { sql, label } = this.#ladders[index]?.[levels[index] ?? 0] ?? fallen()
    const all = quasi.map((name, own) => (own === index ? `${sql(name)} AS ${name}` : name))
    this.#made += 1
    const table = `coarse_${this.#made}`
    const group = [...quasi, ...sensitive].join(", ")
    await rows.ask(`CREATE TEMP TABLE ${table} AS SELECT ${group}, sum(n) AS n
      FROM (SELECT ${[...all, ...sensitive, "n"].join(", ")} FROM ${at.table}) GROUP BY ${group}`)
    const [[count = 0] = []] = await rows.ask(`SELECT count(*) FROM ${table}`)
    const what = `${columns.quasi[index]?.name ?? ""}: ${label}`
    return { table, levels, count: Number(count), step: await this.measure(table, { levels, what }) }
  }

  /** What a table of cells tells. */
  async measure(
    table: string,
    { levels, what }: { readonly levels: readonly number[]; readonly what: string },
  ): Promise<GeneralisationStep> {
    const left = sumOf(await entropiesIn(this.#cells, table))
    const group = this.#cells.quasi.join(", ")
    const { classes: _, ...counts } = await countGroups(this.#cells, { from: table, group })
    return {
      what,
      levels: levels.map((level, index) => this.#ladders[index]?.[level]?.label ?? ""),
      lost: this.#lostAt(left),
      ...counts,
    }
  }

  /** Sums of logarithms differ in their last digits by the order in which they were added up. */
  #lostAt(left: number): number {
    const lost = this.#entropy === 0 ? 0 : 1 - left / this.#entropy
    return lost < dust ? 0 : lost
  }

  async #mostVaried({ table }: At, open: readonly number[]): Promise<number> {
    const { rows } = this.#cells
    const [found = []] = await rows.ask(
      `SELECT ${open.map((index) => `approx_count_distinct(q${index})`).join(", ")} FROM ${table}`,
    )
    const [most = 0] = open.toSorted(
      (a, b) => Number(found[open.indexOf(b)]) - Number(found[open.indexOf(a)]),
    )
    return most
  }
}

/** The entropy of each column by itself. */
async function entropiesIn({ rows, quasi, people }: Cells, table: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of quasi) {
    const [[entropy = 0] = []] = await rows.ask(
      `SELECT ln(${people}) - sum(n * ln(n)) / ${people} FROM (SELECT sum(n) AS n FROM ${table} GROUP BY ${name})`,
    )
    found.push(Math.max(0, Number(entropy)))
  }
  return found
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function fallen(): never {
  throw new Error("a column is coarsened within its ladder")
}
