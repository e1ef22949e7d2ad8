// A package's errors are one typed table: code -> kind, message, help. Nobody writes a message where it is
// thrown, so the wording is reviewed in one place and docs/errors.md can be compared with it both ways.

import { DosimeterError, type ErrorKind, type Issue, type Span } from "./dosimeter-error.ts"

/** What the table says about one code; `Facts` are the names that the message needs. */
export interface ErrorDefinition<Facts extends Record<string, string>> {
  readonly kind: ErrorKind
  readonly message: (facts: Facts) => string
  readonly help?: (facts: Facts) => string
}

/** Declares one row of the table with its facts typed. */
export function defineError<Facts extends Record<string, string>>(
  definition: ErrorDefinition<Facts>,
): ErrorDefinition<Facts> {
  return definition
}

/** Makes the error of one row, ready to be thrown. */
export function makeError<Facts extends Record<string, string>>(
  definition: ErrorDefinition<Facts>,
  options: { readonly code: string; readonly facts: Facts; readonly at?: Span; readonly cause?: unknown },
): DosimeterError {
  const { code, facts, at, cause } = options
  const issue: Issue = {
    code,
    message: definition.message(facts),
    facts,
    ...(definition.help === undefined ? {} : { help: definition.help(facts) }),
    ...(at === undefined ? {} : { at }),
  }
  return new DosimeterError(definition.kind, [issue], cause === undefined ? undefined : { cause })
}
