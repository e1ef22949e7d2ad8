// A value whose bounds are learnt, and what is learnt of it.

import type { Rational } from "@dosimeter/core"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { QuantileAggregate, RelColumn, RowsAggregate } from "@dosimeter/proof/algebra/rel"

/** Which values: those without declared bounds, those of them that the policy lets learn, or all. */
export type AutoScope = "undeclared" | "policy" | "all"

/** Bounds that were learnt: both inside. */
export interface LearntRange {
  readonly low: Rational
  readonly high: Rational
}

/** Bounds to be learnt, or those that were, by the place of their aggregate in the SQL. */
export type AutoBounds =
  | { readonly kind: "learn"; readonly scope: AutoScope }
  | { readonly kind: "learnt"; readonly ranges: ReadonlyMap<string, LearntRange> }

/** A value whose bounds are to be learnt. */
export interface AutoValue {
  /** Where aggregates of it stand in the SQL. */
  readonly places: readonly string[]
  readonly label: string
  readonly type: SqlType
  readonly rows: RowsAggregate
  readonly rowsColumn: RelColumn
  readonly sizes: QuantileAggregate
  /** Of the lower and the upper bound. */
  readonly sizeColumns: readonly [RelColumn, RelColumn]
}
