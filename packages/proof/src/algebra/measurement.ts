// What a release measures: noise on linear combinations of an exact table, or a noisy choice. Each
// measurement is drawn once and paid for once; readings say how the columns of the answer come from it.

import { unreachable } from "@dosimeter/core/errors"
import type { Rational } from "@dosimeter/core/exact"
import type {
  GaussianSpec,
  LaplaceSpec,
  MarginsSpec,
  MechanismSpec,
  MomentBasis,
  QuantilesSpec,
  RunningTotalSpec,
  SelectionSpec,
  TreeSpec,
} from "@dosimeter/core/mechanisms"
import type { Constant } from "../catalog/constant.ts"
import type { ColumnId } from "./expr.ts"

/** One draw of noise for all groups of a release: the only place where privacy is lost, beside the keys. */
export type Measurement = LinearMeasurement | ChoiceMeasurement

/** Noise on linear combinations of integer columns of one extract, a row for each group. */
export interface LinearMeasurement<Kind extends StrategyKind = StrategyKind> {
  readonly kind: "linear"
  /** Of the aggregate that pays for it. */
  readonly label: string
  readonly extract: number
  readonly columns: readonly MeasuredColumn[]
  /** What a step of the sums is worth. */
  readonly grid: Rational
  readonly strategy: Strategy<Kind>
}

/** A column of integers of an extract, and what it adds up. */
export interface MeasuredColumn {
  readonly id: ColumnId
  /** The house rule about small counts looks at units and rows. */
  readonly of: "units" | "rows" | "values" | "squares" | "distinct"
}

/** What is combined, with which noise on each combination, and what one unit moves (both in the spec). */
export type Strategy<Kind extends StrategyKind = StrategyKind> = {
  readonly [K in Kind]: { readonly kind: K } & Strategies[K]
}[Kind]

/** The names of the strategies. */
export type StrategyKind = keyof Strategies

interface Strategies {
  /** Every group of one column by itself. */
  readonly identity: { readonly spec: LaplaceSpec | GaussianSpec }
  /**
   * Number, sum and perhaps squares of the same values, in the coordinates of a basis: one vector for each
   * group. Columns: how many values, their sum in steps, and the sum of the squared distances from `from`.
   */
  readonly moments: {
    /** Every value lies between these, in steps of the grid. */
    readonly lower: bigint
    readonly upper: bigint
    readonly from: bigint
    readonly basis: MomentBasis
    readonly spec: LaplaceSpec | GaussianSpec
  }
  /**
   * Every group of some columns, of which all that a unit adds is scaled to one norm. Columns are sums of
   * weight times multiplier times amount; `worths` and `steps` are as many as columns.
   */
  readonly scaled: {
    /** What a whole number of each column is worth. */
    readonly worths: readonly Rational[]
    /** What a shown number of each column is a multiple of. */
    readonly steps: readonly Rational[]
    /** Columns that are coordinates of moments: numbers are read from several of them. */
    readonly moments?: readonly ScaledMoments[]
    /** Where averages are of so many rows of a unit in a group at most: all count alike in its own one. */
    readonly rowsPerGroup?: bigint
    readonly spec: LaplaceSpec | GaussianSpec
  }
  /** The parts of a table over all combinations of listed keys, of which all its margins are made. */
  readonly parts: { readonly spec: MarginsSpec }
  /** The total, and the comparisons of siblings at each level of a tree whose leaves are the groups. */
  readonly levels: { readonly spec: TreeSpec }
  /**
   * A sum over some of the groups so far for each group, in the order of their list: totals up to each group
   * are read from these. Drawn step by step, each group from the data as it is when its period is over.
   */
  readonly totals: { readonly spec: RunningTotalSpec }
}

/**
 * Moments of one value in a vector whose units are scaled: the coordinates of a basis stand in columns of the
 * measurement, and number, sum and squares are read at these places, in this order.
 */
export interface ScaledMoments {
  readonly places: readonly number[]
  readonly lower: bigint
  readonly upper: bigint
  readonly from: bigint
  readonly basis: MomentBasis
}

/** A table with an entry for every strategy: a new strategy does not compile until it has one. */
export type ForStrategies<Args extends readonly unknown[], Result> = {
  readonly [K in StrategyKind]: (measurement: LinearMeasurement<K>, ...args: Args) => Result
}

/** A noisy choice in each group, from its histogram: columns cell and count of an extract. */
export interface ChoiceMeasurement<Kind extends ChoiceKind = ChoiceKind> {
  readonly kind: "choice"
  readonly label: string
  readonly extract: number
  readonly cell: ColumnId
  readonly count: ColumnId
  readonly choice: Choice<Kind>
}

/** What is chosen, and how. */
export type Choice<Kind extends ChoiceKind = ChoiceKind> = {
  readonly [K in Kind]: { readonly kind: K } & Choices[K]
}[Kind]

/** The names of the choices. */
export type ChoiceKind = keyof Choices

interface Choices {
  /** Quantiles: cells of equal width. */
  readonly quantiles: {
    readonly from: Rational
    readonly width: Rational
    readonly cellValue: "middle" | "start"
    readonly spec: QuantilesSpec
  }
  /** The most frequent value, by its count: a cell for each value. */
  readonly mode: { readonly values: readonly Constant[]; readonly spec: SelectionSpec }
}

/** A table with an entry for every choice: a new choice does not compile until it has one. */
export type ForChoices<Args extends readonly unknown[], Result> = {
  readonly [K in ChoiceKind]: (measurement: ChoiceMeasurement<K>, ...args: Args) => Result
}

/** How one output column comes about, at no further loss. */
export type Reading = LinearReading | ChosenReading | KeyCountReading

/** The noisy value of a column of a linear measurement. */
export interface LinearReading {
  readonly kind: "linear"
  readonly label: string
  /** Places in the release's measurements, and in the measurement's columns. */
  readonly measurement: number
  readonly column: number
  /** In whole steps: for numbers that are shown. Otherwise it is only worked with. */
  readonly isWhole: boolean
}

/** A chosen value; of several that are chosen together, the one at a place. */
export interface ChosenReading {
  readonly kind: "chosen"
  readonly label: string
  readonly measurement: number
  readonly part: number
}

/** The count of units, or of rows, that key selection has released. */
export interface KeyCountReading {
  readonly kind: "key-count"
  readonly label: string
}

/** The mechanism of a measurement. */
export function specOf(measurement: Measurement): MechanismSpec {
  return measurement.kind === "linear" ? measurement.strategy.spec : measurement.choice.spec
}

/** Whether a column counts units or rows: what the house rule about small counts looks at. */
export function isCount({ of }: Pick<MeasuredColumn, "of">): boolean {
  return of === "units" || of === "rows"
}

/** How many values a choice gives in each group. */
export function choiceWidth({ choice }: ChoiceMeasurement): number {
  switch (choice.kind) {
    case "quantiles":
      return choice.spec.quantiles.length
    case "mode":
      return 1
    default:
      return unreachable(choice)
  }
}

/** How many cells the histogram of a choice has. */
export function choiceCells({ choice }: ChoiceMeasurement): number {
  switch (choice.kind) {
    case "quantiles":
      return Number(choice.spec.cells)
    case "mode":
      return choice.values.length
    default:
      return unreachable(choice)
  }
}

/** Whether a measurement is of one strategy. */
export function hasStrategy<Kind extends StrategyKind>(
  measurement: Measurement | undefined,
  kind: Kind,
): measurement is LinearMeasurement<Kind> {
  return measurement?.kind === "linear" && measurement.strategy.kind === kind
}

/** Whether a measurement is of one choice. */
export function hasChoice<Kind extends ChoiceKind>(
  measurement: Measurement | undefined,
  kind: Kind,
): measurement is ChoiceMeasurement<Kind> {
  return measurement?.kind === "choice" && measurement.choice.kind === kind
}

/** Whether a measurement is of all rows, weighed. */
export function isWeighed(measurement: Measurement): measurement is ChoiceMeasurement<"quantiles"> {
  return hasChoice(measurement, "quantiles") && measurement.choice.spec.full !== undefined
}
