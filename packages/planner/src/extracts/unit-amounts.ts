// What a unit adds to each of its groups, as amounts of one vector.

import type { MomentBasis } from "@dosimeter/core/mechanisms"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { MomentRange } from "@dosimeter/proof/algebra/moment-exprs"
import type { Rel, RowsAggregate } from "@dosimeter/proof/algebra/rel"
import type { TotalAggregate } from "./partial-of.ts"

/** What is added up, in whole numbers that all aggregates have in common. */
export interface ScaledAmount {
  readonly aggregate: TotalAggregate
  /** How many common steps a step of the aggregate is. */
  readonly multiplier: bigint
  /** Whether amounts may be below 0. */
  readonly isSigned: boolean
  /** Where it is a coordinate of moments, in place of a total: which one of which. */
  readonly moments?: { readonly of: AmountMoments; readonly place: number }
}

/** Moments of one value whose coordinates are amounts of a vector. */
export interface AmountMoments {
  readonly rows: RowsAggregate
  readonly sum: TotalAggregate
  readonly basis: MomentBasis
  readonly range: MomentRange
  /** So many values of a unit count in a group. */
  readonly most: bigint
}

/** Amounts of units, and whose they are. */
export interface UnitAmounts {
  readonly unit: ColumnId
  readonly amounts: readonly ScaledAmount[]
}

/** One row for each unit and group, with what the unit has in it. */
export interface UnitTotals {
  readonly rel: Rel
  readonly unit: ColumnId
  readonly keys: readonly ColumnId[]
  /** For each total (totalsBehind), or each amount, in steps of its aggregate. */
  readonly totals: readonly Expr[]
}
