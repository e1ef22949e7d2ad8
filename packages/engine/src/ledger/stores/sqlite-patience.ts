// Waiting for a file that another process holds. SQLite's own waiting stops the whole process and favours
// whoever looks at the right moment; here each look is short, and the times between are random, so that
// nobody is passed over again and again.

import { randomInt } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

/** How long SQLite itself waits in one look. */
export const lookMs = 20

/** The longest time between two looks. */
const pauseMaxMs = 25

/** Tries until it succeeds, fails for another reason than a lock, or patience ends. */
export async function patiently<Result>(
  patienceMs: number,
  look: () => Promise<Result>,
  now: () => number = () => performance.now(),
): Promise<Result> {
  const end = now() + patienceMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (!isBusyError(error) || now() >= end) throw error
    }
    await sleep(randomInt(1, pauseMaxMs))
  }
}

/** Whether the driver means that another connection holds the file. */
export function isBusyError(error: unknown): boolean {
  return error instanceof Error && /\b(busy|locked)\b/i.test(error.message)
}
