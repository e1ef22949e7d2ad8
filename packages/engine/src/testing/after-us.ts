// Servers that tests start end with the process that started them, however it ends: a watcher of its own
// waits for that, and cleans up. A test that is killed leaves no server behind.

import { spawn } from "node:child_process"
import { Socket } from "node:net"

/** Someone who waits for our end. */
export interface Watcher {
  /** All is cleaned up: there is nothing to wait for any more. */
  dismiss(): void
}

/** Runs a line of the shell once this process is gone, also where it was killed. */
export function afterUs(line: string): Watcher {
  // The system closes our end of the pipe when we are gone; nothing is ever written into it. In a group of
  // its own, so that what ends us from a terminal does not end it as well.
  const watcher = spawn("/bin/sh", ["-c", `read nothing; ${line}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  // Nobody waits for the watcher.
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  return { dismiss: () => void watcher.kill("SIGKILL") }
}

/** A path as the shell takes it. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`
}
