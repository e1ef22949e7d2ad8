// What one unit can do to an extract. An extract adds up units: an aggregate F over unit-local rows X. If a
// unit is in at most k groups of F, has at most r rows of X in each, and each row adds between a and b to a
// sum, then adding or removing the unit changes at most k rows of F by between r min(a, 0) and r max(b, 0)
// each.

import { unreachable } from "@dosimeter/core/errors"
import { reject } from "../../units/reject.ts"
import { rowsLookedAt, storedBounds } from "../../units/stored-places.ts"
import { ownershipOf } from "../../units/track-unit.ts"
import { unitFacts } from "../../units/unit-facts.ts"
import type { ColumnId, Expr } from "../../algebra/expr.ts"
import { rowsMax, spreadMax } from "../../algebra/item-domain.ts"
import type { Aggregate, AggregateItem, Rel, WindowItem } from "../../algebra/rel.ts"
import type { Extract, KeyFact } from "../../algebra/release-plan.ts"
import { upperBounds } from "../../algebra/walk.ts"
import { clampOf } from "./clamp-of.ts"
import { proveNorm, type WeighedColumn } from "./prove-norm.ts"
import { proveWeighedRows, type WeighedRows } from "./prove-weighed-rows.ts"

/** Summands below this in size add up to less than 128 bits hold, in as many rows as a table may have. */
const sumMax = (1n << 127n) / rowsMax

/** What a unit adds to a column in one group. */
export interface Contribution {
  readonly lower: bigint
  readonly upper: bigint
}

/** What was proven of an extract. */
export interface ProvenExtract {
  /** Where nothing bounds it but the rows of a table, only norms are claimed: there are no contributions. */
  readonly groupsPerUnit: bigint
  readonly rowsPerGroup: bigint
  readonly contributions: ReadonlyMap<ColumnId, Contribution>
  /** Columns that are no less than the number of a unit's groups, in all its rows (see StoredBounds). */
  readonly groupTotals: ReadonlySet<ColumnId>
  /** Columns of weight times value, and the norm that their units are kept to. */
  readonly weighed: ReadonlyMap<ColumnId, WeighedColumn>
  /**
   * What a row of full weight counts, in a histogram of weighed rows: then a unit may be in more groups, but
   * adds to all of them no more than rowsPerGroup rows to groupsPerUnit groups would.
   */
  readonly full?: bigint
  /** The declared keys behind it. */
  readonly facts: readonly KeyFact[]
}

/**
 * Proves the bounds of an extract whose groups are its keys; a histogram has a cell beside them. Where keys
 * are public, only `groupsInAll` groups are ever looked at.
 *
 * Guarantee: the claim at the head of this file, with groupsPerUnit, rowsPerGroup and contributions.
 * Needs: columns and domains were checked (checkColumns, checkDomains); the declared keys in `facts` hold.
 * Proof: a unit adds or removes its own rows only; keys, or places among the unit's own rows, bound its
 *   groups and its rows in each; a clamp bounds what a row adds: prove-extract.proof.md.
 * Numerics: integers; sums of up to rowsMax rows stay inside of 128 bits.
 * Source: Wilson and others 2020, section 3 (user-level bounding); McSherry 2009 (stability).
 */
export function proveExtract(
  { rel, keys, values }: Extract,
  { cell, groupsInAll }: { readonly cell?: ColumnId | undefined; readonly groupsInAll: bigint | undefined },
): ProvenExtract {
  if (rel.kind !== "aggregate") return reject("an extract does not add up units")
  const expected = cell === undefined ? keys : [...keys, cell]
  if (rel.keys.length !== expected.length || rel.keys.some((key, index) => key !== expected[index])) {
    return reject("an extract has other keys")
  }
  const listed = [...keys, ...values]
  if (listed.length !== rel.columns.length || rel.columns.some(({ id }, index) => id !== listed[index])) {
    return reject("an extract has other columns")
  }
  const { owner, oneGroup, oneRow, facts } = unitFacts(rel.input, keys)
  const places = placesIn(rel.input)
  const rowPlaces = places.flatMap(rowPlace(keys))
  const stored = storedBounds(rel.input, keys, owner)
  const shown = groupsInAll === undefined ? [] : [groupsInAll]
  const rows = cell === undefined ? undefined : proveWeighedRows(rel, keys, stored)
  const worth = rows?.groupsPerUnit === undefined ? [] : [rows.groupsPerUnit]
  const groups = oneGroup
    ? 1n
    : least([...shown, ...worth, ...places.flatMap(groupLimit(keys)), ...stored.groups])
  const known = { groupTotals: stored.groupTotals, facts: [...facts, ...stored.facts] }
  if (groups === undefined) return { ...known, ...ofNorms(rel, oneRow) }
  const more = { ...known, groupsPerUnit: groups }
  if (rows !== undefined) return { ...more, ...ofWeighedRows(rel.columns, rows) }
  const rowsPerGroup = oneRow
    ? 1n
    : (least([...places.flatMap(rowLimit(keys)), ...stored.rows]) ?? reject("rows are not bounded"))
  const first = rel.keys.length
  const contributions = rel.items.map((item, index) => {
    const id = rel.columns[first + index]?.id ?? reject("an extract lacks a column")
    return [
      id,
      contributionOf(item, rowsCounted(item, rowsPerGroup, [...rowPlaces, ...stored.rowPlaces])),
    ] as const
  })
  return { ...more, rowsPerGroup, contributions: new Map(contributions), weighed: proveNorm(rel, oneRow) }
}

// A unit may be in as many groups as it has rows. A norm holds over all of them, and nothing else is claimed.
function ofNorms(
  rel: Aggregate,
  oneRow: boolean,
): Pick<ProvenExtract, "groupsPerUnit" | "rowsPerGroup" | "contributions" | "weighed"> {
  const weighed = proveNorm(rel, oneRow)
  const columns = rel.columns.slice(rel.keys.length)
  if (!columns.every(({ id }) => weighed.has(id))) return reject("groups are not bounded")
  return { groupsPerUnit: rowsMax, rowsPerGroup: rowsMax, contributions: new Map(), weighed }
}

// The only column of weights; a histogram is of no vector.
function ofWeighedRows(
  columns: Rel["columns"],
  { full, rowsPerGroup }: WeighedRows,
): Pick<ProvenExtract, "rowsPerGroup" | "contributions" | "weighed" | "full"> {
  const id = columns.at(-1)?.id ?? reject("an extract lacks a column")
  const contributions = new Map([[id, { lower: 0n, upper: full * rowsPerGroup }]])
  return { rowsPerGroup, contributions, weighed: new Map(), full }
}

// A count or sum leaves out rows whose argument is NULL.
function rowsCounted(
  { function: name, argument }: AggregateItem,
  rows: bigint,
  places: readonly ColumnId[],
): bigint {
  const counted =
    name === "count" || name === "sum" ? rowsLookedAt(argument, { rowPlaces: new Set(places) }) : undefined
  return counted !== undefined && counted < rows ? counted : rows
}

/** A window over rows whose unit columns are `units`, and the condition `place <= most` if there is one. */
interface Place {
  readonly item: WindowItem
  readonly id: ColumnId
  readonly most: bigint | undefined
  readonly units: ReadonlySet<ColumnId>
}

// Looks down through nodes that keep or drop rows, one by one.
function placesIn(rel: Rel): readonly Place[] {
  const limits = new Map<ColumnId, bigint>()
  const found: Place[] = []
  for (let at = rel; ; at = at.input) {
    if (at.kind === "filter") {
      for (const { id, most } of upperBounds(at.condition)) {
        const before = limits.get(id)
        limits.set(id, before === undefined || most < before ? most : before)
      }
    } else if (at.kind === "window") {
      const owner = ownershipOf(at.input)
      const units = owner.kind === "private" ? owner.units : new Set<ColumnId>()
      const first = at.input.columns.length
      for (const [index, item] of at.items.entries()) {
        const id = at.columns[first + index]?.id ?? -1
        const most = limits.get(id)
        found.push({ item, id, units, most: most !== undefined && most > 0n ? most : undefined })
      }
    } else if (at.kind !== "project") {
      return found
    }
  }
}

function groupLimit(keys: readonly ColumnId[]): (place: Place) => readonly bigint[] {
  return ({ item, most, units }) => {
    const partition = plainColumns(item.partitionBy)
    if (
      most === undefined ||
      partition === undefined ||
      partition.length === 0 ||
      !partition.every((id) => units.has(id))
    )
      return []
    if (item.function === "row-number") return [most]
    if (item.function !== "dense-rank") return []
    const order = new Set(item.orderBy.flatMap(({ value }) => (value.kind === "column" ? [value.id] : [])))
    return keys.every((key) => order.has(key)) ? [most] : []
  }
}

function rowLimit(keys: readonly ColumnId[]): (place: Place) => readonly bigint[] {
  return (place) => {
    const { item, most } = place
    if (most === undefined || (item.function !== "row-number" && !isSpread(item, most))) return []
    return isInGroup(place, keys) ? [most] : []
  }
}

// Of a unit's rows in a group, those with a number up to m in such a column are at most m.
function rowPlace(keys: readonly ColumnId[]): (place: Place) => readonly ColumnId[] {
  return (place) => (place.item.function === "row-number" && isInGroup(place, keys) ? [place.id] : [])
}

function isInGroup({ item, units }: Place, keys: readonly ColumnId[]): boolean {
  const partition = plainColumns(item.partitionBy)
  if (partition === undefined || !partition.some((id) => units.has(id))) return false
  return partition.every((id) => units.has(id) || keys.includes(id))
}

// Whether rows are kept by a spread place up to its own step.
function isSpread({ function: name, args }: WindowItem, most: bigint): boolean {
  const [step] = args
  if (name !== "spread-place" || step?.kind !== "literal" || step.value.kind !== "number") return false
  const { numerator, denominator } = step.value.value
  return denominator === 1n && numerator === most && most <= spreadMax
}

function plainColumns(exprs: readonly Expr[]): readonly ColumnId[] | undefined {
  const ids = exprs.flatMap((expr) => (expr.kind === "column" ? [expr.id] : []))
  return ids.length === exprs.length ? ids : undefined
}

function contributionOf({ function: name, argument }: AggregateItem, rows: bigint): Contribution {
  switch (name) {
    case "rows":
    case "count":
    case "count-distinct":
      return { lower: 0n, upper: rows }
    case "sum": {
      const { lower, upper } = clampOf(argument ?? reject("a sum of nothing"))
      if (lower <= -sumMax || upper >= sumMax) reject("a sum that its type may not hold")
      // A NULL counts as 0. That a column is never NULL is the owner's word, and no proof rests on it.
      return { lower: lower < 0n ? lower * rows : 0n, upper: upper > 0n ? upper * rows : 0n }
    }
    case "min":
    case "max":
    case "every":
    case "some":
    case "standardised-rate":
    case "log-rank":
    case "log-rank-p":
    case "hazard-ratio":
      return reject(`${name} over units`)
    default:
      return unreachable(name)
  }
}

function least(values: readonly bigint[]): bigint | undefined {
  const [first, ...rest] = values
  return first === undefined ? undefined : rest.reduce((a, b) => (a < b ? a : b), first)
}
