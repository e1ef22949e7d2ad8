// The plan of an answer: all that will happen, before any data is read. Plain data: it can be shown, hashed
// and proven again (verify/).

import type { Accounting, Rational } from "@dosimeter/core"
import type {
  AnyKeySpec,
  GaussianSpec,
  LaplaceSpec,
  Loss,
  MarginsSpec,
  MomentBasis,
  Neighbours,
  QuantilesSpec,
  SelectionSpec,
  TopKeysSpec,
  TopKSpec,
  TreeSpec,
} from "@dosimeter/core/mechanisms"
import type { ConsentFacts } from "../catalog/catalog.ts"
import type { Constant } from "../catalog/constant.ts"
import type { ColumnId } from "./expr.ts"
import type { Rel } from "./rel.ts"

/** What will be read, what noise it gets, what that costs, and what is done afterwards. */
export interface ReleasePlan {
  readonly dataset: string
  readonly unitName: string
  readonly neighbours: Neighbours
  readonly releases: readonly Release[]
  /** Post-processing over `released` leaves and public tables; its columns are the answer's. */
  readonly post: Rel
  /** The names of the answer's columns, as many as post has. */
  readonly outputNames: readonly string[]
  /** What is charged: the sum of the losses of all specs, in the measure of the accounting. */
  readonly charge: Charge
  /** Of the intervals. */
  readonly confidence: Rational
  /** House rule: noisy counts below this are shown as below threshold. */
  readonly shownFrom?: bigint
  /** What is worked out about bounding and clamping, from releases of their own; where it was asked for. */
  readonly bias?: readonly BiasPlan[]
  /** What the analyst should know: equalities that were added, rows that cannot count, reading rules. */
  readonly notes: readonly string[]
  /** Declared keys that the proof relies on: checked against the data when it is registered. */
  readonly reliesOn: readonly KeyFact[]
  /** Whose rows are read, where people decide that: every extract asks for it. */
  readonly consent?: ConsentUse
}

/** One row about what is left out of a release: an item for each column. */
export interface BiasPlan {
  /** Post-processing over `released` leaves, as the plan's own. */
  readonly post: Rel
  readonly items: readonly BiasItem[]
}

/** What a number about bounding or clamping says. */
export interface BiasItem {
  /** A share from 0 to 1, or an amount in the units of the answer. */
  readonly kind: "share" | "amount"
  /** With {} where the number stands. */
  readonly text: string
}

/** The decisions that a plan was made under. */
export type ConsentUse = Pick<ConsentFacts, "mode" | "purposes" | "version">

/** A loss in the measure of the account that it is charged to. */
export interface Charge {
  readonly accounting: Accounting
  /** Epsilon, rho or mu squared. */
  readonly amount: Rational
  readonly delta: Rational
  /** The same as (epsilon, delta) of this question alone, for people. */
  readonly shown: Loss
}

/** No two rows of the table agree in these columns. */
export interface KeyFact {
  readonly table: string
  readonly columns: readonly string[]
}

/** One boundary: some exact tables, and the mechanisms that turn them into a noisy one. */
export interface Release {
  readonly extracts: readonly Extract[]
  /**
   * The prepared copies that extracts read, such as "visits by ward"; empty where all tables are read raw.
   */
  readonly prepared: readonly string[]
  readonly bounds: {
    readonly groupsPerUnit: bigint
    readonly rowsPerGroup: bigint
    /** Why no bounding is needed, where a key proves it; otherwise undefined. */
    readonly groupsProof: string | undefined
    readonly rowsProof: string | undefined
  }
  readonly keys: KeyPlan
  /** The answer: one for each output column after the keys. */
  readonly measures: readonly MeasurePlan[]
  /** The columns of the released rows: keys, then measures. */
  readonly columns: readonly ColumnId[]
}

/** An exact table that the database computes: keys first, then integers. */
export interface Extract {
  readonly rel: Rel
  readonly keys: readonly ColumnId[]
  /** Columns of integers, after the keys; a histogram has a cell column before its count. */
  readonly values: readonly ColumnId[]
}

/** Which groups are shown. */
export type KeyPlan =
  /** A single row, without keys. */
  | { readonly kind: "none" }
  /**
   * All listed combinations, whatever the data holds. One list for each key; NULL is listed where it may
   * occur.
   */
  | {
      readonly kind: "public"
      readonly lists: readonly (readonly Constant[])[]
      /** Where some combinations are impossible: the possible ones, each once. */
      readonly rows?: readonly (readonly Constant[])[]
    }
  /**
   * All listed combinations of each grouping: `sets` has the places of its keys, in order. After the keys,
   * NULL where a grouping has none, stands the number of the grouping. All measures are margins.
   */
  | {
      readonly kind: "margins"
      readonly lists: readonly (readonly Constant[])[]
      readonly sets: readonly (readonly number[])[]
    }
  /**
   * All groups of each grouping, from sums at the levels of a tree: `rows` are its leaves in order, each once,
   * with a value for each key, and `levels` has the places of the keys that the nodes of each level agree in,
   * none for the root and all for the leaves. Groupings as for margins.
   */
  | {
      readonly kind: "tree"
      readonly rows: readonly (readonly Constant[])[]
      readonly levels: readonly (readonly number[])[]
      readonly sets: readonly (readonly number[])[]
    }
  /** Those that pass selection on the number of units, or on their weights: a column of the first extract. */
  | { readonly kind: "private"; readonly units: ColumnId; readonly spec: AnyKeySpec }
  | TopPlan

/**
 * Those with the largest score, a column of the first extract: chosen from all listed combinations, or, where
 * there are no lists, from the keys that are there. Only the chosen groups are measured.
 */
export interface TopPlan {
  readonly kind: "top"
  readonly lists: readonly (readonly Constant[])[] | undefined
  readonly score: ColumnId
  /** The measure that is the score: its place in the release. */
  readonly measure: number
  readonly spec: TopKSpec | TopKeysSpec
}

/** How one output column (or several quantiles) comes about. */
export type MeasurePlan =
  | AdditivePlan
  | MarginsPlan
  | MomentsPlan
  | MomentReadPlan
  | QuantilesPlan
  | ModePlan
  | KeyCountPlan
  | SamePlan

/** The same noisy values as those of an earlier measure of the release: paid once. */
export interface SamePlan {
  readonly kind: "same"
  readonly label: string
  readonly measure: number
}

/** A column of integers plus noise, times the grid. */
export interface AdditivePlan {
  readonly kind: "additive"
  readonly label: string
  /** What is added up: the house rule about small counts looks at units and rows. */
  readonly of: "units" | "rows" | "values" | "distinct"
  readonly extract: number
  readonly column: ColumnId
  readonly grid: Rational
  readonly spec: LaplaceSpec | GaussianSpec
}

/**
 * Number, sum and sum of squares of the same values, as one vector with noise on each coordinate: one of the
 * three is this measure's column, and others may be read from it.
 */
export interface MomentsPlan extends MomentReading {
  readonly kind: "moments"
  readonly label: string
  readonly extract: number
  /** Columns of the extract: how many values, their sum in steps, and of the squared distances from `from`. */
  readonly rows: ColumnId
  readonly sum: ColumnId
  readonly squares: ColumnId | undefined
  /** Every value lies between these, in steps of the grid. */
  readonly lower: bigint
  readonly upper: bigint
  readonly from: bigint
  readonly grid: Rational
  readonly basis: MomentBasis
  readonly spec: LaplaceSpec | GaussianSpec
}

/** Another number from the vector of a measure of the release, at no further loss. */
export interface MomentReadPlan extends MomentReading {
  readonly kind: "moment-read"
  readonly label: string
  readonly measure: number
}

/** Which number of a vector a column is. */
export interface MomentReading {
  readonly reads: "rows" | "sum" | "squares"
  /** Rounded to whole rows, or to steps of the grid: for counts and sums that are shown. */
  readonly isWhole: boolean
}

/**
 * A column of integers over all keys, and its sums over some of them: noise on the parts of the table, on the
 * comparisons of a tree, or on its cells.
 */
export interface MarginsPlan extends Omit<AdditivePlan, "kind" | "spec"> {
  readonly kind: "margins"
  readonly spec: MarginsSpec | TreeSpec | LaplaceSpec
  /** Cells that are put together from parts are rounded to 2^-bits of the grid. */
  readonly bits: number
  /** Counts become whole numbers from 0 that still add up; intervals stay those of the estimates. */
  readonly isWhole: boolean
}

/** The number of units that key selection has released already, at no further loss. */
export interface KeyCountPlan {
  readonly kind: "key-count"
  readonly label: string
}

/** Quantiles of each group from its histogram: columns cell and count of an extract. */
export interface QuantilesPlan {
  readonly kind: "quantiles"
  readonly label: string
  readonly extract: number
  readonly cell: ColumnId
  readonly count: ColumnId
  readonly from: Rational
  readonly width: Rational
  readonly cellValue: "middle" | "start"
  readonly spec: QuantilesSpec
}

/** The most frequent value of each group, chosen by its count. */
export interface ModePlan {
  readonly kind: "mode"
  readonly label: string
  readonly extract: number
  readonly cell: ColumnId
  readonly count: ColumnId
  readonly values: readonly Constant[]
  readonly spec: SelectionSpec
}
