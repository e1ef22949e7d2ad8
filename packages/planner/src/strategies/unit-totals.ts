// What each unit has in each group, in one row: from a copy of pairs where one holds it, else added up over
// the rows themselves. Both give the same totals.

import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import { integerLiteral, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { pairForm, type PairForm } from "../copies/pair-form.ts"
import { columnsOf, narrow } from "../extracts/narrow.ts"
import { partialOf, type TotalAggregate } from "../extracts/partial-of.ts"
import { totalsOfRows } from "../extracts/scale-units.ts"
import type { UnitTotals } from "../extracts/unit-amounts.ts"
import { listedConditions, onlyListed } from "../keys/key-lists.ts"

/** Whose totals, and of what. */
export interface WantedTotals {
  readonly unit: ColumnId
  readonly totals: readonly TotalAggregate[]
}

/** The totals of listed groups, and the copies that they are read from. */
export function unitTotals(
  asked: Boundary,
  { unit, totals }: WantedTotals,
  options: { readonly prepared: readonly PreparedTable[]; readonly ids: ColumnIds },
): { readonly rows: UnitTotals; readonly labels: readonly string[] } {
  const form = pairForm(asked, { ...options, aggregates: totals, listed: listedConditions(asked) })
  return form === undefined
    ? { rows: overRows(asked, { unit, totals }, options.ids), labels: [] }
    : { rows: overPairs(asked, form, totals, options.ids), labels: form.labels }
}

/** The boundary over the rows of listed groups, with the columns that totals need. */
export function listedRows(asked: Boundary, { unit, totals }: WantedTotals): Boundary {
  const { input } = onlyListed(asked)
  const needed = columnsOf(totals.flatMap((one) => [one.where, one.kind === "sum" ? one.value : undefined]))
  return { ...asked, input: narrow(input, new Set([unit, ...asked.keys, ...needed])) }
}

function overRows(asked: Boundary, wanted: WantedTotals, ids: ColumnIds): UnitTotals {
  return totalsOfRows(listedRows(asked, wanted), wanted.unit, wanted.totals.map(partialOf), ids)
}

// Pairs of the copy are pairs of the question, or are added up to them.
function overPairs(
  { keys }: Boundary,
  { input, unit, amounts, oneRow }: PairForm,
  totals: readonly TotalAggregate[],
  ids: ColumnIds,
): UnitTotals {
  const stored = totals.map((one) => amounts.get(one) ?? integerLiteral(0n))
  const narrowed = narrow(input, new Set([unit, ...keys, ...columnsOf(stored)]))
  if (oneRow) return { rel: narrowed, unit, keys, totals: stored }
  const items = totals.map(({ label: name }, index) => ({
    name,
    function: "sum" as const,
    argument: stored[index],
  }))
  return totalsOfRows({ input: narrowed, keys }, unit, items, ids)
}
