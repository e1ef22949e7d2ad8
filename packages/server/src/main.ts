#!/usr/bin/env node
// The dosimeter command: arguments to a command, errors to a drawing and an exit code.

import { DosimeterError } from "@dosimeter/core/errors"
import { Command, CommanderError } from "commander"
import { readFileSync, realpathSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { addCommands } from "./doors/cli/add-commands.ts"
import { processContext } from "./doors/cli/session/process-context.ts"
import { Session, type CommandContext } from "./doors/cli/session/session.ts"
import { drawProblems, exitCodes, problemsJson, usageError } from "./doors/cli/show/show-problems.ts"

/** Runs one command and gives its exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { out, error } = context
  const session = new Session(context)
  const json = args.includes("--json")
  const program = new Command("dosimeter")
    .description("Answers about the group, a metered dose for each person in it.")
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: json ? () => {} : error })
    .configureHelp({ showGlobalOptions: true })
    .option("--store <url>", "a PostgreSQL that keeps ledger and accounts, shared by several servers")
    .addHelpText("after", overview)
    .version(version(), "--version", "display the version")
    .hook("preAction", async (_program, action) => {
      const { store }: { readonly store?: string } = action.optsWithGlobals()
      if (store === undefined && context.store === undefined) return
      const { sharedStore } = await import("./state/shared-store.ts")
      session.useStore(sharedStore(store, context.store))
    })
  await addCommands(program, session, args)
  try {
    await program.parseAsync(args, { from: "user" })
    return 0
  } catch (reason) {
    // The one place of the command where errors end.
    if (reason instanceof CommanderError) {
      if (reason.exitCode === 0) return 0
      if (json) out(problemsJson(usageError(reason), undefined))
      return exitCodes.invalid
    }
    if (json) out(problemsJson(reason, session.subject))
    if (!json || !(reason instanceof DosimeterError)) error(drawProblems(reason, session.subject))
    return exitCodes[reason instanceof DosimeterError ? reason.kind : "bug"]
  }
}

/** The version of this package, which is that of all. */
function version(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  )
  return manifest.version
}

const overview = `
Begin with made-up data:      dosimeter demo
Begin with your own:          dosimeter init hospital.duckdb
                              dosimeter check
                              dosimeter ask "SELECT COUNT(*) FROM person"

Exit codes: 0 answered, 2 the question or an argument is wrong, 3 no proof for it,
            4 refused by policy or budget, 5 something cannot be reached, 70 our bug`

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.exitCode = await runCommand(process.argv.slice(2), processContext())
}
