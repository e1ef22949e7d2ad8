// May a boundary of sums and counts read a copy of pairs? All that its keys and conditions look at must be
// the same in all rows of a unit and group of the copy, and what it adds up must be stored. Then the totals
// of a unit in a group are those of its rows, exactly.

import type { PreparedTable, StoredTotal } from "@dosimeter/proof/units/prepared-table"
import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, columnIn, stepsExpr, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import { definitionsIn, isSameExpression } from "../aggregates/same-expression.ts"
import { onlyWhere, rowsWhere } from "../aggregates/only-where.ts"
import type { TotalAggregate } from "../extracts/partial-of.ts"
import { whereAll } from "../keys/key-lists.ts"
import { OverPairs } from "./over-pairs.ts"
import { matchingOf } from "./over-copies.ts"
import { scansIn, severalRows } from "./scans-in.ts"

/** Rows of pairs, and what each aggregate adds up of them. */
export interface PairForm {
  /** The copies that are read. */
  readonly labels: readonly string[]
  readonly input: Rel
  readonly unit: ColumnId
  /** What each aggregate takes from a row: a total in steps, or the number of rows. */
  readonly amounts: ReadonlyMap<TotalAggregate, Expr>
  /** Whether a unit has one row in each group: a row is a pair of the question as well. */
  readonly oneRow: boolean
}

/** What is looked at. */
export interface PairWish {
  readonly aggregates: readonly TotalAggregate[]
  readonly prepared: readonly PreparedTable[]
  /** What is true of rows whose keys are listed. */
  readonly listed: readonly Expr[]
  readonly ids: ColumnIds
}

/** The form of a boundary over a copy of pairs; undefined if there is none. */
export function pairForm(boundary: Boundary, wish: PairWish): PairForm | undefined {
  const scans = scansIn(boundary.input)
  if (scans === undefined) return undefined
  const several = severalRows(boundary.input, scans)
  const [main] = several
  if (main === undefined || several.length > 1) return undefined
  const forms = wish.prepared.flatMap((copy) =>
    copy.base === main.table && copy.totals !== undefined
      ? (formOver(boundary, { main, copy }, wish) ?? [])
      : [],
  )
  // A row for each unit and group, where there is such a copy.
  return forms.find(({ oneRow }) => oneRow) ?? forms[0]
}

function formOver(
  boundary: Boundary,
  { main, copy }: { readonly main: Scan; readonly copy: PreparedTable },
  { aggregates, listed, ids }: PairWish,
): PairForm | undefined {
  const definitions = definitionsIn(boundary.input)
  const over = new OverPairs(main, copy, { definitions, ids })
  const rebuilt = over.rebuild(boundary.input)
  if (rebuilt === undefined) return undefined
  const held = new Set(rebuilt.columns.map(({ id }) => id))
  const isHeld = (expr: Expr): boolean => [...columnsIn(expr)].every((id) => held.has(id))
  const conditions = listed.map((condition) => over.stored(condition))
  if (!conditions.every(isHeld) || !boundary.keys.every((key) => held.has(key))) return undefined
  const matching = matchingOf(main, copy, definitions)
  const amounts = new Map<TotalAggregate, Expr>()
  for (const aggregate of aggregates) {
    const counted = countOf(aggregate)
    if (counted !== undefined) {
      amounts.set(aggregate, columnExpr(counted))
      continue
    }
    const column = totalOf(aggregate)
    const where = aggregate.where === undefined ? undefined : over.stored(aggregate.where)
    if (column === undefined || (where !== undefined && !isHeld(where))) return undefined
    amounts.set(aggregate, onlyWhere(where, columnExpr(column)))
  }
  const input = whereAll(rebuilt, conditions)
  const owner = ownershipOf(input)
  const [unit] = owner.kind === "private" ? owner.units : []
  if (unit === undefined) return undefined
  const { oneRow } = unitFacts(input, boundary.keys)
  return { labels: [copy.label], input, unit, amounts, oneRow }

  function totalOf(aggregate: TotalAggregate): RelColumn | undefined {
    if (aggregate.kind !== "sum") return storedAs(({ of }) => of === undefined)
    const wanted = stepsOf(aggregate)
    return wanted === undefined ? undefined : storedOf(wanted)
  }

  // How many rows have a value, where that is stored.
  function countOf(aggregate: TotalAggregate): RelColumn | undefined {
    const isCount = aggregate.kind !== "sum" && aggregate.where !== undefined
    return isCount ? storedOf(rowsWhere(aggregate.where)) : undefined
  }

  function storedOf(wanted: Expr): RelColumn | undefined {
    return storedAs(({ of }) => of !== undefined && isSameExpression(of, wanted, matching))
  }

  function storedAs(isIt: (total: StoredTotal) => boolean): RelColumn | undefined {
    const stored = copy.totals?.find(isIt)
    const id = stored === undefined ? undefined : over.added.get(stored.name)
    return id === undefined || !held.has(id) ? undefined : columnIn(over.rows, id)
  }
}

// Sums of squares are not stored.
function stepsOf(aggregate: TotalAggregate & { readonly kind: "sum" }): Expr | undefined {
  const { value, grid, squaredFrom } = aggregate
  return squaredFrom === undefined ? stepsExpr(value, grid, aggregate) : undefined
}
