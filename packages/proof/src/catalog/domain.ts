// What values a column or an expression may take. Ranges are facts, not hopes: a column is read inside its
// range (print/print-scan.ts), so whatever is derived from ranges holds for every row of every table.

import type { Rational } from "@dosimeter/core"
import type { Constant } from "./constant.ts"
import type { TreePlace } from "./public-tree.ts"
import type { SqlType } from "./sql-type.ts"

/** One end of a range. */
export interface RangeEnd {
  readonly value: Rational
  /**
   * Whether the owner or the query set this end, rather than the type. Only such ends may clamp a sum: the
   * range of a 64-bit integer is a fact too, and useless.
   */
  readonly declared: boolean
}

/** Least and greatest value. Of a date in days, of a timestamp in microseconds, both since 1970-01-01. */
export interface Range {
  readonly min: RangeEnd
  readonly max: RangeEnd
}

/** The unit that dates or times were cut to; with a range it makes a list of values. */
export type Calendar = "hour" | "day" | "week" | "month" | "quarter" | "year"

/** What values may occur. */
export interface Domain {
  readonly type: SqlType
  readonly nullable: boolean
  /** Always there for integer, decimal, float, date and timestamp; never for other types. */
  readonly range?: Range
  /** Every value but NULL, if the owner or the query lists them. Rows with others belong to no group. */
  readonly values?: readonly Constant[]
  /** No other value occurs: they were read from the public table that the column is of. */
  readonly isComplete?: true
  readonly calendar?: Calendar
  /** Text that people type freely: never a group key. */
  readonly freeText?: true
  /** For sums of floats: the step that values are rounded to, if the owner declared one. */
  readonly grid?: Rational
  /** The level of a public tree that the listed values are: only its combinations are shown. */
  readonly tree?: TreePlace
  /** The owner lets a question learn bounds where it needs some; true of what is computed from it, too. */
  readonly autoBounds?: true
}
