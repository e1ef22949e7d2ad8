// Runs a program of the checks and sees to its end: a program that hangs is stopped with everything that it
// has started, and processes that it leaves behind are ended. Either counts as a failure.

import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { endFamily, familyOf, marked, type Process } from "./family.ts"

/** A program, and how long it may take: against hanging only, so far above what a busy machine needs. */
export interface Limited {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly limitMs: number
  /** Resolves where it hangs sooner than that, with what shows it. */
  readonly isOver?: Promise<string>
  /** How long what it has started may take to end, after it or when it is asked to. */
  readonly graceMs?: number
  /** Hears what the program sends, if it sends anything. */
  readonly onMessage?: (message: unknown) => void
  /** What is known of how far it came, for the report of a limit. */
  readonly progress?: () => string
  readonly log: (line: string) => void
}

/** How a program ended: `pid` is what it ran as. */
export interface Ended {
  readonly ok: boolean
  readonly pid: number | undefined
  /** Whether it had to be stopped. */
  readonly isLate: boolean
}

const graceUsualMs = 30_000

/** Runs a program until it ends, fails or reaches its limit. Afterwards nothing of it runs any more. */
export async function runLimited(limited: Limited): Promise<Ended> {
  const { program, args, cwd, env = {}, limitMs, graceMs = graceUsualMs, onMessage, log } = limited
  const mark = randomUUID()
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, ...marked(mark) },
    // Nothing is asked: whoever reads from a terminal would wait for ever where there is none.
    stdio: ["ignore", "inherit", "inherit", ...(onMessage === undefined ? [] : (["ipc"] as const))],
  })
  if (onMessage !== undefined) child.on("message", onMessage)
  const ended = new Promise<boolean>((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", (status) => resolve(status === 0))
  })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const family = (): readonly Process[] => familyOf(mark, hasEnded() ? undefined : child.pid)
  let isStopped = false
  const stop = (signal: NodeJS.Signals): void => {
    isStopped = true
    void endFamily(family, graceMs).then(() => process.exit(signal === "SIGINT" ? 130 : 143))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  const limit = new AbortController()
  try {
    const late = sleep(limitMs, `this has not ended within ${showMs(limitMs)}`, { signal: limit.signal })
    // The race is over by then, and nobody waits for it any more.
    late.catch(() => {})
    const sooner = limited.isOver === undefined ? [] : [limited.isOver]
    const outcome = await Promise.race([ended, late, ...sooner])
    if (typeof outcome === "string") {
      log(`${outcome}, and is stopped with all that it has started`)
      if (limited.progress !== undefined) log(limited.progress())
      report("still running:", family(), log)
      report("could not be ended:", await endFamily(family, graceMs), log)
      return { ok: false, pid: child.pid, isLate: true }
    }
    // Whoever started the checks has stopped them: no other step is begun.
    if (isStopped) await new Promise(() => {})
    return { ok: (await leftNothing(family, limited)) && outcome, pid: child.pid, isLate: false }
  } finally {
    limit.abort()
    process.off("SIGINT", stop)
    process.off("SIGTERM", stop)
  }
}

/** Whether all that a program has started ends soon after it; what does not is ended. */
async function leftNothing(
  family: () => readonly Process[],
  { graceMs = graceUsualMs, log }: Limited,
): Promise<boolean> {
  const until = performance.now() + graceMs
  while (family().length > 0 && performance.now() < until) await sleep(50)
  const left = family()
  if (left.length === 0) return true
  report("left behind, and ended now:", left, log)
  await endFamily(family, graceMs)
  return false
}

function report(title: string, processes: readonly Process[], log: (line: string) => void): void {
  if (processes.length === 0) return
  log([title, ...processes.map(({ pid, command }) => `  ${pid} ${command}`)].join("\n"))
}

/** A time in words. */
export function showMs(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} minutes`
}
