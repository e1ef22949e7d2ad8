// Another user's folder of anchors, for tests that make dataset after dataset of the same data: nothing there
// remembers the last one.

import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"

// vitest.config.ts names the folder of all tests; it is removed at the end.
const home = process.env["XDG_STATE_HOME"] ?? join(tmpdir(), "dosimeter-test-state")

/** Moves into a home folder in which no anchor is. */
export function freshHome(): string {
  const folder = join(home, randomUUID())
  process.env["XDG_STATE_HOME"] = folder
  return folder
}
