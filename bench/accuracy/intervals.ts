// Do intervals tell the truth? Each question is answered many times, and it is counted how often an interval
// holds what the database itself says.

import { DuckDBInstance } from "@duckdb/node-api"
import { join } from "node:path"
import type { Accounting } from "@dosimeter/core"
import { clopperPearson } from "@dosimeter/core/testing"
import type { AnswerCell } from "@dosimeter/answers/shown/answer-table"
import { formatTable, percent, short } from "../table.ts"
import { intervalQuestions, smallPolicy, smallRows, type IntervalQuestion } from "./interval-questions.ts"
import { Lab, type Value } from "../../packages/engine/src/testing/lab.ts"

/** How often the intervals of a column held. */
export interface Coverage {
  readonly question: string
  readonly column: string
  readonly accounting: Accounting
  readonly epsilon: string
  readonly intervals: number
  readonly held: number
  /** Intervals without one of their ends. */
  readonly open: number
  /** The middle width of the others, as a share of the truth, or of 1 where that is less. */
  readonly width: number
  readonly refused?: string
}

const confidence = 0.95
const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const epsilons = ["0.3", "2"] as const
/** The chance that a column is called too narrow although it is not. */
const alpha = 1e-6

/** What is measured: questions whose names begin so, each answered so often. */
export interface IntervalOptions {
  readonly runs: number
  readonly name: string
  readonly onFound: (found: readonly Coverage[]) => void
}

/** Measures the questions, each under every accounting. */
export async function measureIntervals(
  folder: string,
  { runs, name, onFound }: IntervalOptions,
): Promise<readonly Coverage[]> {
  await makeSmall(folder)
  const lab = await Lab.open(smallPolicy, folder)
  const found: Coverage[] = []
  try {
    for (const question of intervalQuestions.filter((each) => each.name.startsWith(name))) {
      const own: Coverage[] = []
      for (const accounting of accountings) {
        for (const epsilon of epsilons) {
          own.push(...(await coverageOf(question, { lab, accounting, epsilon, runs })))
        }
      }
      onFound(own)
      found.push(...own)
    }
  } finally {
    await lab.close()
  }
  return found
}

/** A line for each column: the setting in which its intervals held least often. */
export function showIntervals(found: readonly Coverage[]): string {
  const head = ["question", "column", "held", "intervals", "open", "width", "accounting", "epsilon", ""]
  const names = new Set(found.map(({ question, column }) => `${question}, ${column}`))
  const rows = [...names].map((name) => {
    const settings = found.filter(({ question, column }) => `${question}, ${column}` === name)
    const least = settings.reduce((worst, each) => (shareOf(each) < shareOf(worst) ? each : worst))
    const { question, column, accounting, epsilon, intervals, open, width, refused } = least
    if (refused !== undefined) return [question, column, "-", "-", "-", "-", "-", "-", refused]
    const shares = [percent(shareOf(least)), `${intervals}`, percent(open / intervals), short(width)]
    const verdict = settings.some(isTooNarrow) ? "TOO NARROW" : ""
    return [question, column, ...shares, accounting, epsilon, verdict]
  })
  return formatTable([head, ...rows])
}

function shareOf({ held, intervals }: Coverage): number {
  return intervals === 0 ? 1 : held / intervals
}

/** Whether the counts prove that a column's intervals hold less often than they say. */
export function isTooNarrow({ held, intervals }: Coverage): boolean {
  if (intervals === 0) return false
  return clopperPearson({ successes: held, trials: intervals, alpha }).upper < confidence
}

interface Run {
  readonly lab: Lab
  readonly accounting: Accounting
  readonly epsilon: string
  readonly runs: number
}

async function coverageOf(question: IntervalQuestion, run: Run): Promise<readonly Coverage[]> {
  const { lab, accounting, epsilon, runs } = run
  const { name, sql, keys, plain = sql } = question
  const head = { question: name, accounting, epsilon }
  const asked = await lab.ask(sql, { epsilon, delta: "1e-6", accounting, groups: 1, quantileIntervals: true })
  if (typeof asked === "string") {
    return [{ ...head, column: "", intervals: 0, held: 0, open: 0, width: 0, refused: asked }]
  }
  const truth = new Map((await lab.truth(plain)).map((row) => [keyOf(row.slice(0, keys)), row]))
  const names = asked.plan.outputNames.slice(keys)
  const tallies = names.map((column) => ({ column, intervals: 0, held: 0, open: 0, widths: Array<number>() }))
  for (let turn = 0; turn < runs; turn += 1) {
    for (const row of asked.answer().rows) {
      const exact = truth.get(keyOf(row.slice(0, keys).map(({ value }) => value)))
      tallies.forEach((tally, place) => count(tally, row[keys + place], exact?.[keys + place]))
    }
  }
  return tallies.map(({ column, intervals, held, open, widths }) => ({
    ...head,
    column,
    intervals,
    held,
    open,
    width: widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? Number.NaN,
  }))
}

interface Tally {
  intervals: number
  held: number
  open: number
  readonly widths: number[]
}

function count(tally: Tally, cell: AnswerCell | undefined, exact: Value | undefined): void {
  if (cell?.low === undefined || cell.high === undefined || exact === null || exact === undefined) return
  const [low, high] = [cell.low ?? -Infinity, cell.high ?? Infinity].map(Number)
  if (low === undefined || high === undefined) return
  const value = Number(exact)
  // What a float cannot say exactly is not held against an interval.
  const slack = 1e-9 * Math.max(1, Math.abs(value))
  tally.intervals += 1
  if (low - slack <= value && value <= high + slack) tally.held += 1
  if (Number.isFinite(high - low)) tally.widths.push((high - low) / Math.max(Math.abs(value), 1))
  else tally.open += 1
}

function keyOf(keys: readonly Value[]): string {
  return JSON.stringify(keys)
}

async function makeSmall(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "small.duckdb"))
  const connection = await instance.connect()
  await connection.run(
    "CREATE TEMP MACRO u(i, purpose) AS ((hash(32 * i + purpose) >> 11) + 0.5) / 9007199254740992.0",
  )
  await connection.run(smallRows)
  connection.closeSync()
  instance.closeSync()
}
