// The rows of groups: an Aggregate where each group is one unit's or nobody's, a boundary where it is of
// people.

import type { Span } from "@dosimeter/core"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { keptOf } from "../aggregates/collector.ts"
import type { QueryScope } from "../scope/env.ts"
import type { BoundaryAggregates } from "../aggregates/boundary-aggregates.ts"
import type { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import type { PrivateZone, Relation } from "../scope/relation.ts"

/** Says that groups are taken within one unit, though the unit was not named. */
export function noteUnit({ context }: QueryScope, { rel, zone }: Relation): void {
  if (zone.kind !== "private") return
  const unit = rel.columns.find(({ id }) => id === zone.unit)?.name ?? context.catalog.unitName
  context.note(
    `groups and distinct rows are taken within one ${context.catalog.unitName}: ${unit} was added to them`,
  )
}

interface AggregateRequest {
  readonly keys: readonly RelColumn[]
  readonly items: PlainAggregates
  readonly at: Span
}

/** Groups of one unit's rows, or of rows that are nobody's. The unit is always a key. */
export function aggregated({ rel, zone }: Relation, { keys, items, at }: AggregateRequest): Relation {
  const hasUnit = zone.kind === "private" && keys.some(({ id }) => zone.equal.has(id))
  const unit = zone.kind === "private" && !hasUnit ? rel.columns.filter(({ id }) => id === zone.unit) : []
  const all = [...keys, ...unit]
  const list = items.items
  return {
    rel: {
      kind: "aggregate",
      input: rel,
      keys: all.map(({ id }) => id),
      items: list.map(({ item }) => item),
      columns: [...all, ...list.map(({ column }) => column)],
      at,
    },
    zone: zone.kind === "private" ? unitOfKeys(zone, all) : zone,
  }
}

function unitOfKeys(zone: PrivateZone, keys: readonly RelColumn[]): PrivateZone {
  const kept = keptOf(zone, new Set(keys.map(({ id }) => id)))
  return { ...kept, unit: keys.find(({ id }) => zone.equal.has(id))?.id }
}

interface BoundaryRequest {
  readonly keys: readonly RelColumn[]
  readonly aggregates: BoundaryAggregates | undefined
  readonly at: Span
}

/** The only place where people are added up. */
export function boundary(
  { context }: QueryScope,
  { rel, zone }: Relation,
  request: BoundaryRequest,
): Relation {
  const { keys, aggregates, at } = request
  const list = aggregates?.all ?? []
  if (zone.kind === "private" && zone.unit !== undefined) context.pinned.add(zone.unit)
  return {
    rel: {
      kind: "boundary",
      input: rel,
      keys: keys.map(({ id }) => id),
      aggregates: list.map(({ aggregate }) => aggregate),
      columns: [...keys, ...list.flatMap(({ columns }) => columns)],
      at,
    },
    zone: { kind: "released" },
  }
}

/** Each column once, in the order in which they come. */
export function distinctColumns(columns: readonly RelColumn[]): readonly RelColumn[] {
  return [...new Map(columns.map((column) => [column.id, column])).values()]
}
