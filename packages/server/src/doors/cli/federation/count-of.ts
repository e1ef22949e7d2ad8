// Counts in options.

import { fail } from "../../../errors.ts"

/** The number that an option gives. */
export function countOf(option: string, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  return fail("cli/bad-option", { option, got: text, wanted: "a whole number" })
}
