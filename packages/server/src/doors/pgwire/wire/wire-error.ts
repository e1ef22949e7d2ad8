// Errors as clients of PostgreSQL know them: SQLSTATE, position in characters, detail and hint.

import { DosimeterError, type ErrorKind, type Issue } from "@dosimeter/core"
import { sourceText } from "@dosimeter/language/text/source"
import { ProtocolViolation } from "./protocol-violation.ts"
import type { NoticeField } from "./write-messages.ts"

/** Something that only a session of the wire can get wrong. */
export class WireError extends Error {
  override readonly name = "WireError"
  readonly state: string
  readonly hint: string | undefined

  constructor(state: string, message: string, hint?: string) {
    super(message)
    this.state = state
    this.hint = hint
  }
}

/**
 * The fields of an error, for the statement that it is about: it begins after `from` characters of the text,
 * or is not in that text if this is undefined.
 */
export function errorFields(
  error: unknown,
  sql: string,
  { severity, from }: { readonly severity: "ERROR" | "FATAL"; readonly from: number | undefined },
): readonly NoticeField[] {
  const head = (state: string, message: string): readonly NoticeField[] => [
    ["S", severity],
    ["V", severity],
    ["C", state],
    ["M", message],
  ]
  if (error instanceof WireError) {
    return [...head(error.state, error.message), ...hintOf(error.hint)]
  }
  if (error instanceof ProtocolViolation) return head("08P01", error.message)
  if (!(error instanceof DosimeterError))
    return head("XX000", "something went wrong inside; nothing was released")
  const [first, ...others] = error.issues
  return [
    ...head(stateOf(error), `${first.message} [${first.code}]`),
    ...(others.length === 0 ? [] : [["D", others.map(({ message }) => message).join("\n")] as const]),
    ...hintOf(first.help),
    ...positionOf(first, sql, from),
  ]
}

function hintOf(hint: string | undefined): readonly NoticeField[] {
  return hint === undefined ? [] : [["H", hint]]
}

function positionOf({ at }: Issue, sql: string, from: number | undefined): readonly NoticeField[] {
  return at === undefined || from === undefined
    ? []
    : [["P", `${from + sourceText(sql).toCodePoint(at.start) + 1}`]]
}

function stateOf({ kind, code }: DosimeterError): string {
  return states.get(code) ?? statesOfKinds[kind]
}

/** Where PostgreSQL has a state of its own for it. */
const states: ReadonlyMap<string, string> = new Map([
  ["sql/syntax", "42601"],
  ["sql/unknown-table", "42P01"],
  ["sql/unknown-column", "42703"],
  ["sql/ambiguous-column", "42702"],
  ["sql/unknown-function", "42883"],
  ["sql/type-mismatch", "42804"],
  ["sql/not-grouped", "42803"],
  ["sql/parameter-missing", "42P02"],
  ["budget/exhausted", "53400"],
  ["sql/bad-literal", "22P02"],
  ["sql/may-overflow", "22003"],
  ["sql/duplicate-alias", "42712"],
  ["backend/cancelled", "57014"],
  ["backend/too-slow", "57014"],
  ["backend/too-large", "53000"],
  ["request/left", "57014"],
  ["request/busy", "53000"],
  ["request/too-many-waiting", "53300"],
  ["request/too-many", "53300"],
  // Ours: it was paid for, and waits for an approval. Ask again later.
  ["airlock/waiting", "WA001"],
])

const statesOfKinds: Readonly<Record<ErrorKind, string>> = {
  invalid: "42000",
  unsupported: "0A000",
  refused: "42501",
  unavailable: "58000",
  bug: "XX000",
}
