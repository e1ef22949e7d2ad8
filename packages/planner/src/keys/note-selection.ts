// A filter or a limit on noisy values favours rows with lucky noise. An interval is about one value that was
// chosen beforehand, not about the rows that survive; the analyst is told so.

import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Rel, Sort } from "@dosimeter/proof/algebra/rel"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { columnsIn, inputsOf } from "@dosimeter/proof/algebra/walk"

/** The note about post-processing that selects rows by noisy values. */
export function noteSelection(post: Rel, releases: readonly Release[]): readonly string[] {
  const noisy = new Set<ColumnId>()
  return selects(post, releases, noisy) ? [note] : []
}

const note =
  "rows are selected by noisy values: the rows shown tend to be too high (or too low), and their intervals hold less often than stated"

// Collects the columns that noise is in, from the leaves up.
function selects(rel: Rel, releases: readonly Release[], noisy: Set<ColumnId>): boolean {
  let found = false
  for (const input of inputsOf(rel)) if (selects(input, releases, noisy)) found = true
  const isNoisy = (expr: Parameters<typeof columnsIn>[0]): boolean =>
    [...columnsIn(expr)].some((id) => noisy.has(id))
  switch (rel.kind) {
    case "released": {
      const { readings = [], columns = [] } = releases[rel.release] ?? {}
      for (const id of columns.slice(columns.length - readings.length)) noisy.add(id)
      return false
    }
    case "project":
      for (const [index, item] of rel.items.entries()) {
        const id = rel.columns[index]?.id
        if (id !== undefined && isNoisy(item)) noisy.add(id)
      }
      return found
    case "filter":
      return found || isNoisy(rel.condition)
    case "sort": {
      const isCut = rel.limit !== undefined || rel.offset !== undefined
      return found || (isCut && !isChosen(rel, releases) && isOrderedBy(rel, noisy))
    }
    case "aggregate":
    case "window": {
      const isAny = inputsOf(rel).some(({ columns }) => columns.some(({ id }) => noisy.has(id)))
      const carried = rel.kind === "aggregate" ? rel.keys.length : rel.input.columns.length
      if (isAny) for (const { id } of rel.columns.slice(carried)) noisy.add(id)
      return found
    }
    case "union":
      for (const input of rel.inputs) {
        for (const [index, { id }] of input.columns.entries()) {
          const own = rel.columns[index]?.id
          if (own !== undefined && noisy.has(id)) noisy.add(own)
        }
      }
      return found
    case "scan":
    case "values":
    case "join":
    case "mark":
    case "boundary":
      return found
    default:
      return rel satisfies never
  }
}

// Ties are broken by all columns: if the columns without noise decide the order, noise decides nothing.
function isOrderedBy({ orderBy, columns }: Sort, noisy: ReadonlySet<ColumnId>): boolean {
  const undecided = new Set(columns.flatMap(({ id }) => (noisy.has(id) ? [] : [id])))
  for (const { value } of orderBy) {
    if ([...columnsIn(value)].some((id) => noisy.has(id))) return undecided.size > 0
    if (value.kind === "column") undecided.delete(value.id)
  }
  return false
}

// Whether the largest groups were chosen beforehand, by a mechanism with noise of its own.
function isChosen({ input, limit }: Sort, releases: readonly Release[]): boolean {
  let at = input
  while (at.kind === "project") at = at.input
  const keys = at.kind === "released" ? releases[at.release]?.keys : undefined
  return keys?.kind === "top" && keys.spec.k === limit
}
