// The whole error of the product's own answers, and how often their intervals hold the number of the whole
// table, by size of group: norms are learnt and intervals shown as every asker has them. Beside the whole
// interval stands that of the noise alone.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import type { AnswerCell, AnswerTable, BoundingWord } from "@dosimeter/answers/shown/answer-table"
import type { Audit } from "@dosimeter/engine/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatTable, percent, short } from "../../table.ts"
import { openEngine, questions as wholeQuestions } from "./engine-errors.ts"
import type { Accounting } from "./loss.ts"
import { realPeople } from "./real-people.ts"
import { numbers } from "./scaled-errors.ts"
import { profiles, skewedPeople, skews, type People } from "./skewed-people.ts"

/** How intervals did among groups of one size. */
export interface Held {
  readonly table: string
  readonly question: string
  readonly size: string
  /** What the answers say of bounding; of several words the one that most of them have. */
  readonly word: BoundingWord | undefined
  readonly intervals: number
  /** The root mean square of how far numbers are from those of the whole table. */
  readonly error: number
  /** How many hold the number of the whole table: of the noise alone, and whole. */
  readonly noiseHeld: number
  readonly held: number
  /** How many have an open end: what is left out is too much to be said. */
  readonly open: number
  /** The middle of the widths of closed ones through those of noise alone. */
  readonly width: number
}

/** The questions, in the order of the table. */
const questions: Readonly<Record<string, string>> = {
  "all events": "SELECT COUNT(*) AS n FROM events",
  "sum of all": "SELECT SUM(amount) AS n FROM events",
  "events by code": wholeQuestions["events by code"],
  // A text is no list of whole numbers: these groups come from the data.
  "events by selected code": "SELECT CAST(code AS TEXT) AS code, COUNT(*) AS n FROM events GROUP BY 1",
  "people by code": wholeQuestions["people by code"],
  "people by selected code":
    "SELECT CAST(code AS TEXT) AS code, COUNT(DISTINCT person_id) AS n FROM events GROUP BY 1",
  "events by ward": "SELECT ward, COUNT(*) AS n FROM events GROUP BY ward",
  "people by ward": "SELECT ward, COUNT(DISTINCT person_id) AS n FROM events GROUP BY ward",
  "sum by month": wholeQuestions["sum by month"],
  "mean by ward": wholeQuestions["mean by ward"],
  "median by ward": "SELECT ward, MEDIAN(amount) AS n FROM events GROUP BY ward",
}

/** Groups by size: places from the largest down, as [name, first, end). */
function sizesOf(groups: number): readonly (readonly [string, number, number])[] {
  if (groups === 1) return [["one number", 0, 1]]
  if (groups < 50) {
    return [
      ["5 largest", 0, 5],
      ["others", 5, groups],
    ]
  }
  return [
    ["10 largest", 0, 10],
    ["next 90", 10, 100],
    ["rest", 100, groups],
  ]
}

/** What the database itself says: the number of each group, and the groups from the largest down. */
interface Truth {
  readonly values: ReadonlyMap<number, number>
  readonly places: readonly number[]
}

async function truthOf(connection: DuckDBConnection, sql: string): Promise<Truth> {
  const key = /(code|ward|month)\b/u.exec(sql)?.[0]
  if (key === undefined) {
    const [[value = 0] = []] = await numbers(connection, sql)
    return { values: new Map([[0, value]]), places: [0] }
  }
  const values = new Map(
    (await numbers(connection, plain(sql))).map(([group = 0, value = 0]) => [group, value]),
  )
  const sizes = await numbers(connection, `SELECT ${key}, count(*) FROM events GROUP BY 1 ORDER BY 2 DESC, 1`)
  return { values, places: sizes.map(([group = 0]) => group) }
}

// DuckDB says median(x) for the middle of two values; the product answers with a value that is there.
function plain(sql: string): string {
  return sql.replace(/MEDIAN\((\w+)\)/u, "quantile_disc($1, 0.5)")
}

interface Cells {
  readonly group: number
  readonly cell: AnswerCell
}

/** Answers one question so many times. */
async function answersOf(audit: Audit, sql: string, runs: number): Promise<readonly AnswerTable[] | string> {
  const answers: AnswerTable[] = []
  for await (const outcome of audit.repeat(sql, runs)) {
    if (outcome.kind === "refused") return outcome.error.code
    answers.push(outcome.answer)
  }
  return answers
}

function holds(low: AnswerCell["low"], high: AnswerCell["high"], exact: number): boolean {
  return Number(low ?? -Infinity) <= exact && exact <= Number(high ?? Infinity)
}

/** How the intervals of some cells did. */
export function tallyOf(
  cells: readonly Cells[],
  values: Truth["values"],
): Pick<Held, "intervals" | "error" | "noiseHeld" | "held" | "open" | "width"> {
  let [noiseHeld, held, open, squares] = [0, 0, 0, 0]
  const widths: number[] = []
  for (const { group, cell } of cells) {
    const exact = values.get(group) ?? 0
    const { low, high, noiseLow = low, noiseHigh = high } = cell
    squares += (Number(cell.value) - exact) ** 2
    if (holds(low, high, exact)) held += 1
    if (holds(noiseLow, noiseHigh, exact)) noiseHeld += 1
    if (low === null || high === null) open += 1
    else widths.push((Number(high) - Number(low)) / (Number(noiseHigh) - Number(noiseLow)))
  }
  const width = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? Infinity
  const error = Math.sqrt(squares / cells.length)
  return { intervals: cells.length, error, noiseHeld, held, open, width }
}

/** What is asked, and how often. */
export interface CoverageOptions {
  readonly accounting: Accounting
  readonly runs: number
  /** Only questions whose names begin so. */
  readonly name: string
}

/** Asks the questions about one table. */
export async function coverageOf(
  people: People,
  { accounting, runs, name: wanted }: CoverageOptions,
): Promise<readonly Held[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-coverage-"))
  const asked = Object.entries(questions).filter(([name]) => name.startsWith(wanted))
  try {
    const instance = await DuckDBInstance.create(join(folder, "people.duckdb"))
    const connection = await instance.connect()
    const most = await people.make(connection)
    const truths = new Map<string, Truth>()
    for (const [, sql] of asked) truths.set(sql, await truthOf(connection, sql))
    connection.closeSync()
    instance.closeSync()
    const audit = await openEngine(folder, "people.duckdb", { accounting, setting: "default", most })
    const found: Held[] = []
    for (const [name, sql] of asked) {
      const answers = await answersOf(audit, sql, runs)
      if (typeof answers === "string") throw new Error(`${name}: ${answers}`)
      found.push(...heldBySize(answers, truths.get(sql), people.name, name))
    }
    await audit.close()
    return found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function heldBySize(
  answers: readonly AnswerTable[],
  truth: Truth | undefined,
  table: string,
  question: string,
): readonly Held[] {
  if (truth === undefined) return []
  const cells = answers.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const cell = row.at(-1)
      // One number has no key.
      const group = row.length === 1 ? 0 : Number(row[0]?.value)
      return cell === undefined ? [] : [{ group, cell }]
    }),
  )
  const word = mostOften(answers.map(({ columns }) => columns.at(-1)?.bounding))
  return sizesOf(truth.places.length).flatMap(([size, first, end]) => {
    const groups = new Set(truth.places.slice(first, end))
    const own = cells.filter(({ group }) => groups.has(group))
    // Few groups have no rest, and of those that come from the data none may be shown.
    return own.length === 0 ? [] : [{ table, question, size, word, ...tallyOf(own, truth.values) }]
  })
}

function mostOften(words: readonly (BoundingWord | undefined)[]): BoundingWord | undefined {
  const count = (word: BoundingWord | undefined): number => words.filter((each) => each === word).length
  return words.toSorted((a, b) => count(b) - count(a))[0]
}

/** Measures generated tables of one size. */
export async function benchCoverage(
  options: CoverageOptions & { readonly rows: number },
): Promise<readonly Held[]> {
  const tables = skews.flatMap((skew) =>
    profiles.map((profile) => skewedPeople({ skew, profile, rows: options.rows })),
  )
  const found: Held[] = []
  for (const table of tables) found.push(...(await coverageOf(table, options)))
  return found
}

/** Measures the tables of real people that a folder has. */
export async function benchReal(
  options: CoverageOptions & { readonly folder: string },
): Promise<readonly Held[]> {
  const found: Held[] = []
  for (const table of realPeople(options.folder)) found.push(...(await coverageOf(table, options)))
  return found
}

/** A line for each table, question and size of group. */
export function showReal(found: readonly Held[]): string {
  const head = ["table", "groups", "says", "error", "noise", "whole", "open", "width"]
  const rows = found.map((one) => {
    const [error = "", noise = "", whole = "", , ...more] = figuresOf([one])
    return [one.table, `${one.question}, ${one.size}`, one.word ?? "-", error, noise, whole, ...more]
  })
  return formatTable([head, ...rows])
}

/** The table: mean over tables (lowest), and widths; people of Zipf 1.0 by themselves. */
export function showCoverage(found: readonly Held[]): string {
  const lines = [...new Set(found.map(({ question, size }) => `${question}, ${size}`))]
  const rows = lines.map((line) => {
    const own = found.filter(({ question, size }) => `${question}, ${size}` === line)
    const heavy = own.filter(({ table }) => table.startsWith("zipf 1.0"))
    const others = own.filter((each) => !heavy.includes(each))
    const words = [...new Set(others.map(({ word }) => word ?? "-"))].join(", ")
    return [line, words, ...figuresOf(others), ...figuresOf(heavy)]
  })
  const columns = ["error", "noise", "whole", "lowest", "open", "width"]
  const head = ["groups", "says", ...columns, ...columns.map((name) => `zipf 1.0: ${name}`)]
  return formatTable([head, ...rows])
}

function figuresOf(found: readonly Held[]): readonly string[] {
  const mean = (valueOf: (one: Held) => number): number =>
    found.reduce((sum, one) => sum + valueOf(one), 0) / found.length
  const lowest = Math.min(...found.map(({ held, intervals }) => held / intervals))
  return [
    short(mean(({ error }) => error)),
    percent(mean(({ noiseHeld, intervals }) => noiseHeld / intervals)),
    percent(mean(({ held, intervals }) => held / intervals)),
    percent(lowest),
    percent(mean(({ open, intervals }) => open / intervals)),
    short(mean(({ width }) => width)),
  ]
}
