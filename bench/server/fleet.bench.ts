// Several servers on one shared ledger behind a balancer: answers a second from one and from four processes,
// what happens to a question that all of them are asked at once, and to those of a server that is killed.

import type { ChildProcess } from "node:child_process"
import { rmSync } from "node:fs"
import { add, showRational, zero } from "@dosimeter/core/exact"
import { findPostgres } from "../../packages/engine/src/testing/postgres-cluster.ts"
import { formatTable, short } from "../table.ts"
import { openBalancer, type Balancer } from "./balancer.ts"
import { httpCallers, load, type Callers, type LoadResult } from "./load.ts"
import {
  makeBenchHospital,
  openBenchEngine,
  portsOf,
  startServer,
  stopServer,
  type BenchHospital,
} from "./serve-child.ts"

const callers = 16
const many = 4
const recorded = "SELECT COUNT(*) AS n FROM person"
const fresh = "SELECT COUNT(*) AS n FROM person WHERE year_of_birth * 1000 < $1"

/** Measures and prints; returns answers a second, by kind and number of servers. */
export async function benchFleet({
  quick,
}: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const found = findPostgres()
  if ("missing" in found) {
    console.log(`A shared ledger was not measured: ${found.missing}`)
    return {}
  }
  const cluster = found.open("on disk")
  let hospital: BenchHospital | undefined
  try {
    const store = await cluster.database()
    hospital = await makeBenchHospital(quick ? 5_000 : 100_000, store)
    const size = { recorded: quick ? 200 : 2_000, fresh: quick ? 40 : 400 }
    const rows = new Map<string, LoadResult>()
    for (const count of [1, many]) await measure(hospital, count, { rows, size })
    printRows(rows)
    await showTotals(hospital.folder, store)
    return Object.fromEntries([...rows].map(([name, { perSecond }]) => [`${name}/s`, perSecond]))
  } finally {
    await cluster.stop()
    if (hospital !== undefined) rmSync(hospital.folder, { recursive: true })
  }
}

interface Measured {
  readonly rows: Map<string, LoadResult>
  readonly size: { readonly recorded: number; readonly fresh: number }
}

/** What is asked of the fleet; each of these numbers is a question of its own. */
let asked = 1_900_000

async function measure(hospital: BenchHospital, count: number, { rows, size }: Measured): Promise<void> {
  const servers = await startAll(hospital, count)
  const balancer = await openBalancer(servers.map(({ port }) => port))
  try {
    const name = (kind: string): string => `${kind}, ${count} ${count === 1 ? "server" : "servers"}`
    // Once, by one caller, so that it is in the record.
    await run(doorOf(hospital, balancer), () => ({ sql: recorded }), { times: 1, by: 1 })
    rows.set(
      name("recorded"),
      await run(doorOf(hospital, balancer), () => ({ sql: recorded }), { times: size.recorded }),
    )
    rows.set(
      name("fresh"),
      await run(doorOf(hospital, balancer), newQuestion(size.fresh), { times: size.fresh }),
    )
    if (count === 1) return
    // All callers ask the same question at the same time, each time another one.
    const same = Math.ceil(size.fresh / callers)
    const first = newQuestion(same)
    const together = (turn: number): object => first(Math.floor(turn / callers))
    rows.set(
      name("the same, at once"),
      await run(doorOf(hospital, balancer), together, { times: same * callers }),
    )
    rows.set("fresh, one of four killed", await withOneKilled(hospital, balancer, servers, size.fresh))
  } finally {
    await balancer.close()
    await Promise.all(servers.map(({ child }) => stopServer(child)))
  }
}

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

async function startAll(hospital: BenchHospital, count: number): Promise<readonly Server[]> {
  const children = Array.from({ length: count }, () => startServer(hospital))
  return Promise.all(children.map(async (child) => ({ child, port: (await portsOf(child)).httpPort })))
}

/** Questions that nobody has asked yet. */
function newQuestion(count: number): (turn: number) => object {
  const from = asked
  asked += count
  return (turn) => ({ sql: fresh, parameters: [from + turn], reuse: "never" })
}

function doorOf({ token, password }: BenchHospital, { port }: Balancer) {
  return { httpPort: port, token, password }
}

async function run(
  door: ReturnType<typeof doorOf>,
  bodyOf: (turn: number) => object,
  { times, by = callers }: { readonly times: number; readonly by?: number },
): Promise<LoadResult> {
  const made = httpCallers(door, by, bodyOf)
  const result = await load(made, times)
  await made.close()
  return result
}

/** One server is killed in the middle; whoever was not answered asks once more. */
async function withOneKilled(
  hospital: BenchHospital,
  balancer: Balancer,
  [victim]: readonly Server[],
  times: number,
): Promise<LoadResult> {
  const once = httpCallers(doorOf(hospital, balancer), callers, newQuestion(times))
  let again = 0
  const patient: Callers = {
    ...once,
    calls: once.calls.map((call) => async (turn) => {
      if (turn === Math.floor(times / 2)) victim?.child.kill("SIGKILL")
      await call(turn).catch(async () => {
        again += 1
        await call(turn)
      })
    }),
  }
  const result = await load(patient, times)
  await once.close()
  console.log(`one of ${many} servers was killed: ${again} of ${times} questions were asked twice`)
  return result
}

/** Whether the shared ledger adds up, and every charge came to an end. */
async function showTotals(folder: string, store: string): Promise<void> {
  const engine = await openBenchEngine(folder, store)
  const questions = new Map<string, number>()
  let [sum, count, takeOvers] = [zero, 0, 0]
  for (let from = 1n; ;) {
    const entries = await engine.ledger.entries(from, 500)
    for (const { entry } of entries) {
      if (entry.kind === "takeover") takeOvers += 1
      if (entry.kind !== "charge") continue
      questions.set(entry.planHash, (questions.get(entry.planHash) ?? 0) + 1)
      sum = add(sum, entry.amount)
      count += 1
    }
    from += BigInt(entries.length)
    if (entries.length < 500) break
  }
  const { spent } = await engine.account()
  const isSame = showRational(spent) === showRational(sum)
  const [open, incidents] = [await engine.ledger.unsettled(), await engine.ledger.incidents()]
  await engine.close()
  const several = [...questions.values()].filter((times) => times > 1)
  console.log(
    `\n${several.length} questions that were asked by several at once were charged more than once, ` +
      `${Math.max(1, ...several)} times at most`,
  )
  console.log(
    `${count} charges for ${questions.size} questions, ${takeOvers} taken over from the server that was killed; ` +
      `${open.length} without an outcome, ${incidents.length} failed; ` +
      `what is spent is ${isSame ? "" : "NOT "}the sum of all charges`,
  )
  if (!isSame || open.length > 0 || incidents.length > 0) process.exitCode = 1
}

function printRows(rows: ReadonlyMap<string, LoadResult>): void {
  console.log(
    formatTable([
      [`${callers} callers`, "per second", "p50 ms", "p99 ms", "errors"],
      ...[...rows].map(([name, { perSecond, p50, p99, errors }]) => [
        name,
        short(perSecond),
        short(p50),
        short(p99),
        `${errors}`,
      ]),
    ]),
  )
}
