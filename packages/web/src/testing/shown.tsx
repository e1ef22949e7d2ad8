// What a part of a screen shows, as a person reads it: for tests, without a browser.

import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { LanguageContext, type Language } from "../strings/use-strings.ts"

/** The languages of the screens. */
export const languages: readonly Language[] = ["en", "zh"]

/** The markup of a part in a language. */
export function markupOf(part: ReactNode, language: Language = "en"): string {
  return renderToStaticMarkup(<LanguageContext value={language}>{part}</LanguageContext>)
}

/** Its texts, one line each. */
export function textOf(part: ReactNode, language: Language = "en"): string {
  return linesOf(markupOf(part, language))
}

/** The texts in markup, one line each. */
export function linesOf(markup: string): string {
  return markup
    .replace(/<!--.*?-->/g, "")
    .replace(/<(br|wbr)\/?>/g, "")
    .replace(/<[^>]+>/g, "\n")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")
}
