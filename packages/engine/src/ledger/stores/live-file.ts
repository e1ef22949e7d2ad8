// Whether a process that uses a ledger in a file still lives: it keeps a small file locked beside the ledger.
// The system lets go of the lock when the process ends, however it ends, and never before.

import { existsSync, rmSync } from "node:fs"
import { DatabaseSync } from "@photostructure/sqlite"

/** The locks of this process, and a look at those of others. */
export class LiveFiles {
  readonly #ledger: string
  readonly #held = new Map<string, InstanceType<typeof DatabaseSync>>()

  constructor(ledger: string) {
    this.#ledger = ledger
  }

  /** Holds the lock of an id until the process ends, or `release`. */
  hold(id: string): void {
    if (!this.#held.has(id)) this.#held.set(id, lock(this.#fileOf(id)))
  }

  /** Whether a process holds the lock of an id. Without a file, the process counts as ended. */
  isHeld(id: string): boolean {
    const file = this.#fileOf(id)
    if (this.#held.has(id)) return true
    if (!existsSync(file)) return false
    try {
      lock(file).close()
    } catch {
      // The lock is held, or its file cannot be read: in both cases the process may live.
      return true
    }
    // Ids are random: no other process will use this one.
    rmSync(file, { force: true })
    return false
  }

  /** Releases all locks. */
  release(): void {
    for (const [id, database] of this.#held) {
      database.close()
      rmSync(this.#fileOf(id), { force: true })
    }
    this.#held.clear()
  }

  #fileOf(id: string): string {
    return `${this.#ledger}.live-${id}`
  }
}

function lock(file: string): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // Nothing is ever written: no journal of it is left behind.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
