// What the trusted part says to a relation that it cannot prove anything about.

import { fail } from "../errors.ts"

/**
 * Stops: `what` says what could not be proven. Analysts should have had a better message from bind/ before.
 */
export function reject(what: string): never {
  return fail("bug/plan-rejected", { what })
}
