// Keys that are selected by weights: what a unit adds to its groups is looked up by a number that is no
// smaller than the number of groups that it adds to.

import { ceil, floor } from "@dosimeter/core/exact"
import type { KeyWeight, Neighbours, WeightedKeysSpec } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import { ownershipOf } from "../units/track-unit.ts"
import { placeMax } from "../catalog/catalog.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import type { AggregateItem, Rel, WindowItem } from "../algebra/rel.ts"
import type { Extract } from "../algebra/release-plan.ts"
import { isCall, upperBounds } from "../algebra/walk.ts"
import type { ProvenExtract } from "./extracts/prove-extract.ts"

/**
 * Checks weighted selection on a column of an extract of which bounds were proven.
 *
 * Guarantee: a unit that adds to m groups adds to each of them the weight of one row of spec.weights whose
 *   `groups` are at least m; what releaseWeightedKeys needs.
 * Needs: columns and domains were checked (checkColumns, checkDomains); `proven` is of this extract.
 * Proof: the weight is looked up by a number that is the same in all rows of a unit and no smaller than the
 *   number of the groups that it adds to: check-weights.proof.md.
 * Numerics: integers.
 * Source: this file; for the mechanism see core's weighted-keys.ts.
 */
export function checkWeights(
  { spec, column }: { readonly spec: WeightedKeysSpec; readonly column: ColumnId },
  at: {
    readonly extract: Extract | undefined
    readonly proven: ProvenExtract
    readonly neighbours: Neighbours
  },
): void {
  const { extract, proven, neighbours } = at
  checkSpec(spec, proven, neighbours)
  const rel = extract?.rel
  if (rel?.kind !== "aggregate") return reject("an extract does not add up units")
  const place = rel.columns.findIndex(({ id }) => id === column) - rel.keys.length
  const { count, guard, rows } = readWeight(rel.items[place])
  const isSame = rows.length === spec.weights.length && rows.every((row, i) => isRow(row, spec.weights[i]))
  if (!isSame) reject("keys have other weights")
  const most = spec.weights.reduce((max, { weight }) => (weight > max ? weight : max), 0n)
  const added = proven.contributions.get(column)
  if (added === undefined || added.lower !== 0n || added.upper > most) reject("keys weigh a unit twice")
  if (proven.groupTotals.has(count) && spec.groupsPerUnit < placeMax) return
  checkCount(rel.input, count, guard)
}

function checkSpec(spec: WeightedKeysSpec, { groupsPerUnit }: ProvenExtract, neighbours: Neighbours): void {
  const { weights, variance, epsilon } = spec
  if (spec.neighbours !== neighbours) reject("key selection has other neighbours")
  if (spec.groupsPerUnit < groupsPerUnit) reject("key selection expects fewer groups of a unit")
  if (variance.numerator <= 0n) reject("key selection without noise")
  if (epsilon !== undefined && epsilon.numerator <= 0n) reject("key selection at no epsilon")
  if (weights.at(-1)?.groups !== spec.groupsPerUnit) reject("weights for fewer groups")
  for (const [index, { groups, weight }] of weights.entries()) {
    if (groups <= (weights[index - 1]?.groups ?? 0n)) reject("weights out of order")
    if (weight <= 0n) reject("a weight of nothing")
  }
}

/** A bound on one column: the only condition that a guard may be. */
interface Guard {
  readonly id: ColumnId
  readonly most: bigint
}

/** What is looked up for each row. */
interface WeightTable {
  readonly count: ColumnId
  readonly guard: Guard | undefined
  /** Up to so many in the column: this weight; the last one has no bound of its own. */
  readonly rows: readonly { readonly upTo: bigint | undefined; readonly weight: bigint }[]
}

function isRow({ upTo, weight }: WeightTable["rows"][number], row: KeyWeight | undefined): boolean {
  return weight === row?.weight && (upTo === undefined || upTo === row.groups)
}

// CASE WHEN guard THEN (CASE WHEN count <= 1 THEN ... ELSE ... END) END, or the inner one alone. A result may
// be such a CASE again, of the same number.
function readWeight(item: AggregateItem | undefined): WeightTable {
  const { argument } = item ?? {}
  if (item?.function !== "sum" || argument === undefined) return reject("keys are not weighed")
  const { guard, value } = guardedBy(argument)
  const [first] = value.kind === "case" ? value.branches : []
  if (first === undefined) return reject("keys are not weighed")
  const count = boundIn(first.when).id
  return { count, guard, rows: rowsOf(value, count, undefined) }
}

// The rows in the order in which they are looked at; the last is for numbers up to `upTo`.
function rowsOf(value: Expr, count: ColumnId, upTo: bigint | undefined): WeightTable["rows"] {
  if (value.kind !== "case") return [{ upTo, weight: wholeOf(value) }]
  const rows = value.branches.flatMap(({ when, result }) => {
    const { id, most } = boundIn(when)
    return id === count ? rowsOf(result, count, most) : reject("weights by several numbers")
  })
  return [...rows, ...rowsOf(value.otherwise, count, upTo)]
}

function guardedBy(expr: Expr): { readonly guard: Guard | undefined; readonly value: Expr } {
  if (expr.kind !== "case" || !isNull(expr.otherwise)) return { guard: undefined, value: expr }
  const [branch, ...branches] = expr.branches
  if (branch === undefined || branches.length > 0) return reject("weights under several conditions")
  return { guard: boundIn(branch.when), value: branch.result }
}

function boundIn(condition: Expr): Guard {
  const [bound, ...bounds] = upperBounds(condition)
  const isOne = isCall(condition, "less-or-equal") && bounds.length === 0
  return bound !== undefined && isOne ? bound : reject("weights under another condition")
}

function wholeOf(expr: Expr): bigint {
  const value = expr.kind === "literal" && expr.value.kind === "number" ? expr.value.value : undefined
  if (value === undefined || floor(value) !== ceil(value)) return reject("a weight that is no whole number")
  return floor(value)
}

function isNull(expr: Expr): boolean {
  return expr.kind === "literal" && expr.value.kind === "null"
}

// Looks down through nodes that keep or drop rows, one by one, for the window that counts.
function checkCount(rel: Rel, count: ColumnId, guard: Guard | undefined): void {
  let at = rel
  for (;;) {
    if (at.kind === "window") {
      const place = at.columns.findIndex(({ id }) => id === count) - at.input.columns.length
      const item = place < 0 ? undefined : at.items[place]
      if (item !== undefined) {
        const owner = ownershipOf(at.input)
        checkItem(item, owner.kind === "private" ? owner.units : new Set(), guard)
        return
      }
    } else if (at.kind !== "filter" && at.kind !== "project") {
      return reject("weights by something else than a unit's groups")
    }
    at = at.input
  }
}

function checkItem(item: WindowItem, units: ReadonlySet<ColumnId>, guard: Guard | undefined): void {
  const { partitionBy, orderBy, frame } = item
  const isUnit = partitionBy.every((expr) => expr.kind === "column" && units.has(expr.id))
  if (partitionBy.length === 0 || !isUnit) reject("groups are counted over others than the unit's")
  if (orderBy.length > 0 || frame !== undefined) reject("not all groups of a unit are counted")
  if (!isCountOf(item, guard)) reject("something else is counted than rows that are weighed")
}

function isCountOf({ function: name, args }: WindowItem, guard: Guard | undefined): boolean {
  const [arg, ...more] = args
  if (guard === undefined) return name === "rows" && arg === undefined
  if (name !== "count" || arg === undefined || more.length > 0) return false
  const counted = guardedBy(arg)
  const isSame = counted.guard?.id === guard.id && counted.guard.most === guard.most
  return isSame && counted.value.kind === "literal" && !isNull(counted.value)
}
