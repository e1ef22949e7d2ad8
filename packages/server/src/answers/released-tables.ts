// What a charge released, as tables: the answer to one question, the answers to several that were planned
// together, or the totals of a series so far.

import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerOfRelease, type Engine } from "@dosimeter/engine"
import { releaseOf, type ChargeRecord } from "./charge-list.ts"

/** The tables; none where nothing was released. */
export interface ReleasedTables {
  readonly tables: readonly AnswerTable[]
  /** Of a series: its name, and how many periods it has in all. */
  readonly series?: { readonly name: string; readonly periods: number }
}

/** The tables of a charge. Whether somebody may see them is for the caller to check. */
export async function releasedTables(
  record: ChargeRecord,
  { ledger, series }: Pick<Engine, "ledger" | "series">,
): Promise<ReleasedTables> {
  const release = await releaseOf(record, ledger)
  if (release === undefined) return { tables: [] }
  const recorded = answerOfRelease(release)
  switch (recorded.kind) {
    case "answer":
      return { tables: [recorded.answer] }
    case "workload":
      return { tables: recorded.answers }
    case "series": {
      const shown = await series.ofRelease(release)
      if (shown === undefined) return { tables: [] }
      const { name, periods } = shown.definition
      return { tables: [shown.table], series: { name, periods } }
    }
    default:
      return recorded satisfies never
  }
}
