// A purpose in the language of the page. A code without a text here has the name that the server sends.

import type { PurposeText } from "../../strings/en/purposes.ts"
import { useStrings } from "../../strings/use-strings.ts"

/** Returns a function from a code to its text; `otherwise` is the name of a code without a text. */
export function usePurposeText(): (code: string, otherwise?: string) => PurposeText {
  const { purposes } = useStrings()
  const known = new Map<string, PurposeText>(Object.entries(purposes))
  return (code, otherwise = code) => known.get(code) ?? { name: otherwise, means: "" }
}
