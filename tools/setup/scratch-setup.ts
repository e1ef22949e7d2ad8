// The folder in which all tests of a run write, theirs alone and removed after the last one. It is in memory
// where the system has such a folder: a ledger writes to the disk with each answer, and waits for it.

import { existsSync, mkdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What tests of a run write at most, with room to spare. */
const enough = 4e9

/** The folder of the run whose configuration a process has read: this one, if no other is named. */
export function scratchFolder(pid = process.pid): string {
  return join(isRoomy("/dev/shm") ? "/dev/shm" : tmpdir(), `dosimeter-test-${pid}`)
}

/** Vitest calls it before the first file, in the process that read the configuration. */
export function setup(): () => void {
  const folder = scratchFolder()
  mkdirSync(folder, { recursive: true })
  return () => rmSync(folder, { recursive: true, force: true })
}

function isRoomy(memory: string): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > enough
}
