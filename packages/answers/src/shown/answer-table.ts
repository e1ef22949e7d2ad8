// What leaves as an answer: columns, rows with intervals and states. Plain data, the same at every door.

import type { AnswerNote } from "./answer-note.ts"

/** A value: a JSON number where that is exact, a text otherwise. */
export type AnswerValue = string | number | boolean | null

/**
 * One cell. Without noise there is no interval; an end that is null is not bounded. The interval is of the
 * noise, and of what bounding left out where its column says so.
 */
export interface AnswerCell {
  readonly value: AnswerValue
  readonly low?: AnswerValue
  readonly high?: AnswerValue
  /** The interval of the noise alone, where what bounding left out is in the other one. */
  readonly noiseLow?: AnswerValue
  readonly noiseHigh?: AnswerValue
  /** Of a number with noise of its own: what bounding may have left out, at most; null if not bounded. */
  readonly leftOut?: AnswerValue
  readonly state: "released" | "below-threshold"
}

/**
 * What the intervals of a column say of bounding: everything counts; what is left out is in them, proven or
 * as an estimate; it is too much for an estimate, so an end is open; or they are of the noise alone.
 */
export const boundingWords = ["all-counts", "proven", "estimate", "too-much", "noise-only"] as const

/** One of these. */
export type BoundingWord = (typeof boundingWords)[number]

/** One column: a group key, a number with noise of its own, or something worked out from such numbers. */
export interface AnswerColumn {
  readonly name: string
  readonly type: string
  readonly kind: "key" | "noisy" | "derived"
  /** Of a noisy column: its mechanism and what decides its noise. */
  readonly mechanism?: string
  readonly scale?: AnswerValue
  readonly grid?: AnswerValue
  readonly sensitivity?: AnswerValue
  /** Of a column with intervals. */
  readonly bounding?: BoundingWord
}

/** The answer to a question. */
export interface AnswerTable {
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly (readonly AnswerCell[])[]
  /** What must be known to read the numbers: what intervals cover, which groups are not shown. */
  readonly notes?: readonly AnswerNote[]
  /** Of answers that were recorded while that could be asked for: what bounding was said to take away. */
  readonly bias?: readonly BiasNote[]
}

/** A number about what is left out, with an interval, and what it said. */
export interface BiasNote {
  readonly text: string
  /** A share from 0 to 1, or an amount; null where it cannot be told. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}
