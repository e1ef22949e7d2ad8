// Assertions stay on in production. They are for our own bugs: nothing a caller can type reaches one.

import { fail } from "./errors.ts"

/** For the end of a switch over all kinds: stops with `bug/invariant` where the data has another one. */
export function unreachable(value: never): never {
  return fail("bug/invariant", { what: `${typeof value} of a known kind` })
}

/** Stops with `bug/invariant` when `condition` does not hold. `what` says what must hold. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) fail("bug/invariant", { what })
}
