// The errors of @dosimeter/server. docs/errors.md lists every code; tools/docs.test.ts compares the two.

import { defineError, makeError, type DosimeterError, type ErrorDefinition } from "@dosimeter/core"

/** Every error that the server and the command can raise. */
export const serverErrors = {
  "cli/unknown-source": defineError<{ readonly source: string }>({
    kind: "invalid",
    message: ({ source }) => `nothing tells what kind of data ${source} is`,
    help: () => "give a .duckdb file, or files or patterns of one kind that end in .parquet, .csv or .ndjson",
  }),
  "cli/file-exists": defineError<{ readonly file: string }>({
    kind: "refused",
    message: ({ file }) => `${file} is there already`,
    help: () => "write elsewhere with --out FILE, look first with --print, or replace it with --force",
  }),
  "cli/no-file": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `there is no file ${file}`,
    help: () => "give the path of a policy, or make one with dosimeter init SOURCE",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of the server, stable for ever. */
export type ServerErrorCode = keyof typeof serverErrors

type FactsOf<Code extends ServerErrorCode> = Parameters<(typeof serverErrors)[Code]["message"]>[0]

/** Throws the error of one code. */
export function fail<Code extends ServerErrorCode>(code: Code, facts: FactsOf<Code>): never {
  throw errorOf(code, facts)
}

/** Makes the error of one code without throwing it. */
export function errorOf<Code extends ServerErrorCode>(code: Code, facts: FactsOf<Code>): DosimeterError {
  const definition: ErrorDefinition<FactsOf<Code>> = serverErrors[code] as ErrorDefinition<FactsOf<Code>>
  return makeError(definition, { code, facts })
}
