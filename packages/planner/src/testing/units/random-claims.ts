// Generated questions about a generated dataset: is what is claimed of each unit's rows true of them?

import { DosimeterError } from "@dosimeter/core"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { heldWork } from "./held-work.ts"
import { randomQuestion } from "../random/random-question.ts"
import { randomDataset, type TestDataset } from "../random/random-tables.ts"
import { isTooLong, planOrRefusal } from "./remove-each-unit.ts"
import { everyone, TestDatabase } from "./test-database.ts"
import { tightPolicy } from "../random/tight-policy.ts"

/** What was found about the questions of a dataset. */
export interface FoundClaims {
  readonly broken: readonly string[]
  /** Questions whose joins were cut. */
  readonly cut: number
}

/** Asks so many questions about the dataset of a seed. */
export async function randomClaims(seed: string, questions: number, grammar: Grammar): Promise<FoundClaims> {
  const dataset = randomDataset(seed)
  const policy = tightPolicy(dataset)
  const database = await TestDatabase.open(1)
  const storedMost = mostRows(dataset)
  const broken: string[] = []
  let cut = 0
  try {
    await database.load(dataset, [everyone])
    for (let place = 0; place < questions; place += 1) {
      const sql = randomQuestion(dataset, `${seed}, question ${place}`)
      const plan = planOrRefusal(sql, policy, grammar)
      if (plan instanceof DosimeterError) continue
      if (plan.notes.some((note) => note.startsWith("a join multiplies rows"))) cut += 1
      const run = async (text: Parameters<TestDatabase["run"]>[0]): Promise<readonly unknown[]> =>
        (await database.run(text, everyone)).rows[0] ?? []
      const held = await heldWork(plan, policy.catalog, { run, storedMost }).catch((error: unknown) => {
        if (isTooLong(error)) return { broken: [] }
        throw error
      })
      broken.push(...held.broken.map((what) => `${seed}, question ${place}: ${what}\n  ${sql}`))
    }
  } finally {
    database.close()
  }
  return { broken, cut }
}

function mostRows({ tables, owners }: TestDataset): number {
  const counts = tables.flatMap(({ rows }) =>
    owners.map((owner) => rows.filter((row) => row.owner === owner).length),
  )
  return Math.max(0, ...counts)
}
