// Whose data an account is about: a participant sees and decides for one unit of the dataset.

import { fail } from "../errors.ts"
import { oneRow, textOf, type StateAccess } from "../state/state-store.ts"

/** Says whose data an account is about, in place of what was said before; one account for each. */
export async function linkParticipant(access: StateAccess, name: string, participant: string): Promise<void> {
  const taken = await oneRow(
    access,
    `SELECT links.name AS name
      FROM account_participants AS links LEFT JOIN accounts ON accounts.name = links.name
      WHERE links.participant = ? AND links.name <> ? AND accounts.disabled_at IS NULL`,
    [participant, name],
  )
  if (taken !== undefined) fail("consent/linked-already", { name: textOf(taken, "name") })
  await access.run("DELETE FROM account_participants WHERE name = ?", [name])
  await access.run("INSERT INTO account_participants (name, participant) VALUES (?, ?)", [name, participant])
}

/** The accounts of which it is known whose data they are about. */
export async function linkedNames(access: StateAccess): Promise<ReadonlySet<string>> {
  const rows = await access.all("SELECT name FROM account_participants")
  return new Set(rows.map((row) => textOf(row, "name")))
}

/** The unit that an account is about, if it is about one. */
export async function participantOf(access: StateAccess, name: string): Promise<string | undefined> {
  const sql = "SELECT participant FROM account_participants WHERE name = ?"
  const row = await oneRow(access, sql, [name])
  return row === undefined ? undefined : textOf(row, "participant")
}
