// The texts of the Lab in the language of the page. They are long, so they come with the Lab and not with
// the first screen.

import { use } from "react"
import { labEn } from "./en/lab.ts"
import { labZh } from "./zh/lab.ts"
import { LanguageContext, type Language } from "./use-strings.ts"

/** The texts of the Lab in one language. */
export type LabTexts = typeof labEn

/** The name of a chapter. */
export type ChapterId = keyof LabTexts["chapters"]

/** What every chapter has, beside the words of its own pictures. */
export interface ChapterWords {
  readonly title: string
  /** In three sentences. */
  readonly idea: string
  readonly exercise: {
    readonly ask: string
    readonly right: (answer: string) => string
    readonly hint: string
    readonly options?: Readonly<Record<string, string>>
  }
  readonly proof: string
}

/** Both catalogues. */
export const labCatalogues: Readonly<Record<Language, LabTexts>> = { en: labEn, zh: labZh }

/** The texts in the language of the page. */
export function useLabTexts(): LabTexts {
  return labCatalogues[use(LanguageContext)]
}
