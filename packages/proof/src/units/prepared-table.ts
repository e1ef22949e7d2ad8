// Copies of tables that `prepare` makes: columns stored as they are read, what is often computed from them,
// and the place of every row among its unit's rows, so that bounding is a condition on a column.

import { rational } from "@dosimeter/core"
import { placeMax, type CatalogTable } from "../catalog/catalog.ts"
import type { Domain } from "../catalog/domain.ts"
import type { Expr } from "../algebra/expr.ts"

/** A copy. */
export interface PreparedTable {
  /** "visits", "visits by ward": for people. */
  readonly label: string
  /** The table of the catalog that it is a copy of. */
  readonly base: CatalogTable
  /** The copy: the base's own columns, then what was computed, then places. Analysts never see it. */
  readonly table: CatalogTable
  readonly derived: readonly DerivedColumn[]
}

/** A column that was computed when the copy was made. */
export interface DerivedColumn {
  readonly name: string
  /** Over the base's columns: number i is its column i. */
  readonly value: Expr
}

/** What a place may be. */
export const placeDomain: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: {
    min: { value: rational(1n), declared: true },
    max: { value: rational(placeMax), declared: true },
  },
}
