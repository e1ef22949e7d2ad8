// What a chapter of the Lab is: something to move, and an exercise whose answer the real code works out.

import type { ComponentType } from "react"
import type { ChapterId } from "../../../strings/lab-texts.ts"

/** A chapter; its words are in the texts of the Lab, under the same id. */
export interface Chapter {
  readonly id: ChapterId
  /** The thing to move, with its picture. */
  readonly Play: ComponentType
  readonly exercise: Exercise
}

/** What is asked at the end, and what the right answer is. */
export type Exercise =
  | { readonly kind: "number"; readonly answer: () => number; readonly tolerance: number }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly answer: () => string }

/** Whether an answer is right: `undefined` if it cannot be read. */
export function isRight(exercise: Exercise, given: string): boolean | undefined {
  if (exercise.kind === "choice")
    return exercise.options.includes(given) ? given === exercise.answer() : undefined
  const value = readNumber(given)
  if (value === undefined) return undefined
  const answer = exercise.answer()
  return Math.abs(value - answer) <= exercise.tolerance * Math.abs(answer) + 1e-9
}

/** A number as people type it: "0.5", "0,5", "1 000", "25 %". */
export function readNumber(text: string): number | undefined {
  const plain = text.trim().replace(/\s*%$/, "").replaceAll(/\s/g, "").replace(",", ".")
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
