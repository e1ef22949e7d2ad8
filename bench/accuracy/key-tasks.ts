// Keys that are not public: which are shown, with what counts, and which are the largest.

import type { Contender } from "./contest.ts"
import {
  gaussianSelection,
  geometricSelection,
  laplaceSelection,
  largest,
  noisyTop,
  splitSelection,
  type KeyProtection,
  type ShownKey,
} from "./reference-keys.ts"
import { analyticKind, laplaceKind } from "./reference-noise.ts"
import { lossOf, numberAt, ours, type Setting, type Task } from "./task.ts"
import { unevenTask } from "./uneven-task.ts"

/** The tasks of this file. */
export const keyTasks: readonly Task[] = [
  { name: "keys", error: "keys missed", contest: keysAlone },
  unevenTask,
  { name: "keys and counts", error: "units missed or invented", contest: keysAndCounts },
  {
    name: "top 10",
    error: "share lost",
    contest: (setting) => topOfPublic(setting, { k: 10, counted: true }),
  },
  {
    name: "top 3 keys",
    error: "share lost",
    contest: (setting) => topOfPublic(setting, { k: 3, counted: false }),
  },
  { name: "top 10, private keys", error: "share lost", contest: topOfPrivate },
]

/** Only the keys are asked for. */
async function keysAlone(setting: Setting): ReturnType<Task["contest"]> {
  const { counts } = await countsOf(setting, "code")
  const sql = `SELECT code FROM codes_${setting.groups} GROUP BY code`
  const contenders = await ours(sql, setting, (rows) => counts.length - rows.length)
  if (typeof contenders === "string") return contenders
  const protection = protectionOf(setting)
  const theirs = selections.map(({ name, select }) => ({
    name,
    run: () => counts.length - select(counts, protection).length,
  }))
  return { ours: contenders, theirs, errors: "plain" }
}

/** Keys with counts: the sum of all errors, where a key that is not shown counts as 0. */
async function keysAndCounts(setting: Setting): ReturnType<Task["contest"]> {
  const { counts, places } = await countsOf(setting, "code")
  const distance = (shown: readonly ShownKey[]): number => {
    const units = new Map(shown.map((each) => [each.key, each.units]))
    return counts.reduce((sum, count, key) => sum + Math.abs((units.get(key) ?? 0) - count), 0)
  }
  const sql = `SELECT code, COUNT(DISTINCT person_id) FROM codes_${setting.groups} GROUP BY code`
  const contenders = await ours(sql, setting, (rows) =>
    distance(rows.map((row) => ({ key: places.get(numberAt(row, 0)) ?? -1, units: numberAt(row, 1) }))),
  )
  if (typeof contenders === "string") return contenders
  const protection = protectionOf(setting)
  const theirs = counting.map(({ name, select }) => ({
    name,
    run: () => distance(select(counts, protection)),
  }))
  return { ours: contenders, theirs, errors: "plain" }
}

/** How many of the largest, and whether with their counts. */
interface Top {
  readonly k: number
  readonly counted: boolean
}

async function topOfPublic(setting: Setting, top: Top): ReturnType<Task["contest"]> {
  const { counts, places } = await countsOf(setting, "cell")
  const protection = protectionOf(setting)
  const theirs = [laplaceKind, analyticKind].map((kind) => ({
    name: `sorted, ${kind.name}`,
    run: () => lostShare(counts, noisyTop(counts, top.k, { ...protection, kind }), top.k),
  }))
  return topContest(setting, { column: "cell", counts, places, theirs, ...top })
}

async function topOfPrivate(setting: Setting): ReturnType<Task["contest"]> {
  const { counts, places } = await countsOf(setting, "code")
  const protection = protectionOf(setting)
  const theirs = counting.map(({ name, select }) => ({
    name: `${name}, sorted`,
    run: () => lostShare(counts, largest(select(counts, protection), 10), 10),
  }))
  return topContest(setting, { column: "code", counts, places, theirs, k: 10, counted: true })
}

async function topContest(
  setting: Setting,
  top: Counts & Top & { readonly column: string; readonly theirs: readonly Contender[] },
): ReturnType<Task["contest"]> {
  const { column, counts, places, theirs, k, counted } = top
  const sql = `SELECT ${column}${counted ? ", COUNT(DISTINCT person_id)" : ""} FROM codes_${setting.groups}
    GROUP BY ${column} ORDER BY COUNT(DISTINCT person_id) DESC LIMIT ${k}`
  const contenders = await ours(sql, setting, (rows) =>
    lostShare(
      counts,
      rows.map((row) => ({ key: places.get(numberAt(row, 0)) ?? -1, units: 0 })),
      k,
    ),
  )
  if (typeof contenders === "string") return contenders
  return { ours: contenders, theirs, errors: "plain" }
}

/** How much smaller the chosen keys are together than the largest ones. */
function lostShare(counts: readonly number[], chosen: readonly ShownKey[], k: number): number {
  const most = counts
    .toSorted((a, b) => b - a)
    .slice(0, k)
    .reduce((sum, count) => sum + count, 0)
  return 1 - chosen.reduce((sum, { key }) => sum + (counts[key] ?? 0), 0) / most
}

/** Units by key, and where each key stands in the list. */
interface Counts {
  readonly counts: readonly number[]
  readonly places: ReadonlyMap<number, number>
}

async function countsOf({ lab, groups }: Setting, column: string): Promise<Counts> {
  const rows = await lab.truth(
    `SELECT ${column}, count(*) FROM codes_${groups} GROUP BY ${column} ORDER BY ${column}`,
  )
  return {
    counts: rows.map((row) => numberAt(row, 1)),
    places: new Map(rows.map((row, place) => [numberAt(row, 0), place])),
  }
}

interface Selection {
  readonly name: string
  readonly select: (counts: readonly number[], protection: KeyProtection) => readonly ShownKey[]
}

const thresholds: readonly Selection[] = [
  { name: "Laplace threshold", select: laplaceSelection },
  { name: "Gaussian threshold", select: gaussianSelection },
]
const selections: readonly Selection[] = [
  ...thresholds,
  { name: "truncated geometric", select: geometricSelection },
]
const counting: readonly Selection[] = [
  ...thresholds,
  { name: "Laplace threshold, split in 2", select: splitSelection },
]

function protectionOf(setting: Setting): KeyProtection {
  return { loss: lossOf(setting), groups: setting.groups, noise: setting.noise }
}
