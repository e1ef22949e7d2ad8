// A series is released over many versions of the data. That a unit counts in at most k periods of each
// version is proven as for any plan; here it is proven of all versions together.

import { unreachable } from "@dosimeter/core/errors"
import { reject } from "../units/reject.ts"
import { ownershipOf } from "../units/track-unit.ts"
import { unitFacts } from "../units/unit-facts.ts"
import type { Constant } from "../catalog/constant.ts"
import { compareConstants } from "../catalog/values-of.ts"
import type { ColumnId } from "../algebra/expr.ts"
import { hasStrategy, type LinearMeasurement } from "../algebra/measurement.ts"
import type { Rel, WindowRel } from "../algebra/rel.ts"
import type { Extract, KeyPlan, ReleasePlan } from "../algebra/release-plan.ts"
import { upperBounds } from "../algebra/walk.ts"
import { proveExtract } from "./extracts/prove-extract.ts"

/** The one table of a series, and its running totals. */
export interface SeriesTable {
  readonly extract: Extract
  readonly keys: KeyPlan
  /** The period. */
  readonly key: ColumnId
  readonly measurement: LinearMeasurement<"totals">
}

/** The table of a plan that is a series; rejects another one. */
export function seriesTable({ releases }: ReleasePlan): SeriesTable {
  const [release, ...others] = releases
  const [extract, ...more] = release?.extracts ?? []
  const [measurement, ...measurements] = release?.measurements ?? []
  if (extract === undefined || others.length + more.length > 0) return reject("a series is one table")
  const [key, ...keys] = extract.keys
  if (key === undefined || keys.length > 0) return reject("a series has one key")
  if (!hasStrategy(measurement, "totals") || measurements.length > 0) return reject("a series is of one sum")
  return { extract, keys: release?.keys ?? reject("a series has no periods"), key, measurement }
}

/**
 * Checks a series; rejects it otherwise.
 *
 * Guarantee: over all versions of the data, what a unit changes in the measurements of the running totals has
 *   norms no larger than runningTotalLoss takes; so all of them together lose no more than the plan's charge.
 * Needs: verify has proven the plan: of each version by itself, checkTotals. Of units that count, rows of the
 *   tables that are read are added from version to version, never removed or changed (the engine leaves out,
 *   for good, those of which that is not true); the policy, and so the plan, stays the same; a measurement is
 *   made from the version at hand when its last period closes. Two streams of versions are neighbours if they
 *   differ in one unit's rows, in every one.
 * Proof: rows only grow, so a period that counted stays among the unit's first k or makes room for an earlier
 *   one, and what it changes is no more than k distinct steps would: check-series.proof.md.
 * Numerics: exact.
 * Source: Chan, Shi, Song 2011, for the tree; the arguments about versions are this file's.
 */
export function checkSeries(plan: ReleasePlan): void {
  const { extract, keys, key, measurement } = seriesTable(plan)
  checkOrder(keys)
  const { horizon } = measurement.strategy.spec
  const { groupsPerUnit } = proveExtract(extract, { groupsInAll: horizon })
  if (groupsPerUnit < horizon) checkFirst(extract, key, groupsPerUnit)
}

// Steps are periods one after the other, as the extract counts them.
function checkOrder(keys: KeyPlan): void {
  const [periods = []] = keys.kind === "public" && keys.rows === undefined ? keys.lists : []
  const isLater = (period: Constant, index: number): boolean => {
    const before = periods[index - 1]
    const isTime = period.kind === "date" || period.kind === "timestamp"
    if (!isTime || before === undefined) return isTime
    return before.kind === period.kind && compareConstants(before, period) < 0
  }
  if (periods.length === 0 || !periods.every(isLater)) reject("periods are not listed in their order")
}

// The unit decides the period by a key, or rows are kept by their place in the order of periods.
function checkFirst({ rel }: Extract, key: ColumnId, most: bigint): void {
  if (rel.kind !== "aggregate") return reject("a series does not add up units")
  const { oneGroup } = unitFacts(rel.input, [key])
  if (oneGroup) return checkGrows(rowsBelow(rel.input, key))
  for (let at = rel.input, limits: ReturnType<typeof upperBounds> = []; ; at = at.input) {
    if (at.kind === "filter") limits = [...limits, ...upperBounds(at.condition)]
    else if (at.kind === "window") return checkPlace(at, { key, most, limits })
    else if (at.kind !== "project") return reject("periods are not kept in their order")
  }
}

function checkPlace(
  window: WindowRel,
  {
    key,
    most,
    limits,
  }: { readonly key: ColumnId; readonly most: bigint; readonly limits: ReturnType<typeof upperBounds> },
): void {
  const [item, ...others] = window.items
  const place = window.columns.at(-1)?.id
  const [order, ...later] = item?.orderBy ?? []
  const owner = ownershipOf(window.input)
  const isByUnit =
    owner.kind === "private" &&
    item?.partitionBy.length === 1 &&
    item.partitionBy.every((expr) => expr.kind === "column" && owner.units.has(expr.id))
  const isFirst =
    item?.function === "row-number" &&
    order?.direction === "ascending" &&
    order.value.kind === "column" &&
    order.value.id === key &&
    later.length + others.length === 0
  if (!isByUnit || !isFirst) reject("periods are not kept in their order")
  if (!limits.some((limit) => limit.id === place && limit.most <= most)) reject("periods are not bounded")
  checkGrows(rowsBelow(window.input, key))
}

// Rows may have been aggregated by unit and period: a row of that aggregate exists wherever rows exist.
function rowsBelow(rel: Rel, key: ColumnId): Rel {
  if (rel.kind === "project" && rel.input.kind === "aggregate") return rowsBelow(rel.input, key)
  if (rel.kind !== "aggregate") return rel
  const owner = ownershipOf(rel.input)
  const isKey = (id: ColumnId): boolean => id === key || (owner.kind === "private" && owner.units.has(id))
  if (!rel.keys.every(isKey) || !rel.keys.includes(key)) reject("periods are added up otherwise")
  return rel.input
}

// Rows that are added to tables add rows here, and take none away.
function checkGrows(rel: Rel): void {
  switch (rel.kind) {
    case "scan":
    case "values":
      return
    case "filter":
    case "project":
      return checkGrows(rel.input)
    case "join":
      if (rel.type !== "inner") return reject("rows may vanish when others are added")
      checkGrows(rel.left)
      return checkGrows(rel.right)
    case "union":
      return rel.inputs.forEach(checkGrows)
    case "mark":
    case "aggregate":
    case "window":
    case "sort":
    case "boundary":
    case "released":
      return reject("rows may vanish when others are added")
    default:
      return unreachable(rel)
  }
}
