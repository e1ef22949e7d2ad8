// Writes deeds that have no transaction of their own, such as questions: those that come at the same time
// share one, so that a busy server waits for the disk once.

import { record, type Deed } from "./audit.ts"
import type { StateStore } from "../state/state-store.ts"

interface Waiting {
  readonly deed: Deed
  readonly done: () => void
  readonly failed: (reason: unknown) => void
}

/** The audit trail, for many writers. */
export class AuditLog {
  readonly #store: StateStore
  readonly #now: () => Date
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Durable when it resolves. */
  async write(deed: Deed): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.#waiting.push({ deed, done, failed })
      this.#writing ??= this.#writeAll()
    })
  }

  /** When all that was handed in is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    // Deeds that are handed in at the same moment go into the same transaction.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#store.transaction(async (access) => {
          const at = this.#now().toISOString()
          for (const { deed } of batch) await record(access, deed, at)
        })
        for (const { done } of batch) done()
      } catch (reason) {
        // Each writer is told of the failure.
        for (const { failed } of batch) failed(reason)
      }
    }
    this.#writing = undefined
  }
}
