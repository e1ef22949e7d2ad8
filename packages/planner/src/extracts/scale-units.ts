// An exact table in which all that a unit adds is scaled to one norm, in place of dropping some of it: each
// unit has one weight, by the norm of its own amounts in all groups. verify/extracts/prove-norm.ts proves it.

import type { Norm } from "@dosimeter/core/mechanisms"
import { rational, type Rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
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
import type { TotalAggregate } from "./partial-of.ts"

/** What is added up, in whole numbers that all aggregates have in common. */
export interface ScaledAmount {
  readonly aggregate: TotalAggregate
  /** How many common steps a step of the aggregate is. */
  readonly multiplier: bigint
  /** Whether amounts may be below 0. */
  readonly isSigned: boolean
}

/** The norm that units are scaled to, in common steps. */
export interface ScaledNorm extends NormBound {
  readonly norm: Norm
}

/** One row for each unit and group, with what the unit has in it. */
export interface UnitTotals {
  readonly rel: Rel
  readonly unit: ColumnId
  readonly keys: readonly ColumnId[]
  /** For each amount, in steps of its aggregate. */
  readonly totals: readonly Expr[]
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

/** The table: a column of sums for each amount, in order, of weight times common steps. */
export function buildScaled(
  { rel: pairs, unit, keys, totals }: UnitTotals,
  amounts: readonly ScaledAmount[],
  { norm, bound, full }: ScaledNorm,
  ids: ColumnIds,
): Extract {
  const first = 1 + keys.length
  const carried = [unit, ...keys].map((id) => {
    const column = columnIn(pairs, id)
    return { name: column.name, value: columnExpr(column) }
  })
  const clamped = amounts.map((amount, index) => ({
    name: amount.aggregate.label,
    value: commonSteps(totals[index] ?? integerLiteral(0n), amount, bound),
  }))
  const valued = projectRel(pairs, [...carried, ...clamped], ids)
  const values = valued.columns.slice(first).map(columnExpr)
  const total = windowRel(
    valued,
    {
      function: "sum",
      args: [values.map((value) => sizeOf(value, norm)).reduce((a, b) => callExpr("add", [a, b]))],
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

// Cut to the norm beforehand: who has more than that in one group fills it with this group alone.
function commonSteps(total: Expr, { aggregate, multiplier, isSigned }: ScaledAmount, bound: bigint): Expr {
  // A unit is one, however many rows it has.
  const amount = aggregate.kind === "persons" ? stepsExpr(total, one, { lower: 0n, upper: 1n }) : total
  const lower = isSigned ? -bound : 0n
  const steps = stepsExpr(amount, rational(1n, multiplier), { lower, upper: bound })
  return callExpr("coalesce", [steps, integerLiteral(0n)])
}

function sizeOf(value: Expr, norm: Norm): Expr {
  return norm === "l2" ? callExpr("multiply", [value, value]) : callExpr("abs", [value])
}

function columnAt(rel: Rel, place: number): RelColumn {
  return columnIn(rel, rel.columns[place]?.id ?? -1)
}
