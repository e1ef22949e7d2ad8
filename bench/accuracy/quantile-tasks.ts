// One, three and nine quantiles: of everybody where a unit has one row, by ward where it has several.

import type { Contender } from "./contest.ts"
import {
  referenceExponential,
  rankError,
  referenceTree,
  type QuantileQuestion,
} from "./reference-quantiles.ts"
import { analyticKind, laplaceKind } from "./reference-noise.ts"
import { lossOf, meanOf, numberAt, ours, type Setting, type Task } from "./task.ts"

/** The tasks of this file. */
export const quantileTasks: readonly Task[] = [1, 3, 9].map((count) => ({
  name: count === 1 ? "median" : `${count} quantiles`,
  error: "ranks",
  contest: async (setting: Setting) => {
    const fractions = Array.from({ length: count }, (_, place) => (place + 1) / (count + 1))
    const questions = await questionsOf(setting, fractions)
    const contenders = await oursOf(setting, questions)
    if (typeof contenders === "string") return contenders
    const theirs = referencesOf(setting, [...questions.values()])
    return { ours: contenders, theirs, errors: "plain" as const }
  },
}))

/** Groups by name: wards, or everybody. */
type Questions = ReadonlyMap<string, QuantileQuestion>

/** Ours under each accounting: the mean error in ranks over groups and quantiles. */
async function oursOf(setting: Setting, questions: Questions): ReturnType<typeof ours> {
  const { groups } = setting
  const [first] = questions.values()
  const columns = (first?.fractions ?? []).map((q) => `PERCENTILE_CONT(${q}) WITHIN GROUP (ORDER BY fee)`)
  const sql =
    groups === 1
      ? `SELECT ${columns.join(", ")} FROM fees_1`
      : `SELECT ward, ${columns.join(", ")} FROM fees_${groups} GROUP BY ward`
  const keys = groups === 1 ? 0 : 1
  return ours(sql, setting, (rows) => {
    const errors = rows.flatMap((row) => {
      const question = questions.get(keys === 0 ? "everybody" : `${numberAt(row, 0)}`)
      if (question === undefined) return []
      return question.fractions.map((q, place) => rankError(question.sorted, q, numberAt(row, keys + place)))
    })
    return meanOf(errors)
  })
}

function referencesOf(setting: Setting, questions: readonly QuantileQuestion[]): readonly Contender[] {
  const { noise } = setting
  const loss = lossOf(setting)
  const errorOf = (answer: (question: QuantileQuestion) => readonly number[]) => () =>
    meanOf(
      questions.flatMap((question) => {
        const answers = answer(question)
        return question.fractions.map((q, place) => rankError(question.sorted, q, answers[place] ?? 0))
      }),
    )
  return [
    { name: "exponential, split", run: errorOf((question) => referenceExponential(question, loss, noise)) },
    ...[laplaceKind, analyticKind].map((kind) => ({
      name: `tree, ${kind.name}`,
      run: errorOf((question) => referenceTree(question, loss, { kind, noise })),
    })),
  ]
}

async function questionsOf(
  { lab, source, groups }: Setting,
  fractions: readonly number[],
): Promise<Questions> {
  const name = groups === 1 ? "'everybody'" : "CAST(ward AS VARCHAR)"
  const rows = await lab.truth(`SELECT ${name}, fee FROM fees_${groups} ORDER BY fee`)
  const values = new Map<string, number[]>()
  for (const [group, fee] of rows) {
    const list = values.get(String(group))
    if (list === undefined) values.set(String(group), [Number(fee)])
    else list.push(Number(fee))
  }
  return new Map(
    [...values].map(([group, sorted]) => [group, { sorted, fractions, range: source.range, groups }]),
  )
}
