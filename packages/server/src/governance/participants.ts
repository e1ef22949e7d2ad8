// Whose data an account is about: a participant sees and decides for one unit of the dataset.

import { fail } from "../errors.ts"
import { oneRow, textOf, type StateAccess } from "./state-store.ts"

/** Says whose data an account is about; once, and one account for each. */
export async function linkParticipant(access: StateAccess, name: string, participant: string): Promise<void> {
  const taken = await oneRow(
    access,
    "SELECT name FROM account_participants WHERE name = ? OR participant = ?",
    [name, participant],
  )
  if (taken !== undefined) fail("consent/linked-already", { name: textOf(taken, "name") })
  await access.run("INSERT INTO account_participants (name, participant) VALUES (?, ?)", [name, participant])
}

/** The unit that an account is about, if it is about one. */
export async function participantOf(access: StateAccess, name: string): Promise<string | undefined> {
  const sql = "SELECT participant FROM account_participants WHERE name = ?"
  const row = await oneRow(access, sql, [name])
  return row === undefined ? undefined : textOf(row, "participant")
}
