// The head of the audit trail, to be written down elsewhere: with it one notices that the last entries were
// removed or the whole trail was written anew, which hashes alone cannot show.

import { oneRow, textOf, type StateAccess } from "../state/state-store.ts"

/** How far the trail has come. */
export interface AuditHead {
  readonly position: number
  readonly hash: string
}

/** The last entry; position 0 where there is none. */
export async function auditHead(access: StateAccess): Promise<AuditHead> {
  const row = await oneRow(access, "SELECT position, hash FROM audit ORDER BY position DESC LIMIT 1", [])
  return row === undefined
    ? { position: 0, hash: "" }
    : { position: Number(row["position"]), hash: textOf(row, "hash") }
}

/** The position that a head claims, if the trail does not have it; undefined if all is as it was. */
export async function compareHead(access: StateAccess, head: string): Promise<number | undefined> {
  const [, position = "0", hash = ""] = /^(\d{1,12}):([0-9a-f]{0,64})$/.exec(head) ?? []
  if (position === "0") return hash === "" && head === "0:" ? undefined : 0
  const row = await oneRow(access, "SELECT hash FROM audit WHERE position = ?", [Number(position)])
  return row !== undefined && textOf(row, "hash") === hash ? undefined : Number(position)
}
