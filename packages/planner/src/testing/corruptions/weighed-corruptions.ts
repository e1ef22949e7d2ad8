// Ways to spoil a plan of quantiles whose rows are weighed: what verify/ must not let pass.

import { rational } from "@dosimeter/core/exact"
import type { QuantilesSpec } from "@dosimeter/core/mechanisms"
import { columnNamed, type CatalogColumn, type StoredPlace } from "@dosimeter/proof/catalog/catalog"
import type { Expr, WeightExpr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import { aggregateDomain, stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import { isWeighed } from "@dosimeter/proof/algebra/measurement"
import type { Rel, Scan, WindowItem } from "@dosimeter/proof/algebra/rel"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { withExprs, withMeasurements, withNodes, withRelease } from "./corrupt-plan.ts"

/** A name, and how a plan of weighed rows is spoilt. */
export interface WeighedCorruption {
  readonly name: string
  readonly change: (plan: ReleasePlan) => ReleasePlan
}

type Change = WeighedCorruption["change"]

/** Of every such plan: weights, numbers of rows, mechanisms. */
export const weighedRows: readonly WeighedCorruption[] = [
  { name: "rows weighed for twice as many", change: weights(inGroup, (one) => ({ bound: 2n * one.bound })) },
  { name: "rows that weigh twice as much", change: weights(inGroup, (one) => ({ full: 2n * one.full })) },
  { name: "rows weighed by squares", change: weights(inGroup, () => ({ norm: "l2" })) },
  { name: "rows weighed by nothing", change: weights(inGroup, () => ({ total: integerLiteral(0n) })) },
  { name: "rows that all weigh the same", change: (plan) => withExprs(plan, unweighed) },
  { name: "weights cut upward", change: (plan) => withExprs(plan, cutUpward) },
  { name: "rows counted beside their weights", change: (plan) => withNodes(plan, besideWeights) },
  { name: "rows counted in place of their weights", change: (plan) => withNodes(plan, inPlaceOfWeights) },
  {
    name: "quantiles of rows that weigh double",
    change: specs(({ full = 1n }) => ({ full: 2n * full })),
  },
  { name: "quantiles of rows with half the weight", change: specs(({ full = 2n }) => ({ full: full / 2n })) },
  { name: "quantiles of rows without a weight", change: (plan) => withMeasurements(plan, withoutFull) },
  {
    name: "quantiles of fewer rows",
    change: specs(({ rowsPerUnit }) => ({ rowsPerUnit: rowsPerUnit - 1n })),
  },
  { name: "a mode of weighed rows", change: (plan) => withMeasurements(plan, asMode) },
  { name: "fewer rows stated", change: stated(({ rowsPerGroup }) => ({ rowsPerGroup: rowsPerGroup - 1n })) },
]

/** Where numbers of rows are counted by a window. */
export const countedRows: readonly WeighedCorruption[] = [
  { name: "rows of everyone counted", change: counts(() => ({ partitionBy: [] })) },
  {
    name: "rows counted without their unit",
    change: counts(({ partitionBy }) => ({ partitionBy: partitionBy.slice(1) })),
  },
  { name: "rows counted up to each", change: counts((item) => ({ orderBy: orderOf(item) })) },
  {
    name: "rows of a frame counted",
    change: counts(() => ({
      frame: { mode: "rows", start: { kind: "current-row" }, end: { kind: "current-row" } },
    })),
  },
  { name: "places in place of numbers of rows", change: counts(() => ({ function: "row-number" })) },
  { name: "rows counted within their cell", change: (plan) => withNodes(plan, withinCell) },
]

/** Where numbers of rows are stored in copies, of which one is by another key. */
export function storedRows(other: PreparedTable): readonly WeighedCorruption[] {
  return [
    { name: "rows weighed by their place", change: scans((scan) => readAs(scan, "rows")) },
    { name: "rows weighed by the place of their group", change: scans((scan) => readAs(scan, "groups")) },
    { name: "rows weighed by a number of groups", change: scans((scan) => readAs(scan, "all-groups")) },
    {
      name: "rows weighed within another key",
      change: (plan) => readFrom(plan, other),
    },
  ]
}

/** Where a unit may be in several groups. */
export const weighedGroups: readonly WeighedCorruption[] = [
  { name: "units weighed for twice as much", change: weights(inAll, (one) => ({ bound: 2n * one.bound })) },
  { name: "units that weigh twice as much", change: weights(inAll, (one) => ({ full: 2n * one.full })) },
  { name: "units weighed by the rows of a group", change: (plan) => withNodes(plan, totalOfGroup) },
  { name: "quantiles in fewer groups", change: specs((one) => ({ groupsPerUnit: one.groupsPerUnit - 1n })) },
  { name: "fewer groups stated", change: stated((one) => ({ groupsPerUnit: one.groupsPerUnit - 1n })) },
]

/** Where it is stated that nothing is dropped. */
export const weighedStated: readonly WeighedCorruption[] = [
  {
    name: "a smaller norm stated",
    change: stated(({ scaled }) => scaled && { scaled: { ...scaled, bound: scaled.bound - 1n } }),
  },
  {
    name: "another norm stated",
    change: stated(({ scaled }) => scaled && { scaled: { ...scaled, norm: "l2" } }),
  },
]

function scans(change: (scan: Scan) => Scan): Change {
  return (plan) => withNodes(plan, (rel) => (rel.kind === "scan" ? change(rel) : rel))
}

// Another place of the copy under the number of the column of all rows.
function readAs(scan: Scan, counts: StoredPlace["counts"]): Scan {
  const places = scan.table.prepared?.places ?? []
  const all = places.find((one) => one.counts === "all-rows")
  const read = places.find((one) => one.counts === counts)
  const source = read && columnNamed(scan.table, read.column)
  if (all === undefined || source === undefined) return scan
  return replacedIn(scan, (name) => (name === all.column ? source : undefined))
}

// The other copy with the columns of its own key, which its places count within.
function readFrom(plan: ReleasePlan, { table, label }: PreparedTable): ReleasePlan {
  const spoilt = withNodes(plan, (rel) => {
    if (rel.kind === "filter") return { ...rel, columns: rel.input.columns }
    if (rel.kind !== "scan" || rel.table.prepared === undefined) return rel
    const { sources, columns } = replacedIn(rel, (name) => columnNamed(table, name))
    const by = table.columns.filter(({ name }) => table.prepared?.places.some((one) => one.by.includes(name)))
    const keys = by.filter((key) => !sources.includes(key))
    const added = keys.map(({ name, domain }, index) => ({ id: 987_100 + index, name, domain }))
    return { ...rel, table, sources: [...sources, ...keys], columns: [...columns, ...added] }
  })
  return withRelease(spoilt, (release) => ({ ...release, prepared: [label] }))
}

function replacedIn(scan: Scan, other: (name: string) => CatalogColumn | undefined): Scan {
  const sources = scan.sources.map((source) => other(source.name) ?? source)
  const columns = scan.columns.map((column, place) => ({
    ...column,
    domain: (sources[place] ?? column).domain,
  }))
  return { ...scan, sources, columns }
}

// The weight of rows is by a number of rows, that of units by a sum of weights, which may be far more.
function inGroup({ total }: WeightExpr): boolean {
  return !total.domain.nullable
}

function inAll(weight: WeightExpr): boolean {
  return !inGroup(weight)
}

function weights(
  which: (weight: WeightExpr) => boolean,
  change: (weight: WeightExpr) => Partial<WeightExpr>,
): Change {
  return (plan) =>
    withExprs(plan, (expr) => (expr.kind === "weight" && which(expr) ? { ...expr, ...change(expr) } : expr))
}

function unweighed(expr: Expr): Expr {
  return expr.kind === "weight" ? { ...integerLiteral(expr.full), domain: expr.domain } : expr
}

function counts(change: (item: WindowItem) => Partial<WindowItem>): Change {
  const spoilt = (item: WindowItem): WindowItem =>
    item.function === "rows" ? { ...item, ...change(item) } : item
  return (plan) =>
    withNodes(plan, (rel) => (rel.kind === "window" ? { ...rel, items: rel.items.map(spoilt) } : rel))
}

function orderOf({ partitionBy }: WindowItem): WindowItem["orderBy"] {
  return partitionBy.map((value) => ({ value, direction: "ascending", nulls: "last" }))
}

function withinCell(rel: Rel): Rel {
  if (rel.kind !== "window" || rel.items[0]?.function !== "rows") return rel
  const cell = rel.input.columns.at(-1)
  if (cell === undefined) return rel
  const items = rel.items.map((item) => ({ ...item, partitionBy: [...item.partitionBy, columnExpr(cell)] }))
  return { ...rel, items }
}

function cutUpward(expr: Expr): Expr {
  if (expr.kind !== "steps" || expr.upper < 1n << 16n) return expr
  return { ...expr, lower: 5n, domain: stepsDomain(5n, expr.upper, expr.domain.nullable) }
}

const plainRows = { function: "rows", argument: undefined } as const

function isWeightSum(rel: Rel): rel is Extract<Rel, { readonly kind: "aggregate" }> {
  return rel.kind === "aggregate" && rel.items.length === 1 && rel.items[0]?.argument?.kind === "steps"
}

function besideWeights(rel: Rel): Rel {
  if (!isWeightSum(rel)) return rel
  const column = { id: 987_001, name: "rows", domain: aggregateDomain(plainRows) }
  return { ...rel, items: [...rel.items, plainRows], columns: [...rel.columns, column] }
}

function inPlaceOfWeights(rel: Rel): Rel {
  if (!isWeightSum(rel)) return rel
  const domain = aggregateDomain(plainRows)
  const columns = rel.columns.map((one, place) => (place < rel.keys.length ? one : { ...one, domain }))
  return { ...rel, items: [plainRows], columns }
}

// The sum of a unit's weights over one group, where it should be over all of them.
function totalOfGroup(rel: Rel): Rel {
  if (rel.kind !== "window" || rel.items[0]?.function !== "sum") return rel
  const keys = rel.input.columns.slice(0, 2).map(columnExpr)
  return { ...rel, items: rel.items.map((item) => ({ ...item, partitionBy: keys })) }
}

function specs(change: (spec: QuantilesSpec) => Partial<QuantilesSpec>): Change {
  return (plan) =>
    withMeasurements(plan, (one) => {
      if (!isWeighed(one)) return one
      const { spec } = one.choice
      return { ...one, choice: { ...one.choice, spec: { ...spec, ...change(spec) } } }
    })
}

function withoutFull(one: Release["measurements"][number]): Release["measurements"][number] {
  if (!isWeighed(one)) return one
  const { full: _, ...spec } = one.choice.spec
  return { ...one, choice: { ...one.choice, spec } }
}

function asMode(one: Release["measurements"][number]): Release["measurements"][number] {
  if (!isWeighed(one)) return one
  const { cells, full = 1n, rowsPerUnit, groupsPerUnit } = one.choice.spec
  const values = Array.from({ length: Number(cells) }, (_, cell) => {
    return { kind: "number", value: rational(BigInt(cell)) } as const
  })
  const bounds = {
    groupsPerUnit,
    sensitivity: full * rowsPerUnit,
    scores: "monotone",
    candidates: cells,
  } as const
  const spec = { kind: "selection", method: "exponential", epsilon: rational(1n, 100n), ...bounds } as const
  return { ...one, choice: { kind: "mode", values, spec } }
}

function stated(change: (bounds: Release["bounds"]) => Partial<Release["bounds"]> | undefined): Change {
  return (plan) =>
    withRelease(plan, (release) => ({
      ...release,
      bounds: { ...release.bounds, ...change(release.bounds) },
    }))
}
