// The processor time that a server has taken, in milliseconds: it hardly depends on who else is at work.

import { readdirSync, readFileSync } from "node:fs"

/** Asks for all that was taken so far. */
export type CpuClock = () => Promise<number>

/** Of this process, which DuckDB runs in. */
export function ownCpu(): CpuClock {
  return async () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** How often a second Linux counts. */
const ticks = 100

/** Of a PostgreSQL: its first process, those that it has started, and those of them that have ended. */
export function postgresCpu(dataFolder: string): CpuClock {
  return async () => {
    const first = readFileSync(`${dataFolder}/postmaster.pid`, "utf8").split("\n")[0] ?? ""
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
    let sum = 0
    for (const pid of all) {
      const [parent = "", times = 0] = statOf(pid)
      if (pid === first || parent === first) sum += times
    }
    return (sum * 1000) / ticks
  }
}

/** The parent of a process, and its time with that of its children that were waited for. */
function statOf(pid: string): readonly [string, number] | readonly [] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const times = fields.slice(11, 15).map(Number)
    return [fields[1] ?? "", times.reduce((sum, one) => sum + one, 0)]
  } catch {
    return [] // It has ended since.
  }
}

interface ListedQuery {
  readonly queryId: string
  readonly queryStats: { readonly totalCpuTime: string }
}

/** Of the queries of a Trino, as its coordinator adds it up over all nodes. */
export function trinoCpu(url: string): CpuClock {
  const known = new Map<string, number>()
  return async () => {
    const reply = await fetch(`${url}/v1/query`, {
      headers: { "X-Trino-User": "bench" },
      signal: AbortSignal.timeout(60_000),
    })
    const queries: readonly ListedQuery[] = JSON.parse(await reply.text())
    for (const { queryId, queryStats } of queries) known.set(queryId, millisecondsOf(queryStats.totalCpuTime))
    return [...known.values()].reduce((sum, one) => sum + one, 0)
  }
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

function millisecondsOf(duration: string): number {
  const [, count = "0", unit = "ms"] = /^([\d.]+)([a-z]+)$/.exec(duration) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}
