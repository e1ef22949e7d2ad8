// What rounds of measurements are: which tables are asked for, with which share of the loss, and what came
// back.

import type { CoarserTable } from "./cell-places.ts"

/** A column of codes. */
export interface Attribute {
  readonly name: string
  readonly size: number
  readonly isOrdered: boolean
  /** Whether the last code is a value that is missing. */
  readonly hasMissing: boolean
}

/** Codes of some attributes that never come together. */
export interface Rule {
  readonly attributes: readonly number[]
  readonly isImpossible: (codes: readonly number[]) => boolean
}

/** What is to be made. */
export interface SyntheticSpec {
  readonly attributes: readonly Attribute[]
  readonly rules: readonly Rule[]
  /** Pairs with this attribute count twice. */
  readonly target?: number | undefined
  /** Decides which rows are drawn to see what a model says, and so which pairs are chosen. */
  readonly seed: string
  /** The share of the loss that each round has; `roundShares` if left out. Without one there is no round. */
  readonly rounds?: RoundShares | undefined
  /** Close pairs that never close a circle, and nothing beside them: to compare with such methods. */
  readonly isTree?: boolean
}

/** Shares of rounds. */
export type RoundShares = Readonly<Partial<Record<RoundName, number>>>

/** A table that is asked for: attributes, groups of their values, and its share of the whole loss. */
export interface TableRequest extends CoarserTable {
  readonly attributes: readonly number[]
  readonly groups: readonly (readonly number[])[]
  readonly share: number
}

/** What the rounds are for, in order. */
export const roundNames = ["columns", "rough pairs", "close pairs", "more close pairs", "check"] as const

/** One of these. */
export type RoundName = (typeof roundNames)[number]

/** Tables that are measured together. */
export interface Round {
  readonly name: RoundName
  readonly tables: readonly TableRequest[]
}

/** One that was measured: noisy counts, and the variance of the noise of each. */
export interface NoisyTable extends TableRequest {
  readonly round: RoundName
  readonly counts: Float64Array
  readonly variance: number
}

/** How the loss is shared out between the rounds. */
export const roundShares: RoundShares = {
  columns: 0.28,
  "rough pairs": 0.2,
  "close pairs": 0.25,
  "more close pairs": 0.17,
  check: 0.1,
}
