// Errors as they leave over HTTP: one shape, and the status that says who must act.

import { DosimeterError, type ErrorKind, type Issue } from "@dosimeter/core"
import { sourceText } from "@dosimeter/language/text/source"
import type { Problem } from "../contract/common.ts"

/** A status of an error. */
export type ErrorStatus = 202 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503

/** Who must act decides, unless the code says more. */
export function statusOf(error: unknown): ErrorStatus {
  if (!(error instanceof DosimeterError)) return 500
  return statuses.get(error.code) ?? statusesOfKinds[error.kind]
}

/** An error as it is sent; `sql` is what its position points into. */
export function problemOf(error: unknown, sql?: string): Problem {
  if (!(error instanceof DosimeterError)) return unexpected
  const [first, ...others] = error.issues
  const place = first.at === undefined || sql === undefined ? undefined : first.at.start
  const position =
    place === undefined ? undefined : { offset: place, ...sourceText(sql ?? "").position(place) }
  return {
    kind: error.kind,
    code: first.code,
    message: first.message,
    help: first.help ?? null,
    ...saidFacts(first),
    ...(position === undefined
      ? {}
      : { position: { offset: position.offset, line: position.line, column: position.column } }),
    ...(others.length === 0 ? {} : { others: others.map(otherObject) }),
  }
}

function otherObject(issue: Issue) {
  const { code, message, help } = issue
  return { code, message, help: help ?? null, ...saidFacts(issue) }
}

/** The facts that stand in the message or the help; others are not sent. */
function saidFacts({ message, help = "", facts }: Issue): Pick<Problem, "facts"> {
  const said = `${message}\n${help}`
  const known = Object.entries(facts).filter(([, fact]) => said.includes(fact))
  return known.length === 0 ? {} : { facts: Object.fromEntries(known) }
}

/** After how many seconds to try again, where waiting helps. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof DosimeterError)) return undefined
  const [{ facts }] = error.issues
  const seconds = Object.entries(facts).find(([name]) => name === "seconds")?.[1]
  switch (error.code) {
    case "request/too-many":
      return Number(seconds ?? 1)
    case "request/too-many-tries":
      return 60
    case "request/busy":
    case "request/too-many-waiting":
      return 2
    default:
      return undefined
  }
}

const statusesOfKinds: Readonly<Record<ErrorKind, ErrorStatus>> = {
  invalid: 400,
  unsupported: 422,
  refused: 403,
  unavailable: 503,
  bug: 500,
}

/** Where HTTP has a status of its own for it. */
const statuses: ReadonlyMap<string, ErrorStatus> = new Map([
  ["request/not-signed-in", 401],
  ["request/wrong-password", 401],
  ["request/no-route", 404],
  ["oidc/not-configured", 404],
  ["request/no-dataset", 404],
  ["account/unknown", 404],
  ["study/unknown", 404],
  ["token/unknown", 404],
  ["release/unknown", 404],
  ["release/no-model", 404],
  ["airlock/unknown", 404],
  ["raise/unknown", 404],
  // The question was paid for, and its answer waits for an approval: ask again.
  ["airlock/waiting", 202],
  ["airlock/decided", 409],
  ["raise/agreed-already", 409],
  ["budget/unknown-account", 404],
  ["request/wrong-method", 405],
  ["account/exists", 409],
  ["study/exists", 409],
  ["token/exists", 409],
  ["study/wrong-state", 409],
  ["study/reviewed-already", 409],
  ["ledger/request-known", 409],
  ["ledger/no-incident", 404],
  ["ledger/request-reused", 409],
  ["request/too-large", 413],
  ["request/too-many", 429],
  ["request/too-many-tries", 429],
  ["request/too-many-waiting", 429],
])

/** The message of an unknown error could hold a value, so none is sent. */
const unexpected: Problem = {
  kind: "bug",
  code: "bug/invariant",
  message: "something went wrong inside; nothing was released",
  help: "please report this, with the header X-Request-Id",
}
