// The errors of @dosimeter/sql. docs/errors.md lists every code; tools/docs.test.ts compares the two.

import { defineError, makeError, type DosimeterError, type ErrorDefinition, type Span } from "@dosimeter/core"

interface Limited extends Record<string, string> {
  readonly got: string
  readonly limit: string
}

/** Every error that sql can raise. */
export const sqlErrors = {
  "sql/syntax": defineError<{ readonly reason: string }>({
    kind: "invalid",
    message: ({ reason }) => reason,
    help: () => "correct the SQL at the mark; the language is that of PostgreSQL 18",
  }),
  "sql/too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) => `the SQL has ${got} bytes, and ${limit} are allowed`,
    help: () => "shorten it: put long lists of values into a public table and join it",
  }),
  "sql/too-deep": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the SQL is nested too deeply",
    help: () => "name inner queries in WITH, write IN lists for long chains of operators, drop parentheses",
  }),
  "sql/bad-character": defineError<{ readonly character: string }>({
    kind: "invalid",
    message: ({ character }) => `the SQL holds ${character}, which is not text`,
    help: () => "remove the character at the mark",
  }),
  "sql/name-too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) =>
      `this name has ${got} bytes, and PostgreSQL would silently cut it to ${limit}`,
    help: ({ limit }) => `use a name of at most ${limit} bytes`,
  }),
  "sql/several-statements": defineError<{ readonly count: string }>({
    kind: "invalid",
    message: ({ count }) => `there are ${count} statements, and one is answered at a time`,
    help: () => "send each statement by itself",
  }),
  "sql/no-statement": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "there is no statement in the SQL",
    help: () => "write a query, such as SELECT COUNT(*) FROM visits",
  }),
  "sql/not-a-query": defineError<{ readonly statement: string }>({
    kind: "invalid",
    message: ({ statement }) => `${statement} is not a query, and only queries are answered`,
    help: () => "ask with SELECT, WITH ... SELECT or VALUES, or put EXPLAIN before one of them",
  }),
  "sql/unsupported-syntax": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "unsupported",
    message: ({ what }) => `${what} is not supported`,
    help: ({ remedy }) => remedy,
  }),
  "sql/grammar-failed": defineError<Record<string, string>>({
    kind: "bug",
    message: () => "the PostgreSQL grammar stopped without an answer",
    help: () => "please report this with the SQL, and load the grammar again; no answer was released",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of sql, stable for ever. */
export type SqlErrorCode = keyof typeof sqlErrors

type FactsOf<Code extends SqlErrorCode> = Parameters<(typeof sqlErrors)[Code]["message"]>[0]

/** Throws the error of one code, with its place in the SQL where there is one. */
export function fail<Code extends SqlErrorCode>(code: Code, facts: FactsOf<Code>, at?: Span): never {
  throw errorOf(code, facts, at)
}

/** Makes the error of one code without throwing it. */
export function errorOf<Code extends SqlErrorCode>(
  code: Code,
  facts: FactsOf<Code>,
  at?: Span,
): DosimeterError {
  const definition: ErrorDefinition<FactsOf<Code>> = sqlErrors[code] as ErrorDefinition<FactsOf<Code>>
  return makeError(definition, { code, facts, ...(at === undefined ? {} : { at }) })
}
