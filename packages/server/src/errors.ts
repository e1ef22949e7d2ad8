// The errors of @dosimeter/server. docs/errors.md lists every code; tools/docs.test.ts compares the two.

import { defineError, errorMaker, type ErrorDefinition, type ErrorMaker, type Fail } from "@dosimeter/core"

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
    help: () => "give the path of a file that is there; a policy is made by dosimeter init SOURCE",
  }),
  "cli/usage": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => what,
    help: () => "see dosimeter --help, and dosimeter COMMAND --help for its options and examples",
  }),
  "cli/bad-option": defineError<{ readonly option: string; readonly got: string; readonly wanted: string }>({
    kind: "invalid",
    message: ({ option, got, wanted }) => `${option} is ${got}, and should be ${wanted}`,
    help: ({ option, wanted }) => `give ${option} ${wanted}`,
  }),
  "cli/rho-elsewhere": defineError<{ readonly accounting: string }>({
    kind: "invalid",
    message: ({ accounting }) => `--rho is for budgets that add up zcdp, and this one adds up ${accounting}`,
    help: () => "say what to spend as --epsilon",
  }),
  "cli/stopped": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the question was stopped before it was asked",
    help: () => "ask again; nothing was charged",
  }),
  "cli/not-confirmed": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "nobody agreed to the charge, so nothing was released",
    help: () => "answer y, or give --yes where nobody can be asked",
  }),
  "cli/series-append-only": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a series needs data to which rows are added, and from which none is removed or changed",
    help: () => "if the owner can promise that for its whole horizon, give --append-only",
  }),
  "cli/no-ledger": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `there is no ledger ${file}`,
    help: () => "ask a question first: the ledger begins with it",
  }),
  "cli/ledger-unsound": defineError<{ readonly position: string; readonly what: string }>({
    kind: "refused",
    message: ({ position, what }) => `the ledger is not sound at entry ${position}: ${what}`,
    help: () => "restore the newest intact copy of the ledger; nothing is answered before",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of the server, stable for ever. */
export type ServerErrorCode = keyof typeof serverErrors

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof serverErrors> = errorMaker(serverErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof serverErrors> = (...error) => {
  throw errorOf(...error)
}
