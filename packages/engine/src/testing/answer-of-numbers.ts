// What is read from the numbers of a plan that several sites have added up, for tests.

import type { AnswerValue } from "@dosimeter/answers/shown/answer-table"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { answerOf } from "../answer/answer.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { noisyTables, postProcessTables } from "../answer/post-process.ts"
import { rowsOfSum } from "../release/release-shares.ts"

/** The values of the answer, as one site's numbers would give it. */
export function answerOfNumbers(
  planned: VerifiedPlan,
  numbers: readonly bigint[],
): readonly (readonly AnswerValue[])[] {
  const { plan, rows } = rowsOfSum(planned, { numbers, honest: 1, survivors: 1 })
  const table = postProcessTables(plan, noisyTables(plan, rows, new DrawNumbers()), new Map())
  return answerOf(table, plan).rows.map((row) => row.map(({ value }) => value))
}
