// How accurate answers are: our error beside the best published alternative at the same loss, for every kind
// of answer, through the engine and plain SQL.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { systemBits, type Accounting } from "@dosimeter/core"
import { formatTable, short } from "../table.ts"
import { additiveTasks } from "./additive-tasks.ts"
import { generated, makeTables, realSources, type DataSource } from "./bench-data.ts"
import { decide, type Effort, type Outcome } from "./contest.ts"
import { measureGoals, showGoals, type Reached } from "./goals.ts"
import { isTooNarrow, measureIntervals, showIntervals } from "./intervals.ts"
import { keyTasks } from "./key-tasks.ts"
import { Lab } from "../../packages/engine/src/testing/lab.ts"
import { benchMargins } from "./margins.ts"
import { quantileTasks } from "./quantile-tasks.ts"
import { PlainNoise } from "./reference-noise.ts"
import type { Setting, Task } from "./task.ts"
import { benchCoverage, benchReal, showCoverage, showReal } from "./whole/coverage.ts"
import { benchWhole } from "./whole/whole.bench.ts"

/** What is measured, and how it is shown. */
export interface AccuracyOptions {
  readonly quick: boolean
  readonly runs?: number
  readonly only?: string
  readonly json: boolean
  readonly data?: string
  /** The one accounting to look at. If absent: the best of all for each line, zcdp for the whole error. */
  readonly accounting?: Accounting
  /** The one epsilon to look at, in place of all four. */
  readonly epsilon?: string
}

/** A line of the table. */
export interface Line extends Partial<Outcome> {
  readonly task: string
  readonly data: string
  readonly epsilon: string
  readonly groups: number
  readonly error: string
  /** The code with which the question was refused. */
  readonly refused?: string
}

const tasks: readonly Task[] = [...additiveTasks, ...quantileTasks, ...keyTasks]
const allAccountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const epsilons = ["0.1", "0.5", "1", "3"] as const
const delta = "1e-6"

/** Runs the suite; returns the ratios. */
export async function benchAccuracy(options: AccuracyOptions): Promise<Readonly<Record<string, number>>> {
  if (options.only?.startsWith("intervals") === true) return benchIntervals(options)
  if (options.only === "margins") return benchMargins(options)
  if (options.only?.startsWith("whole") === true) return benchWholeError(options)
  const noise = await benchNoiseError(options)
  return options.only === undefined ? { ...noise, ...(await benchWholeError(options)) } : noise
}

/** Bounding and noise together, on people who differ. */
async function benchWholeError(options: AccuracyOptions): Promise<Readonly<Record<string, number>>> {
  const { quick, json, only = "whole", accounting = "zcdp" } = options
  const [, kind = "", name = ""] = /^whole ?(intervals|real|) ?(.*)$/u.exec(only) ?? []
  if (kind === "") return benchWhole({ accounting, quick, name, json })
  const asked = { accounting, name, runs: options.runs ?? (quick ? 3 : 12) }
  if (kind === "real" && options.data === undefined) throw new Error("whole real: --data names the folder")
  const found =
    kind === "real"
      ? await benchReal({ ...asked, folder: options.data ?? "" })
      : await benchCoverage({ ...asked, rows: 100_000 })
  const show = kind === "real" ? showReal : showCoverage
  console.log(json ? JSON.stringify(found, undefined, 1) : show(found))
  return Object.fromEntries(
    found.map(({ table, question, size, held, intervals }) => [
      `${table}, ${question}, ${size}`,
      held / intervals,
    ]),
  )
}

/** Noise alone: nobody is beyond the bounds. */
async function benchNoiseError(options: AccuracyOptions): Promise<Readonly<Record<string, number>>> {
  const { quick, runs = quick ? 40 : 200, only, json, data, accounting } = options
  const wantedEpsilons = epsilons.filter((each) => options.epsilon === undefined || each === options.epsilon)
  const accountings = accounting === undefined ? allAccountings : [accounting]
  const effort = { runs, milliseconds: options.runs === undefined ? (quick ? 150 : 300) : Infinity }
  const wanted = tasks.filter(({ name }) => only === undefined || name.startsWith(only))
  if (wanted.length === 0) {
    const names = tasks.map(({ name }) => name).join(", ")
    throw new Error(`there is no task "${only ?? ""}"; there are ${names}, intervals, whole, margins`)
  }
  const folder = mkdtempSync(join(tmpdir(), "bench-accuracy-"))
  try {
    const sources = [generated, ...(data === undefined ? [] : realSources(data))]
    const lines: Line[] = []
    const reached: Reached[] = []
    for (const source of sources) {
      const found = await measure(source, {
        folder,
        wanted,
        effort,
        json,
        accountings,
        epsilons: wantedEpsilons,
      })
      lines.push(...found.lines)
      reached.push(...found.goals)
    }
    if (json) console.log(JSON.stringify({ lines, goals: reached }, undefined, 1))
    else console.log([showVerdict(lines), ...(reached.length > 0 ? [showGoals(reached)] : [])].join("\n\n"))
    return Object.fromEntries(
      lines.flatMap(({ task, data: where, epsilon, groups, ratio }) =>
        ratio === undefined ? [] : [[`${task}, ${where}, epsilon ${epsilon}, ${groups} groups`, ratio]],
      ),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How often intervals hold, by question and column. */
async function benchIntervals(options: AccuracyOptions): Promise<Readonly<Record<string, number>>> {
  const { quick, runs = quick ? 100 : 400, only = "", json } = options
  const name = only.replace("intervals", "").trim()
  const folder = mkdtempSync(join(tmpdir(), "bench-accuracy-"))
  try {
    const found = await measureIntervals(folder, {
      runs,
      name,
      onFound: (own) => {
        if (!json) console.log(`${showIntervals(own)}\n`)
      },
    })
    const narrow = found.filter(isTooNarrow)
    if (json) console.log(JSON.stringify(found, undefined, 1))
    else if (narrow.length === 0) console.log("no interval holds less often than it says")
    else console.log(`${narrow.length} of ${found.length} hold less often:\n\n${showIntervals(narrow)}`)
    return { "too narrow": narrow.length }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(
  source: DataSource,
  work: {
    readonly folder: string
    readonly wanted: readonly Task[]
    readonly effort: Effort
    readonly json: boolean
    readonly accountings: readonly Accounting[]
    readonly epsilons: readonly string[]
  },
): Promise<{ readonly lines: readonly Line[]; readonly goals: readonly Reached[] }> {
  const { folder, wanted, effort, json, accountings } = work
  const policy = await makeTables(folder, source)
  const lab = await Lab.open(policy, folder)
  const noise = new PlainNoise(systemBits())
  const lines: Line[] = []
  try {
    for (const task of wanted) {
      const started = performance.now()
      const found: Line[] = []
      for (const groups of source.groups) {
        for (const epsilon of work.epsilons) {
          const setting: Setting = { lab, source, epsilon, delta, groups, noise, accountings }
          found.push(await lineOf(task, setting, effort))
        }
      }
      lines.push(...found)
      const seconds = (performance.now() - started) / 1000
      console.error(`${source.name}: ${task.name}, ${short(seconds)} s`)
      if (!json) console.log(`${showLines(found)}\n`)
    }
    const setting: Setting = { lab, source, epsilon: "1", delta, groups: 1, noise, accountings }
    const known = { runs: 4 * effort.runs, milliseconds: 4 * effort.milliseconds }
    const goals = source === generated ? await measureGoals(wanted, setting, known) : []
    return { lines, goals }
  } finally {
    await lab.close()
  }
}

async function lineOf(task: Task, setting: Setting, effort: Effort): Promise<Line> {
  const { source, epsilon, groups } = setting
  const head = { task: task.name, data: source.name, epsilon, groups, error: task.error }
  const contest = await task.contest(setting)
  return typeof contest === "string" ? { ...head, refused: contest } : { ...head, ...decide(contest, effort) }
}

function showLines(lines: readonly Line[]): string {
  const head = ["task", "data", "epsilon", "groups", "ours", "theirs", "ratio", "+-", "runs", "error in"]
  const rows = lines.map((line) => {
    const { task, data, epsilon, groups, error, refused } = line
    const start = [task, data, epsilon, `${groups}`]
    if (refused !== undefined) return [...start, "-", "-", "-", "-", "-", error, "", refused, verdictOf(line)]
    const { ourError, theirError, ratio, standardError, runs, ours = "", theirs = "" } = line
    const figures = [figure(ourError), figure(theirError), ...[ratio, standardError].map(figureOfRatio)]
    return [...start, ...figures, `${runs ?? 0}`, error, ours, theirs, verdictOf(line)]
  })
  return formatTable([[...head, "by", "against"], ...rows])
}

function showVerdict(lines: readonly Line[]): string {
  const worse = lines.filter((line) => verdictOf(line) !== "")
  if (worse.length === 0) return `ours is never worse, in ${lines.length} lines`
  return `ours is worse, or not answered, in ${worse.length} of ${lines.length} lines:\n\n${showLines(worse)}`
}

function verdictOf({ isWorse = false, refused }: Line): string {
  if (refused !== undefined) return "refused"
  return isWorse ? "worse" : ""
}

/** Two decimals; a dash where theirs has no error at all. */
function figureOfRatio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(2)
}

/** A number to three digits, however small. */
function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "-"
  return Math.abs(value) >= 0.1 || value === 0 ? short(value) : value.toPrecision(2)
}
