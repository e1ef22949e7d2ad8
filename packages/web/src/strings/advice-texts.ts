// Sentences of an advice that are made of its parts, a set a language: the English ones are those of the
// library.

import {
  boardFacts,
  boardParagraph,
  describeRequirement,
  waysOut,
  type Advice,
  type AdviceQuestion,
  type AskedOf,
  type BoardConflict,
} from "@dosimeter/core/meaning"
import { use } from "react"
import { LanguageContext, type Language } from "./use-strings.ts"
import { shortEn, shortWish, shortZh } from "./short-wish.ts"
import { boardSentencesZh, waysZh, wishZh } from "./advice-zh.ts"

/** What an advice says. */
export interface AdviceTexts {
  /** A wish, as a noun. */
  readonly wish: (requirement: AskedOf["requirement"]) => string
  /** The same in a few words, for a picture. */
  readonly short: (requirement: AskedOf["requirement"]) => string
  /** The ways out of a conflict, any one of which is enough. */
  readonly ways: (conflict: BoardConflict) => readonly string[]
  /** The paragraph for an ethics board. */
  readonly board: (advice: Advice, question: AdviceQuestion) => string
}

/** The texts of both languages. */
export const adviceTexts: Readonly<Record<Language, AdviceTexts>> = {
  en: {
    wish: describeRequirement,
    short: (requirement) => shortWish(requirement, shortEn),
    ways: (conflict) => waysOut(conflict).map((way) => `${way.charAt(0).toUpperCase()}${way.slice(1)}.`),
    board: (advice, question) => boardParagraph(advice, question).join(" "),
  },
  zh: {
    wish: wishZh,
    short: (requirement) => shortWish(requirement, shortZh),
    ways: waysZh,
    board: (advice, question) => boardSentencesZh(boardFacts(advice, question)).join(""),
  },
}

/** The texts in the language of the page. */
export function useAdviceTexts(): AdviceTexts {
  return adviceTexts[use(LanguageContext)]
}
