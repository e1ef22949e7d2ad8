// Ways to spoil averages whose units are scaled to a norm: coordinates are others than their readings say.

import { rational } from "@dosimeter/core/exact"
import type { CallExpr, Expr } from "@dosimeter/proof/algebra/expr"
import type { LinearMeasurement, ScaledMoments } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isCall } from "@dosimeter/proof/algebra/walk"
import { withExprs, withStrategies } from "./corrupt-plan.ts"
import type { ScaledCorruption } from "./scaled-corruptions.ts"

/** Of all averages. */
export const scaledMoments: readonly ScaledCorruption[] = [
  { name: "moments of a wider range", change: moments((one) => ({ ...one, upper: one.upper + 1n })) },
  { name: "moments of a range that is moved", change: moments(moved) },
  { name: "moments of no range", change: moments((one) => ({ ...one, upper: one.lower })) },
  { name: "moments from another point", change: moments((one) => ({ ...one, from: 1n })) },
  { name: "moments of another degree", change: moments((one) => ({ ...one, basis: "triple" })) },
  { name: "coordinates of another basis", change: moments(rebased) },
  {
    name: "number and sum exchanged",
    change: moments((one) => ({ ...one, places: one.places.toReversed() })),
  },
  { name: "moments of one column", change: moments((one) => ({ ...one, places: one.places.slice(0, 1) })) },
  { name: "moments of a column twice", change: moments(doubled) },
  { name: "moments of a column that is not there", change: moments(stray) },
  { name: "moments said to be of other things", change: strategies(relabelled) },
  { name: "averages of fewer rows than count", change: strategies(withRows(1n)) },
  { name: "coordinates in other steps", change: finer },
  { name: "coordinates of other factors", change: (plan) => coordinates(plan, swapped) },
  { name: "a share of another number of rows", change: (plan) => withExprs(plan, otherShare) },
]

/** Of averages of some rows of each unit. */
export const clampedMoments: readonly ScaledCorruption[] = [
  { name: "averages of more rows than are said", change: strategies(withRows(2n)) },
  { name: "the number of all rows", change: (plan) => withExprs(plan, moreRows) },
]

type Scaled = LinearMeasurement<"scaled">

function strategies(change: (one: Scaled) => Scaled): ScaledCorruption["change"] {
  return (plan) => withStrategies(plan, "scaled", change)
}

function moments(change: (one: ScaledMoments) => ScaledMoments): ScaledCorruption["change"] {
  return strategies((one) => {
    const [first, ...others] = one.strategy.moments ?? []
    if (first === undefined) return one
    return { ...one, strategy: { ...one.strategy, moments: [change(first), ...others] } }
  })
}

function moved(one: ScaledMoments): ScaledMoments {
  return { ...one, lower: one.lower - 1n, upper: one.upper - 1n }
}

function rebased(one: ScaledMoments): ScaledMoments {
  return { ...one, basis: one.basis === "pair" ? "tilted" : "pair" }
}

function doubled(one: ScaledMoments): ScaledMoments {
  const [first = 0] = one.places
  return { ...one, places: [first, first] }
}

function stray(one: ScaledMoments): ScaledMoments {
  const [first = 0] = one.places
  return { ...one, places: [first, 99] }
}

function relabelled(one: Scaled): Scaled {
  return { ...one, columns: one.columns.map((column) => ({ ...column, of: "distinct" })) }
}

function withRows(rowsPerGroup: bigint): (one: Scaled) => Scaled {
  return (one) => ({ ...one, strategy: { ...one.strategy, rowsPerGroup } })
}

// The first sum of two products below the weights.
function coordinates(plan: ReleasePlan, change: (coordinate: CallExpr) => Expr): ReleasePlan {
  let isFirst = true
  return withExprs(plan, (expr) => {
    const isCoordinate = isCall(expr, "add") && expr.args.every(isMultiple)
    if (!isCoordinate || !isFirst) return expr
    isFirst = false
    return change(expr)
  })
}

function isMultiple(expr: Expr): boolean {
  return isCall(expr, "multiply") && expr.args[0]?.kind === "literal"
}

function swapped(expr: CallExpr): Expr {
  return { ...expr, args: expr.args.toReversed() }
}

// The last of the values that are weighed.
function finer(plan: ReleasePlan): ReleasePlan {
  const isCut = (expr: Expr): boolean => isCall(expr, "coalesce") && expr.domain.type.kind === "integer"
  let left = 0
  withExprs(plan, (expr) => {
    if (isCut(expr)) left += 1
    return expr
  })
  return withExprs(plan, (expr) => {
    if (!isCut(expr) || !isCall(expr, "coalesce")) return expr
    left -= 1
    const [steps, none] = expr.args
    if (left > 0 || steps?.kind !== "steps" || none === undefined) return expr
    const grid = rational(steps.grid.numerator, 2n * steps.grid.denominator)
    return { ...expr, args: [{ ...steps, grid }, none] }
  })
}

function otherShare(expr: Expr): Expr {
  return expr.kind === "share" ? { ...expr, most: expr.most + 1n } : expr
}

// Rows are bounded by a clamp around their number.
function moreRows(expr: Expr): Expr {
  const isRows = expr.kind === "steps" && expr.operand.kind === "column" && expr.upper === 3n
  return isRows ? { ...expr, upper: 4n, domain: { ...expr.domain } } : expr
}
