// How a column can be made coarser, step by step, until it is left out: numbers in bands, dates by month and
// year, codes by their first characters, rare values merged.

import type { Cells } from "./cells.ts"

/** One level of a column. */
export interface Level {
  readonly label: string
  /** The value in SQL, from a finer one. */
  readonly sql: (value: string) => string
}

/** The levels of a column, the finest first. */
export type Ladder = readonly Level[]

const asItIs: Level = { label: "as it is", sql: (value) => value }
const leftOut: Level = { label: "left out", sql: () => "NULL" }

/** The ladder of each quasi-identifier. */
export async function laddersOf(cells: Cells): Promise<readonly Ladder[]> {
  const ladders: Ladder[] = []
  for (const [index, { type }] of cells.columns.quasi.entries()) {
    ladders.push([asItIs, ...(await levelsOf(cells, index, type)), leftOut])
  }
  return ladders
}

async function levelsOf(cells: Cells, index: number, type: string): Promise<readonly Level[]> {
  if (/^(DATE|TIMESTAMP)/.test(type)) return ["month", "year", "decade"].map(dateLevel)
  if (/INT|FLOAT|DOUBLE|DECIMAL/.test(type)) return numberLevels(cells, index)
  return type === "BOOLEAN" ? [] : textLevels(cells, index)
}

function dateLevel(part: string): Level {
  return { label: `${part}s`, sql: (value) => `date_trunc('${part}', ${value})` }
}

/** Bands that hold each other: of 5, 10 and 20 for ages and the like, otherwise of powers of ten. */
async function numberLevels({ rows }: Cells, index: number): Promise<readonly Level[]> {
  const [[span = 0] = []] = await rows.ask(
    `SELECT CAST(max(q${index}) AS DOUBLE) - min(q${index}) FROM cells WHERE isfinite(CAST(q${index} AS DOUBLE))`,
  )
  const power = 10 ** (Math.ceil(Math.log10(Math.max(1, Number(span)))) - 3)
  const widths = Number(span) <= 150 ? [5, 10, 20] : [power, 10 * power, 100 * power]
  return widths
    .filter((width) => width < Number(span))
    .map((width) => ({
      label: `bands of ${width}`,
      sql: (value) => `floor(CAST(${value} AS DOUBLE) / ${width}) * ${width}`,
    }))
}

/** Codes of one length lose characters from the right; of other texts the rare ones become one. */
async function textLevels({ rows, people }: Cells, index: number): Promise<readonly Level[]> {
  const name = `q${index}`
  const [[least = 0, most = 0, codes = 0, distinct = 0] = []] = await rows.ask(
    `SELECT min(length(${name})), max(length(${name})),
       CAST(bool_and(regexp_full_match(${name}, '[0-9A-Z -]*[0-9][0-9A-Z -]*')) AS INTEGER), count(DISTINCT ${name})
     FROM (SELECT CAST(${name} AS VARCHAR) AS ${name} FROM cells)`,
  )
  const length = Number(least)
  if (length === Number(most) && length >= 3 && Number(codes) === 1) {
    return [1, 2, 3]
      .filter((gone) => gone < length)
      .map((gone) => ({
        label: `first ${length - gone} of ${length} characters`,
        sql: (value) => `left(CAST(${value} AS VARCHAR), ${length - gone})`,
      }))
  }
  if (Number(distinct) <= 3) return []
  const levels: Level[] = []
  for (const percent of [1, 5]) {
    const table = `common_${index}_${percent}`
    await rows.ask(`CREATE TEMP TABLE ${table} AS SELECT CAST(${name} AS VARCHAR) AS value FROM cells
      WHERE ${name} IS NOT NULL GROUP BY ${name} HAVING sum(n) >= ${(people * percent) / 100}`)
    levels.push({
      label: `values that ${percent} % or more have, others merged`,
      sql: (value) =>
        `CASE WHEN CAST(${value} AS VARCHAR) IN (SELECT value FROM ${table}) THEN CAST(${value} AS VARCHAR) END`,
    })
  }
  return levels
}
