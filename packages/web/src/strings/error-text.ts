// Errors in the language of the page. English is what the error says itself; other languages have texts by
// code, into which the error's facts are put. Where a text or a fact is missing, the English stands.

import { compilerErrorsZh, type ErrorText } from "./zh/compiler-errors.ts"
import { federationErrorsZh } from "./zh/federation-errors.ts"
import { serverErrorsZh } from "./zh/server-errors.ts"
import { syntheticErrorsZh, trainingErrorsZh } from "./zh/learning-errors.ts"
import type { Language } from "./use-strings.ts"

/** One thing that is wrong. */
export interface SaidError {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  /** The names behind the message. */
  readonly facts?: Readonly<Record<string, string>> | undefined
}

/** The texts of a language by code; English needs none. */
export const errorTexts: Readonly<Record<Language, Readonly<Record<string, ErrorText>>>> = {
  en: {},
  zh: {
    ...compilerErrorsZh,
    ...serverErrorsZh,
    ...federationErrorsZh,
    ...syntheticErrorsZh,
    ...trainingErrorsZh,
  },
}

/** What an error says, in a language. */
export function errorText(error: SaidError, language: Language) {
  const text = errorTexts[language][error.code]
  const said = (template: string | undefined): string | undefined =>
    template === undefined ? undefined : filled(template, error.facts ?? {})
  return {
    message: said(text?.message) ?? error.message,
    help: error.help === undefined ? undefined : (said(text?.help) ?? error.help),
  }
}

/** A template with its facts, unless one is missing or empty. */
function filled(template: string, facts: Readonly<Record<string, string>>): string | undefined {
  const known = new Map(Object.entries(facts))
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  if (names.some((name) => (known.get(name) ?? "") === "")) return undefined
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => known.get(name) ?? "")
}
