// A lock between processes of this machine: one at a time works under it, and others wait. The lock is a file
// that SQLite keeps locked: the system lets go of it when the process ends, however it ends.

import { DatabaseSync } from "@photostructure/sqlite"
import { setTimeout } from "node:timers/promises"
import { fail } from "../errors.ts"

/** How often a waiting process looks. */
const lookMs = 50

/** Does work while nobody else does work under the same lock. */
export async function alone<Result>(
  file: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const lock = await take(file, signal)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function take(
  file: string,
  signal: AbortSignal | undefined,
): Promise<InstanceType<typeof DatabaseSync>> {
  for (;;) {
    const database = openLock(file)
    try {
      // Nothing is ever written: no journal of it is left behind.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
      return database
    } catch (error) {
      database.close()
      if (!isBusy(error)) return fail("dataset/not-prepared", { file })
    }
    // A caller that stops waiting gets the error of a try that was stopped.
    await setTimeout(lookMs, undefined, signal === undefined ? {} : { signal }).catch(() =>
      fail("dataset/not-prepared", { file }),
    )
  }
}

function openLock(file: string): InstanceType<typeof DatabaseSync> {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch {
    return fail("dataset/not-prepared", { file })
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}
