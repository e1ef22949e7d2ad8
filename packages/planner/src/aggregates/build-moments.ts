// The columns of an extract from which a vector of moments is made: how many values, their sum, the sum of
// their squares. Where a unit has one row they are added up straight from the rows; of several rows at most
// so many count, each as much as any other.

import { multiply, rational, type Rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, projectRel, stepsExpr, shareExpr, type ColumnIds } from "@dosimeter/proof/algebra/make"
import {
  boundedRows,
  boundedSquares,
  boundedSum,
  clampedSquare,
  momentClamps,
  scaledSquares,
  type MomentRange,
} from "@dosimeter/proof/algebra/moment-exprs"
import type { AggregateItem, BoundaryAggregate, Rel, SumAggregate } from "@dosimeter/proof/algebra/rel"
import type { MomentFamily } from "./moment-families.ts"
import { onlyWhere } from "./only-where.ts"

/** The columns of a family in an extract, and how many values of a unit count in a group. */
export interface MomentColumns {
  readonly rows: ColumnId
  readonly sum: ColumnId
  readonly squares: ColumnId | undefined
  readonly rowsPerGroup: bigint
  /** Whether they are sums over values themselves, not over what bounding made of them. */
  readonly areValues: boolean
}

type NamedItem = AggregateItem & { readonly name: string }

/** Number, sum and squares of a family, straight over rows. */
export function momentsOfRows(family: MomentFamily): readonly NamedItem[] {
  const { where, value, grid } = family.sum
  return momentItems(family, onlyWhere(where, stepsExpr(value, grid, family.sum)))
}

/** Number, sum and squares of what each row adds: NULL where it does not count. */
export function momentItems(family: MomentFamily, value: Expr): readonly NamedItem[] {
  const { sum, squares } = family
  const name = sum.label
  return [
    { name, function: "count", argument: value },
    { name, function: "sum", argument: value },
    ...(squares === undefined
      ? []
      : [{ name, function: "sum" as const, argument: clampedSquare(value, rangeOf(family)) }]),
  ]
}

/** What is known of the values of a family. */
export function rangeOf({ sum, squares }: MomentFamily): MomentRange {
  return { lower: sum.lower, upper: sum.upper, from: squares?.squaredFrom ?? 0n }
}

/**
 * Rows with one unit and group each, and in them the columns that momentsOfRows gave for every family. The
 * result adds up at most `most` values of a unit.
 */
export function boundMoments(
  rel: Rel,
  families: readonly MomentFamily[],
  columns: readonly Expr[],
  { most, ids }: { readonly most: bigint; readonly ids: ColumnIds },
): { readonly rel: Rel; readonly items: readonly (readonly NamedItem[])[] } {
  if (families.length === 0) return { rel, items: [] }
  let next = 0
  const own = families.map(({ squares }) => {
    const first = next
    next += squares === undefined ? 2 : 3
    return columns.slice(first, next)
  })
  // Scaled down in a step of their own: the clamp above looks at each more than once.
  const shared = withParts(
    rel,
    own.map(([count, ...sums]) =>
      count === undefined ? [] : sums.map((sum) => shareExpr(sum, count, most)),
    ),
    ids,
  )
  const bounded = withParts(
    shared.rel,
    families.map((family, index) => {
      const [count, sum, squares] = [own[index]?.[0], ...(shared.parts[index] ?? [])]
      if (count === undefined || sum === undefined) return []
      const range = rangeOf(family)
      const parts = [boundedRows(count, most), boundedSum(sum, most, range)]
      return squares === undefined ? parts : [...parts, scaledSquares(squares, most, range)]
    }),
    ids,
  )
  const mended = withParts(
    bounded.rel,
    families.map((family, index) => {
      const [rows, sum, squares] = bounded.parts[index] ?? []
      if (rows === undefined || sum === undefined || squares === undefined) return []
      return [boundedSquares({ rows, sum, squares }, rangeOf(family))]
    }),
    ids,
  )
  const items = families.map((family, index) => {
    const { rows, sum, squares } = momentClamps(most, rangeOf(family))
    const parts = [...(bounded.parts[index]?.slice(0, 2) ?? []), ...(mended.parts[index] ?? [])]
    return [rows, sum, squares].flatMap((clamp, which): NamedItem[] => {
      const part = parts[which]
      if (part === undefined) return []
      return [{ name: family.sum.label, function: "sum", argument: stepsExpr(part, rational(1n), clamp) }]
    })
  })
  return { rel: mended.rel, items }
}

// A relation with more columns: some for each family.
function withParts(
  rel: Rel,
  added: readonly (readonly Expr[])[],
  ids: ColumnIds,
): { readonly rel: Rel; readonly parts: readonly (readonly Expr[])[] } {
  if (added.flat().length === 0) return { rel, parts: added }
  const kept = rel.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
  const more = added.flat().map((value) => ({ name: "bounded", value }))
  const wider = projectRel(rel, [...kept, ...more], ids)
  let next = kept.length
  const parts = added.map((list) => {
    const columns = wider.columns.slice(next, next + list.length).map(columnExpr)
    next += list.length
    return columns
  })
  return { rel: wider, parts }
}

/** Where the sums of families stand among the columns that were made for them. */
export function momentPlaces(
  families: readonly MomentFamily[],
  items: readonly (readonly NamedItem[])[],
  columns: readonly ColumnId[],
  facts: Pick<MomentColumns, "rowsPerGroup" | "areValues">,
): ReadonlyMap<MomentFamily, MomentColumns> {
  let next = 0
  return new Map(
    families.map((family, index) => {
      const [rows = -1, sum = -1, squares] = columns.slice(next, next + (items[index]?.length ?? 0))
      next += items[index]?.length ?? 0
      return [family, { rows, sum, squares, ...facts }] as const
    }),
  )
}

/** Whether an aggregate is read from none of the families. */
export function inNone(families: readonly MomentFamily[]): (aggregate: BoundaryAggregate) => boolean {
  return (aggregate) => families.every(({ readings }) => !readings.has(aggregate))
}

/** The steps of a sum, or their squared distances; both clamped. */
export function squaredIfAsked(steps: Expr, { lower, upper, squaredFrom: from }: SumAggregate): Expr {
  return from === undefined ? steps : clampedSquare(steps, { lower, upper, from })
}

/** What one value adds to a sum, or its squared distance. */
export function addedBounds(aggregate: SumAggregate): { readonly lower: bigint; readonly upper: bigint } {
  const { lower, upper, squaredFrom: from } = aggregate
  if (from === undefined) return { lower, upper }
  const reach = [from - lower, upper - from].reduce((a, b) => (a > b ? a : b))
  return { lower: 0n, upper: reach * reach }
}

/** What a step of a sum, or of squared distances, is worth. */
export function addedGrid({ grid, squaredFrom }: SumAggregate): Rational {
  return squaredFrom === undefined ? grid : multiply(grid, grid)
}
