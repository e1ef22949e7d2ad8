// What losses mean, compared: which names say otherwise, and whether old and new losses add up all the same.

import type { LossTerms } from "./entry.ts"

/** The name under which terms say where the data is. */
export const sourceTerm = "source"

/** A name under which two terms say different things. */
export interface TermsChange {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** Where both say something, and not the same. What only one names is no change: tables come and go. */
export function termsChanges(was: LossTerms, is: LossTerms): readonly TermsChange[] {
  return Object.entries(is).flatMap(([name, text]) => {
    const before = Object.hasOwn(was, name) ? was[name] : undefined
    return before === undefined || before === text ? [] : [{ name, was: before, is: text }]
  })
}

/** Whether losses of both add up: nothing says otherwise but where the data is. */
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
