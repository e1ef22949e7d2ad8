// Starts ledger-worker.ts as processes of their own.

import { spawn, type ChildProcess } from "node:child_process"
import type { WorkerTask } from "./ledger-worker.ts"

/** A process that was started and waits for its task; `lines` grows while it runs. */
export interface Worker {
  readonly child: ChildProcess
  readonly give: (task: WorkerTask) => void
  readonly lines: () => readonly string[]
}

/** Starts a worker from its bundle. */
export function startWorker(bundle: string): Worker {
  const program = `import { workFor } from ${JSON.stringify(bundle)}; await workFor(process.stdin)`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece
  })
  // A line that was cut off by the end of the process was not acknowledged to anybody.
  return {
    child,
    give: (task) => void child.stdin.end(JSON.stringify(task)),
    lines: () => text.split("\n").slice(0, -1),
  }
}
