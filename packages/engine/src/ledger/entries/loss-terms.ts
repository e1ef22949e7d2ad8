// Two meanings of losses compared: the names under which they differ, and whether old and new losses still
// add up.

import type { LossTerms } from "./entry.ts"

/** The name under which terms say where the data is. */
export const sourceTerm = "source"

/** A name under which two terms say different things. */
export interface TermsChange {
  readonly name: string
  readonly was: string
  readonly is: string
}

/**
 * The names under which both say something, and not the same. A name that only one has is no change: tables
 * are added and removed.
 */
export function termsChanges(was: LossTerms, is: LossTerms): readonly TermsChange[] {
  return Object.entries(is).flatMap(([name, text]) => {
    const before = Object.hasOwn(was, name) ? was[name] : undefined
    return before === undefined || before === text ? [] : [{ name, was: before, is: text }]
  })
}

/** Whether losses under both add up: they differ in nothing but the place of the data. */
export function keepsMeaning(was: LossTerms | undefined, is: LossTerms): boolean {
  return termsChanges(was ?? {}, is).every(({ name }) => name === sourceTerm)
}

/** What holds after a change: all names, the new text where both have one. */
export function changedTerms(was: LossTerms | undefined, is: LossTerms): LossTerms {
  return { ...was, ...is }
}

/** Whether terms say more than is recorded. */
export function addsTerms(was: LossTerms, is: LossTerms): boolean {
  return Object.keys(is).some((name) => !Object.hasOwn(was, name))
}
