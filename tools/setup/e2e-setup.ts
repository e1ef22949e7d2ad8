// Before the tests in a browser: the screens are built once, if their sources changed.

import { buildWeb } from "../build/build-web.ts"

/** Vitest calls it before the first file. */
export function setup(): void {
  if (!buildWeb()) throw new Error("the screens cannot be built")
}
