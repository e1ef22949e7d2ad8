// Copies of tables that `prepare` makes: columns stored as they are read, what is often computed from them,
// and the place of every row among its unit's rows, so that bounding is a condition on a column.

import { rational } from "@dosimeter/core"
import { placeMax, type CatalogTable, type StoredPlace } from "../catalog/catalog.ts"
import type { Domain } from "../catalog/domain.ts"
import type { Expr } from "../algebra/expr.ts"
import { stepsDomain } from "../algebra/item-domain.ts"

/** A copy. */
export interface PreparedTable {
  /** "visits", "visits by ward": for people. */
  readonly label: string
  /** The table of the catalog that it is a copy of. */
  readonly base: CatalogTable
  /** The copy: the base's own columns, then what was computed, then places. Analysts never see it. */
  readonly table: CatalogTable
  readonly derived: readonly DerivedColumn[]
  /** Of a copy of pairs: what a unit has in a group. */
  readonly totals?: readonly StoredTotal[]
}

/** A total over the rows of a unit in a group, cut to what `totalDomain` holds. */
export interface StoredTotal {
  readonly name: string
  /** What is added up, over the base's columns: number i is its column i. Rows are counted if undefined. */
  readonly of: Expr | undefined
}

/** Totals are cut to this: no bound of a norm is as large, so nothing is lost by it. */
export const totalMax: bigint = 1n << 62n

/** What a total may be. Where nothing is added up below 0, no total is below 0. */
export function totalDomain({ of }: Pick<StoredTotal, "of">): Domain {
  if (of === undefined) return stepsDomain(0n, totalMax, false)
  const isSigned = of.domain.range === undefined || of.domain.range.min.value.numerator < 0n
  return stepsDomain(isSigned ? -totalMax : 0n, totalMax, true)
}

/** A column that was computed when the copy was made. */
export interface DerivedColumn {
  readonly name: string
  /** Over the base's columns: number i is its column i. */
  readonly value: Expr
}

/** What a place may be: a number of rows is stored as it is, other numbers are cut. */
export function placeDomain(counts: StoredPlace["counts"]): Domain {
  return {
    type: { kind: "integer" },
    nullable: false,
    range: {
      min: { value: rational(1n), declared: true },
      max: { value: rational(counts === "all-rows" ? totalMax : placeMax), declared: true },
    },
  }
}
