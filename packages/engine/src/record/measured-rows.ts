// What a release measured, as the record keeps it: noisy numbers with the law of their noise. Nothing is
// hidden here, so only what is worked out from them may be shown.

import { deriveRows } from "@dosimeter/answers/reuse/derived-table"
import type { Row } from "@dosimeter/answers/cells/table"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { leafOf } from "../answer/post-process.ts"
import { findReleases, type KeptSource, type QuestionPlan } from "./reuse.ts"

/** Rows that were measured, and the charges that paid for them. */
export interface MeasuredRows {
  readonly rows: readonly Row[]
  readonly charges: readonly bigint[]
}

/**
 * The rows of a question with one release, from the tables that may be used; undefined where these do not
 * tell all of it.
 */
export async function measuredRows(
  question: QuestionPlan,
  source: KeptSource,
): Promise<MeasuredRows | undefined> {
  const [found] = await findReleases(question, source, new DrawNumbers())
  const sources = found?.chosen?.sources
  if (found === undefined || sources === undefined || sources.length === 0) return undefined
  const columns = leafOf(question.plan, 0).columns.slice(found.wanted.facts.keys.length)
  const rows = deriveRows(sources, { types: columns.map(({ domain }) => domain.type), hides: () => false })
  return { rows, charges: [...new Set(sources.map(({ charge }) => charge))] }
}
