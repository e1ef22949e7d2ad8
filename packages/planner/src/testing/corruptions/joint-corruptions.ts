// Ways to spoil a plan whose units are weighed by squares of their sums in several groupings.

import { rational } from "@dosimeter/core/exact"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { LinearMeasurement, Measurement } from "@dosimeter/proof/algebra/measurement"
import type { Rel, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isCall } from "@dosimeter/proof/algebra/walk"
import { withExprs, withMeasurements, withNodes, withRelease } from "./corrupt-plan.ts"
import type { ScaledCorruption } from "./scaled-corruptions.ts"

type Change = ScaledCorruption["change"]

/** Of sums over several groups, and of how often their squares count. */
export const jointRelations: readonly ScaledCorruption[] = [
  { name: "squares that count a little less", change: times((often) => often - often / 20n) },
  { name: "squares that count once", change: times(() => 1n) },
  { name: "squares that count for nothing", change: times(() => 0n) },
  { name: "squares that count against the unit", change: times((often) => -often) },
  { name: "sums that are cut at half", change: (plan) => withNodes(plan, cutAtHalf) },
  { name: "sums over everyone", change: sums((item) => ({ ...item, partitionBy: [] })) },
  { name: "sums of single rows", change: (plan) => withNodes(plan, bySomethingElse) },
  { name: "sums of the rows so far", change: sums(inOrder) },
  { name: "the largest in place of sums", change: sums((item) => ({ ...item, function: "max" })) },
  {
    name: "sums of amounts with their signs",
    change: sums((item) => ({ ...item, args: item.args.map(inner) })),
  },
  { name: "amounts with their signs", change: (plan) => withNodes(plan, signed) },
  { name: "a total without its last squares", change: (plan) => withNodes(plan, withoutLast) },
]

/** Of neighbours that are replaced: what would be right where they are added or removed. */
export const jointReplacements: readonly ScaledCorruption[] = [
  { name: "a norm that is too large for the difference of two units", change: larger },
]

/** Of what is measured, and of what is stated. */
export const jointMechanisms: readonly ScaledCorruption[] = [
  { name: "one measurement with less noise", change: lessNoise },
  { name: "a value measured twice", change: twice },
  { name: "noise on single groups beside it", change: beside },
  {
    name: "no norm stated",
    change: (plan) =>
      withRelease(plan, ({ bounds: { scaled: _scaled, ...bounds }, ...release }) => ({ ...release, bounds })),
  },
]

// How often squares count: literal times product.
function times(change: (often: bigint) => bigint): Change {
  return (plan) =>
    withExprs(plan, (expr) => {
      const [often, product] = isCall(expr, "multiply") ? expr.args : []
      if (often?.kind !== "literal" || often.value.kind !== "number" || product === undefined) return expr
      return callExpr("multiply", [integerLiteral(change(often.value.value.numerator)), product])
    })
}

// The window of a sum adds up sizes; that of the total adds up products.
function isSum({ args: [argument] }: WindowItem): boolean {
  return argument !== undefined && isCall(argument, "abs")
}

function sums(change: (item: WindowItem) => WindowItem): Change {
  return (plan) =>
    withNodes(plan, (rel) =>
      rel.kind === "window"
        ? { ...rel, items: rel.items.map((item) => (isSum(item) ? change(item) : item)) }
        : rel,
    )
}

function inOrder(item: WindowItem): WindowItem {
  const orderBy = item.partitionBy.map((value) => ({
    value,
    direction: "ascending" as const,
    nulls: "last" as const,
  }))
  return { ...item, orderBy }
}

function inner(expr: Expr): Expr {
  const [value] = isCall(expr, "abs") ? expr.args : []
  return value ?? expr
}

function signed(rel: Rel): Rel {
  if (rel.kind !== "window" || rel.items.some(isSum)) return rel
  const plain = (expr: Expr): Expr =>
    expr.kind === "call" && expr.name !== "abs" ? callExpr(expr.name, expr.args.map(plain)) : inner(expr)
  return { ...rel, items: rel.items.map((item) => ({ ...item, args: item.args.map(plain) })) }
}

// Cuts of sums stand above their windows.
function cutAtHalf(rel: Rel): Rel {
  if (rel.kind !== "project" || rel.input.kind !== "window" || !rel.input.items.some(isSum)) return rel
  const half = (expr: Expr): Expr => {
    const [steps, zero] = isCall(expr, "coalesce") ? expr.args : []
    if (steps?.kind !== "steps" || zero === undefined) return expr
    return callExpr("coalesce", [{ ...steps, upper: steps.upper / 2n }, zero])
  }
  return { ...rel, items: rel.items.map(half) }
}

// The unit's rows, divided by what it has in them.
function bySomethingElse(rel: Rel): Rel {
  if (rel.kind !== "window" || !rel.items.some(isSum)) return rel
  const other = rel.input.columns.at(-1)
  if (other === undefined) return rel
  const items = rel.items.map((item) => ({ ...item, partitionBy: [...item.partitionBy, columnExpr(other)] }))
  return { ...rel, items }
}

function withoutLast(rel: Rel): Rel {
  if (rel.kind !== "window" || rel.items.some(isSum)) return rel
  const items = rel.items.map((item) => {
    const [total] = item.args
    return total !== undefined && isCall(total, "add") ? { ...item, args: total.args.slice(0, 1) } : item
  })
  return { ...rel, items }
}

// Not quite the root of two.
function larger(plan: ReleasePlan): ReleasePlan {
  const more = (bound: bigint): bigint => (bound * 14n) / 10n
  const weighed = withExprs(plan, (expr) =>
    expr.kind === "weight" ? { ...expr, bound: more(expr.bound) } : expr,
  )
  return withRelease(weighed, ({ bounds, ...release }) => {
    const { scaled } = bounds
    if (scaled === undefined) return { ...release, bounds }
    return { ...release, bounds: { ...bounds, scaled: { ...scaled, bound: 2n * scaled.bound } } }
  })
}

function lessNoise(plan: ReleasePlan): ReleasePlan {
  let isFirst = true
  return withMeasurements(plan, (one) => {
    if (!isFirst || one.kind !== "linear") return one
    isFirst = false
    return withVariances(one)
  })
}

function withVariances(one: LinearMeasurement): Measurement {
  const { strategy } = one
  const half = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
    rational(numerator, denominator * 2n)
  if (strategy.kind === "parts") {
    const parts = strategy.spec.parts.map((part) => ({ ...part, variance: half(part.variance) }))
    return { ...one, strategy: { ...strategy, spec: { ...strategy.spec, parts } } }
  }
  if (strategy.kind !== "levels") return one
  const variances = strategy.spec.variances.map((level) => level.map(half))
  const spec = { ...strategy.spec, variances, total: half(strategy.spec.total) }
  return { ...one, strategy: { ...strategy, spec } }
}

// The first column takes the place of the others.
function twice(plan: ReleasePlan): ReleasePlan {
  const [first] = plan.releases[0]?.measurements ?? []
  return withMeasurements(plan, (one) =>
    one.kind === "linear" && first?.kind === "linear" ? { ...one, columns: first.columns } : one,
  )
}

function beside(plan: ReleasePlan): ReleasePlan {
  return withMeasurements(plan, (one) => {
    if (one.kind !== "linear") return one
    const sensitivity = { neighbours: plan.neighbours, patterns: [[{ groups: 1n, amount: 1n }]] } as const
    const spec = {
      kind: "gaussian",
      sensitivity,
      variance: rational(1_000_000n),
    } as const
    return { ...one, strategy: { kind: "identity", spec } }
  })
}
