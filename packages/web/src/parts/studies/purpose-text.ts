// A purpose in the language of the page. A code that is new here has the name that the server gives it.

import type { PurposeText } from "../../strings/en/purposes.ts"
import { useStrings } from "../../strings/use-strings.ts"

/** Gives the text of a purpose by its code, and what to say where the code is not known. */
export function usePurposeText(): (code: string, otherwise?: string) => PurposeText {
  const { purposes } = useStrings()
  const known = new Map<string, PurposeText>(Object.entries(purposes))
  return (code, otherwise = code) => known.get(code) ?? { name: otherwise, means: "" }
}
