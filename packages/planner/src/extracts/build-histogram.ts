// Histograms of a value in each group, for choices: of rows that are drawn for each unit and group.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { spreadMax } from "@dosimeter/proof/algebra/item-domain"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  windowRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import type { Bounding } from "./build-extract.ts"
import { keepGroups } from "./keep-groups.ts"
import { withoutNull, withValue } from "./valued-rows.ts"

/** What a histogram counts: a cell of each row, NULL where `of` is. */
export interface CellValue {
  readonly cell: Expr
  readonly of: Expr
  readonly where: Expr | undefined
  readonly label: string
}

/** An extract of cells and what they count. */
export interface Histogram {
  readonly extract: Extract
  readonly cell: ColumnId
  readonly count: ColumnId
  /** What a row of full weight counts, where rows are weighed. */
  readonly full?: bigint
}

/** A histogram of a value in each group: at most r rows of a unit in a group, at most k groups. */
export function buildHistogram(
  boundary: Boundary,
  value: CellValue,
  bounding: Bounding,
  ids: ColumnIds,
): Histogram {
  const { unit, oneRow } = bounding
  // No cell is NULL after the filter.
  const { rel: cells, added: cell } = withoutNull(withValue({ boundary, unit, ids }, value.cell, value), ids)
  const rows = oneRow || unit === undefined ? cells : sampleRows(cells, cell, { boundary, bounding, ids })
  const kept = keepGroups(rows, { keys: boundary.keys, bounding, number: "dense-rank" }, ids)
  const rel = aggregateRel(
    kept,
    [...boundary.keys, cell],
    [{ name: value.label, function: "rows", argument: undefined }],
    ids,
  )
  const count = rel.columns.at(-1)?.id ?? -1
  return { extract: { rel, keys: boundary.keys, values: [cell, count] }, cell, count }
}

// At most r rows of each unit and group, any row as likely as any other: those at even distances in the order
// of their cells, from where the hash says.
function sampleRows(
  rel: Rel,
  cell: ColumnId,
  {
    boundary,
    bounding,
    ids,
  }: { readonly boundary: Boundary; readonly bounding: Bounding; readonly ids: ColumnIds },
): Rel {
  const { unit = -1, rowsPerGroup } = bounding
  const most = rowsPerGroup < spreadMax ? rowsPerGroup : spreadMax
  const partitionBy = [unit, ...boundary.keys].map((id) => columnExpr(columnIn(rel, id)))
  const value = columnExpr(columnIn(rel, cell))
  const orderBy = [{ value, direction: "ascending", nulls: "last" }] as const
  const args = [integerLiteral(most)]
  const item = { function: "spread-place", args, partitionBy, orderBy, frame: undefined } as const
  const placed = windowRel(rel, item, "place", ids)
  const place = columnExpr(columnIn(placed, placed.columns.at(-1)?.id ?? -1))
  return filterRel(placed, callExpr("less-or-equal", [place, integerLiteral(most)]))
}
