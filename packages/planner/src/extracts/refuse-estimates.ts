// Estimates are computed after a release. In a public table that is joined with rows of people they would
// have to be computed by the database, which has no such functions.

import { isEstimate } from "@dosimeter/proof/functions/estimates"
import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { isEstimateAggregate, type Rel } from "@dosimeter/proof/algebra/rel"
import { inputsOf, partsOf } from "@dosimeter/proof/algebra/walk"

/** Fails if an estimate stands in what a database would be asked for. */
export function refuseEstimates(rel: Rel): void {
  for (const name of namesIn(rel)) {
    const remedy = "join it with the results instead: count people in a subquery with GROUP BY first"
    const what = name.replaceAll("-", "_").toUpperCase()
    fail("sql/misplaced", { what, where: "in what rows of people are joined with", remedy }, rel.at)
  }
  for (const input of inputsOf(rel)) refuseEstimates(input)
}

function namesIn(rel: Rel): readonly string[] {
  switch (rel.kind) {
    case "aggregate":
      return rel.items.flatMap(({ function: name, argument }) => [
        ...(isEstimateAggregate(name) ? [name] : []),
        ...estimatesIn(argument),
      ])
    case "window":
      return rel.items.flatMap((item) => [
        ...(item.function === "kaplan-meier" || item.function === "at-risk" ? [item.function] : []),
        ...[...item.args, ...item.partitionBy, ...item.orderBy.map(({ value }) => value)].flatMap(
          estimatesIn,
        ),
      ])
    case "filter":
    case "join":
    case "mark":
      return estimatesIn(rel.condition)
    case "project":
      return rel.items.flatMap(estimatesIn)
    case "sort":
      return rel.orderBy.flatMap(({ value }) => estimatesIn(value))
    case "scan":
    case "values":
    case "union":
    case "boundary":
    case "released":
      return []
    default:
      return rel satisfies never
  }
}

function estimatesIn(expr: Expr | undefined): readonly string[] {
  if (expr === undefined) return []
  const own = expr.kind === "call" && isEstimate(expr.name) ? [expr.name] : []
  return [...own, ...partsOf(expr).flatMap(estimatesIn)]
}
