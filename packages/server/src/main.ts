#!/usr/bin/env node
// The dosimeter command: arguments to a command, errors to a drawing and an exit code.

import { DosimeterError, type ErrorKind } from "@dosimeter/core"
import { drawIssue, sourceText } from "@dosimeter/sql"
import { Command, CommanderError } from "commander"
import { realpathSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { addCheck } from "./cli/check.ts"
import { addInit } from "./cli/init.ts"
import { Session, type Subject } from "./cli/session.ts"

/** Every command, in the order of the help. A new one is a file of cli/ and a name here. */
const commands: readonly ((program: Command, session: Session) => void)[] = [addInit, addCheck]

/** Who must act decides the exit code. */
const exitCodes: Readonly<Record<ErrorKind, number>> = {
  invalid: 2,
  unsupported: 3,
  refused: 4,
  unavailable: 5,
  bug: 70,
}

/** Where a command runs and writes. */
export interface CommandContext {
  readonly folder: string
  readonly out: (text: string) => void
  readonly error: (text: string) => void
}

/** Runs one command and gives its exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { folder, out, error } = context
  const session = new Session(folder, out)
  const program = new Command("dosimeter")
    .description("Answers about the group, a metered dose for each person in it.")
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: error })
    .configureHelp({ showGlobalOptions: true })
  for (const add of commands) add(program, session)
  try {
    await program.parseAsync(args, { from: "user" })
    return 0
  } catch (reason) {
    // The one place of the command where errors end.
    if (reason instanceof CommanderError) return reason.exitCode === 0 ? 0 : exitCodes.invalid
    if (!(reason instanceof DosimeterError)) {
      error(`error[bug/invariant]: something happened that should be impossible
${framesOf(reason)}
help: please report this; no answer was released
`)
      return exitCodes.bug
    }
    error(`${drawProblems(reason, session.subject)}\n`)
    return exitCodes[reason.kind]
  }
}

/** Every issue with its file, line and column, and how many there are. */
function drawProblems({ issues }: DosimeterError, subject: Subject | undefined): string {
  const source = sourceText(subject?.text ?? "")
  const drawn = issues.map((issue) => {
    if (issue.at === undefined || subject === undefined) return drawIssue(issue, source)
    const { line, column } = source.position(issue.at.start)
    return `${subject.name}:${line}:${column}\n${drawIssue(issue, source)}`
  })
  return issues.length === 1 ? drawn.join("") : `${drawn.join("\n\n")}\n\n${issues.length} problems`
}

/** Where an unknown error came from. Its message is left out: it could hold a value. */
function framesOf(reason: unknown): string {
  const stack = reason instanceof Error ? (reason.stack ?? "") : ""
  return stack
    .split("\n")
    .filter((line) => /^ +at /.test(line))
    .join("\n")
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.exitCode = await runCommand(process.argv.slice(2), {
    folder: process.cwd(),
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  })
}
