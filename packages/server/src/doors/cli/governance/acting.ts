// Commands that act for an account. Whoever may run them at all has the files in hand, so they act for any;
// the audit trail says for which.

import type { Command } from "commander"
import { fail } from "../../../errors.ts"
import { Accounts } from "../../../people/accounts.ts"
import type { StateStore } from "../../../state/state-store.ts"
import type { Actor } from "../../../studies/study-state.ts"
import { pad, safeText, widthOf } from "../show/layout.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

/** The options of such a command. */
export interface ActingFlags {
  readonly policy: string
  readonly as: string
}

/** Adds them. */
export function actingOptions(command: Command): Command {
  return command
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--as <name>", "the account that acts")
}

/** Runs something with the state, for an account. */
export async function withActor(
  session: Session,
  { policy, as: name }: ActingFlags,
  use: (store: StateStore, actor: Actor) => Promise<void>,
): Promise<void> {
  await withState(session, policy, async (store) => {
    const person = await new Accounts(store).find(name)
    if (person === undefined || person.disabledAt !== undefined) return fail("account/unknown", { name })
    return use(store, person)
  })
}

/** Rows as a table for people, the first one its head. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map(safeText))
  const widths = (safe[0] ?? []).map((_, column) =>
    Math.max(...safe.map((row) => widthOf(row[column] ?? ""))),
  )
  const lines = safe.map((row) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, "left")).join("  "),
  )
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}

/** A time as people read it. */
export function showTime(time: string): string {
  return time.slice(0, 16).replace("T", " ")
}
