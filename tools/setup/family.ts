// The processes that a step of the checks has started, directly or through others, and their end. They are
// known by a mark in their environment, which children inherit: one that leaves its group, or whose parent
// has ended, is found as well. Where the system shows no environments, they are found by their parents.

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

/** The variable that carries the mark, after those of the steps that this one is part of. */
const markName = "DOSIMETER_TEST_STEP"

/** The environment in which a process and its children carry a mark. */
export function marked(mark: string): Readonly<Record<string, string>> {
  return { [markName]: [process.env[markName] ?? "", mark].join(" ").trim() }
}

/** A process that runs. */
export interface Process {
  readonly pid: number
  /** Its command, shortened to what fits into a line. */
  readonly command: string
}

/** The processes with a mark, and all that descend from them or from `parent`; never this one. */
export function familyOf(mark: string, parent?: number): readonly Process[] {
  const all = runningProcesses(mark)
  const found = new Set(all.filter((one) => one.isMarked || one.pid === parent).map(({ pid }) => pid))
  found.delete(process.pid)
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const one of all) if (found.has(one.ppid) && one.pid !== process.pid) found.add(one.pid)
  }
  return all
    .filter(({ pid }) => found.has(pid))
    .map(({ pid, command }) => ({ pid, command: lineOf(command) }))
}

/** How long the system may take to end what it was told to, on a busy machine. */
const byForceMs = 30_000

/** Ends a family, first with a request, then by force; gives what even that has not ended. */
export async function endFamily(
  find: () => readonly Process[],
  graceMs: number,
): Promise<readonly Process[]> {
  for (const [signal, patienceMs] of [
    ["SIGTERM", graceMs],
    ["SIGKILL", byForceMs],
  ] as const) {
    for (const { pid } of find()) signalTo(pid, signal)
    const until = performance.now() + patienceMs
    while (find().length > 0 && performance.now() < until) await sleep(50)
  }
  return find()
}

interface Found extends Process {
  readonly ppid: number
  readonly isMarked: boolean
}

function runningProcesses(mark: string): readonly Found[] {
  return existsSync("/proc/self/environ") ? inProc(mark) : byPs()
}

function inProc(mark: string): readonly Found[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    const stat = readOr(`/proc/${name}/stat`)
    // The name in parentheses may hold anything, parentheses included.
    const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // A zombie has ended, and waits for its parent to look.
    if (state === undefined || state === "Z" || state === "X") return []
    const command = readOr(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim()
    const variables = readOr(`/proc/${name}/environ`).split("\0")
    const marks = variables.find((one) => one.startsWith(`${markName}=`)) ?? ""
    const isMarked = marks
      .slice(markName.length + 1)
      .split(" ")
      .includes(mark)
    return [{ pid: Number(name), ppid: Number(ppid), command, isMarked }]
  })
}

function byPs(): readonly Found[] {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8", timeout: 10_000 })
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [, pid, ppid, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), command, isMarked: false }]
  })
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // It has ended meanwhile, or is somebody else's.
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

function lineOf(command: string): string {
  return command.length > 120 ? `${command.slice(0, 117)}...` : command
}
