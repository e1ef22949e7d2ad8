// Puts the commands into the program. Only what the arguments name is loaded. Of the others the program
// knows the row of commands.ts: enough to list them, and to guess what a misspelt name meant.

import type { Command } from "commander"
import { commands, type CommandRow } from "./commands.ts"
import type { Session } from "./session/session.ts"

/** Adds every command, and loads those whose names are among the arguments (`ask`, and `help ask`). */
export async function addCommands(
  program: Command,
  session: Session,
  args: readonly string[],
): Promise<void> {
  for (const row of commands) {
    if (!args.includes(row.name)) {
      addRow(program, row)
      continue
    }
    for (const add of await row.load()) add(program, session)
  }
}

/** A command that can be listed. It is never called: its name is not among the arguments. */
function addRow(program: Command, { name, usage, description }: CommandRow): void {
  const [first = "", ...others] = usage.split(" ")
  const command = program.command(name).description(description)
  const hasOptions = first === "[options]"
  if (hasOptions) command.option("--any", "so that the list says [options]")
  const positions = hasOptions ? others : [first, ...others]
  for (const position of positions) if (position !== "") command.argument(position)
}
