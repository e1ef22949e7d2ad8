// Sessions of browsers: a random id in a cookie, of which the hash is kept. One ends when nobody used it for
// a while, after half a day in any case, and with sign-out, a new password or a disabled account.

import { createHash, randomBytes } from "node:crypto"
import type { StateStore } from "../state/state-store.ts"
import { oneRow, textOf } from "../state/state-store.ts"

/** Half an hour. */
export const idleMs = 30 * 60_000
/** Half a day. */
export const longestMs = 12 * 3_600_000
/** Use is written down this often: not with each request. */
const noteEveryMs = 60_000

/** The sessions of a server. */
export class Sessions {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Begins a session, and forgets those that are over. Gives its id, which is kept nowhere. */
  async begin(account: string): Promise<string> {
    const id = randomBytes(32).toString("base64url")
    const at = this.#now()
    const [idle, longest] = [idleMs, longestMs].map((ms) => new Date(at.getTime() - ms).toISOString())
    await this.#store.transaction(async (access) => {
      await access.run("DELETE FROM sessions WHERE seen_at < ? OR created_at < ?", [
        idle ?? "",
        longest ?? "",
      ])
      await access.run("INSERT INTO sessions (hash, account, created_at, seen_at) VALUES (?, ?, ?, ?)", [
        hashOf(id),
        account,
        at.toISOString(),
        at.toISOString(),
      ])
    })
    return id
  }

  /** The account of a session that is not over. */
  async accountOf(id: string): Promise<string | undefined> {
    const hash = hashOf(id)
    const sql = "SELECT account, created_at, seen_at FROM sessions WHERE hash = ?"
    const row = await oneRow(this.#store, sql, [hash])
    if (row === undefined) return undefined
    const now = this.#now().getTime()
    const unused = now - Date.parse(textOf(row, "seen_at"))
    if (unused > idleMs || now - Date.parse(textOf(row, "created_at")) > longestMs) return undefined
    if (unused > noteEveryMs) {
      const at = new Date(now).toISOString()
      await this.#store.run("UPDATE sessions SET seen_at = ? WHERE hash = ?", [at, hash])
    }
    return textOf(row, "account")
  }

  async end(id: string): Promise<void> {
    await this.#store.run("DELETE FROM sessions WHERE hash = ?", [hashOf(id)])
  }
}

/** What a page of ours knows and one of others does not: follows from the id, which scripts cannot read. */
export function csrfTokenOf(id: string): string {
  return createHash("sha256").update(`dosimeter/csrf/1\n${id}`).digest("base64url")
}

// The id has 256 random bits: a plain hash is enough.
function hashOf(id: string): string {
  return createHash("sha256").update(`dosimeter/session/1\n${id}`).digest("base64")
}
