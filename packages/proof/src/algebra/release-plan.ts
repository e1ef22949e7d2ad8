// The plan of an answer: all that will happen, before any data is read. Plain data: it can be shown, hashed
// and proven again (verify/).

import type { Accounting } from "@dosimeter/core/accounting"
import type { Rational } from "@dosimeter/core/exact"
import type { AnyKeySpec, Loss, Neighbours, Norm, TopKeysSpec, TopKSpec } from "@dosimeter/core/mechanisms"
import type { ConsentFacts } from "../catalog/catalog.ts"
import type { Constant } from "../catalog/constant.ts"
import type { ColumnId } from "./expr.ts"
import type { Measurement, Reading } from "./measurement.ts"
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
  /** Numbers are shown as they were measured: counts may be negative. */
  readonly raw?: true
  /** What the analyst should know: equalities that were added, rows that cannot count, reading rules. */
  readonly notes: readonly string[]
  /** Declared keys that the proof relies on: checked against the data when it is registered. */
  readonly reliesOn: readonly KeyFact[]
  /** Whose rows are read, where people decide that: every extract asks for it. */
  readonly consent?: ConsentUse
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
    /** Where all that a unit adds to sums is scaled to a norm instead: in whole numbers of its columns. */
    readonly scaled?: ScaledBounds
    /** Whether values are cut to bounds that were learnt: some may lie outside, and nobody knows how far. */
    readonly cutsValues?: true
  }
  readonly keys: KeyPlan
  /** What is drawn, each once. */
  readonly measurements: readonly Measurement[]
  /** The answer: one for each output column after the keys. */
  readonly readings: readonly Reading[]
  /**
   * The columns of the released rows: keys, the number of the grouping where there are several, readings.
   */
  readonly columns: readonly ColumnId[]
}

/** The norm that units are scaled to. */
export interface ScaledBounds {
  readonly norm: Norm
  readonly bound: bigint
  /** What scaling takes away from all units, where something is known of it. */
  readonly beyond?: LeftOutLength
  /** Whether it is that of the rows that a unit has at most, as the owner declares: said to people only. */
  readonly isCap?: true
}

/**
 * The length (L2) of the vector that scaling takes away from the answers, all units together: in whole
 * numbers of the scaled columns, as their bound is. Known from earlier releases, so it decides no privacy.
 */
export interface LeftOutLength {
  readonly estimate: Rational
  /** Proven, but with half of the probability that the plan's intervals may miss with. */
  readonly most?: Rational
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
  | PublicKeys
  /** Those that pass selection by a column of the first extract: units, their weights, or rows. */
  | { readonly kind: "private"; readonly units: ColumnId; readonly spec: AnyKeySpec }
  | TopPlan

/**
 * All listed combinations, whatever the data holds. One list for each key; NULL is listed where it may occur.
 */
export interface PublicKeys {
  readonly kind: "public"
  readonly lists: readonly (readonly Constant[])[]
  /** Where not every combination can be: those that can, each once. */
  readonly rows?: readonly (readonly Constant[])[]
  /** Where several groupings of these groups are shown in their place. */
  readonly groupings?: Groupings
}

/**
 * Several groupings of one table: every group of a grouping is a sum of the table's rows. After the keys,
 * NULL where a grouping has none, stands the number of the grouping.
 */
export interface Groupings {
  /** The places of each grouping's keys, in order. */
  readonly sets: readonly (readonly number[])[]
  /**
   * Where the rows are the leaves of a tree, in order: the places of the keys that the nodes of each level
   * agree in, none for the root and all for the leaves.
   */
  readonly levels?: readonly (readonly number[])[]
  /** Counts become whole numbers from 0 that still add up; intervals stay those of the estimates. */
  readonly nonNegative: boolean
}

/**
 * Those with the largest score, a column of the first extract: chosen from all listed combinations, or, where
 * there are no lists, from the keys that are there. Only the chosen groups are measured.
 */
export interface TopPlan {
  readonly kind: "top"
  readonly lists: readonly (readonly Constant[])[] | undefined
  readonly score: ColumnId
  /** The reading that is the score: its place in the release. */
  readonly reading: number
  readonly spec: TopKSpec | TopKeysSpec
}
