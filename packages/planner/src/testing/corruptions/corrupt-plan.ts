// Finished plans with something changed: what verify/ must not let pass. Tables of the catalog stay the same
// objects.

import { DosimeterError, lossOf } from "@dosimeter/core"
import { add, zero } from "@dosimeter/core/exact"
import { chargeAmount } from "@dosimeter/core/accounting"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { AggregateItem, Rel, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { Extract, MeasurePlan, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"

/** The plan with another first release. */
export function withRelease(
  plan: ReleasePlan,
  change: (release: Release) => Release,
  which = 0,
): ReleasePlan {
  return { ...plan, releases: plan.releases.map((one, index) => (index === which ? change(one) : one)) }
}

/** The plan with another extract. */
export function withExtract(
  plan: ReleasePlan,
  change: (extract: Extract) => Extract,
  which = 0,
): ReleasePlan {
  return withRelease(plan, (release) => ({
    ...release,
    extracts: release.extracts.map((one, index) => (index === which ? change(one) : one)),
  }))
}

/** The plan with all its extracts' relations changed, node by node from the leaves up. */
export function withNodes(plan: ReleasePlan, change: (rel: Rel) => Rel): ReleasePlan {
  const releases = plan.releases.map((release) => ({
    ...release,
    extracts: release.extracts.map((extract) => ({ ...extract, rel: mapRel(extract.rel, change) })),
  }))
  return { ...plan, releases }
}

/** The plan with another measure. */
export function withMeasure(
  plan: ReleasePlan,
  change: (measure: MeasurePlan) => MeasurePlan,
  which = 0,
): ReleasePlan {
  return withRelease(plan, (release) => ({
    ...release,
    measures: release.measures.map((one, index) => (index === which ? change(one) : one)),
  }))
}

/** The plan with all expressions of its extracts changed, from the leaves up. */
export function withExprs(plan: ReleasePlan, change: (expr: Expr) => Expr): ReleasePlan {
  return withNodes(plan, (rel) => mapExprs(rel, (expr) => mapExpr(expr, change)))
}

/** The plan with a charge that adds up, if its losses can be computed at all. */
export function recharged(plan: ReleasePlan): ReleasePlan {
  const { accounting } = plan.charge
  const specs = plan.releases.flatMap(({ keys: key, measures }) => [
    ...(key.kind === "private" || key.kind === "top" ? [key.spec] : []),
    ...measures.flatMap((measure) => ("spec" in measure ? [measure.spec] : [])),
  ])
  const parts = specs.map((spec) => chargeAmount(lossOf(spec), accounting))
  const amount = parts.map((part) => part.amount).reduce(add, zero)
  const delta = parts.map((part) => part.delta).reduce(add, zero)
  return { ...plan, charge: { ...plan.charge, amount, delta } }
}

/** A relation with every node changed. */
export function mapRel(rel: Rel, change: (rel: Rel) => Rel): Rel {
  const below = (input: Rel): Rel => mapRel(input, change)
  switch (rel.kind) {
    case "scan":
    case "values":
    case "released":
      return change(rel)
    case "filter":
    case "project":
    case "aggregate":
    case "window":
    case "sort":
    case "boundary":
      return change({ ...rel, input: below(rel.input) })
    case "join":
    case "mark":
      return change({ ...rel, left: below(rel.left), right: below(rel.right) })
    case "union":
      return change({ ...rel, inputs: rel.inputs.map(below) })
    default:
      return rel satisfies never
  }
}

function mapExprs(rel: Rel, change: (expr: Expr) => Expr): Rel {
  const perhaps = (expr: Expr | undefined): Expr | undefined =>
    expr === undefined ? undefined : change(expr)
  switch (rel.kind) {
    case "filter":
      return { ...rel, condition: change(rel.condition) }
    case "project":
      return { ...rel, items: rel.items.map(change) }
    case "join":
    case "mark":
      return { ...rel, condition: perhaps(rel.condition) }
    case "aggregate":
      return {
        ...rel,
        items: rel.items.map((item): AggregateItem => ({ ...item, argument: perhaps(item.argument) })),
      }
    case "window":
      return {
        ...rel,
        items: rel.items.map((item): WindowItem => ({
          ...item,
          args: item.args.map(change),
          partitionBy: item.partitionBy.map(change),
          orderBy: item.orderBy.map((key) => ({ ...key, value: change(key.value) })),
        })),
      }
    case "scan":
    case "values":
    case "released":
    case "union":
    case "sort":
    case "boundary":
      return rel
    default:
      return rel satisfies never
  }
}

function mapExpr(expr: Expr, change: (expr: Expr) => Expr): Expr {
  const below = (part: Expr): Expr => mapExpr(part, change)
  switch (expr.kind) {
    case "column":
    case "literal":
      return change(expr)
    case "call":
    case "keyed-hash":
      return change({ ...expr, args: expr.args.map(below) })
    case "case":
      return change({
        ...expr,
        branches: expr.branches.map(({ when, result }) => ({ when: below(when), result: below(result) })),
        otherwise: below(expr.otherwise),
      })
    case "steps":
      return change({ ...expr, operand: below(expr.operand) })
    case "share":
      return change({ ...expr, sum: below(expr.sum), count: below(expr.count) })
    default:
      return expr satisfies never
  }
}

/** The code with which an attempt is rejected, or "accepted". */
export function rejectionOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

/** A plan as text, to see that a corruption changes it. */
export function showPlan(plan: ReleasePlan): string {
  return JSON.stringify(plan, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}
