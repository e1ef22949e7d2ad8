// After the last test: the folder in which ledgers of tests had their anchors is removed.

import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Vitest calls it before the first file, in the process that read the configuration. */
export function setup(): () => void {
  const folder = join(tmpdir(), `dosimeter-test-state-${process.pid}`)
  return () => rmSync(folder, { recursive: true, force: true })
}
