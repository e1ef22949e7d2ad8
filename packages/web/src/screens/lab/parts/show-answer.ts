// The right answer of an exercise as people read it.

import type { ChapterWords } from "../../../strings/lab-texts.ts"
import type { Exercise } from "./chapter.ts"

/** The answer, in three digits or in the words of the choice. */
export function showAnswer(exercise: Exercise, words: ChapterWords, locale: string): string {
  return exercise.kind === "number"
    ? exercise.answer().toLocaleString(locale, { maximumSignificantDigits: 3 })
    : (words.exercise.options?.[exercise.answer()] ?? exercise.answer())
}
