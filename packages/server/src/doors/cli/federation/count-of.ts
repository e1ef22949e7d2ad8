// Counts and times in options.

import { fail } from "../../../errors.ts"

/** The number that an option gives. */
export function countOf(option: string, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  return fail("cli/bad-option", { option, got: text, wanted: "a whole number" })
}

/** The length of time that an option gives, in its own unit; parts such as 0.5 are allowed. */
export function timeOf(option: string, text: string): number {
  if (/^\d{1,4}(\.\d{1,4})?$/.test(text) && Number(text) > 0) return Number(text)
  return fail("cli/bad-option", { option, got: text, wanted: "a number above 0, such as 0.5" })
}
