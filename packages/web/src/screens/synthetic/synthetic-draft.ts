// What somebody has chosen on the screen, and the question that follows from it.

import type { Reply, SyntheticBody } from "../../api/server.ts"
import { columnsOf, tablesOf } from "../../parts/browser/declared-tables.ts"
import type { Dataset } from "../../parts/browser/session.tsx"

/** The fields. */
export interface SyntheticDraft {
  readonly table: string
  /** Columns that are left out. */
  readonly without: readonly string[]
  readonly target: string
  readonly second: string
  readonly order: string
  readonly most: string
  /** One a line. */
  readonly rules: string
  readonly epsilon: string
}

/** What was made. */
export type Made = Reply<"makeSynthetic">

/** Nothing chosen. */
export const none = ""

/** The fields at first: the first table with columns to make. */
export function firstDraft(dataset: Dataset): SyntheticDraft {
  const [table] = tablesOf(dataset)
  return {
    table: table?.name ?? "",
    without: [],
    target: none,
    second: none,
    order: "",
    most: "10",
    rules: "",
    epsilon: dataset.question.epsilonDefault,
  }
}

/** The question; undefined where no column is chosen. */
export function bodyOf(
  draft: SyntheticDraft,
  dataset: Dataset,
  study: string | undefined,
): SyntheticBody | undefined {
  const table = dataset.tables.find(({ name }) => name === draft.table)
  if (table === undefined) return undefined
  const all = columnsOf(table)
  const columns = all.filter((name) => !draft.without.includes(name))
  const rules = draft.rules
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  if (columns.length === 0) return undefined
  return {
    table: draft.table,
    columns,
    epsilon: draft.epsilon.trim(),
    ...(draft.target === none ? {} : { target: draft.target }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(draft.second === none
      ? {}
      : { rowsOf: { table: draft.second, order: draft.order, most: Number(draft.most) } }),
    ...(study === undefined ? {} : { study }),
  }
}
