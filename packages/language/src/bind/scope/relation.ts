// A relation with whose its rows are. The rules of the three zones: what each node does to the unit column
// that private relations carry, and to what is known about it.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { equalColumns, inputsOf, ownScan } from "@dosimeter/proof/algebra/walk"
import type { BindContext } from "./context.ts"

/** Rows, and whose they are. */
export interface Relation {
  readonly rel: Rel
  readonly zone: Zone
}

/** Whose rows are. */
export type Zone = { readonly kind: "public" } | { readonly kind: "released" } | PrivateZone

/** Every row belongs to one unit. */
export interface PrivateZone {
  readonly kind: "private"
  /** The column with the unit's id; none where every row is a unit by itself. */
  readonly unit: ColumnId | undefined
  /** All columns that equal it. */
  readonly equal: ReadonlySet<ColumnId>
  /** Columns that equal it or are NULL: those of the side of an outer join that may miss. */
  readonly maybe: ReadonlySet<ColumnId>
  /**
   * Sets of columns that tell the unit by a declared key or reference. A fact about meaning, not about
   * safety: where one is used, the unit's equality is added to the condition.
   */
  readonly telling: readonly (readonly ColumnId[])[]
}

/** Rows that a condition is true for. */
export function filtered(relation: Relation, condition: Expr | undefined, at?: Span): Relation {
  if (condition === undefined) return relation
  const { rel, zone } = relation
  const placed = at === undefined ? {} : { at }
  return {
    rel: { kind: "filter", columns: rel.columns, input: rel, condition, ...placed },
    zone: zone.kind === "private" ? { ...zone, equal: closeUnder(zone.equal, condition) } : zone,
  }
}

/** Where a = b is true both hold the same value. */
export function closeUnder(equal: ReadonlySet<ColumnId>, condition: Expr | undefined): ReadonlySet<ColumnId> {
  const pairs = equalColumns(condition)
  if (pairs.length === 0 || equal.size === 0) return equal
  const all = new Set(equal)
  for (let size = -1; size !== all.size;) {
    size = all.size
    for (const [a, b] of pairs) {
      if (all.has(a)) all.add(b)
      if (all.has(b)) all.add(a)
    }
  }
  return all
}

/** One output of a projection, with the name that it gets. */
export interface ProjectItem {
  readonly name: string
  readonly value: Expr
}

/** A projection and the columns of its items, in order; the unit may stand behind them. */
export interface Projected {
  readonly relation: Relation
  readonly columns: readonly RelColumn[]
}

/** Keeps the items, and the unit with them. A plain column keeps its number unless it is taken twice. */
export function projected(
  context: BindContext,
  { rel, zone }: Relation,
  items: readonly ProjectItem[],
): Projected {
  const taken = new Set<ColumnId>()
  const copies: (readonly [from: ColumnId, to: ColumnId])[] = []
  const columns = items.map(({ name, value }): RelColumn => {
    if (value.kind !== "column") return context.column(name, value.domain)
    const isFirst = !taken.has(value.id)
    taken.add(value.id)
    const column = isFirst ? { id: value.id, name, domain: value.domain } : context.column(name, value.domain)
    copies.push([value.id, column.id])
    return column
  })
  const hidden = zone.kind === "private" ? rel.columns.filter(({ id }) => id === zone.unit) : []
  const carried = hidden.filter(({ id }) => !taken.has(id))
  copies.push(...carried.map(({ id }) => [id, id] as const))
  const all = [...columns, ...carried]
  const exprs = [...items.map(({ value }) => value), ...carried.map(columnExpr)]
  return {
    relation: {
      rel: { kind: "project", columns: all, input: rel, items: exprs },
      zone: zone.kind === "private" ? renamed(zone, copies) : zone,
    },
    columns,
  }
}

/** What is known of columns after they were copied and others were dropped. */
function renamed(
  zone: PrivateZone,
  copies: readonly (readonly [from: ColumnId, to: ColumnId])[],
): PrivateZone {
  const copiesOf = new Map<ColumnId, ColumnId[]>()
  for (const [from, to] of copies) copiesOf.set(from, [...(copiesOf.get(from) ?? []), to])
  const each = (ids: ReadonlySet<ColumnId>): ReadonlySet<ColumnId> =>
    new Set([...ids].flatMap((id) => copiesOf.get(id) ?? []))
  const telling = zone.telling.flatMap((set) => {
    const mapped = set.flatMap((id) => copiesOf.get(id)?.slice(0, 1) ?? [])
    return mapped.length === set.length ? [mapped] : []
  })
  return { ...zone, equal: each(zone.equal), maybe: each(zone.maybe), telling }
}

/** The column of the unit, as an expression. */
export function unitExpr({ rel, zone }: Relation): Expr | undefined {
  if (zone.kind !== "private") return undefined
  const column = rel.columns.find(({ id }) => id === zone.unit)
  return column === undefined ? undefined : columnExpr(column)
}

/** Whether some of these columns are the unit, or tell it. */
export function unitAmong(
  zone: PrivateZone,
  columns: ReadonlySet<ColumnId>,
): "equal" | "telling" | undefined {
  if ([...columns].some((id) => zone.equal.has(id))) return "equal"
  const isTold =
    [...columns].some((id) => zone.maybe.has(id)) ||
    zone.telling.some((set) => set.every((id) => columns.has(id)))
  return isTold ? "telling" : undefined
}

/** Refuses what needs a unit column where every row is a unit by itself. */
export function refuseRowUnit({ rel, zone }: Relation, what: string, at: Span): void {
  if (zone.kind !== "private" || zone.unit !== undefined) return
  fail("privacy/row-unit", { table: rowTable(rel) ?? "the table", what }, at)
}

/** The table whose rows are units. */
function rowTable(rel: Rel): string | undefined {
  const table = ownScan(rel)?.table
  if (table !== undefined) return table.unit.kind === "row" ? table.name : undefined
  return inputsOf(rel)
    .map(rowTable)
    .find((name) => name !== undefined)
}
