// Ways to spoil a plan that selects keys by weights.

import { rational, zero } from "@dosimeter/core/exact"
import type { WeightedKeysSpec } from "@dosimeter/core/mechanisms"
import type { CaseExpr, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Rel, RelColumn, WindowItem, WindowRel } from "@dosimeter/proof/algebra/rel"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { upperBounds } from "@dosimeter/proof/algebra/walk"
import { withExprs, withReading, withNodes, withRelease } from "./corrupt-plan.ts"

type Change = (plan: ReleasePlan) => ReleasePlan

/** Another spec of the selection. */
export const weightedSpec = (change: Partial<WeightedKeysSpec>): Change => {
  return (plan) =>
    withRelease(plan, (release) =>
      release.keys.kind === "private" && release.keys.spec.kind === "keys-weighted"
        ? { ...release, keys: { ...release.keys, spec: { ...release.keys.spec, ...change } } }
        : release,
    )
}
const weights = (change: (row: WeightedKeysSpec["weights"]) => WeightedKeysSpec["weights"]): Change => {
  return (plan) => {
    const keys = plan.releases[0]?.keys
    const table = keys?.kind === "private" && keys.spec.kind === "keys-weighted" ? keys.spec.weights : []
    return weightedSpec({ weights: change(table) })(plan)
  }
}
/** The window that counts the groups of a unit. */
const counts = (rel: Rel): rel is WindowRel =>
  rel.kind === "window" && rel.items.some((item) => item.function === "rows" || item.function === "count")
/** The window that counts, spoilt. */
const countItem = (change: (one: WindowItem, rel: WindowRel) => Partial<WindowItem>): Change => {
  return (plan) =>
    withNodes(plan, (rel) =>
      counts(rel) ? { ...rel, items: rel.items.map((one) => ({ ...one, ...change(one, rel) })) } : rel,
    )
}
/** A table of weights, or a part of one. */
const isLookUp = (expr: Expr): expr is CaseExpr =>
  expr.kind === "case" && !(expr.otherwise.kind === "literal" && expr.otherwise.value.kind === "null")
/** The weight of a unit in one group. */
const firstWeight = (expr: Expr): Expr => {
  const [first] = isLookUp(expr) ? expr.branches : []
  return first === undefined ? expr : firstWeight(first.result)
}
const always = callExpr("equal", [integerLiteral(1n), integerLiteral(1n)])

/** Rejected whatever is charged. */
export const weightCorruptions: readonly (readonly [string, Change])[] = [
  ["fewer groups of a unit", weightedSpec({ groupsPerUnit: 3n })],
  ["no noise", weightedSpec({ variance: zero })],
  ["negative noise", weightedSpec({ variance: rational(-5n) })],
  ["other neighbours", weightedSpec({ neighbours: "replace" })],
  ["no epsilon", weightedSpec({ epsilon: zero })],
  [
    "smaller weights than are added",
    weights((all) => all.map((row) => ({ ...row, weight: row.weight / 2n }))),
  ],
  ["no weights", weights(() => [])],
  ["a row less", weights((all) => all.slice(1))],
  ["weights for fewer groups", weights((all) => all.slice(0, -1))],
  ["weights out of order", weights((all) => all.toReversed())],
  ["more groups for a weight", weights((all) => all.map((row) => ({ ...row, groups: row.groups + 1n })))],
  ["a weight of nothing", weights((all) => all.map((row) => ({ ...row, weight: 0n })))],
  [
    "a larger weight in the database",
    (plan) =>
      withExprs(plan, (expr) =>
        expr.kind === "literal" && expr.value.kind === "number" && expr.value.value.numerator > 1000n
          ? integerLiteral(expr.value.value.numerator + 1n)
          : expr,
      ),
  ],
  [
    "the weight of one group for all",
    (plan) =>
      withExprs(plan, (expr) =>
        isLookUp(expr) && expr.otherwise.kind === "literal"
          ? { ...expr, otherwise: firstWeight(expr) }
          : expr,
      ),
  ],
  [
    "rows of the table exchanged",
    (plan) =>
      withExprs(plan, (expr) =>
        isLookUp(expr)
          ? {
              ...expr,
              branches: expr.branches.map(({ when }) => ({ when, result: expr.otherwise })),
              otherwise: expr.branches[0]?.result ?? expr.otherwise,
            }
          : expr,
      ),
  ],
  [
    "a part of the table for more groups than it holds",
    (plan) =>
      withExprs(plan, (expr) =>
        isLookUp(expr)
          ? {
              ...expr,
              branches: expr.branches.map(({ when, result }) => ({
                when: result.kind === "case" ? oneMore(when) : when,
                result,
              })),
            }
          : expr,
      ),
  ],
  ["groups counted over everybody", countItem(() => ({ partitionBy: [] }))],
  [
    "groups counted within a code",
    countItem((_, { input }) => ({
      partitionBy: input.columns.filter(({ name }) => name === "code").map(columnExpr),
    })),
  ],
  [
    "groups counted within unit and code",
    countItem((one, { input }) => ({
      partitionBy: [
        ...one.partitionBy,
        ...input.columns.filter(({ name }) => name === "code").map(columnExpr),
      ],
    })),
  ],
  [
    "groups counted in an order",
    countItem((one) => ({
      orderBy: one.partitionBy.map((value) => ({ value, direction: "ascending", nulls: "last" })),
    })),
  ],
  [
    "a few of the groups counted",
    countItem(() => ({
      frame: { mode: "rows", start: { kind: "current-row" }, end: { kind: "current-row" } },
    })),
  ],
  ["a place in place of the number", countItem(() => ({ function: "row-number" }))],
  ["some other count", countItem((one) => ({ function: "count", args: one.partitionBy }))],
  ["weights by another number", byPlace],
  [
    "groups that are not bounded",
    (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "filter" && upperBounds(rel.condition).length > 0 ? { ...rel, condition: always } : rel,
      ),
  ],
  [
    "a sum as the weights",
    (plan) =>
      withRelease(plan, (release) =>
        release.keys.kind === "private"
          ? { ...release, keys: { ...release.keys, units: release.extracts[0]?.values[0] ?? -1 } }
          : release,
      ),
  ],
  [
    "counts in place of weights",
    (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "aggregate" && counts(rel.input)
          ? {
              ...rel,
              items: rel.items.map((one) =>
                one.argument?.kind === "case" ? { function: "rows", argument: undefined } : one,
              ),
            }
          : rel,
      ),
  ],
  [
    "a count that comes with the keys",
    (plan) => withReading(plan, ({ label }) => ({ kind: "key-count", label })),
  ],
]

// The place of a group in place of their number: the first groups of everybody would weigh the most.
function byPlace(plan: ReleasePlan): ReleasePlan {
  return withNodes(plan, (rel) => {
    if (rel.kind !== "aggregate" || !counts(rel.input)) return rel
    const place = rel.input.columns.find(({ name }) => name === "place")
    if (place === undefined) return rel
    const items = rel.items.map((one) => {
      if (one.argument?.kind !== "case") return one
      return { ...one, argument: lookedUpBy(place, one.argument) }
    })
    return { ...rel, items }
  })
}

/** Every row of a unit in a group is weighed. */
export function withoutGuard(plan: ReleasePlan): ReleasePlan {
  return withNodes(plan, (rel) => {
    if (rel.kind !== "aggregate") return rel
    const items = rel.items.map((one) => {
      const { argument } = one
      const inner = argument?.kind === "case" ? argument.branches[0]?.result : undefined
      return inner?.kind === "case" ? { ...one, argument: inner } : one
    })
    return { ...rel, items }
  })
}

// Other rows are counted than are weighed.
function otherGuard(arg: Expr): Expr {
  if (arg.kind !== "case") return arg
  const branches = arg.branches.map(({ when, result }) =>
    when.kind === "call"
      ? { when: { ...when, args: [...when.args.slice(0, 1), integerLiteral(0n)] }, result }
      : { when, result },
  )
  return { ...arg, branches }
}

/** Rejected where several rows of a unit in a group are there, and the first is weighed. */
export const guardCorruptions: readonly (readonly [string, Change])[] = [
  ["all rows counted", countItem(() => ({ function: "rows", args: [] }))],
  ["other rows counted", countItem((one) => ({ args: one.args.map(otherGuard) }))],
  ["groups counted over everybody", countItem(() => ({ partitionBy: [] }))],
  ["all rows weighed", withoutGuard],
  ["the weight of one group for all", wholeTable],
]

/** Weights by another stored number of the copy. */
export function byOtherNumber(name: string): (plan: ReleasePlan) => ReleasePlan {
  return (plan) =>
    withNodes(plan, (rel) => {
      const number = rel.kind === "aggregate" ? rel.input.columns.find((one) => one.name === name) : undefined
      if (rel.kind !== "aggregate" || number === undefined) return rel
      const items = rel.items.map((one) => {
        const outer = one.argument
        const inner = outer?.kind === "case" ? outer.branches[0]?.result : undefined
        if (outer?.kind !== "case" || inner?.kind !== "case") return one
        const looked = outer.branches.map(({ when }) => ({ when, result: lookedUpBy(number, inner) }))
        return { ...one, argument: { ...outer, branches: looked } }
      })
      return { ...rel, items }
    })
}

/** The first rows of all groups weigh as if there were no others. */
export function wholeTable(plan: ReleasePlan): ReleasePlan {
  return withExprs(plan, (expr) => {
    if (!isLookUp(expr)) return expr
    const all = firstWeight(expr)
    return { ...expr, branches: expr.branches.map(({ when }) => ({ when, result: all })), otherwise: all }
  })
}

function lookedUpBy(number: RelColumn, expr: Expr): Expr {
  if (!isLookUp(expr)) return expr
  const branches = expr.branches.map(({ when, result }) => ({
    when: atMost(number, when),
    result: lookedUpBy(number, result),
  }))
  return { ...expr, branches, otherwise: lookedUpBy(number, expr.otherwise) }
}

function atMost(number: RelColumn, when: Expr): Expr {
  return callExpr("less-or-equal", [columnExpr(number), integerLiteral(upperBounds(when)[0]?.most ?? 0n)])
}

function oneMore(when: Expr): Expr {
  if (when.kind !== "call") return when
  const most = upperBounds(when)[0]?.most ?? 0n
  return callExpr("less-or-equal", [...when.args.slice(0, 1), integerLiteral(most + 1n)])
}
