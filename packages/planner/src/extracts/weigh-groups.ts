// Weights of units by the number of their groups, for key selection where no count is wanted: the database
// counts the groups of each unit, and looks the weight up. verify/check-weights.ts proves it.

import type { KeyWeight } from "@dosimeter/core/mechanisms"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateDomain, stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import {
  callExpr,
  columnExpr,
  columnIn,
  integerLiteral,
  windowRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Aggregate, AggregateItem, Rel, RelColumn, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { onlyWhere } from "../aggregates/only-where.ts"

/** An extract that selects keys by the number of units. */
export interface CountingExtract {
  readonly extract: Extract
  /** The column of the number of units. */
  readonly units: ColumnId
  /** Which row represents a unit in a group; undefined where a unit has only one. */
  readonly firstRow?: Expr | undefined
  /** A column of its rows that holds the number of the unit's groups already. */
  readonly groupTotal?: RelColumn | undefined
}

/** The extract with the sum of its units' weights, the column `weights`, in place of the number of units. */
export function withWeights(
  counting: CountingExtract,
  { unit, table }: { readonly unit: ColumnId; readonly table: readonly KeyWeight[] },
  ids: ColumnIds,
): { readonly extract: Extract; readonly weights: ColumnId } {
  const { extract, units, firstRow, groupTotal } = counting
  const { rel, keys } = extract
  if (rel.kind !== "aggregate") return { extract, weights: units }
  const input = groupTotal === undefined ? countGroups(rel.input, { unit, firstRow }, ids) : rel.input
  const count = columnExpr(groupTotal ?? columnIn(input, input.columns.at(-1)?.id ?? -1))
  const item: AggregateItem = { function: "sum", argument: onlyWhere(firstRow, weightOf(count, table)) }
  const weights = ids.next()
  const place = rel.columns.findIndex(({ id }) => id === units)
  const columns = rel.columns.with(place, { id: weights, name: "weights", domain: aggregateDomain(item) })
  const items = rel.items.with(place - rel.keys.length, item)
  const weighed: Aggregate = { ...rel, input, items, columns }
  const values = columns.slice(rel.keys.length).map(({ id }) => id)
  return { extract: { rel: weighed, keys, values }, weights }
}

// The rows of a unit that are left: at most one that counts for each of its groups.
function countGroups(
  rel: Rel,
  { unit, firstRow }: { readonly unit: ColumnId; readonly firstRow: Expr | undefined },
  ids: ColumnIds,
): Rel {
  const counted: Pick<WindowItem, "function" | "args"> =
    firstRow === undefined
      ? { function: "rows", args: [] }
      : { function: "count", args: [onlyWhere(firstRow, integerLiteral(1n))] }
  const partitionBy = [columnExpr(columnIn(rel, unit))]
  return windowRel(rel, { ...counted, partitionBy, orderBy: [], frame: undefined }, "groups", ids)
}

/**
 * The weight of the first row whose number of groups is not exceeded; the last covers all beyond. It is
 * looked at first: where a question keeps few groups of a unit, most units have more. The others are found by
 * halves.
 */
function weightOf(count: Expr, table: readonly KeyWeight[]): Expr {
  const others = table.slice(0, -1)
  return others.length === 0 ? lookUp(count, table) : eitherOf(count, others, table.slice(-1))
}

function lookUp(count: Expr, rows: readonly KeyWeight[]): Expr {
  const half = Math.ceil(rows.length / 2)
  const [first] = rows
  if (rows.length <= 1) return integerLiteral(first?.weight ?? 0n)
  return eitherOf(count, rows.slice(0, half), rows.slice(half))
}

function eitherOf(count: Expr, low: readonly KeyWeight[], high: readonly KeyWeight[]): Expr {
  const when = callExpr("less-or-equal", [count, integerLiteral(low.at(-1)?.groups ?? 0n)])
  const [least, most] = [...low, ...high].reduce(
    ([a, b], { weight }) => [weight < a ? weight : a, weight > b ? weight : b],
    [low[0]?.weight ?? 0n, 0n],
  )
  return {
    kind: "case",
    branches: [{ when, result: lookUp(count, low) }],
    otherwise: lookUp(count, high),
    domain: stepsDomain(least, most, false),
  }
}
