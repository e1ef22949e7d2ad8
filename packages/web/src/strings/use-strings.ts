// The language of the pages: chosen by the person, else by the browser.

import { createContext, use } from "react"
import { en, type Strings } from "./en.ts"
import { zh } from "./zh.ts"

/** The languages that there are. */
export type Language = "en" | "zh"

/** The catalogues. */
export const catalogues: Readonly<Record<Language, Strings>> = { en, zh }

/** As browsers and Intl know the languages. */
export const locales: Readonly<Record<Language, string>> = { en: "en", zh: "zh-Hans" }

/** The language of everything below. */
export const LanguageContext = createContext<Language>("en")

/** The texts in the language of the page. */
export function useStrings(): Strings {
  return catalogues[use(LanguageContext)]
}

/** The locale for numbers and dates. */
export function useLocale(): string {
  return locales[use(LanguageContext)]
}

/** The first language of a browser's list that there is. */
export function preferredLanguage(wanted: readonly string[]): Language {
  const first = wanted.find((name) => /^(en|zh)\b/i.test(name))
  return first?.toLowerCase().startsWith("zh") === true ? "zh" : "en"
}
