// One SELECT, laid out to be read.

import { assert } from "@dosimeter/core/errors"
import { writeName } from "../spell/literal.ts"
import type { ColumnId } from "../algebra/expr.ts"

/** A column of a SELECT: its SQL and its quoted name. */
export interface SelectItem {
  readonly text: string
  readonly name: string
}

/** The name of a column in printed SQL. */
export function columnName(id: ColumnId): string {
  assert(Number.isSafeInteger(id) && id >= 0, "a column has a number")
  return writeName(`c${id}`)
}

/** SELECT items, then the other clauses, one a line. A relation without columns has one that nobody reads. */
export function selectFrom(items: readonly SelectItem[], clauses: readonly string[]): string {
  const list = items.map(({ text, name }) => (text === name ? text : `${text} AS ${name}`))
  return [`SELECT ${list.length === 0 ? '1 AS "one"' : list.join(", ")}`, ...clauses].join("\n")
}
