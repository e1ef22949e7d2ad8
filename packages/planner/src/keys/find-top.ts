// Questions for the largest groups only: an order by a count, descending, with a limit, right above a
// boundary. Nothing else looks at the other groups, so that nothing needs to be known of them.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"

/** Only the k groups with the largest count are looked at. */
export interface TopGroups {
  readonly k: bigint
  /** The place among the boundary's aggregates of the count that decides. */
  readonly aggregate: number
}

/** The boundaries of which only the largest groups are looked at. */
export function findTops(rel: Rel): ReadonlyMap<Boundary, TopGroups> {
  const found = new Map<Boundary, TopGroups>()
  const uses = new Map<Boundary, number>()
  const visit = (at: Rel): void => {
    const top = at.kind === "sort" ? topUnder(at) : undefined
    if (top !== undefined) found.set(top.boundary, top.wish)
    if (at.kind === "boundary") uses.set(at, (uses.get(at) ?? 0) + 1)
    else for (const input of inputsOf(at)) visit(input)
  }
  visit(rel)
  return new Map([...found].filter(([boundary]) => uses.get(boundary) === 1))
}

function topUnder({
  input,
  orderBy,
  limit,
  offset,
}: Extract<Rel, { readonly kind: "sort" }>):
  | { readonly boundary: Boundary; readonly wish: TopGroups }
  | undefined {
  const [first] = orderBy
  if (limit === undefined || limit < 1n || (offset ?? 0n) !== 0n) return undefined
  if (first?.direction !== "descending" || first.value.kind !== "column") return undefined
  let at: Rel = input
  let id: ColumnId = first.value.id
  while (at.kind === "project") {
    const item = at.items[at.columns.findIndex((column) => column.id === id)]
    if (item?.kind !== "column") return undefined
    id = item.id
    at = at.input
  }
  if (at.kind !== "boundary" || at.keys.length === 0) return undefined
  const aggregate = aggregateAt(at, id)
  return aggregate === undefined ? undefined : { boundary: at, wish: { k: limit, aggregate } }
}

// Counts only: a unit adds to them and takes nothing away.
function aggregateAt({ columns, keys, aggregates }: Boundary, id: ColumnId): number | undefined {
  let next = keys.length
  for (const [index, aggregate] of aggregates.entries()) {
    const isCount = aggregate.kind === "persons" || aggregate.kind === "rows"
    if (isCount && columns[next]?.id === id) return index
    next += columnCount(aggregate)
  }
  return undefined
}
