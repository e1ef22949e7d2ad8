// What the accuracy benchmark asks: a question for each task, the references that answer it too, and how far
// an answer is from the truth.

import type { Accounting } from "@dosimeter/core"
import type { DataSource } from "./bench-data.ts"
import type { Contender, Contest } from "./contest.ts"
import type { Lab, Value } from "../../packages/engine/src/testing/lab.ts"
import type { Loss, PlainNoise } from "./reference-noise.ts"

/** Where and at what loss a task is measured. */
export interface Setting {
  readonly lab: Lab
  readonly source: DataSource
  readonly epsilon: string
  readonly delta: string
  readonly groups: number
  readonly noise: PlainNoise
  /** Those of ours that are tried: an owner has one of them. */
  readonly accountings: readonly Accounting[]
}

/** A task: its contest in a setting, or why there is none. */
export interface Task {
  readonly name: string
  /** What the error is. */
  readonly error: string
  readonly contest: (setting: Setting) => Promise<Contest | string>
}

/** The loss of a setting, as the references take it. */
export function lossOf({ epsilon, delta }: Setting): Loss {
  return { epsilon: Number(epsilon), delta: Number(delta) }
}

/** Released rows. */
export type Rows = readonly (readonly Value[])[]

/** Ours under each accounting, or the code with which the question is refused. */
export async function ours(
  sql: string,
  { lab, epsilon, delta, groups, accountings }: Setting,
  errorOf: (rows: Rows) => number,
): Promise<readonly Contender[] | string> {
  const contenders: Contender[] = []
  let refusal = ""
  for (const accounting of accountings) {
    // References answer as they measure, too.
    const terms = { epsilon, delta, accounting, groups, quantileIntervals: false, nonNegative: false }
    const question = await lab.ask(sql, terms)
    if (typeof question === "string") refusal = question
    else contenders.push({ name: accounting, run: () => errorOf(question.release()) })
  }
  return contenders.length === 0 ? refusal : contenders
}

/** A number of a row; a missing one counts as `otherwise`. */
export function numberAt(row: readonly Value[] | undefined, column: number, otherwise = 0): number {
  const value = row?.[column] ?? otherwise
  return typeof value === "boolean" ? otherwise : Number(value)
}

/** The mean. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
