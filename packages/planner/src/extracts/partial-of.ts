// What a unit has in a group, before it is bounded: a count or a sum over its rows.

import { integerLiteral, stepsExpr } from "@dosimeter/proof/algebra/make"
import type {
  AggregateItem,
  BoundaryAggregate,
  PersonsAggregate,
  RowsAggregate,
  SumAggregate,
} from "@dosimeter/proof/algebra/rel"
import { squaredIfAsked } from "../aggregates/build-moments.ts"
import { onlyWhere } from "../aggregates/only-where.ts"

/** An aggregate that adds up a total of each unit in each group. */
export type TotalAggregate = PersonsAggregate | RowsAggregate | (SumAggregate & { readonly manner: "total" })

/** Whether an aggregate adds up totals. */
export function isTotal(aggregate: BoundaryAggregate): aggregate is TotalAggregate {
  const { kind } = aggregate
  return kind === "persons" || kind === "rows" || (kind === "sum" && aggregate.manner === "total")
}

/** The total of a unit in a group, in steps. */
export function partialOf(aggregate: TotalAggregate): AggregateItem & { readonly name: string } {
  const { label: name, where } = aggregate
  if (aggregate.kind !== "sum") {
    if (where === undefined) return { name, function: "rows", argument: undefined }
    return { name, function: "count", argument: onlyWhere(where, integerLiteral(1n)) }
  }
  const value = onlyWhere(where, aggregate.value)
  const steps = squaredIfAsked(stepsExpr(value, aggregate.grid, aggregate), aggregate)
  return { name, function: "sum", argument: steps }
}
