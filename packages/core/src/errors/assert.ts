// Assertions stay on in production. They are for our own bugs: nothing a caller can type reaches one.

import { fail } from "./errors.ts"

/** Stops with `bug/invariant` when `condition` does not hold. `what` says what must hold. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) fail("bug/invariant", { what })
}
