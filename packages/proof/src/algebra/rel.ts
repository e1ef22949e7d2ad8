// The relational algebra of the IR, small on purpose. Every node lists its output columns with what they may
// hold. A statement is one tree: private tables below, `boundary` nodes where people are added up, and above
// them post-processing. units/ says which part is which; nothing here claims it.

import type { Rational, Span } from "@dosimeter/core"
import type { CatalogColumn, CatalogTable } from "../catalog/catalog.ts"
import type { Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"
import type { ColumnId, Expr } from "./expr.ts"

/** An output column of a node. The name is for people; nothing is looked up by it. */
export interface RelColumn {
  readonly id: ColumnId
  readonly name: string
  readonly domain: Domain
}

/** A relation. */
export type Rel =
  | Scan
  | Values
  | Filter
  | Project
  | Join
  | Mark
  | Aggregate
  | WindowRel
  | Union
  | Sort
  | Boundary
  | Released

interface Placed {
  readonly columns: readonly RelColumn[]
  /** Where it stands in the SQL, for messages and EXPLAIN. */
  readonly at?: Span
}

/** A table of the catalog. Every column is read inside its domain's range. */
export interface Scan extends Placed {
  readonly kind: "scan"
  readonly table: CatalogTable
  /** As many as `columns`, in the same order. */
  readonly sources: readonly CatalogColumn[]
}

/** Constant rows. */
export interface Values extends Placed {
  readonly kind: "values"
  readonly rows: readonly (readonly Constant[])[]
}

/** The rows for which the condition is true (not false, not NULL). */
export interface Filter extends Placed {
  readonly kind: "filter"
  readonly input: Rel
  readonly condition: Expr
}

/** One output column for each expression, in the order of `columns`. */
export interface Project extends Placed {
  readonly kind: "project"
  readonly input: Rel
  readonly items: readonly Expr[]
}

/** A join. The output is the columns of the left side, then of the right; no condition: all pairs. */
export interface Join extends Placed {
  readonly kind: "join"
  readonly type: "inner" | "left" | "right" | "full"
  readonly left: Rel
  readonly right: Rel
  readonly condition: Expr | undefined
}

/**
 * The left side with one more column, the last: does the right side have a row with a true condition? EXISTS.
 */
export interface Mark extends Placed {
  readonly kind: "mark"
  readonly left: Rel
  readonly right: Rel
  readonly condition: Expr | undefined
}

/**
 * One row for each combination of keys (columns of the input), or a single row if there are none. The output
 * is the keys, then the items. No items: the distinct keys.
 */
export interface Aggregate extends Placed {
  readonly kind: "aggregate"
  readonly input: Rel
  readonly keys: readonly ColumnId[]
  readonly items: readonly AggregateItem[]
}

/**
 * An aggregate whose result does not depend on the order of rows. `sum` is of integers and decimals only. The
 * filter is in the argument: rows whose argument is NULL do not count ("rows" has none and counts all).
 */
export interface AggregateItem {
  readonly function: PlainAggregate | EstimateAggregate
  readonly argument: Expr | undefined
}

/** An aggregate that every database has. */
export type PlainAggregate = "rows" | "count" | "count-distinct" | "sum" | "min" | "max" | "every" | "some"

/** An estimate from released rows; its argument is a call of `row-of`. Never below a boundary. */
export type EstimateAggregate = "standardised-rate" | "log-rank" | "log-rank-p" | "hazard-ratio"

/** Whether an aggregate is an estimate. */
export function isEstimateAggregate(name: string): name is EstimateAggregate {
  return (
    name === "standardised-rate" || name === "log-rank" || name === "log-rank-p" || name === "hazard-ratio"
  )
}

/** The input with one more column for each item, in order, after the input's. */
export interface WindowRel extends Placed {
  readonly kind: "window"
  readonly input: Rel
  readonly items: readonly WindowItem[]
}

/** A window function. Ties in the order are broken by all columns of the input (print sees to it). */
export interface WindowItem {
  readonly function:
    | "row-number"
    | "rank"
    | "dense-rank"
    // 1 + ((i s + h) mod n) for row i, from 0, of n in a partition: s is the argument, h a keyed hash of the
    // partition. Of the n rows, s at most (all, if there are fewer) have a place up to s, each as likely as
    // any other, evenly spread over the order. Planned only.
    | "spread-place"
    | "lag"
    | "lead"
    | "first-value"
    | "last-value"
    // Of events and those last seen: survival at the end of a bin, and how many are at risk in it. Never
    // below a boundary.
    | "kaplan-meier"
    | "at-risk"
    | PlainAggregate
  readonly args: readonly Expr[]
  readonly partitionBy: readonly Expr[]
  readonly orderBy: readonly SortKey[]
  readonly frame: Frame | undefined
}

/** One key of an order. */
export interface SortKey {
  readonly value: Expr
  readonly direction: "ascending" | "descending"
  readonly nulls: "first" | "last"
}

/** ROWS or RANGE between two bounds; offsets are whole numbers of rows, so RANGE has none. */
export interface Frame {
  readonly mode: "rows" | "range"
  readonly start: FrameBound
  readonly end: FrameBound
}

/** One end of a frame. */
export type FrameBound =
  | { readonly kind: "unbounded-preceding" | "current-row" | "unbounded-following" }
  | { readonly kind: "preceding" | "following"; readonly offset: bigint }

/**
 * Whether a frame ends no earlier than it starts. Others are empty for every row, and DuckDB counts less than
 * no rows in them.
 */
export function isInOrder({ start, end }: Frame): boolean {
  if (start.kind === "unbounded-following" || end.kind === "unbounded-preceding") return false
  if (start.kind === "unbounded-preceding" || end.kind === "unbounded-following") return true
  return rowsAway(start) <= rowsAway(end)
}

function rowsAway(bound: FrameBound): bigint {
  if (bound.kind === "preceding") return -bound.offset
  return bound.kind === "following" ? bound.offset : 0n
}

/** UNION ALL. Column i of the output is column i of each input, in the order of its `columns`. */
export interface Union extends Placed {
  readonly kind: "union"
  readonly inputs: readonly Rel[]
}

/** ORDER BY, OFFSET and LIMIT. Over released or public rows only. */
export interface Sort extends Placed {
  readonly kind: "sort"
  readonly input: Rel
  readonly orderBy: readonly SortKey[]
  readonly limit: bigint | undefined
  readonly offset: bigint | undefined
}

/**
 * The aggregate over units: the only place where privacy is lost. Keys are columns of the input. The output
 * is the keys, then what each aggregate gives.
 */
export interface Boundary extends Placed {
  readonly kind: "boundary"
  readonly input: Rel
  readonly keys: readonly ColumnId[]
  readonly aggregates: readonly BoundaryAggregate[]
  /**
   * The groupings of one GROUP BY with ROLLUP, CUBE or GROUPING SETS have the same number, and the same input
   * and measures: they may be measured together.
   */
  readonly family?: number
}

/** Something measured about each group. A row whose `where` is not true is left out of this aggregate. */
export type BoundaryAggregate =
  | PersonsAggregate
  | RowsAggregate
  | SumAggregate
  | DistinctAggregate
  | QuantileAggregate
  | ModeAggregate

interface AggregateBase {
  readonly where: Expr | undefined
  /** As the analyst wrote it, such as SUM(fee). */
  readonly label: string
  readonly at?: Span
}

/** How many units have such a row. */
export interface PersonsAggregate extends AggregateBase {
  readonly kind: "persons"
}

/** How many such rows there are. */
export interface RowsAggregate extends AggregateBase {
  readonly kind: "rows"
  /** Only to divide the sum of this value by: the noisy number need not be whole. */
  readonly divisorOf?: Expr
}

/**
 * A sum, in steps of a grid. Each value is clamped to [lower, upper] steps; NULLs are left out. `total` keeps
 * as much of a unit's sum as the bounds allow; `mean` keeps a unit's average where it has more rows than
 * count, so that sum / rows is fair.
 */
export interface SumAggregate extends AggregateBase {
  readonly kind: "sum"
  readonly manner: "total" | "mean"
  readonly value: Expr
  readonly grid: Rational
  readonly lower: bigint
  readonly upper: bigint
  /** The squares of the distances from so many steps are added up instead, in steps of grid squared. */
  readonly squaredFrom?: bigint
  /**
   * The condition under which a row has a value, over columns of the input or below it. It is only compared
   * with that of a count, to find the count of the same rows; nothing is computed from it.
   */
  readonly counted?: { readonly where: Expr | undefined }
}

/** How many different values occur, NULL not counted. */
export interface DistinctAggregate extends AggregateBase {
  readonly kind: "distinct"
  readonly value: Expr
}

/**
 * Quantiles of a value, one output column for each fraction (growing, in (0, 1)). Cell i of the histogram is
 * [from + i width, from + (i + 1) width); values outside fall into the first or last cell.
 */
export interface QuantileAggregate extends AggregateBase {
  readonly kind: "quantile"
  readonly value: Expr
  readonly fractions: readonly Rational[]
  readonly from: Rational
  readonly width: Rational
  readonly cells: bigint
  /** What a cell stands for in the answer: its middle, or (for values on a grid) its lower end. */
  readonly cellValue: "middle" | "start"
}

/** The most frequent of the listed values. */
export interface ModeAggregate extends AggregateBase {
  readonly kind: "mode"
  readonly value: Expr
  readonly values: readonly Constant[]
}

/** A release of the plan, in place of its boundary: noisy rows. */
export interface Released extends Placed {
  readonly kind: "released"
  /** Which one: its place in the plan's list. */
  readonly release: number
}
