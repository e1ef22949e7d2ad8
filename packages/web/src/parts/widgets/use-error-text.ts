// What went wrong, in the language of the page.

import { use } from "react"
import { errorText, type SaidError } from "../../strings/error-text.ts"
import { LanguageContext } from "../../strings/use-strings.ts"

/** Gives message and help of an error. */
export function useErrorText(): (error: SaidError) => ReturnType<typeof errorText> {
  const language = use(LanguageContext)
  return (error) => errorText(error, language)
}
