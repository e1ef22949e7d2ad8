// What the measurements of a release are checked against.

import type { Rational } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnId } from "../../algebra/expr.ts"
import type { Release } from "../../algebra/release-plan.ts"
import type { ProvenExtract } from "../extracts/prove-extract.ts"

/** A release, and what is known of it. */
export interface MeasurementContext {
  readonly release: Release
  readonly neighbours: Neighbours
  /** The most probability that an interval fails. */
  readonly miss: Rational
  /** How many groups there are, or are shown, if that is public. */
  readonly groupsInAll: bigint | undefined
  /** What one unit can change in an extract; `cell`: the column of a histogram's cells. */
  readonly prove: (extract: number, cell?: ColumnId) => ProvenExtract
}
