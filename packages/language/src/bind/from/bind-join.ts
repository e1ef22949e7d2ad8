// Joins, and when rows of people may meet: only where both are the same unit's. If the condition says so,
// or a declared key tells it, it is proven; otherwise the join is refused with what to write.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Join, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { equalColumns } from "@dosimeter/proof/algebra/walk"
import { alsoWhere, makeCall } from "../exprs/build.ts"
import type { BindContext } from "../scope/context.ts"
import {
  joinNames,
  nullable,
  nullableNames,
  tableOfColumn,
  writtenAs,
  type NamedColumn,
  type Names,
} from "../scope/names.ts"
import {
  closeUnder,
  refuseRowUnit,
  unitExpr,
  type PrivateZone,
  type Relation,
  type Zone,
} from "../scope/relation.ts"

/** Rows with the names of their columns. */
export interface Source {
  readonly relation: Relation
  readonly names: Names
}

/** Two sides that are to be joined. */
export interface Sides {
  readonly left: Source
  readonly right: Source
  readonly type: Join["type"]
  /** What a message points at. */
  readonly at: Span
}

/** A join with any condition but USING. */
export function joinOn(context: BindContext, sides: Sides, condition: Expr | undefined): Source {
  const { left, right, type, at } = sides
  const names = joinNames(left.names, right.names, at)
  const relation = joinRelations(context, sides, condition)
  return finishJoin(context, { relation, names: namesAfter(sides, names), type })
}

/** A join with USING: the columns of a name are equal, and one afterwards. */
export function joinUsing(
  context: BindContext,
  sides: Sides,
  pairs: readonly (readonly [left: NamedColumn, right: NamedColumn])[],
): Source {
  const { left, right, type, at } = sides
  const equalities = pairs.flatMap(([a, b]) =>
    a.column === undefined || b.column === undefined
      ? []
      : [makeCall("equal", [columnExpr(a.column), columnExpr(b.column)], at)],
  )
  const condition = equalities.length === 0 ? undefined : equalities.reduce((a, b) => alsoWhere(a, b))
  const both = namesAfter(sides, joinNames(left.names, right.names, at))
  const relation = joinRelations(context, sides, condition)
  const joined = finishJoin(context, { relation, names: both, type })
  return mergeNames(context, { ...sides, joined, pairs })
}

interface Merge extends Sides {
  readonly joined: Source
  readonly pairs: readonly (readonly [left: NamedColumn, right: NamedColumn])[]
}

/** Puts the merged columns first, and takes both originals out of what a bare name may mean. */
function mergeNames(context: BindContext, { joined, pairs, type, left, right, at }: Merge): Source {
  const gone = new Set(pairs.flat())
  const kept = (names: Names, mayMiss: boolean): readonly NamedColumn[] => {
    const rest = names.columns.filter((column) => !gone.has(column))
    return mayMiss ? nullableNames({ tables: [], columns: rest }).columns : rest
  }
  const { relation, merged } = mergedColumns(context, { joined, pairs, type, left, right, at })
  const others = [
    ...kept(left.names, type === "right" || type === "full"),
    ...kept(right.names, type === "left" || type === "full"),
  ]
  return { relation, names: { tables: joined.names.tables, columns: [...merged, ...others] } }
}

/** A merged column is that of the side that never misses; after a full join, whichever is there. */
function mergedColumns(
  context: BindContext,
  { joined, pairs, type, left, right, at }: Merge,
): { readonly relation: Relation; readonly merged: readonly NamedColumn[] } {
  if (type !== "full") {
    const merged = pairs.map(([a, b]) => (type === "right" ? b : a))
    return { relation: joined.relation, merged }
  }
  const { rel, zone } = joined.relation
  const added: { readonly column: RelColumn; readonly value: Expr }[] = []
  const merged = pairs.map(([a, b]): NamedColumn => {
    if (a.column === undefined || b.column === undefined) return a
    // The unit itself has its column already.
    if (zone.kind === "private" && isUnit(left, a.column) && isUnit(right, b.column)) {
      return { name: a.name, column: rel.columns.find(({ id }) => id === zone.unit) }
    }
    const value = makeCall("coalesce", [columnExpr(nullable(a.column)), columnExpr(nullable(b.column))], at)
    const column = context.column(a.name, value.domain)
    added.push({ column, value })
    return { name: a.name, column }
  })
  return { relation: { rel: withColumns(rel, added), zone }, merged }
}

function isUnit({ relation: { zone } }: Source, { id }: RelColumn): boolean {
  return zone.kind === "private" && zone.equal.has(id)
}

function withColumns(rel: Rel, added: readonly { readonly column: RelColumn; readonly value: Expr }[]): Rel {
  if (added.length === 0) return rel
  return {
    kind: "project",
    input: rel,
    items: [...rel.columns.map(columnExpr), ...added.map(({ value }) => value)],
    columns: [...rel.columns, ...added.map(({ column }) => column)],
  }
}

function namesAfter({ left, right, type }: Sides, both: Names): Names {
  const leftMisses = type === "right" || type === "full"
  const rightMisses = type === "left" || type === "full"
  if (!leftMisses && !rightMisses) return both
  const a = leftMisses ? nullableNames(left.names) : left.names
  const b = rightMisses ? nullableNames(right.names) : right.names
  return { tables: [...a.tables, ...b.tables], columns: [...a.columns, ...b.columns] }
}

/** After a full join of people the unit is whichever side's id is there. */
function finishJoin(
  context: BindContext,
  { relation, names, type }: Source & { readonly type: Join["type"] },
): Source {
  const { rel, zone } = relation
  if (type !== "full" || zone.kind !== "private" || rel.kind !== "join") return { relation, names }
  const sides = [...zone.maybe].map((id) => rel.columns.find((column) => column.id === id))
  const isLeft = new Set(rel.left.columns.map(({ id }) => id))
  const a = sides.find((column) => column !== undefined && isLeft.has(column.id))
  const b = sides.find((column) => column !== undefined && !isLeft.has(column.id))
  if (a === undefined || b === undefined) return { relation, names }
  const value = makeCall("coalesce", [columnExpr(a), columnExpr(b)], undefined)
  const column = context.column(a.name, value.domain)
  const joined: Rel = withColumns(rel, [{ column, value }])
  return { relation: { rel: joined, zone: { ...zone, unit: column.id, equal: new Set([column.id]) } }, names }
}

/** The rows of a join, without their names. */
export function joinRelations(context: BindContext, sides: Sides, condition: Expr | undefined): Relation {
  const { left, right, type, at } = sides
  const [a, b] = [left.relation.zone, right.relation.zone]
  if (a.kind === "private" && b.kind === "private") {
    const both = { left, right, at, what: "a join" } as const
    const whole = withinUnit(context, both, condition)
    return { rel: joinRel(sides, whole), zone: privateZone(type, [a, b], whole) }
  }
  if (a.kind === "released" || b.kind === "released") {
    if (a.kind === "private" || b.kind === "private") {
      fail("privacy/released-into-private", { what: "this join" }, at)
    }
    return { rel: joinRel(sides, condition), zone: { kind: "released" } }
  }
  const zone = mixedZone(sides, a, b)
  const known = zone.kind === "private" && type === "inner"
  return {
    rel: joinRel(sides, condition),
    zone: known ? { ...zone, equal: closeUnder(zone.equal, condition) } : zone,
  }
}

/** Rows of people with public rows: each pair is the person's. An unmatched public row would be nobody's. */
function mixedZone({ left, right, type, at }: Sides, a: Zone, b: Zone): Zone {
  if (a.kind !== "private" && b.kind !== "private") return a
  const isKept =
    type === "inner" ||
    (type === "left" && a.kind === "private") ||
    (type === "right" && b.kind === "private")
  if (!isKept) {
    const owner = (source: Source): string =>
      source.names.tables[0]?.table ?? source.names.tables[0]?.name ?? "it"
    const [people, others] = a.kind === "private" ? [left, right] : [right, left]
    const what = `rows of ${owner(others)} without a match in ${owner(people)} would belong to nobody`
    const remedy = `put ${owner(people)} first in a LEFT JOIN, or write an inner join`
    fail("privacy/unit-lost", { what, remedy }, at)
  }
  return a.kind === "private" ? a : b
}

function joinRel({ left, right, type, at }: Sides, condition: Expr | undefined): Join {
  const a = left.relation.rel
  const b = right.relation.rel
  const columns = [
    ...(type === "right" || type === "full" ? a.columns.map(nullable) : a.columns),
    ...(type === "left" || type === "full" ? b.columns.map(nullable) : b.columns),
  ]
  return { kind: "join", type, left: a, right: b, condition, columns, at }
}

function privateZone(
  type: Join["type"],
  [left, right]: readonly [PrivateZone, PrivateZone],
  condition: Expr,
): PrivateZone {
  const telling = [...left.telling, ...right.telling]
  const all = (...sets: readonly ReadonlySet<ColumnId>[]) => new Set(sets.flatMap((set) => [...set]))
  switch (type) {
    case "inner": {
      const equal = closeUnder(all(left.equal, right.equal), condition)
      return { kind: "private", unit: left.unit, equal, maybe: all(left.maybe, right.maybe), telling }
    }
    case "left":
      return { ...left, maybe: all(left.maybe, right.equal, right.maybe), telling }
    case "right":
      return { ...right, maybe: all(right.maybe, left.equal, left.maybe), telling }
    case "full": {
      const maybe = all(left.equal, left.maybe, right.equal, right.maybe)
      return { kind: "private", unit: undefined, equal: new Set(), maybe, telling }
    }
    default:
      return type satisfies never
  }
}

/** Two private relations that meet, in a join or in EXISTS. */
export interface Meeting {
  readonly left: Source
  readonly right: Source
  readonly at: Span
  /** "a join", or "EXISTS". */
  readonly what: string
}

/** The condition with the units' equality in it, or a refusal that says what to write. */
export function withinUnit(context: BindContext, meeting: Meeting, condition: Expr | undefined): Expr {
  const { left, right, at, what } = meeting
  refuseRowUnit(left.relation, `${what} with another private table`, at)
  refuseRowUnit(right.relation, `${what} with another private table`, at)
  const [a, b] = [left.relation.zone, right.relation.zone]
  const [one, other] = [unitExpr(left.relation), unitExpr(right.relation)]
  if (a.kind !== "private" || b.kind !== "private" || one === undefined || other === undefined) {
    return fail("bug/plan-rejected", { what: "a private relation without its unit" }, at)
  }
  const pairs = equalColumns(condition).map(([x, y]) => acrossSides(left, x, y))
  if (condition !== undefined && pairs.some(([x, y]) => a.equal.has(x) && b.equal.has(y))) return condition
  const equality = makeCall("equal", [one, other], at)
  const whole = condition === undefined ? equality : alsoWhere(condition, equality)
  // Equal and not NULL: a column that is the unit or NULL is the unit here.
  const mayBeUnit = (zone: PrivateZone, id: ColumnId): boolean => zone.equal.has(id) || zone.maybe.has(id)
  if (pairs.some(([x, y]) => mayBeUnit(a, x) && mayBeUnit(b, y))) return whole
  const told = toldBy(a, new Map(pairs)) ?? toldBy(b, new Map(pairs.map(([x, y]) => [y, x] as const)))
  if (told === undefined) return failUnbounded(context, meeting, [a, b])
  const unit = unitName(left.relation) ?? context.catalog.unitName
  context.note(
    `${ownerOf(left, told)} and ${ownerOf(right, told)} are joined within one ${context.catalog.unitName}: ` +
      `${unit} was added to the condition`,
  )
  return whole
}

function acrossSides(left: Source, x: ColumnId, y: ColumnId): readonly [ColumnId, ColumnId] {
  return left.relation.rel.columns.some(({ id }) => id === x) ? [x, y] : [y, x]
}

/** The columns of a declared key or reference that are all equated with columns of the other side. */
function toldBy(
  zone: PrivateZone,
  equated: ReadonlyMap<ColumnId, ColumnId>,
): ReadonlySet<ColumnId> | undefined {
  // The unit equated with something else than a unit is a mistake, not a key.
  const set = zone.telling.find(
    (ids) =>
      ids.every((id) => equated.has(id)) && !ids.every((id) => zone.equal.has(id) || zone.maybe.has(id)),
  )
  return set === undefined ? undefined : new Set(set.flatMap((id) => [id, equated.get(id) ?? id]))
}

function ownerOf(source: Source, columns: ReadonlySet<ColumnId>): string {
  return tableOfColumn(source.names, columns) ?? source.names.tables[0]?.name ?? "a subquery"
}

function unitName({ rel, zone }: Relation): string | undefined {
  return zone.kind === "private" ? rel.columns.find(({ id }) => id === zone.unit)?.name : undefined
}

function failUnbounded(
  context: BindContext,
  { left, right, at, what }: Meeting,
  [a, b]: readonly [PrivateZone, PrivateZone],
): never {
  const [x, y] = [writtenAs(left.names, a.equal), writtenAs(right.names, b.equal)]
  const unit = unitName(left.relation) ?? context.catalog.unitName
  const remedy =
    x === y && x !== undefined
      ? `give one of the tables another name (FROM ${x.split(".")[0] ?? "it"} AS other), and compare ${unit} of both`
      : x === undefined || y === undefined
        ? `select ${unit} in the subquery, and add its equality to the condition`
        : what === "a join"
          ? `add AND ${x} = ${y} to the condition`
          : `add AND ${y} = ${x} to WHERE of the subquery`
  const owner = (source: Source): string =>
    source.names.tables.map(({ name }) => name).join(", ") || "a subquery"
  const facts = { left: owner(left), right: owner(right), unit: context.catalog.unitName, remedy }
  return fail("privacy/join-unbounded", facts, at)
}
