// Reads that the server has given up for the sake of others: a standby that must go on with what its primary
// has cleaned up, or a deadlock. Nothing of them was seen, so they are asked again under the same charge.

import { isConflict } from "../../postgres/postgres-trouble.ts"

/** How often something is asked at most. */
const triesMax = 5

/** Does something that only reads, again where the server gave it up; `isOver` says that nobody waits for it. */
export async function afterConflicts<Result>(
  attempt: () => Promise<Result>,
  isOver: () => boolean = () => false,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error) || tries === triesMax || isOver()) throw error
    }
  }
}
