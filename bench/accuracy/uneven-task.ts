// Keys of people who differ in the number of their codes: some are in as many as count, most in fewer, and
// these could count for more in each.

import {
  gaussianSelection,
  geometricSelection,
  laplaceSelection,
  weightedSelection,
} from "./reference-keys.ts"
import { lossOf, numberAt, ours, type Setting, type Task } from "./task.ts"

/** Only the keys are asked for, of a table in which people have from 1 code to as many as count. */
export const unevenTask: Task = { name: "keys, uneven", error: "keys missed", contest: unevenKeys }

async function unevenKeys(setting: Setting): ReturnType<Task["contest"]> {
  const table = `uneven_${setting.groups}`
  const rows = await setting.lab.truth(`SELECT code, count(*), sum(1 / sqrt(groups))
    FROM (SELECT code, count(*) OVER (PARTITION BY person_id) AS groups FROM ${table})
    GROUP BY code ORDER BY code`)
  const [counts, weights] = [rows.map((row) => numberAt(row, 1)), rows.map((row) => numberAt(row, 2))]
  const codes = rows.length
  const contenders = await ours(
    `SELECT DISTINCT code FROM ${table}`,
    setting,
    (shown) => codes - shown.length,
  )
  if (typeof contenders === "string") return contenders
  const protection = { loss: lossOf(setting), groups: setting.groups, noise: setting.noise }
  const theirs = [
    { name: "Laplace threshold", shown: () => laplaceSelection(counts, protection) },
    { name: "Gaussian threshold", shown: () => gaussianSelection(counts, protection) },
    { name: "truncated geometric", shown: () => geometricSelection(counts, protection) },
    { name: "weighted Gaussian", shown: () => weightedSelection(weights, protection) },
  ].map(({ name, shown }) => ({ name, run: () => codes - shown().length }))
  return { ours: contenders, theirs, errors: "plain" }
}
