// The errors of @dosimeter/server. docs/errors.md lists every code; tools/rules/docs.test.ts compares the
// two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"
import { federationErrors } from "./federation-errors.ts"
import { governanceErrors } from "./governance-errors.ts"
import { requestErrors } from "./request-errors.ts"

/** Every error that the server and the command can raise. */
export const serverErrors = {
  ...requestErrors,
  ...governanceErrors,
  ...federationErrors,
  "cli/unknown-source": defineError<{ readonly source: string }>({
    kind: "invalid",
    message: ({ source }) => `nothing tells what kind of data ${source} is`,
    help: () =>
      "give a .duckdb file, files or patterns of one kind that end in .parquet, .csv or .ndjson, or postgres://ROLE@HOST/DATABASE",
  }),
  "cli/file-exists": defineError<{ readonly file: string; readonly elsewhere: string }>({
    kind: "refused",
    message: ({ file }) => `${file} is there already`,
    help: ({ elsewhere }) => `${elsewhere}, or replace it with --force`,
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
    message: ({ accounting }) => `rho is for budgets that add up zcdp, and this one adds up ${accounting}`,
    help: () => "say what to spend as epsilon",
  }),
  "cli/stopped": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "it was stopped before anything was asked",
    help: () => "begin again: nothing was charged, and copies that are finished are kept",
  }),
  "cli/not-confirmed": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "nobody agreed to the charge, so nothing was released",
    help: () => "answer y, or give --yes where nobody can be asked",
  }),
  "cli/series-append-only": defineError<Record<string, string>>({
    kind: "refused",
    message: () =>
      "a series is for data to which rows are added: whose rows are changed or removed counts no more",
    help: () => "if that is so for most rows over its whole horizon, give --append-only",
  }),
  "cli/no-ledger": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `there is no ledger ${file}`,
    help: () => "ask a question first: the ledger begins with it",
  }),
  "cli/store-password": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the address given by --store holds a password, which everybody on this machine can see",
    help: () => "leave it out, and set PGPASSWORD; or set DOSIMETER_STORE to the whole address",
  }),
  "cli/no-store": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "no shared store is named, and a ledger in a file is not joined or moved",
    help: () => "name it: --store postgres://ROLE@HOST/DATABASE, or set DOSIMETER_STORE",
  }),
  "cli/state-not-empty": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "the shared store holds accounts already",
    help: () => "move into another database; two sets of accounts cannot become one",
  }),
  "cli/ledger-unsound": defineError<{ readonly position: string; readonly what: string }>({
    kind: "refused",
    message: ({ position, what }) => `the ledger is not sound at entry ${position}: ${what}`,
    help: () => "restore the newest intact copy of the ledger; nothing is answered before",
  }),
  "account/exists": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is an account ${name} already`,
    help: ({ name }) => `choose another name, or set a new password: dosimeter user password ${name}`,
  }),
  "account/unknown": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no account ${name}`,
    help: () => "see who has one: dosimeter user list",
  }),
  "account/bad-name": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} cannot be the name of an account`,
    help: () => "begin with a lower-case letter; then letters, digits, dots, @, - and _, 63 at most",
  }),
  "account/short-password": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the password is too short",
    help: () => "take at least twelve characters; a few words are best",
  }),
  "account/no-right": defineError<{ readonly name: string; readonly right: string }>({
    kind: "refused",
    message: ({ name, right }) => `${name} may not ${right}`,
    help: () => "ask the owner of the dataset for another role",
  }),
  "study/exists": defineError<{ readonly study: string }>({
    kind: "invalid",
    message: ({ study }) => `there is a study ${study} already`,
    help: () => "choose another id",
  }),
  "campaign/unknown": defineError<{ readonly campaign: string }>({
    kind: "invalid",
    message: ({ campaign }) => `there is no campaign ${campaign}`,
    help: () => "check its address, or look at the list of campaigns",
  }),
  "campaign/exists": defineError<{ readonly campaign: string }>({
    kind: "invalid",
    message: ({ campaign }) => `there is a campaign ${campaign} already`,
    help: () => "choose another id; devices know a campaign by it for good",
  }),
  "campaign/bad-question": defineError<{ readonly question: string; readonly what: string }>({
    kind: "invalid",
    message: ({ question, what }) => `question ${question} cannot be asked: ${what}`,
    help: () => "give each question a name of its own, two or more different options, or two ends in order",
  }),
  "campaign/wrong-state": defineError<{
    readonly campaign: string
    readonly state: string
    readonly move: string
  }>({
    kind: "refused",
    message: ({ campaign, state, move }) => `campaign ${campaign} is ${state}, so one cannot ${move} it`,
    help: () => "a draft is published, an open one paused or closed, a paused one published again or closed",
  }),
  "campaign/not-open": defineError<{ readonly campaign: string; readonly state: string }>({
    kind: "refused",
    message: ({ campaign, state }) => `campaign ${campaign} takes no reports: it is ${state}`,
    help: () => "keep the report and send it when the campaign is open, or drop it",
  }),
  "campaign/full": defineError<{ readonly campaign: string; readonly most: string }>({
    kind: "refused",
    message: ({ campaign, most }) => `campaign ${campaign} has the ${most} reports that it was planned for`,
    help: () => "more reports than people mean fakes; plan a campaign for more people if there are more",
  }),
  "study/unknown": defineError<{ readonly study: string }>({
    kind: "invalid",
    message: ({ study }) => `there is no study ${study}`,
    help: () => "see which there are: dosimeter study list",
  }),
  "study/bad-proposal": defineError<{ readonly study: string; readonly what: string }>({
    kind: "invalid",
    message: ({ study, what }) => `the study ${study} cannot be proposed: ${what}`,
    help: () => "see dosimeter study propose --help for an example",
  }),
  "study/no-reasons": defineError<{ readonly study: string }>({
    kind: "invalid",
    message: ({ study }) => `no reasons are given for the study ${study}`,
    help: () => "say in a sentence why; everybody can read it",
  }),
  "study/not-allowed": defineError<{ readonly name: string; readonly move: string; readonly study: string }>({
    kind: "refused",
    message: ({ name, move, study }) => `${name} may not ${move} the study ${study}`,
    help: () =>
      "members propose, submit and close; the committee reviews others' studies; the owner activates",
  }),
  "study/wrong-state": defineError<{
    readonly study: string
    readonly state: string
    readonly move: string
    readonly from: string
  }>({
    kind: "refused",
    message: ({ study, state, move }) => `the study ${study} is ${state}, and cannot ${move} now`,
    help: ({ from, move }) => `only what is ${from} can ${move}`,
  }),
  "study/reviewed-already": defineError<{ readonly name: string; readonly study: string }>({
    kind: "refused",
    message: ({ name, study }) => `${name} has reviewed the study ${study} already`,
    help: () => "another member of the committee must agree",
  }),
  "study/not-a-member": defineError<{ readonly name: string; readonly study: string }>({
    kind: "refused",
    message: ({ name, study }) => `${name} does not belong to the study ${study}`,
    help: () => "ask in a study that you belong to",
  }),
  "study/not-active": defineError<{ readonly study: string; readonly why: string }>({
    kind: "refused",
    message: ({ study, why }) => `nothing can be asked in the study ${study}: ${why}`,
    help: () => "ask in an active study, or ask the owner",
  }),
  "study/none": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} belongs to no active study, and nothing can be asked outside of one`,
    help: () => "propose one: dosimeter study propose --help; the committee decides",
  }),
  "study/several": defineError<{ readonly names: string }>({
    kind: "invalid",
    message: ({ names }) => `there are several studies to ask in: ${names}`,
    help: () => "say which: SET dosimeter.study = 'NAME'",
  }),
  "serve/port-taken": defineError<{ readonly port: string; readonly option: string }>({
    kind: "unavailable",
    message: ({ port }) => `port ${port} is taken`,
    help: ({ option }) => `stop the other program, or choose another with ${option}`,
  }),
  "serve/no-certificate": defineError<{ readonly host: string }>({
    kind: "refused",
    message: ({ host }) => `connections from elsewhere to ${host} would not be encrypted`,
    help: () => "give --tls-cert and --tls-key, or serve this machine only: --host 127.0.0.1",
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
