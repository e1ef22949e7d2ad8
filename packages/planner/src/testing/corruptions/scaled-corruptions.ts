// Ways to spoil a plan whose units are scaled to a norm: what verify/ must not let pass.

import { rational } from "@dosimeter/core/exact"
import { gaussianKeysOfVariance, laplace, normSensitivity, type Norm } from "@dosimeter/core/mechanisms"
import type { ColumnId, Expr, WeightExpr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, columnIn, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Aggregate, Rel, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { LinearMeasurement, Measurement } from "@dosimeter/proof/algebra/measurement"
import { aggregateDomain } from "@dosimeter/proof/algebra/item-domain"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isCall } from "@dosimeter/proof/algebra/walk"
import { withExprs, withNodes, withRelease, withStrategies } from "./corrupt-plan.ts"

/** A name, and how a scaled plan is spoilt. */
export interface ScaledCorruption {
  readonly name: string
  readonly change: (plan: ReleasePlan) => ReleasePlan
}

type Change = ScaledCorruption["change"]

/** Of the relation: weights, totals, values. */
export const scaledRelations: readonly ScaledCorruption[] = [
  { name: "a weight for twice the norm", change: weights((one) => ({ ...one, bound: 2n * one.bound })) },
  { name: "a weight that is twice as heavy", change: weights((one) => ({ ...one, full: 2n * one.full })) },
  { name: "a weight by the other norm", change: weights((one) => ({ ...one, norm: other(one.norm) })) },
  { name: "a weight of everybody alike", change: (plan) => withExprs(plan, withoutWeight) },
  { name: "a weight by nothing", change: weights((one) => ({ ...one, total: integerLiteral(0n) })) },
  { name: "a total over everyone", change: totals({ partitionBy: () => [] }) },
  { name: "a total of a unit's rows in a group", change: (plan) => withNodes(plan, byPair) },
  { name: "a total of the rows so far", change: totals({ orderBy: true }) },
  { name: "a total of a frame", change: totals({ frame: true }) },
  { name: "the largest in place of the total", change: totals({ function: "max" }) },
  { name: "a total without one of the values", change: (plan) => withNodes(plan, withoutTerm) },
  { name: "sizes in place of squares", change: (plan) => withNodes(plan, sizesOnly) },
  { name: "values that may be NULL", change: (plan) => withExprs(plan, withoutCoalesce) },
  { name: "a last clamp that begins at the norm", change: clamps((most) => ({ lower: most, upper: most })) },
  { name: "a last clamp that ends below 0", change: clamps((most) => ({ lower: -most, upper: -1n })) },
  { name: "NULL counted as one", change: (plan) => withExprs(plan, nullAsOne) },
  { name: "the total as the value", change: (plan) => withNodes(plan, totalAsValue) },
  { name: "rows of units by themselves", change: (plan) => withNodes(plan, byOtherKeys) },
]

/** Of the mechanism and of what is stated. */
export const scaledMechanisms: readonly ScaledCorruption[] = [
  { name: "half the norm", change: specs((bound) => bound / 2n) },
  { name: "a norm that is one less", change: specs((bound) => bound - 1n) },
  { name: "Laplace noise for an L2 norm", change: (plan) => withStrategies(plan, "scaled", laplaceOfL2) },
  { name: "a column twice in the vector", change: (plan) => withStrategies(plan, "scaled", twice) },
  { name: "a column without a worth", change: (plan) => withStrategies(plan, "scaled", worthless) },
  { name: "no noise", change: (plan) => withStrategies(plan, "scaled", withoutNoise) },
  { name: "a smaller norm stated", change: stated((bound) => bound - 1n) },
  { name: "no norm stated", change: stated(() => undefined) },
  {
    name: "the bounds of single groups",
    change: (plan) => withStrategies(plan, "scaled", (one) => ({ ...one, strategy: identityOf(one) })),
  },
]

/** Of groups that come from the data, where nothing bounds how many of them a unit is in. */
export const selectedCorruptions: readonly ScaledCorruption[] = [
  { name: "keys by parts of a vector", change: (plan) => withRelease(plan, keysByParts) },
  { name: "rows counted beside the vector", change: (plan) => withRelease(plan, countedBeside) },
  { name: "keys by fewer groups than count", change: (plan) => withRelease(plan, keysOfFewer) },
]

// A threshold that is proven for equal amounts, held against amounts of one norm.
function keysByParts(release: Release): Release {
  const [counted, vector] = release.extracts
  const { keys, bounds } = release
  if (keys.kind !== "private" || counted === undefined || vector === undefined) return release
  const bound = bounds.scaled?.bound ?? 1n
  const spec = gaussianKeysOfVariance({
    groupsPerUnit: 1n,
    rowsPerGroup: bound,
    neighbours: keys.spec.neighbours,
    delta: 1e-9,
    variance: rational(bound ** 2n * 100n),
  })
  return {
    ...release,
    extracts: [vector],
    keys: { kind: "private", units: vector.values[0] ?? -1, spec },
    measurements: release.measurements.map((one) => ({ ...one, extract: 0 })),
  }
}

// A count of rows in an extract whose groups have a norm and no other bound.
function countedBeside(release: Release): Release {
  const { extracts, measurements } = release
  const vector = extracts.at(-1)
  const [measured] = measurements
  if (vector?.rel.kind !== "aggregate" || measured?.kind !== "linear") return release
  const id = Math.max(...vector.rel.columns.map((one) => one.id)) + 1000
  const item = { function: "rows", argument: undefined } as const
  const rel: Aggregate = {
    ...vector.rel,
    items: [...vector.rel.items, item],
    columns: [...vector.rel.columns, { id, name: "rows", domain: aggregateDomain(item) }],
  }
  return { ...release, extracts: extracts.with(-1, { ...vector, rel, values: [...vector.values, id] }) }
}

function keysOfFewer(release: Release): Release {
  const { keys } = release
  if (keys.kind !== "private") return release
  return { ...release, keys: { ...keys, spec: { ...keys.spec, groupsPerUnit: 1n } } }
}

function other(norm: Norm): Norm {
  return norm === "l1" ? "l2" : "l1"
}

function weights(change: (weight: WeightExpr) => WeightExpr): Change {
  return (plan) => withExprs(plan, (expr) => (expr.kind === "weight" ? change(expr) : expr))
}

function withoutWeight(expr: Expr): Expr {
  return expr.kind === "weight" ? { ...integerLiteral(expr.full), domain: expr.domain } : expr
}

function totals(change: {
  readonly partitionBy?: () => readonly Expr[]
  readonly orderBy?: true
  readonly frame?: true
  readonly function?: "max"
}): Change {
  const spoilt = (item: WindowItem): WindowItem => ({
    ...item,
    ...(change.partitionBy === undefined ? {} : { partitionBy: change.partitionBy() }),
    ...(change.function === undefined ? {} : { function: change.function }),
    ...(change.orderBy === undefined
      ? {}
      : {
          orderBy: item.partitionBy.map((value) => ({
            value,
            direction: "ascending" as const,
            nulls: "last" as const,
          })),
        }),
    ...(change.frame === undefined
      ? {}
      : { frame: { mode: "rows", start: { kind: "current-row" }, end: { kind: "current-row" } } as const }),
  })
  return (plan) =>
    withNodes(plan, (rel) => (rel.kind === "window" ? { ...rel, items: rel.items.map(spoilt) } : rel))
}

function byPair(rel: Rel): Rel {
  if (rel.kind !== "window") return rel
  const keys = rel.input.columns.slice(0, 2).map(columnExpr)
  return { ...rel, items: rel.items.map((item) => ({ ...item, partitionBy: keys })) }
}

function withoutTerm(rel: Rel): Rel {
  if (rel.kind !== "window") return rel
  const items = rel.items.map((item) => {
    const [total] = item.args
    return total !== undefined && isCall(total, "add") ? { ...item, args: total.args.slice(0, 1) } : item
  })
  return { ...rel, items }
}

function sizesOnly(rel: Rel): Rel {
  if (rel.kind !== "window") return rel
  const plain = (expr: Expr): Expr => {
    if (expr.kind !== "call") return expr
    if (expr.name === "add") return callExpr("add", expr.args.map(plain))
    return expr.name === "multiply" ? (expr.args[0] ?? expr) : expr
  }
  return { ...rel, items: rel.items.map((item) => ({ ...item, args: item.args.map(plain) })) }
}

function withoutCoalesce(expr: Expr): Expr {
  return isCall(expr, "coalesce") && expr.args[0]?.kind === "steps" ? expr.args[0] : expr
}

// The clamp around weight times value.
function clamps(ends: (most: bigint) => { readonly lower: bigint; readonly upper: bigint }): Change {
  return (plan) =>
    withExprs(plan, (expr) =>
      expr.kind === "steps" && isCall(expr.operand, "multiply") ? { ...expr, ...ends(expr.upper) } : expr,
    )
}

function nullAsOne(expr: Expr): Expr {
  const [value] = isCall(expr, "coalesce") ? expr.args : []
  return value?.kind === "steps" ? callExpr("coalesce", [value, integerLiteral(1n)]) : expr
}

function totalAsValue(rel: Rel): Rel {
  if (rel.kind !== "aggregate" || rel.input.kind !== "project") return rel
  const weight = rel.input.items.at(-1)
  if (weight?.kind !== "weight" || weight.total.kind !== "column") return rel
  const { total } = weight
  const project = {
    ...rel.input,
    items: [...rel.input.items, total],
    columns: [...rel.input.columns, { id: total.id, name: "total", domain: total.domain }],
  }
  return { ...rel, input: project, items: rel.items.map((item) => productWith(rel, item, total.id)) }
}

function productWith(
  rel: Aggregate,
  item: Aggregate["items"][number],
  id: ColumnId,
): Aggregate["items"][number] {
  const { argument } = item
  if (argument?.kind !== "steps" || !isCall(argument.operand, "multiply")) return item
  const [weight] = argument.operand.args
  const total = rel.input.columns.find((column) => column.id === id)
  if (weight === undefined) return item
  const value = total === undefined ? weight : columnExpr(columnIn(rel.input, id))
  return { ...item, argument: { ...argument, operand: callExpr("multiply", [weight, value]) } }
}

// One row for each unit and something else than the group.
function byOtherKeys(rel: Rel): Rel {
  if (rel.kind !== "aggregate" || rel.input.kind === "project") return rel
  const stray = rel.input.columns.find(({ id }) => !rel.keys.includes(id))
  if (stray === undefined) return rel
  return {
    ...rel,
    keys: [...rel.keys, stray.id],
    columns: [...rel.columns.slice(0, rel.keys.length), stray, ...rel.columns.slice(rel.keys.length)],
  }
}

function specs(change: (bound: bigint) => bigint): Change {
  return (plan) =>
    withStrategies(plan, "scaled", (one) => {
      const { spec } = one.strategy
      const patterns = spec.sensitivity.patterns.map((blocks) =>
        blocks.map((block) => ({ ...block, amount: change(block.amount) })),
      )
      const sensitivity = { ...spec.sensitivity, patterns }
      return { ...one, strategy: { ...one.strategy, spec: { ...spec, sensitivity } } }
    })
}

function laplaceOfL2(one: LinearMeasurement<"scaled">): Measurement {
  const { sensitivity } = one.strategy.spec
  const bound = sensitivity.patterns[0]?.[0]?.amount ?? 1n
  const l1 = normSensitivity({ norm: "l1", bound, isSigned: true, neighbours: sensitivity.neighbours })
  const spec = laplace({ sensitivity: l1, epsilon: rational(1n, 10n) })
  return { ...one, strategy: { ...one.strategy, spec: { ...spec, sensitivity } } }
}

function twice(one: LinearMeasurement<"scaled">): Measurement {
  const { worths, steps } = one.strategy
  const [worth, step, column] = [worths[0], steps[0], one.columns[0]]
  if (worth === undefined || step === undefined || column === undefined) return one
  return {
    ...one,
    columns: [...one.columns, column],
    strategy: { ...one.strategy, worths: [...worths, worth], steps: [...steps, step] },
  }
}

function worthless(one: LinearMeasurement<"scaled">): Measurement {
  return { ...one, strategy: { ...one.strategy, worths: one.strategy.worths.slice(1) } }
}

function withoutNoise(one: LinearMeasurement<"scaled">): Measurement {
  const { spec } = one.strategy
  const none = rational(0n)
  const noiseless = spec.kind === "laplace" ? { ...spec, scale: none } : { ...spec, variance: none }
  return { ...one, strategy: { ...one.strategy, spec: noiseless } }
}

function identityOf({
  strategy: { spec },
}: LinearMeasurement<"scaled">): LinearMeasurement<"identity">["strategy"] {
  return { kind: "identity", spec }
}

function stated(change: (bound: bigint) => bigint | undefined): Change {
  return (plan) =>
    withRelease(plan, ({ bounds: { scaled, ...bounds }, ...release }) => {
      const bound = scaled === undefined ? undefined : change(scaled.bound)
      if (scaled === undefined || bound === undefined) return { ...release, bounds }
      return { ...release, bounds: { ...bounds, scaled: { ...scaled, bound } } }
    })
}
