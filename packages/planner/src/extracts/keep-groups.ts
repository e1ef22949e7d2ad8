// Which rows and groups of a unit count: the first in an order that is a function of the unit's own rows.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  callExpr,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  keyedHash,
  windowRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Rel, SortKey } from "@dosimeter/proof/algebra/rel"

/** How many groups of a unit count. */
export interface KeptGroups {
  /** The unit's column; none where each row is a unit by itself. */
  readonly unit: ColumnId | undefined
  /** Whether a unit is in one group, by a key of the schema. */
  readonly oneGroup: boolean
  readonly groupsPerUnit: bigint
}

/** At most k groups of each unit, chosen by the keyed hash of their keys. */
export function keepGroups(
  rel: Rel,
  {
    keys,
    bounding,
    number,
  }: {
    readonly keys: readonly ColumnId[]
    readonly bounding: KeptGroups
    readonly number: "row-number" | "dense-rank"
  },
  ids: ColumnIds,
): Rel {
  const { unit, oneGroup, groupsPerUnit } = bounding
  if (oneGroup || unit === undefined) return rel
  const order = keys.map((key) => columnExpr(columnIn(rel, key)))
  return keepFirst(
    rel,
    { partition: [unit], order: [hashFor(rel, unit, order), ...order], most: groupsPerUnit, number },
    ids,
  )
}

/** With the unit's id: else everybody would keep the same groups, and the others would look empty. */
export function hashFor(rel: Rel, unit: ColumnId, values: readonly Expr[]): Expr {
  return keyedHash([columnExpr(columnIn(rel, unit)), ...values])
}

/** The first rows of each part, in an order. */
export function keepFirst(
  rel: Rel,
  options: {
    readonly partition: readonly ColumnId[]
    readonly order: readonly Expr[]
    readonly most: bigint
    readonly number?: "row-number" | "dense-rank"
  },
  ids: ColumnIds,
): Rel {
  const orderBy = options.order.map((value): SortKey => ({ value, direction: "ascending", nulls: "last" }))
  const partitionBy = options.partition.map((id) => columnExpr(columnIn(rel, id)))
  const item = { function: options.number ?? "row-number", args: [], partitionBy, orderBy, frame: undefined }
  const numbered = windowRel(rel, item, "place", ids)
  const place = columnExpr(columnIn(numbered, numbered.columns.at(-1)?.id ?? -1))
  return filterRel(numbered, callExpr("less-or-equal", [place, integerLiteral(options.most)]))
}
