// Estimates are computed after a release. In a public table that is joined with rows of people they would
// have to be computed by the database, which has no such functions.

import { isEstimate } from "@dosimeter/proof/functions/estimates"
import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { isEstimateAggregate, type Rel } from "@dosimeter/proof/algebra/rel"
import { expressionsOf, inputsOf, partsOf } from "@dosimeter/proof/algebra/walk"

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
  const called =
    rel.kind === "aggregate" || rel.kind === "window" ? rel.items.map((item) => item.function) : []
  return [...called.filter(isAfterRelease), ...expressionsOf(rel).flatMap(estimatesIn)]
}

function isAfterRelease(name: string): boolean {
  return isEstimateAggregate(name) || name === "kaplan-meier" || name === "at-risk"
}

function estimatesIn(expr: Expr): readonly string[] {
  const own = expr.kind === "call" && isEstimate(expr.name) ? [expr.name] : []
  return [...own, ...partsOf(expr).flatMap(estimatesIn)]
}
