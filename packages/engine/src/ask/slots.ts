// Answers leave in slots: at whole multiples of a time after the question came, so that how long a question
// took says little about the data.

import { setTimeout as sleep } from "node:timers/promises"

/** Runs something; its result, or its failure, shows at the end of a slot. Without a slot, at once. */
export async function inSlots<Result>(
  slotMs: number | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now()
  try {
    return await run()
  } finally {
    if (slotMs !== undefined) {
      const elapsed = performance.now() - started
      await sleep(Math.ceil(elapsed / slotMs) * slotMs - elapsed)
    }
  }
}
