// Ways to spoil a vector of moments: what a unit adds, what is claimed of it, and what is read from it.

import { rational, zero } from "@dosimeter/core/exact"
import { laplaceOfScale, momentSensitivity, type Sensitivity } from "@dosimeter/core/mechanisms"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { AggregateItem } from "@dosimeter/proof/algebra/rel"
import { hasStrategy, type LinearReading, type MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import type { Moments } from "@dosimeter/proof/algebra/moment-reading"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import { drawnAgain, withExprs, withNodes, withRelease, withStrategies } from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

type Change = Corruption["change"]

const all: readonly ClinicQuestion[] = ["meanHeight", "spreadHeight", "meanOfRows", "spreadOfRows"]
const spreads: readonly ClinicQuestion[] = ["spreadHeight", "spreadOfRows"]
const ofRows: readonly ClinicQuestion[] = ["meanOfRows", "spreadOfRows"]

/** Vectors that promise more than they keep: rejected, whatever is charged for them. */
export const falseMoments: readonly Corruption[] = [
  ...each(all, "half the sensitivity", sensitivity(blocks(({ groups, amount }) => [groups, amount / 2n]))),
  ...each(ofRows, "fewer groups", sensitivity(blocks(({ amount }) => [1n, amount]))),
  ...each(
    all,
    "other neighbours",
    sensitivity((one) => ({ ...one, neighbours: "replace" })),
  ),
  ...each(
    all,
    "no patterns",
    sensitivity((one) => ({ ...one, patterns: [] })),
  ),
  ...each(all, "no noise", strategy(withNoise(0n))),
  ...each(all, "negative noise", strategy(withNoise(-5n))),
  ...each(all, "a narrower range", strategy(narrowed)),
  ...each(all, "a range that is moved", strategy(shifted)),
  ...each(["meanHeight", "spreadHeight"], "Laplace noise on coordinates for Gaussian", strategy(asLaplace)),
  ...each(["spreadOfRows"], "nodes of what was rounded", strategy(rebased("nodes"))),
  ...each(spreads, "a pair of squares", strategy(rebased("pair"))),
  ...each(["meanHeight", "meanOfRows"], "a triple without squares", strategy(rebased("triple"))),
  ...each(
    spreads,
    "squares from another point",
    strategy((one) => ({ ...one, from: one.from + 1n })),
  ),
  ...each(
    spreads,
    "the sum in place of squares",
    columns(([rows, sum, squares]) => [rows, sum, squares && { ...squares, id: sum.id }]),
  ),
  ...each(
    all,
    "squares in place of the sum",
    columns(([rows, sum, squares]) => [rows, { ...sum, id: (squares ?? rows).id }, squares]),
  ),
  ...each(
    all,
    "the sum in place of the number",
    columns(([rows, sum, squares]) => [{ ...rows, id: sum.id }, sum, squares]),
  ),
  ...each(all, "units in place of the number", unitsAsRows),
  ...each(
    all,
    "a column that is not there",
    columns(([rows, sum, squares]) => [{ ...rows, id: 987_654 }, sum, squares]),
  ),
  ...each(
    all,
    "an extract that is not there",
    moments((one) => ({ ...one, extract: 5 })),
  ),
]

/** Extracts in which number, sum and squares do not belong together. */
export const momentExtracts: readonly Corruption[] = [
  ...each(["meanHeight", "spreadHeight"], "rows without a value counted", itemsOf("count", asRows)),
  ...each(["meanHeight", "spreadHeight"], "a constant counted", itemsOf("count", countOne)),
  ...each(ofRows, "rows without a value counted below", itemsOf("count", asRows)),
  ...each(ofRows, "more rows than are bounded", exprs(moreShare)),
  ...each(ofRows, "more values counted", exprs(moreRows)),
  ...each(["spreadOfRows"], "squares as they were rounded", exprs(withoutMending)),
  ...each(["spreadOfRows"], "squares mended on one side", exprs(withoutLast)),
  ...each(
    ofRows,
    "no share",
    exprs((expr) => (expr.kind === "share" ? expr.sum : expr)),
  ),
  ...each(
    ["meanOfRows"],
    "NULL left in",
    exprs((expr) => (isCoalesce(expr) ? (expr.args[0] ?? expr) : expr)),
  ),
]

/** Numbers that are read from what is no vector, or from one that does not have them. */
export const momentReads: readonly Corruption[] = [
  ...each(
    ofRows,
    "read from no vector",
    reads((one) => ({ ...one, measurement: 17 })),
  ),
  ...each(
    ofRows,
    "read from before all",
    reads((one) => ({ ...one, measurement: -1 })),
  ),
  ...each(
    ["meanOfRows", "meanHeight"],
    "squares of a mean",
    reads((one) => ({ ...one, column: 2 })),
  ),
  ...each(["meanOfRows", "meanHeight"], "a vector that was not drawn", (plan) =>
    withRelease(plan, (release) => ({ ...release, measurements: [] })),
  ),
  ...each(
    all,
    "a number that is said to be a sum",
    columns(([rows, sum, squares]) => [{ ...rows, of: "values" }, { ...sum, of: "rows" }, squares]),
  ),
  ...each(all, "a vector taken again, unpaid", (plan) =>
    withRelease(plan, (release) =>
      release.measurements.filter((one) => hasStrategy(one, "moments")).reduce(drawnAgain, release),
    ),
  ),
]

function each(questions: readonly ClinicQuestion[], name: string, change: Change): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change }))
}

function moments(change: (plan: Moments) => Moments): Change {
  return (plan) => withStrategies(plan, "moments", change)
}

type MomentStrategy = Moments["strategy"]

function strategy(change: (strategy: MomentStrategy) => MomentStrategy): Change {
  return moments((one) => ({ ...one, strategy: change(one.strategy) }))
}

type Columns = readonly [MeasuredColumn, MeasuredColumn, MeasuredColumn | undefined]

function columns(change: (columns: Columns) => Columns): Change {
  return moments((one) => {
    const [rows, sum, squares] = one.columns
    if (rows === undefined || sum === undefined) return one
    return { ...one, columns: change([rows, sum, squares]).flatMap((column) => column ?? []) }
  })
}

function reads(change: (reading: LinearReading) => LinearReading): Change {
  return (plan) =>
    withRelease(plan, (release) => ({
      ...release,
      readings: release.readings.map((one) => (one.kind === "linear" ? change(one) : one)),
    }))
}

function sensitivity(change: (sensitivity: Sensitivity) => Sensitivity): Change {
  return strategy((one) => ({ ...one, spec: { ...one.spec, sensitivity: change(one.spec.sensitivity) } }))
}

type Block = Sensitivity["patterns"][number][number]

function blocks(change: (block: Block) => readonly [bigint, bigint]): (one: Sensitivity) => Sensitivity {
  return (one) => ({
    ...one,
    patterns: one.patterns.map((pattern) =>
      pattern.map((block) => {
        const [groups, amount] = change(block)
        return { groups, amount }
      }),
    ),
  })
}

function withNoise(amount: bigint): (plan: MomentStrategy) => MomentStrategy {
  const noise = amount === 0n ? zero : rational(amount)
  return ({ spec, ...plan }) => ({
    ...plan,
    spec: spec.kind === "laplace" ? { ...spec, scale: noise } : { ...spec, variance: noise },
  })
}

// The range shrinks by one step, and the claim with it.
function narrowed(plan: MomentStrategy): MomentStrategy {
  return reclaimed({ ...plan, upper: plan.upper - 1n })
}

function shifted(plan: MomentStrategy): MomentStrategy {
  return { ...plan, lower: plan.lower + 1n, upper: plan.upper + 1n }
}

function rebased(basis: MomentStrategy["basis"]): (plan: MomentStrategy) => MomentStrategy {
  return (plan) => reclaimed({ ...plan, basis })
}

// As a planner would that believes in the other fields.
function reclaimed(plan: MomentStrategy): MomentStrategy {
  const [block] = plan.spec.sensitivity.patterns.flat()
  const claim = momentSensitivity({
    basis: plan.basis,
    width: plan.upper - plan.lower,
    groupsPerUnit: block?.groups ?? 1n,
    rowsPerGroup: 3n,
    neighbours: "add-or-remove",
  })
  const own = momentSensitivity({
    basis: plan.basis,
    width: plan.upper - plan.lower,
    groupsPerUnit: block?.groups ?? 1n,
    rowsPerGroup: 1n,
    neighbours: "add-or-remove",
  })
  const isOne = (block?.amount ?? 0n) < 2n * (own.patterns[0]?.[0]?.amount ?? 1n)
  return { ...plan, spec: { ...plan.spec, sensitivity: isOne ? own : claim } }
}

function asLaplace(plan: MomentStrategy): MomentStrategy {
  return { ...plan, spec: laplaceOfScale({ sensitivity: plan.spec.sensitivity, scale: 1_000_000 }) }
}

function unitsAsRows(plan: Parameters<Change>[0]): ReturnType<Change> {
  const units = plan.releases[0]?.extracts[0]?.values.at(-1) ?? -1
  return columns(([rows, sum, squares]) => [{ ...rows, id: units }, sum, squares])(plan)
}

function itemsOf(name: AggregateItem["function"], change: (item: AggregateItem) => AggregateItem): Change {
  return (plan) =>
    withNodes(plan, (rel) =>
      rel.kind === "aggregate"
        ? { ...rel, items: rel.items.map((item) => (item.function === name ? change(item) : item)) }
        : rel,
    )
}

function asRows(): AggregateItem {
  return { function: "rows", argument: undefined }
}

function countOne(item: AggregateItem): AggregateItem {
  const literal: Expr = {
    kind: "literal",
    value: { kind: "number", value: rational(1n) },
    domain: { ...(item.argument?.domain ?? { type: { kind: "integer" } }), nullable: false },
  }
  return { ...item, argument: literal }
}

function exprs(change: (expr: Expr) => Expr): Change {
  return (plan) => withExprs(plan, change)
}

function moreShare(expr: Expr): Expr {
  return expr.kind === "share" ? { ...expr, most: expr.most + 1n } : expr
}

// Only numbers are clamped to so few steps.
function moreRows(expr: Expr): Expr {
  const isNumber = expr.kind === "steps" && expr.lower === 0n && expr.upper === 3n
  return isNumber ? { ...expr, upper: 4n, domain: widened(expr.domain) } : expr
}

function widened(domain: Expr["domain"]): Expr["domain"] {
  if (domain.range === undefined) return domain
  return { ...domain, range: { ...domain.range, max: { ...domain.range.max, value: rational(4n) } } }
}

function withoutMending(expr: Expr): Expr {
  const [first] = expr.kind === "call" && expr.name === "greatest" ? expr.args : []
  const [inner] = first?.kind === "call" && first.name === "least" ? first.args : []
  return inner === undefined ? expr : { ...inner, domain: expr.domain }
}

function withoutLast(expr: Expr): Expr {
  return expr.kind === "call" && expr.name === "greatest" && expr.args.length === 3
    ? { ...expr, args: expr.args.slice(0, 2) }
    : expr
}

function isCoalesce(expr: Expr): expr is Extract<Expr, { readonly kind: "call" }> {
  return expr.kind === "call" && expr.name === "coalesce"
}
