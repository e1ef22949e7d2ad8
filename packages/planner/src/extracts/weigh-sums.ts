// An exact table whose units are weighed by squares of sums: of what a unit has in each group, and of its
// sums over several groups. verify/extracts/prove-squares.ts proves it.

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
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { amountsByGroup } from "./scale-units.ts"
import type { ScaledAmount, UnitTotals } from "./unit-amounts.ts"

/** An amount, and what counts of it in the total of a unit. */
export interface SquaredAmount extends ScaledAmount {
  /** What a unit's amount in a group is cut to beforehand. */
  readonly most: bigint
  /** How often the square of the amount in each group counts. */
  readonly times: bigint
  /** Sums by some of the keys, whose squares count too. */
  readonly sums: readonly SummedAmount[]
}

/** Sums of a unit's amounts by some keys. */
export interface SummedAmount {
  readonly keys: readonly ColumnId[]
  readonly times: bigint
  /** Who has more in one sum than this has no weight. */
  readonly cut: bigint
}

const one: Rational = rational(1n)

/** The table: a column of sums for each amount, in order, of weight times amount. */
export function buildWeighed(
  rows: UnitTotals,
  amounts: readonly SquaredAmount[],
  { bound, full }: NormBound,
  ids: ColumnIds,
): Extract {
  const { keys, unit } = rows
  const cuts = amounts.map(({ most }) => most)
  const { rel: valued, values } = amountsByGroup(rows, amounts, cuts, ids)
  const { rel: summed, terms } = withSums(valued, { unit, values, amounts }, ids)
  const total = windowRel(
    summed,
    {
      function: "sum",
      args: [terms.reduce((a, b) => callExpr("add", [a, b]))],
      partitionBy: [columnExpr(columnIn(summed, unit))],
      orderBy: [],
      frame: undefined,
    },
    "total",
    ids,
  )
  const weight = weightExpr(lastOf(total), "l2", { bound, full })
  const kept = valued.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
  const weighed = projectRel(total, [...kept, { name: "weight", value: weight }], ids)
  const weightColumn = lastOf(weighed)
  const items = values.map((value, index) => {
    const { most, isSigned, aggregate } = amounts[index] ?? missing
    const product = callExpr("multiply", [weightColumn, value])
    const upper = full * most
    return {
      name: aggregate?.label ?? "",
      function: "sum" as const,
      argument: stepsExpr(product, one, { lower: isSigned ? -upper : 0n, upper }),
    }
  })
  const rel = aggregateRel(weighed, keys, items, ids)
  return { rel, keys, values: rel.columns.slice(keys.length).map(({ id }) => id) }
}

const missing = { most: 0n, isSigned: false, aggregate: undefined }

interface Summing {
  readonly unit: ColumnId
  readonly values: readonly ColumnExpr[]
  readonly amounts: readonly SquaredAmount[]
}

// The rows with the sums that count, cut, and what each row adds to the total.
function withSums(
  valued: Rel,
  { unit, values, amounts }: Summing,
  ids: ColumnIds,
): { readonly rel: Rel; readonly terms: readonly Expr[] } {
  let rel = valued
  const sums: { readonly value: ColumnExpr; readonly sum: ColumnExpr; readonly of: SummedAmount }[] = []
  for (const [index, value] of values.entries()) {
    for (const of of amounts[index]?.sums ?? []) {
      rel = windowRel(
        rel,
        {
          function: "sum",
          args: [callExpr("abs", [value])],
          partitionBy: [unit, ...of.keys].map((id) => columnExpr(columnIn(valued, id))),
          orderBy: [],
          frame: undefined,
        },
        "sum",
        ids,
      )
      sums.push({ value, of, sum: lastOf(rel) })
    }
  }
  const squares = values.map((value, index) =>
    callExpr("multiply", [integerLiteral(amounts[index]?.times ?? 1n), callExpr("multiply", [value, value])]),
  )
  if (sums.length === 0) return { rel, terms: squares }
  const kept = valued.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
  const cut = sums.map(({ sum, of }) => {
    const steps = stepsExpr(sum, one, { lower: 0n, upper: of.cut })
    return { name: "sum", value: callExpr("coalesce", [steps, integerLiteral(0n)]) }
  })
  const projected = projectRel(rel, [...kept, ...cut], ids)
  const products = sums.map(({ value, of }, index) => {
    const sum = projected.columns[kept.length + index]
    const product = sum === undefined ? value : columnExpr(sum)
    return callExpr("multiply", [
      integerLiteral(of.times),
      callExpr("multiply", [callExpr("abs", [value]), product]),
    ])
  })
  return { rel: projected, terms: [...squares, ...products] }
}

function lastOf(rel: Rel): ColumnExpr {
  return columnExpr(columnIn(rel, rel.columns.at(-1)?.id ?? -1))
}
