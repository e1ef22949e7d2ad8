// The errors of @dosimeter/engine. docs/errors.md lists every code; tools/rules/docs.test.ts compares the
// two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"

interface Account extends Record<string, string> {
  /** Whose budget: "the dataset", "the study cardio". */
  readonly account: string
}
interface Ledger extends Record<string, string> {
  /** The file. */
  readonly path: string
}

const acknowledgeCommand = "dosimeter ledger acknowledge --reason TEXT"

/** Every error that the engine can raise. */
export const engineErrors = {
  "budget/exhausted": defineError<Account & { readonly asked: string; readonly left: string }>({
    kind: "refused",
    message: ({ account, asked, left }) => `the question costs ${asked}, and ${account} has ${left} left`,
    help: ({ left }) => `ask for less (what is left is ${left}), or ask the owner for a larger budget`,
  }),
  "synthetic/what": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `synthetic rows cannot be made of this: ${what}`,
    help: () =>
      "name a table of the policy, its columns, and perhaps a second table with rows of the same units",
  }),
  "synthetic/several-rows": defineError<{ readonly table: string }>({
    kind: "unsupported",
    message: ({ table }) =>
      `nothing proves that a unit has one row in ${table}, so its rows cannot be measured as they are`,
    help: () =>
      "give the table of the units, and this one as the table of their rows (--rows-of), or a SELECT with GROUP BY the unit's id",
  }),
  "synthetic/needs-gaussian": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () =>
      "synthetic rows are measured in many tables, and a budget in pure epsilon would be used up by them",
    help: () => "ask the owner for a budget with accounting: gdp or accounting: zcdp",
  }),
  "training/unknown-model": defineError<{ readonly model: string; readonly served: string }>({
    kind: "unsupported",
    message: ({ model }) => `there is no model called ${model} here`,
    help: ({ served }) => `models that are served: ${served}`,
  }),
  "training/no-target": defineError<{ readonly target: string }>({
    kind: "invalid",
    message: ({ target }) => `the SELECT has no column ${target} to be told`,
    help: ({ target }) => `add ${target} to the columns of the SELECT, beside the features`,
  }),
  "training/needs-target": defineError<{ readonly model: string }>({
    kind: "invalid",
    message: ({ model }) => `a model of kind ${model} tells one column by the others, and none is named`,
    help: () => "name the column of the SELECT that is to be told as its target",
  }),
  "training/without-target": defineError<{ readonly model: string }>({
    kind: "invalid",
    message: ({ model }) => `${model} tells no column, so it has no target`,
    help: () => "leave the target out: all columns of the SELECT are alike",
  }),
  "training/no-count": defineError<{ readonly model: string }>({
    kind: "invalid",
    message: ({ model }) => `a model of kind ${model} has no number of components or groups`,
    help: () => "leave the count out: it is for components and k-means",
  }),
  "training/same-name": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `two columns are called ${name}`,
    help: ({ name }) => `give one of them another name: SELECT ${name} AS other_name`,
  }),
  "training/no-number": defineError<{ readonly name: string; readonly type: string }>({
    kind: "unsupported",
    message: ({ name, type }) =>
      `${name} is of type ${type} without listed values, and a model reads numbers`,
    help: ({ name }) =>
      `leave ${name} out, or make a number of it, such as EXTRACT(YEAR FROM ${name}), or ask the owner to list its values`,
  }),
  "training/not-rows": defineError<{ readonly unit: string }>({
    kind: "unsupported",
    message: ({ unit }) => `this SELECT gives no rows of its own to each ${unit}`,
    help: ({ unit }) =>
      `select columns of a table with one row for each ${unit}, or GROUP BY the id of the ${unit}`,
  }),
  "training/several-rows": defineError<{ readonly unit: string }>({
    kind: "unsupported",
    message: ({ unit }) => `nothing proves that each ${unit} has one row in this SELECT`,
    help: ({ unit }) =>
      `take one row for each ${unit}: a table whose key is the ${unit}, or GROUP BY the id of the ${unit}`,
  }),
  "training/needs-gaussian": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () => "a model is trained in many rounds, and a budget in pure epsilon would be used up by them",
    help: () => "ask the owner for a budget with accounting: gdp or accounting: zcdp",
  }),
  "training/rounds": defineError<{ readonly got: string; readonly least: string; readonly most: string }>({
    kind: "invalid",
    message: ({ got, least, most }) => `such a training has ${least} to ${most} rounds, not ${got}`,
    help: () => "leave the rounds out: the usual number works for most models",
  }),
  "training/no-model": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `${file} holds no model that was trained here`,
    help: () => "name a file that dosimeter train --out has written",
  }),
  "ledger/unknown-account": defineError<Account>({
    kind: "refused",
    message: ({ account }) => `${account} has no account in the ledger`,
    help: () => "ask the owner to state a budget for it in the policy",
  }),
  "ledger/budget-differs": defineError<Account & { readonly recorded: string; readonly given: string }>({
    kind: "refused",
    message: ({ account, recorded, given }) =>
      `the ledger holds a budget of ${recorded} for ${account}, and the policy says ${given}`,
    help: () => "put the old budget back, or let two people agree: dosimeter budget raise --help",
  }),
  "ledger/accounting-differs": defineError<Account & { readonly got: string; readonly expected: string }>({
    kind: "invalid",
    message: ({ account, got, expected }) =>
      `${account} adds up losses as ${expected}, and this one is stated as ${got}`,
    help: ({ expected }) => `write accounting: ${expected}; it cannot change once a ledger has begun`,
  }),
  "ledger/request-known": defineError<{ readonly request: string }>({
    kind: "refused",
    message: ({ request }) => `request ${request} was charged already`,
    help: () => "it is being answered: send it again in a while, and its answer is there, or it has failed",
  }),
  "ledger/request-failed": defineError<{ readonly request: string }>({
    kind: "unavailable",
    message: ({ request }) => `request ${request} was charged, and failed or was stopped`,
    help: () => "the charge stands; ask under another request id to pay for an answer",
  }),
  "ledger/door-closed": defineError<{ readonly principal: string; readonly position: string }>({
    kind: "refused",
    message: ({ principal, position }) =>
      `a question of ${principal} failed after it was charged (entry ${position}), so nothing new is answered to ${principal}`,
    help: ({ position }) =>
      `ask the owner, who looks at it and then types: dosimeter incidents acknowledge ${position} --reason "..."; earlier answers can be read`,
  }),
  "ledger/untold": defineError<{ readonly position: string }>({
    kind: "refused",
    message: ({ position }) =>
      `this question failed after it was charged (entry ${position}), in a study whose answers wait for an approval`,
    help: () =>
      "see what it was: dosimeter incidents; when you have acknowledged it, the question can be asked anew",
  }),
  "reuse/held": defineError<{ readonly position: string }>({
    kind: "refused",
    message: ({ position }) =>
      `a stage of this question is the release of entry ${position}, which waits for an approval`,
    help: () => "ask again when it was approved, or say what to spend and which bounds hold, without stages",
  }),
  "ledger/no-incident": defineError<{ readonly position: string }>({
    kind: "invalid",
    message: ({ position }) => `no incident at entry ${position} waits for the owner`,
    help: () => "see which do: dosimeter incidents",
  }),
  "ledger/request-reused": defineError<{ readonly request: string }>({
    kind: "invalid",
    message: ({ request }) => `request ${request} was another question`,
    help: () => "give every question a request id of its own",
  }),
  "ledger/already-settled": defineError<{ readonly position: string }>({
    kind: "refused",
    message: ({ position }) => `the charge at entry ${position} is not waiting for an outcome from here`,
    help: () => "do not send this answer; ask again under a new request id",
  }),
  "ledger/series-elsewhere": defineError<{ readonly position: string; readonly step: string }>({
    kind: "refused",
    message: ({ position, step }) => `step ${step} of the series at entry ${position} is not the next`,
    help: () => "show the series: another process has gone on with it, or it has reached its end",
  }),
  "ledger/series-of-other-terms": defineError<{ readonly position: string; readonly since: string }>({
    kind: "refused",
    message: ({ position, since }) =>
      `the series at entry ${position} was charged before entry ${since} gave losses another meaning`,
    help: () => "make another series: it is charged in the meaning of today",
  }),
  "series/known": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is a series ${name} already`,
    help: () => "give another name; what a series has released stays, and so does its charge",
  }),
  "series/unknown": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no series ${name}`,
    help: () => "see how one is made: dosimeter series create --help",
  }),
  "series/changed": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `the plan of the series ${name} would be another one today`,
    help: () => "put the policy of the time back (ranges, bounds, keys); else make another series",
  }),
  "series/memory-missing": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) =>
      `the memory of the series ${name} (which units it has counted) is not on this machine, or is out of date`,
    help: ({ name }) =>
      `update it where it was made, or put the file DATASET.series-... of the newest step back; else make another series than ${name}`,
  }),
  "series/memory-unreadable": defineError<{ readonly file: string }>({
    kind: "unavailable",
    message: ({ file }) => `${file} is not what a series remembers`,
    help: () => "put the file back from a copy of the newest step, or make another series",
  }),
  "ledger/bad-name": defineError<{ readonly name: string; readonly what: string }>({
    kind: "invalid",
    message: ({ name, what }) => `${name} ${what}`,
    help: ({ name }) => `give ${name} as 1 to 200 characters on one line`,
  }),
  "ledger/other-dataset": defineError<Ledger & { readonly found: string; readonly expected: string }>({
    kind: "invalid",
    message: ({ path, found, expected }) =>
      `${path} is the ledger of the dataset ${found}, and this is ${expected}`,
    help: () => "give every dataset a ledger of its own; a dataset keeps its name for ever",
  }),
  "ledger/not-a-ledger": defineError<Ledger>({
    kind: "invalid",
    message: ({ path }) => `${path} is not a ledger of Dosimeter`,
    help: () => "name another file; an existing file is never overwritten",
  }),
  "ledger/damaged": defineError<Ledger & { readonly position: string; readonly what: string }>({
    kind: "refused",
    message: ({ path, position, what }) =>
      position === "0" ? `${path} is damaged: ${what}` : `${path} was changed at entry ${position}: ${what}`,
    help: () =>
      "restore the newest intact copy of the ledger; if there is none, put the file aside, then: " +
      acknowledgeCommand,
  }),
  "ledger/unknown-form": defineError<{ readonly position: string; readonly what: string }>({
    kind: "unavailable",
    message: ({ position, what }) =>
      `the release at entry ${position} has a form that this version cannot read: ${what}`,
    help: () => "read it with the version of Dosimeter that wrote it, or with a newer one",
  }),
  "ledger/rolled-back": defineError<Ledger & { readonly what: string }>({
    kind: "refused",
    message: ({ path, what }) => `${path} is an older or another copy of the ledger: ${what}`,
    help: () =>
      "restore the newer copy, name the store that holds it (--store), or move it there (ledger move); if it " +
      `is lost, all budget counts as spent: ${acknowledgeCommand}`,
  }),
  "ledger/anchor-missing": defineError<Ledger & { readonly anchor: string }>({
    kind: "refused",
    message: ({ path, anchor }) => `${path} has entries, and its anchor ${anchor} is not there`,
    help: () =>
      "put the anchor back, or say in the policy where it is (anchor: PATH); if it is lost, all budget counts " +
      `as spent: ${acknowledgeCommand}`,
  }),
  "ledger/lost": defineError<Ledger & { readonly what: string }>({
    kind: "refused",
    message: ({ path, what }) => `there is no ledger in ${path}, and one is remembered: ${what}`,
    help: () =>
      `put ledger and anchor back; if they are lost, all budget counts as spent: ${acknowledgeCommand}`,
  }),
  "ledger/terms-differ": defineError<{
    readonly names: string
    readonly name: string
    readonly recorded: string
    readonly given: string
  }>({
    kind: "refused",
    message: ({ names, name, recorded, given }) =>
      `the losses in the ledger mean something else (${names}): ${name} was ${recorded}, and the policy says ${given}`,
    help: () =>
      "put the policy back, or decide anew: dosimeter ledger rebind --reason TEXT; where old and new losses do " +
      "not add up, all budget counts as spent. If others have decided meanwhile: start again with the policy of now",
  }),
  "ledger/terms-same": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the policy says of losses what the ledger says",
    help: () => "there is nothing to decide: ask",
  }),
  "ledger/one-person": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "what was spent is stated by two people, and here is one",
    help: () => "name the second person (--second NAME), or state nothing: then all budget counts as spent",
  }),
  "ledger/less-than-known": defineError<{ readonly amount: string; readonly delta: string }>({
    kind: "refused",
    message: ({ amount, delta }) =>
      `at least ${amount} and delta ${delta} were spent, as ledger and anchor show`,
    help: () => "state that or more, or nothing: then all budget counts as spent",
  }),
  "ledger/anchor-unreadable": defineError<{ readonly anchor: string }>({
    kind: "unavailable",
    message: ({ anchor }) => `the anchor ${anchor} cannot be read or written`,
    help: () => "check that the folder of the anchor is there and may be written; charges made so far stand",
  }),
  "ledger/nothing-lost": defineError<Ledger>({
    kind: "invalid",
    message: ({ path }) => `${path} is whole, and there is no loss to acknowledge`,
    help: () => "open it without the acknowledgement: that would count all budget as spent",
  }),
  "ledger/busy": defineError<Ledger>({
    kind: "unavailable",
    message: ({ path }) => `${path} is held by another process`,
    help: () => "ask again; nothing was charged",
  }),
  "ledger/failed": defineError<Ledger>({
    kind: "unavailable",
    message: ({ path }) => `${path} cannot be read or written`,
    help: () => "check the disk (space, rights), and open the ledger again; charges made so far stand",
  }),
  "ledger/unsafe-store": defineError<Ledger & { readonly what: string }>({
    kind: "unavailable",
    message: ({ path, what }) => `${path} cannot be kept durably: ${what}`,
    help: () => "put the ledger on a local disk, and use the SQLite that Dosimeter brings",
  }),
  "ledger/not-joined": defineError<Ledger>({
    kind: "refused",
    message: ({ path }) => `${path} has entries, and this machine has not seen it before`,
    help: () =>
      "where it is served already, run dosimeter ledger verify; then here: dosimeter ledger join --head HASH",
  }),
  "ledger/other-head": defineError<Ledger>({
    kind: "refused",
    message: ({ path }) => `${path} does not contain the head that was given`,
    help: () => "give the head that dosimeter ledger verify shows where the ledger is served already",
  }),
  "ledger/not-empty": defineError<Ledger>({
    kind: "refused",
    message: ({ path }) => `${path} holds another ledger already`,
    help: () => "move it into another database; two ledgers cannot become one",
  }),
  "store/bad-address": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the address of the store is not a URL of PostgreSQL",
    help: () => "write it as postgres://ROLE@HOST/DATABASE; the password goes into PGPASSWORD",
  }),
  // Strangers at a door may see it: where the store is, the operator knows.
  "store/unreachable": defineError<{ readonly what: string }>({
    kind: "unavailable",
    message: ({ what }) => `the shared store cannot be used: ${what}`,
    help: () => "check address, role and server; a charge that was being made may stand, and is found again",
  }),
  "store/unsafe": defineError<Ledger & { readonly what: string }>({
    kind: "unavailable",
    message: ({ path, what }) => `${path} cannot keep a ledger: ${what}`,
    help: () => "use a primary of PostgreSQL 13 or newer in UTF8, with fsync and full_page_writes on",
  }),
  "store/no-rights": defineError<Ledger>({
    kind: "unavailable",
    message: ({ path }) => `the role may not make or use the tables of the dataset in ${path}`,
    help: () => "open it once as the owner of the database, then grant rights to the role: docs/server.md",
  }),
  "ledger/closed": defineError<Ledger>({
    kind: "unavailable",
    message: ({ path }) => `${path} is closed`,
    help: () => "open the ledger again",
  }),
  "backend/failed": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the database could not answer",
    help: () => "the charge stands; tell the operator, whose log says what happened",
  }),
  "backend/impossible-extract": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the database gave an answer that cannot be, and nothing was made of it",
    help: () => "the charge stands; tell the owner, who should report it with the question",
  }),
  "backend/cancelled": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the question was stopped before it was answered",
    help: () => "the charge stands: its data may have been read; ask again to pay for an answer",
  }),
  "backend/unexpected-engine": defineError<{ readonly what: string }>({
    kind: "unavailable",
    message: ({ what }) => `the database computes otherwise than we rely on: ${what}`,
    help: () => "use a version of the database that Dosimeter was tested with; nothing is answered before",
  }),
  "backend/too-slow": defineError<{ readonly seconds: string }>({
    kind: "unavailable",
    message: ({ seconds }) => `the question took longer than ${seconds} s, and was stopped`,
    help: () => "the charge stands; ask the owner to prepare the data, or to allow more time",
  }),
  "backend/too-large": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the question needs more memory, disk or time than the database gives it",
    help: () => "the charge stands; ask the owner to prepare the data, or to give the database more",
  }),
  "dataset/not-prepared": defineError<{ readonly file: string }>({
    kind: "unavailable",
    message: ({ file }) => `the copies could not be finished in ${file}`,
    help: () =>
      "check the disk (space, rights) and how much memory the database gives one query, and prepare again: what is finished is not made twice",
  }),
  "dataset/bad-key": defineError<{ readonly file: string }>({
    kind: "unavailable",
    message: ({ file }) => `${file} is not the key of a dataset`,
    help: () =>
      "put the key back; without it, remove the file: a new key makes all recorded answers old ones",
  }),
  "dataset/changed": defineError<Record<never, never>>({
    kind: "unavailable",
    message: () =>
      "the data has changed since it was opened, and what the policy says of it was not looked at again",
    help: () =>
      "open it again: end this process and start it anew (dosimeter serve); what was charged stays charged",
  }),
  "dataset/unreachable": defineError<{ readonly what: string }>({
    kind: "unavailable",
    message: ({ what }) => `the database that holds the data cannot be reached: ${what}`,
    help: () =>
      "check the address in the policy, the role, its password (password_file, or PGPASSWORD, TRINO_PASSWORD) and the server; then ask again",
  }),
  "dataset/unsafe-role": defineError<{ readonly role: string; readonly what: string }>({
    kind: "refused",
    message: ({ role, what }) =>
      `the role ${role} ${what}, and data is read by a role that may do nothing else`,
    help: () => "make one: dosimeter source-role prints the SQL",
  }),
  "dataset/unsafe-server": defineError<{ readonly what: string }>({
    kind: "unavailable",
    message: ({ what }) => `the database that holds the data is not served: ${what}`,
    help: () =>
      "use PostgreSQL 13 or newer, with the encoding UTF8, without a pooler of transactions before it, and " +
      "for consent no standby",
  }),
  "dataset/bad-address": defineError<Record<never, never>>({
    kind: "invalid",
    message: () => "the address of the database cannot be read",
    help: () => "write postgres://ROLE@HOST/DATABASE; the password comes from PGPASSWORD or password_file",
  }),
  "dataset/no-password-file": defineError<{ readonly file: string }>({
    kind: "unavailable",
    message: ({ file }) => `the password cannot be read from ${file}`,
    help: () =>
      "correct password_file: a path is relative to the policy file, and the file holds the password alone",
  }),
  "dataset/no-version": defineError<{ readonly tables: string }>({
    kind: "refused",
    message: ({ tables }) =>
      `nothing tells which data these tables hold (they are not Iceberg's, or may not be read): ${tables}`,
    help: () =>
      'say it yourself: version: "2026-11" under source, and another word whenever the data is another',
  }),
  "dataset/no-place": defineError<{ readonly what: string }>({
    kind: "refused",
    message: ({ what }) => `there is no place in the database for ${what}`,
    help: () => "name a schema that is Dosimeter's own: copies: CATALOG.SCHEMA under source",
  }),
  "dataset/claim-broken": defineError<{
    readonly table: string
    readonly columns: string
    readonly what: string
    readonly remedy: string
  }>({
    kind: "refused",
    message: ({ table, columns, what }) =>
      `the data does not keep what the policy says of ${table}: ${columns} ${what}`,
    help: ({ table, remedy }) => `mend the data, or write ${remedy} under ${table} in the policy`,
  }),
  "dataset/not-text": defineError<{ readonly table: string; readonly columns: string }>({
    kind: "refused",
    message: ({ table, columns }) => `some texts of ${table} are not UTF-8, and cannot be read: ${columns}`,
    help: ({ table }) =>
      `write the file again with valid texts, or write access: deny for the column under ${table} in the policy`,
  }),
  "dataset/no-files": defineError<{ readonly pattern: string; readonly folder: string }>({
    kind: "unavailable",
    message: ({ pattern, folder }) => `no file matches ${pattern} in ${folder}`,
    help: () => "correct the source: patterns are relative to the policy file, such as data/*.parquet",
  }),
  "dataset/not-found": defineError<{ readonly file: string }>({
    kind: "unavailable",
    message: ({ file }) => `there is no file ${file}`,
    help: () => "correct the source: a path is relative to the policy file",
  }),
  "dataset/same-name": defineError<{
    readonly table: string
    readonly first: string
    readonly second: string
  }>({
    kind: "invalid",
    message: ({ table, first, second }) => `${first} and ${second} would both be the table ${table}`,
    help: () => "rename one of the files, or narrow the pattern: a table is named after its file",
  }),
  "dataset/bad-path": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `the path ${file} holds a wildcard, which the database would expand`,
    help: () => "rename the file or folder so that it holds none of * ? [ ]",
  }),
  "dataset/no-header": defineError<{ readonly file: string }>({
    kind: "invalid",
    message: ({ file }) => `the first line of ${file} does not look like the names of columns`,
    help: () => "begin the file with a line of column names: letters, digits and _",
  }),
  "dataset/unreadable": defineError<{ readonly file: string; readonly format: string }>({
    kind: "unavailable",
    message: ({ file, format }) => `${file} cannot be read as ${format}`,
    help: ({ format }) =>
      `check that it is a ${format} file that may be read, and that no program has locked it`,
  }),
  "consent/no-purpose": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "people decide what their data is used for, and the question names no purpose",
    help: () => "ask in a study, which has purposes, or name them: --purpose DUO:0000006",
  }),
  "consent/unavailable": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "people decide what their data is used for, and nothing tells what they decided",
    help: () => "open the dataset with its state, where decisions are kept: dosimeter consent --help",
  }),
  "consent/changed": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "people have changed their decisions since these questions were planned",
    help: () => "plan them again; nothing was charged",
  }),
  "plan/of-other-data": defineError<{ readonly dataset: string }>({
    kind: "refused",
    message: ({ dataset }) => `what was planned for ${dataset} under another policy is not true of this data`,
    help: () => "plan it again with the dataset that is asked; nothing was charged",
  }),
  "bounds/bad-share": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the share of the loss that learns bounds is not from 0.01 to 0.9",
    help: () => "give a share such as 0.2, or leave it out",
  }),
  "bounds/too-little": defineError<{ readonly epsilon: string }>({
    kind: "invalid",
    message: ({ epsilon }) => `epsilon ${epsilon} is too little to learn bounds first, and to answer then`,
    help: () => "ask with a larger epsilon or another share, or declare bounds; nothing was charged",
  }),
  "federation/not-a-sum": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "refused",
    message: ({ what }) => `sites cannot answer ${what} by adding up their numbers`,
    help: ({ remedy }) => remedy,
  }),
  "federation/shows-too-little": defineError<{ readonly least: string }>({
    kind: "refused",
    message: ({ least }) =>
      `the policy of this site keeps back counts below ${least}, and the job shows them`,
    help: ({ least }) => `ask the lead for a job whose study says shown_from: ${least}`,
  }),
  "federation/other-layout": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "the question is measured in another way here than in the study's catalog",
    help: () =>
      "compare keys, ranges, grids, groups per unit, neighbours and accounting with the study's catalog; nothing was charged",
  }),
  "federation/not-for-us": defineError<{ readonly what: string }>({
    kind: "refused",
    message: ({ what }) => `the job is refused: ${what}`,
    help: () => "ask the lead for a new job; nothing was charged",
  }),
  "federation/bad-view": defineError<{ readonly view: string; readonly what: string }>({
    kind: "invalid",
    message: ({ view, what }) => `the view "${view}" ${what}`,
    help: () =>
      "name views as the study's tables (letters, digits and underscores), let none stand on itself through others, and let each row be of one person",
  }),
  "federation/no-view": defineError<{ readonly table: string; readonly views: string }>({
    kind: "refused",
    message: ({ table, views }) => `${table} is not a view of this site; its views are ${views}`,
    help: () =>
      "ask about the views alone, or let the site's owner write a view of that name; nothing was charged",
  }),
  "federation/too-few-estimates": defineError<{ readonly got: string }>({
    kind: "refused",
    message: ({ got }) =>
      `${got} of the sites have numbers that stand out of their noise, and two are needed`,
    help: () => "spend more on the question at each site, or ask for the sum of all",
  }),
  "federation/no-column": defineError<{ readonly column: string; readonly columns: string }>({
    kind: "invalid",
    message: ({ column }) =>
      `the answer has no column ${column === "" ? "for a part of this estimate" : column}`,
    help: ({ columns }) => `name one of ${columns}`,
  }),
  "federation/no-group": defineError<{ readonly column: string; readonly value: string }>({
    kind: "invalid",
    message: ({ column, value }) => `there is not exactly one row with ${value} in the column ${column}`,
    help: () => "name the column that tells the two groups, and its two values",
  }),
  "federation/not-one-row": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "a mean is pooled from an answer of one row",
    help: () => "ask without GROUP BY, or compare two groups: mean-difference",
  }),
  "federation/not-separate": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "there is no answer of each site by itself to be pooled",
    help: () => "ask with --separate, and pool once it is answered",
  }),
  "federation/job-known": defineError<{ readonly job: string }>({
    kind: "refused",
    message: ({ job }) => `the job ${job} was offered, decided or charged here already`,
    help: () =>
      "ask the lead for a new job: a job is taken part in once, and a site that restarts has dropped out",
  }),
  "federation/unknown-job": defineError<{ readonly job: string }>({
    kind: "invalid",
    message: ({ job }) => `no job ${job} waits for that here`,
    help: () =>
      "see which jobs are open; one that was decided, or that another process had open, is over here",
  }),
  "federation/out-of-order": defineError<{ readonly step: string }>({
    kind: "invalid",
    message: ({ step }) => `a message of the step "${step}" came late, early, twice or from somebody else`,
    help: () => "nothing was done with it; send messages in the order in which they were made",
  }),
  "federation/bad-key": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "this is not an Ed25519 private key as PEM",
    help: () => "give the file that enrolment has written, or enrol anew to make another",
  }),
  "federation/bad-message": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `a message of the federation ${what}`,
    help: () => "nothing was done with it; see that both ends run the same version, and send it again",
  }),
  "within/learns": defineError<{ readonly what: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ what }) =>
      `an error to reach is planned with known bounds, and ${what} would be learnt first`,
    help: ({ remedy }) => remedy,
  }),
  "within/nothing": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the answer has no noisy number whose error could be limited",
    help: () => "say what to spend as an epsilon, or ask for a count, a sum, an average or a quantile",
  }),
  "within/not-positive": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "an error to reach must be greater than 0",
    help: () => "write 50 for fifty units of the answer, or 5% for a share of it",
  }),
  "within/small": defineError<{ readonly epsilon: string }>({
    kind: "refused",
    message: ({ epsilon }) => `a look with epsilon ${epsilon} could not tell the answer from 0`,
    help: () => "it was charged; say what to spend as an epsilon, or give the error in units of the answer",
  }),
  "within/unreachable": defineError<{
    readonly within: string
    readonly reachable: string
    readonly epsilon: string
  }>({
    kind: "refused",
    message: ({ within, reachable, epsilon }) =>
      `epsilon ${epsilon}, the most for one question, gives ±${reachable} and not ±${within}`,
    help: ({ reachable }) =>
      `ask for an error of ${reachable}, or for fewer columns or fewer groups a person`,
  }),
  "risk/no-table": defineError<{ readonly table: string; readonly tables: string }>({
    kind: "invalid",
    message: ({ table, tables }) => `there is no table ${table} here; there are ${tables}`,
    help: () => "name one of them: --table NAME",
  }),
  "risk/which-table": defineError<{ readonly tables: string }>({
    kind: "invalid",
    message: ({ tables }) => `there are several tables: ${tables}`,
    help: () => "say which: --table NAME",
  }),
  "risk/no-column": defineError<{
    readonly table: string
    readonly column: string
    readonly columns: string
  }>({
    kind: "invalid",
    message: ({ table, column, columns }) => `${table} has no column ${column}; it has ${columns}`,
    help: () => "name columns as the table writes them",
  }),
  "risk/column-twice": defineError<{ readonly column: string }>({
    kind: "invalid",
    message: ({ column }) => `${column} is named twice`,
    help: () => "name it once: as known to outsiders (--quasi), as sensitive, or as the person's",
  }),
  "risk/no-quasi": defineError<{ readonly table: string; readonly columns: string }>({
    kind: "invalid",
    message: ({ table }) => `no column of ${table} has the name of something that outsiders know`,
    help: ({ columns }) => `say which they know, of ${columns}: --quasi NAME,NAME`,
  }),
  "risk/too-many-columns": defineError<{ readonly most: string }>({
    kind: "invalid",
    message: ({ most }) => `more than ${most} quasi-identifiers were named`,
    help: () => "name those that one outsider could know together; several reports can be made",
  }),
  "risk/no-people": defineError<{ readonly table: string }>({
    kind: "invalid",
    message: ({ table }) => `${table} has no rows`,
    help: () => "give a table that has some",
  }),
  "risk/no-common-columns": defineError<{ readonly file: string; readonly quasi: string }>({
    kind: "invalid",
    message: ({ file, quasi }) => `${file} has none of the columns ${quasi}`,
    help: () => "say which are the same: --on age=years,zip=postcode",
  }),
  "risk/no-fact": defineError<{ readonly column: string }>({
    kind: "invalid",
    message: ({ column }) => `nobody has the value of ${column} that the attacks are to find out`,
    help: () => "give a value that is there, --fact COLUMN=VALUE, or leave the option out",
  }),
  "risk/fact-not-sensitive": defineError<{ readonly column: string; readonly sensitive: string }>({
    kind: "invalid",
    message: ({ column, sensitive }) =>
      `the attacks find out sensitive values, and ${column} is not among the sensitive columns ${sensitive}`,
    help: ({ column }) => `name it as sensitive: --sensitive ${column}`,
  }),
  "risk/failed": defineError<Record<string, string>>({
    kind: "unavailable",
    message: () => "the table could not be read to its end",
    help: () =>
      "nothing was charged; see whether the file is whole, the server answers and the temporary folder has room, or give more memory",
  }),
  "risk/other-source": defineError<{ readonly kind: string }>({
    kind: "unsupported",
    message: ({ kind }) =>
      `risk reports are made from files and tables of a PostgreSQL, and this is in ${kind}`,
    help: () => "export the table as Parquet, and make the report of that file",
  }),
  "federation/sum-terms": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `these sites cannot add up their numbers: ${what}`,
    help: () => "create the job with more sites, or count on fewer that collude or drop out",
  }),
  "federation/sum-message": defineError<{ readonly what: string }>({
    kind: "invalid",
    message: ({ what }) => `a message of a secure sum has ${what} that is not understood`,
    help: () => "run the same version at the coordinator and at every node",
  }),
  "federation/sum-other": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a message is of another secure sum",
    help: () => "nothing was told; the coordinator must send what belongs to this job",
  }),
  "federation/sum-out-of-turn": defineError<{ readonly stage: string }>({
    kind: "refused",
    message: ({ stage }) => `a message came late, twice or out of turn: this side of the sum is at ${stage}`,
    help: () =>
      "nothing was told; a site that is late has dropped out of this job, and may take part in the next",
  }),
  "federation/sum-sites": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a list of sites names one that is not in the job, one twice, or not the site itself",
    help: () => "nothing was told; ask the coordinator which sites the job has",
  }),
  "federation/sum-too-few": defineError<{ readonly got: string; readonly least: string }>({
    kind: "refused",
    message: ({ got, least }) => `${got} sites are left, and fewer than ${least} do not hide one another`,
    help: () => "nothing was told; create the job again when more sites can take part",
  }),
  "federation/sum-signature": defineError<{ readonly site: string }>({
    kind: "refused",
    message: ({ site }) => `a message of ${site} is not signed with its enrolled key`,
    help: ({ site }) => `nothing was told; enrol ${site} again if its key has changed`,
  }),
  "federation/sum-key": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a key of the sum is not valid, is used twice, or is not the one that was sent",
    help: () => "nothing was told; somebody may have put in another key: ask the coordinator's owner",
  }),
  "federation/sum-sealed": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "a sealed share was altered on its way, or is for another site or sum",
    help: () => "nothing was told; create the job again, and look at who carries the messages if it returns",
  }),
  "federation/sum-not-agreed": defineError<Record<string, string>>({
    kind: "refused",
    message: () => "too few sites have signed that the same sites are left",
    help: () => "nothing was told; create the job again when enough sites answer",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of the engine, stable for ever. */
export type EngineErrorCode = keyof typeof engineErrors

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof engineErrors> = errorMaker(engineErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof engineErrors> = (...error) => {
  throw errorOf(...error)
}
