// Errors as they leave: drawn for people, one object for programs, and an exit code that says who must act.

import { DosimeterError, type ErrorKind, type Issue } from "@dosimeter/core/errors"
import { drawIssue } from "@dosimeter/language/text/caret"
import { sourceText } from "@dosimeter/language/text/source"
import type { CommanderError } from "commander"
import { errorOf } from "../../../errors.ts"
import type { Subject } from "../session/session.ts"

/** Who must act decides the exit code. */
export const exitCodes: Readonly<Record<ErrorKind, number>> = {
  invalid: 2,
  unsupported: 3,
  refused: 4,
  unavailable: 5,
  bug: 70,
}

/** Every issue with its file, line and column, and how many there are. */
export function drawProblems(reason: unknown, subject: Subject | undefined): string {
  if (!(reason instanceof DosimeterError)) {
    return `error[bug/invariant]: something happened that should be impossible
${framesOf(reason)}
help: please report this; no answer was released
`
  }
  const { issues } = reason
  const source = sourceText(subject?.text ?? "")
  const drawn = issues.map((issue) => {
    if (issue.at === undefined || subject?.name === undefined) return drawIssue(issue, source)
    const { line, column } = source.position(issue.at.start)
    return `${subject.name}:${line}:${column}\n${drawIssue(issue, source)}`
  })
  return issues.length === 1 ? `${drawn.join("")}\n` : `${drawn.join("\n\n")}\n\n${issues.length} problems\n`
}

/** The same for programs: the first issue, and the others beside it. */
export function problemsJson(reason: unknown, subject: Subject | undefined): string {
  const error = reason instanceof DosimeterError ? reason : undefined
  const source = sourceText(subject?.text ?? "")
  const shown = ({ code, message, help, at }: Issue): object => {
    const place = at === undefined || subject === undefined ? undefined : source.position(at.start)
    const { line = null, column = null } = place ?? {}
    return { kind: error?.kind ?? "bug", code, message, help: help ?? null, line, column }
  }
  const [first, ...others] = error?.issues ?? [unexpected]
  const all = others.length === 0 ? {} : { others: others.map(shown) }
  return `${JSON.stringify({ error: { ...shown(first), ...all } }, null, 2)}\n`
}

/** A complaint about arguments, as one of our errors. */
export function usageError({ message }: CommanderError): DosimeterError {
  const [what = ""] = message.replace(/^error: /, "").split("\n")
  return errorOf("cli/usage", { what: what.replace(/\.$/, "") })
}

const unexpected: Issue = {
  code: "bug/invariant",
  message: "something happened that should be impossible",
  help: "please report this; no answer was released",
  facts: {},
}

/** Where an unknown error came from. Its message is left out: it could hold a value. */
function framesOf(reason: unknown): string {
  const stack = reason instanceof Error ? (reason.stack ?? "") : ""
  return stack
    .split("\n")
    .filter((line) => /^ +at /.test(line))
    .join("\n")
}
