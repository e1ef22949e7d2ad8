// Adding up before a join: where a join only says something about the unit (one row each), a unit's rows are
// added up first and the sums joined. The same rows for each unit, over a much smaller join.

import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateRel, columnExpr, columnIn, filterRel, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { AggregateItem, Boundary, Filter, Join, Project, Rel } from "@dosimeter/proof/algebra/rel"
import { columnsIn, conjunctsOf, equalColumns } from "@dosimeter/proof/algebra/walk"

/** Two sides of a join on the unit, each with what only it is asked for. */
interface Sides {
  readonly join: Join
  readonly left: Rel
  readonly right: Rel
  /** The columns that hold the unit's id on each side. */
  readonly units: readonly [ColumnId, ColumnId]
}

/**
 * One row for each unit: the unit's id, the keys, then the items over its rows. Undefined if the rows are not
 * such a join, or if keys and items need both sides.
 */
export function addUpFirst(
  { input, keys }: Boundary,
  items: readonly (AggregateItem & { readonly name: string })[],
  ids: ColumnIds,
): Rel | undefined {
  const sides = sidesOf(input)
  if (sides === undefined) return undefined
  const { join, left, right, units } = sides
  const read = items.flatMap(({ argument }) => (argument === undefined ? [] : [...columnsIn(argument)]))
  const orders = [
    { many: left, one: right, unit: units[0] },
    { many: right, one: left, unit: units[1] },
  ]
  const fitting = orders.find(
    ({ many, one }) => has(many, read) && has(one, keys) && unitFacts(one, []).oneRow,
  )
  if (fitting === undefined) return undefined
  const { many, one, unit } = fitting
  const added = aggregateRel(many, [unit], items, ids)
  const joined: Join = { ...join, left: added, right: one, columns: [...added.columns, ...one.columns] }
  const kept = [unit, ...keys, ...added.columns.slice(1).map(({ id }) => id)]
  const columns = kept.map((id) => columnIn(joined, id))
  return { kind: "project", input: joined, items: columns.map(columnExpr), columns }
}

function has({ columns }: Rel, wanted: readonly ColumnId[]): boolean {
  return wanted.every((id) => columns.some((column) => column.id === id))
}

// Conditions and projections above the join go to the side that they look at.
function sidesOf(rel: Rel): Sides | undefined {
  switch (rel.kind) {
    case "join":
      return ofJoin(rel)
    case "filter": {
      const below = sidesOf(rel.input)
      return below === undefined ? undefined : ofFilter(rel, below)
    }
    case "project": {
      const below = sidesOf(rel.input)
      return below === undefined ? undefined : ofProject(rel, below)
    }
    default:
      return undefined
  }
}

// Nothing but the unit is compared.
function ofJoin(join: Join): Sides | undefined {
  const { left, right, condition, type } = join
  const [pair, ...more] = equalColumns(condition)
  if (type !== "inner" || pair === undefined || more.length > 0 || conjunctsOf(condition).length > 1) {
    return undefined
  }
  const [ofLeft, ofRight] = [ownershipOf(left), ownershipOf(right)]
  if (ofLeft.kind !== "private" || ofRight.kind !== "private") return undefined
  const units = ofLeft.units.has(pair[0]) ? pair : ([pair[1], pair[0]] as const)
  const isOnUnit = ofLeft.units.has(units[0]) && ofRight.units.has(units[1])
  return isOnUnit ? { join, left, right, units } : undefined
}

function ofFilter({ condition }: Filter, sides: Sides): Sides | undefined {
  let { left, right } = sides
  for (const part of conjunctsOf(condition)) {
    const side = sideOf(part, { left, right })
    if (side === undefined) return undefined
    if (side === "left") left = filterRel(left, part)
    else right = filterRel(right, part)
  }
  return { ...sides, left, right }
}

function ofProject({ items, columns }: Project, sides: Sides): Sides | undefined {
  const parts = items.map((item) => sideOf(item, sides))
  if (parts.includes(undefined)) return undefined
  const side = (which: "left" | "right"): Project => {
    const input = sides[which]
    const own = columns.filter((_, index) => parts[index] === which)
    const unit = columnIn(input, sides.units[which === "left" ? 0 : 1])
    const carried = own.some(({ id }) => id === unit.id) ? [] : [unit]
    return {
      kind: "project",
      input,
      items: [...items.filter((_, index) => parts[index] === which), ...carried.map(columnExpr)],
      columns: [...own, ...carried],
    }
  }
  return { ...sides, left: side("left"), right: side("right") }
}

// The side whose columns an expression looks at; undefined if it is both.
function sideOf(
  expr: Expr,
  { left, right }: { readonly left: Rel; readonly right: Rel },
): "left" | "right" | undefined {
  const read = [...columnsIn(expr)]
  return has(left, read) ? "left" : has(right, read) ? "right" : undefined
}
