// An exact table in which all that a unit adds is scaled to one norm, in place of dropping some of it: each
// unit has one weight, by the norm of its own amounts in all groups. verify/extracts/prove-norm.ts proves it.

import type { Norm } from "@dosimeter/core/mechanisms"
import { rational, type Rational } from "@dosimeter/core/exact"
import type { ColumnExpr, ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIn,
  integerLiteral,
  projectRel,
  stepsExpr,
  weightExpr,
  windowRel,
  type ColumnIds,
  type NormBound,
} from "@dosimeter/proof/algebra/make"
import type { AggregateItem, Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { amountTotals } from "./moment-amounts.ts"
import type { ScaledAmount, UnitTotals } from "./unit-amounts.ts"

/** The norm that units are scaled to, in common steps. */
export interface ScaledNorm extends NormBound {
  readonly norm: Norm
  /** What a unit's amount in a group is cut to beforehand. */
  readonly most: bigint
}

/** What each unit has in each group, added up over rows. */
export function totalsOfRows(
  { input, keys }: Pick<Boundary, "input" | "keys">,
  unit: ColumnId,
  items: readonly (AggregateItem & { readonly name: string })[],
  ids: ColumnIds,
): UnitTotals {
  const rel = aggregateRel(input, [unit, ...keys], items, ids)
  return { rel, unit, keys, totals: rel.columns.slice(1 + keys.length).map(columnExpr) }
}

/**
 * A row for each unit and group: unit, keys, and each amount in common steps, cut to the most (of each).
 * `rows` have the totals behind the amounts.
 */
export function amountsByGroup(
  rows: UnitTotals,
  amounts: readonly ScaledAmount[],
  most: bigint | readonly bigint[],
  ids: ColumnIds,
): { readonly rel: Rel; readonly values: readonly ColumnExpr[] } {
  const { rel: pairs, unit, keys, totals } = amountTotals(rows, amounts, ids)
  const first = 1 + keys.length
  const carried = [unit, ...keys].map((id) => {
    const column = columnIn(pairs, id)
    return { name: column.name, value: columnExpr(column) }
  })
  const cut = amounts.map((amount, index) => ({
    name: amount.aggregate.label,
    value: commonSteps(
      totals[index] ?? integerLiteral(0n),
      amount,
      typeof most === "bigint" ? most : (most[index] ?? 0n),
    ),
  }))
  const rel = projectRel(pairs, [...carried, ...cut], ids)
  return { rel, values: rel.columns.slice(first).map(columnExpr) }
}

/** What a unit's row adds to the norm of all of its rows: squares, or sizes, of all values. */
export function sizesOf(values: readonly Expr[], norm: Norm): Expr {
  return values.map((value) => sizeOf(value, norm)).reduce((a, b) => callExpr("add", [a, b]))
}

/** The table: a column of sums for each amount, in order, of weight times common steps. */
export function buildScaled(
  rows: UnitTotals,
  amounts: readonly ScaledAmount[],
  { norm, bound, full, most: cut }: ScaledNorm,
  ids: ColumnIds,
): Extract {
  const { keys, unit } = rows
  const { rel: valued, values } = amountsByGroup(rows, amounts, cut, ids)
  const total = windowRel(
    valued,
    {
      function: "sum",
      args: [sizesOf(values, norm)],
      partitionBy: [columnExpr(columnIn(valued, unit))],
      orderBy: [],
      frame: undefined,
    },
    "total",
    ids,
  )
  const weight = weightExpr(columnExpr(columnAt(total, total.columns.length - 1)), norm, { bound, full })
  const kept = valued.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
  const weighed = projectRel(total, [...kept, { name: "weight", value: weight }], ids)
  const weightColumn = columnExpr(columnAt(weighed, weighed.columns.length - 1))
  const most = full * bound
  const sums = values.map((value, index) => {
    const lower = amounts[index]?.isSigned === true ? -most : 0n
    const product = callExpr("multiply", [weightColumn, value])
    return {
      name: amounts[index]?.aggregate.label ?? "",
      function: "sum" as const,
      argument: stepsExpr(product, one, { lower, upper: most }),
    }
  })
  const rel = aggregateRel(weighed, keys, sums, ids)
  return { rel, keys, values: rel.columns.slice(keys.length).map(({ id }) => id) }
}

const one: Rational = rational(1n)

function commonSteps(total: Expr, { aggregate, multiplier, isSigned }: ScaledAmount, most: bigint): Expr {
  // A unit is one, however many rows it has.
  const amount = aggregate.kind === "persons" ? stepsExpr(total, one, { lower: 0n, upper: 1n }) : total
  const lower = isSigned ? -most : 0n
  const steps = stepsExpr(amount, rational(1n, multiplier), { lower, upper: most })
  return callExpr("coalesce", [steps, integerLiteral(0n)])
}

function sizeOf(value: Expr, norm: Norm): Expr {
  return norm === "l2" ? callExpr("multiply", [value, value]) : callExpr("abs", [value])
}

function columnAt(rel: Rel, place: number): RelColumn {
  return columnIn(rel, rel.columns[place]?.id ?? -1)
}
