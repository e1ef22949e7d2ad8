// Bounds on the groups and rows of a unit in a relation, proven from the places that `prepare` has stored.

import { unreachable } from "@dosimeter/core/errors"
import { placeMax, type StoredPlace } from "../catalog/catalog.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import type { Rel, Scan } from "../algebra/rel.ts"
import type { KeyFact } from "../algebra/release-plan.ts"
import { upperBounds } from "../algebra/walk.ts"
import { closureOf, dependenciesOf, groupClosure, type Closure, type Dependencies } from "./dependencies.ts"
import type { PrivateRows } from "./track-unit.ts"

/** Bounds that follow from stored places. */
export interface StoredBounds {
  /** A unit is in no more groups than each of these. */
  readonly groups: readonly bigint[]
  /** A unit has no more rows in a group than each of these. */
  readonly rows: readonly bigint[]
  /** Of a unit's rows in a group, those with a number up to m in one of these columns are at most m. */
  readonly rowPlaces: ReadonlySet<ColumnId>
  /**
   * Each of these columns is the same in all rows of a unit and, where it is below placeMax, no less than the
   * number of the unit's groups.
   */
  readonly groupTotals: ReadonlySet<ColumnId>
  /** Each of these columns is, in every row of a unit in a group, no less than the number of these rows. */
  readonly rowTotals: ReadonlySet<ColumnId>
  /** The declared keys that the bounds rest on. */
  readonly facts: readonly KeyFact[]
}

/**
 * The bounds of unit-local rows that are grouped by `keys`.
 *
 * Guarantee: the claims at the fields of StoredBounds.
 * Needs: the places of prepared tables are what the catalog says of them (prepare/ computes them).
 * Proof: every row of a unit in the relation has behind it a row of one unit in the prepared copy, whose
 *   places count that unit's groups or rows: stored-places.proof.md.
 * Numerics: integers.
 * Source: McSherry 2009 (stability): places are a function of the unit's own rows, whenever they are
 *   computed.
 */
export function storedBounds(rel: Rel, keys: readonly ColumnId[], owner: PrivateRows): StoredBounds {
  const limited = placesIn(rel, new Map())
  if (limited.length === 0 || owner.units.size === 0) return noBounds
  const dependencies = dependenciesOf(rel)
  const units = [...owner.units]
  const unitAlone = closureOf(dependencies, units)
  const grouped = groupClosure(dependencies, units, { rel, keys })
  const groups: bigint[] = []
  const rows: bigint[] = []
  const rowPlaces = new Set<ColumnId>()
  const groupTotals = new Set<ColumnId>()
  const rowTotals = new Set<ColumnId>()
  const facts: KeyFact[] = []
  const relyOn = (...closures: readonly Closure[]): void => {
    for (const closure of closures) facts.push(...closure.facts)
  }
  for (const { place, by, id, most, scan, unit } of limited) {
    if (!unitAlone.has(unit)) continue
    if (place.counts === "groups" && most !== undefined) {
      const decided = groupClosure(dependencies, units, { rel: scan, keys: by })
      if (!keys.every((key) => decided.has(key) || by.includes(key))) continue
      groups.push(most)
      relyOn(unitAlone, decided)
    }
    if (place.counts === "all-groups") {
      const decided = groupClosure(dependencies, units, { rel: scan, keys: by })
      if (!keys.every((key) => decided.has(key) || by.includes(key))) continue
      groupTotals.add(id)
      relyOn(unitAlone, decided)
    }
    const isOfRows = place.counts === "rows" || place.counts === "all-rows"
    if (isOfRows && by.every((column) => grouped.has(column) || keys.includes(column))) {
      const ofRow = closureOfRow(dependencies, scan)
      if (ofRow === undefined || !ofRow.has(dependencies.row)) continue
      relyOn(unitAlone, grouped, ofRow)
      // The number of all rows is no place: a bound on it keeps rows of units with few of them.
      if (place.counts === "all-rows") rowTotals.add(id)
      else {
        rowPlaces.add(id)
        if (most !== undefined) rows.push(most)
      }
    }
  }
  return { groups, rows, rowPlaces, groupTotals, rowTotals, facts }
}

/** How many rows of a unit in a group an aggregate looks at: all others have NULL, or 0, as its argument. */
export function rowsLookedAt(
  argument: Expr | undefined,
  { rowPlaces }: Pick<StoredBounds, "rowPlaces">,
): bigint | undefined {
  if (argument?.kind !== "case" || argument.branches.length !== 1) return undefined
  const { value } = argument.otherwise.kind === "literal" ? argument.otherwise : { value: undefined }
  if (value?.kind !== "null") return undefined
  const limits = argument.branches.flatMap(({ when }) =>
    upperBounds(when).flatMap(({ id, most }) => (rowPlaces.has(id) && isPlace(most) ? [most] : [])),
  )
  return limits.reduce<bigint | undefined>(
    (least, most) => (least === undefined || most < least ? most : least),
    undefined,
  )
}

const noBounds: StoredBounds = {
  groups: [],
  rows: [],
  rowPlaces: new Set(),
  groupTotals: new Set(),
  rowTotals: new Set(),
  facts: [],
}

/** A stored place that rows carry, with the bound that they were kept by, if there is one. */
interface LimitedPlace {
  readonly place: StoredPlace
  readonly id: ColumnId
  readonly by: readonly ColumnId[]
  readonly scan: Scan
  readonly unit: ColumnId
  readonly most: bigint | undefined
}

// Descends through nodes that keep or drop single rows, and into the sides of joins whose rows are never
// missing.
function placesIn(rel: Rel, limits: Map<ColumnId, bigint>): readonly LimitedPlace[] {
  switch (rel.kind) {
    case "filter":
      for (const { id, most } of upperBounds(rel.condition)) {
        const before = limits.get(id)
        limits.set(id, before === undefined || most < before ? most : before)
      }
      return placesIn(rel.input, limits)
    case "project":
    case "window":
      return placesIn(rel.input, limits)
    case "join": {
      const left = rel.type === "inner" || rel.type === "left" ? placesIn(rel.left, new Map(limits)) : []
      const right = rel.type === "inner" || rel.type === "right" ? placesIn(rel.right, new Map(limits)) : []
      return [...left, ...right]
    }
    case "scan":
      return ofScan(rel, limits)
    case "values":
    case "mark":
    case "aggregate":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return []
    default:
      return unreachable(rel)
  }
}

function ofScan(scan: Scan, limits: ReadonlyMap<ColumnId, bigint>): readonly LimitedPlace[] {
  const { unit: owner, prepared } = scan.table
  if (prepared === undefined || owner.kind !== "path" || owner.hops.length > 0) return []
  const idOf = (name: string): ColumnId | undefined =>
    scan.columns[scan.sources.findIndex((source) => source.name === name)]?.id
  const unit = idOf(owner.column)
  if (unit === undefined) return []
  return prepared.places.flatMap((place) => {
    const id = idOf(place.column)
    const by = place.by.map(idOf)
    if (id === undefined || !by.every((column) => column !== undefined)) return []
    const most = limits.get(id)
    return [{ place, id, by, scan, unit, most: most !== undefined && isPlace(most) ? most : undefined }]
  })
}

function isPlace(most: bigint): boolean {
  return most > 0n && most < placeMax
}

function closureOfRow(dependencies: Dependencies, scan: Scan): Closure | undefined {
  const row = dependencies.rowOf.get(scan)
  return row === undefined ? undefined : closureOf(dependencies, [row])
}
