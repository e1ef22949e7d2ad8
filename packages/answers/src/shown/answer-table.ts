// What leaves as an answer: columns, rows with intervals and states. Plain data, the same at every door.

/** A value: a JSON number where that is exact, a text otherwise. */
export type AnswerValue = string | number | boolean | null

/** One cell. Without noise there is no interval; an end that is null is not bounded. */
export interface AnswerCell {
  readonly value: AnswerValue
  readonly low?: AnswerValue
  readonly high?: AnswerValue
  readonly state: "released" | "below-threshold"
}

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
}

/** The answer to a question. */
export interface AnswerTable {
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly (readonly AnswerCell[])[]
  /** What bounding and clamping took away, where that was asked for. */
  readonly bias?: readonly BiasNote[]
}

/** A number about what is left out, with an interval, and what it says. */
export interface BiasNote {
  readonly text: string
  /** A share from 0 to 1, or an amount; null where it cannot be told. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}
