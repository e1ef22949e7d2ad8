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

/** A package's table: code -> row. */
export type ErrorTable = Readonly<Record<string, ErrorDefinition<never>>>

/** Makes the error of a code without throwing it, with its place in the text where there is one. */
export type ErrorMaker<Table extends ErrorTable> = <Code extends keyof Table & string>(
  code: Code,
  facts: Parameters<Table[Code]["message"]>[0],
  at?: Span,
) => DosimeterError

/** Throws the error of a code. */
export type Fail<Table extends ErrorTable> = <Code extends keyof Table & string>(
  code: Code,
  facts: Parameters<Table[Code]["message"]>[0],
  at?: Span,
) => never

/** The maker of a table's errors. */
export function errorMaker<Table extends ErrorTable>(table: Table): ErrorMaker<Table> {
  return (code, facts, at) => {
    // The row is as its code says; which one it is cannot be told from the type of the whole table.
    const definition = table[code] as ErrorDefinition<typeof facts & Record<string, string>>
    return makeError(definition, { code, facts, ...(at === undefined ? {} : { at }) })
  }
}
