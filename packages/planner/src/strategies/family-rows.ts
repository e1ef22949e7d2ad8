// The groupings of one GROUP BY as one release: their finest boundary, the columns of its rows, and the rows
// of each grouping among them.

import { assert } from "@dosimeter/core/errors"
import { stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import { callExpr, columnExpr, columnIn, filterRel, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { DraftOptions, PlacedDraft } from "./draft.ts"

/** Whether two boundaries group the same rows and measure the same. */
export function isAlike(one: Boundary, first: Boundary): boolean {
  return (
    one.family === first.family &&
    one.input === first.input &&
    one.aggregates.length === first.aggregates.length &&
    one.aggregates.every((aggregate, index) => aggregate === first.aggregates[index])
  )
}

/** The boundary by all keys of the family. */
export function finestOf(family: readonly Boundary[], first: Boundary, { ids }: DraftOptions): Boundary {
  const keys = [...new Set(family.flatMap((one) => one.keys))]
  const measured = first.columns.slice(first.keys.length).map((column) => ({ ...column, id: ids.next() }))
  return { ...first, keys, columns: [...keys.map((key) => columnIn(first.input, key)), ...measured] }
}

/** Keys, the number of the grouping, what is measured. */
export function leafColumns(
  { keys, columns }: Boundary,
  groupings: number,
  { ids }: DraftOptions,
): readonly RelColumn[] {
  const set = { id: ids.next(), name: "grouping", domain: stepsDomain(0n, BigInt(groupings - 1), false) }
  const shown = columns.slice(0, keys.length).map((column) => ({
    ...column,
    id: ids.next(),
    domain: { ...column.domain, nullable: true },
  }))
  return [...shown, set, ...columns.slice(keys.length)]
}

/** The rows of each boundary, from the rows of the release. */
export function placeRows(family: readonly Boundary[], leaf: readonly RelColumn[]): PlacedDraft["rowsOf"] {
  let released: Rel | undefined
  const finestKeys = [...new Set(family.flatMap((one) => one.keys))]
  return (boundary, release) => {
    const place = family.indexOf(boundary)
    if (place < 0) return undefined
    // One leaf for all, so that its rows are made once.
    released ??= { kind: "released", release, columns: leaf }
    const set = leaf[finestKeys.length]
    assert(set !== undefined, "a family has the number of the grouping")
    const own = filterRel(released, callExpr("equal", [columnExpr(set), integerLiteral(BigInt(place))]))
    const shown = [
      ...boundary.keys.map((key) => leaf[finestKeys.indexOf(key)]),
      ...leaf.slice(finestKeys.length + 1),
    ]
    const items = shown.flatMap((column) => (column === undefined ? [] : [columnExpr(column)]))
    return { kind: "project", input: own, items, columns: boundary.columns }
  }
}
