// The server under load, over both doors: answers from the record and fresh ones, many connections at once,
// memory over many requests, and whether the ledger still adds up.

import { formatTable, short } from "../table.ts"
import { httpCallers, load, pgCallers, type Callers, type LoadResult } from "./load.ts"
import { serveHospital, type ServedHospital } from "./serve-child.ts"

const callers = 16
const many = 200
const cached = "SELECT COUNT(*) AS n FROM person"
/** Another question for every turn: the same work, never the same plan. */
const fresh = "SELECT COUNT(*) AS n FROM person WHERE year_of_birth * 1000 < $1"

/** Measures and prints; returns questions per second by door and kind. */
export async function benchServer({
  quick,
}: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const served = await serveHospital(quick ? 5_000 : 100_000)
  try {
    const rows = await speeds(served, quick ? 300 : 3_000, quick ? 40 : 400)
    printSpeeds(rows)
    const crowd = await crowds(served)
    console.log(`\n${many} connections at each door at once: ${crowd} errors`)
    const memory = await memoryOver(served, quick ? 10_000 : 100_000)
    const megabytes = memory.map((mb) => mb.toFixed(0)).join(" ")
    console.log(`memory of the server in MB, after each tenth of the requests: ${megabytes}`)
    const totals = await served.stop()
    const isSame = totals.charged === totals.receipts
    console.log(
      `\n${totals.count} charges; the ledger's total is ${isSame ? "" : "NOT "}the sum of its receipts`,
    )
    if (!isSame || crowd > 0) process.exitCode = 1
    return Object.fromEntries([...rows].map(([name, { perSecond }]) => [`${name}/s`, perSecond]))
  } finally {
    served.remove()
  }
}

async function speeds(
  served: ServedHospital,
  times: number,
  freshTimes: number,
): Promise<ReadonlyMap<string, LoadResult>> {
  const values = (turn: number): number[] => [1_900_000 + turn]
  const run = async (made: Callers, count: number, from = 0): Promise<LoadResult> => {
    const result = await load(made, count, from)
    await made.close()
    return result
  }
  // Once, so that it is in the record.
  await run(
    httpCallers(served, 1, () => ({ sql: cached })),
    1,
  )
  const results = new Map<string, LoadResult>()
  results.set(
    "HTTP, nothing asked",
    await run(
      httpCallers(served, callers, () => undefined),
      times,
    ),
  )
  results.set(
    "HTTP, recorded",
    await run(
      httpCallers(served, callers, () => ({ sql: cached })),
      times,
    ),
  )
  results.set(
    "psql, recorded",
    await run(await pgCallers(served, callers, () => ({ text: cached, values: [] })), times),
  )
  results.set(
    "HTTP, fresh",
    await run(
      httpCallers(served, callers, (turn) => ({ sql: fresh, parameters: values(turn), reuse: "never" })),
      freshTimes,
    ),
  )
  results.set(
    "psql, fresh",
    await run(
      await pgCallers(served, callers, (turn) => ({ text: fresh, values: values(turn) })),
      freshTimes,
      100_000,
    ),
  )
  return results
}

/** How many of 200 connections at each door, all at once, saw an error. */
async function crowds(served: ServedHospital): Promise<number> {
  const http = httpCallers(served, many, () => ({ sql: cached }))
  const psql = await pgCallers(served, many, () => ({ text: cached, values: [] }))
  const results = await Promise.all([load(http, many * 5), load(psql, many * 5)])
  await http.close()
  await psql.close()
  return results.reduce((sum, { errors }) => sum + errors, 0)
}

/** Megabytes of the server after each tenth of so many requests. */
async function memoryOver(served: ServedHospital, times: number): Promise<readonly number[]> {
  const http = httpCallers(served, callers, () => ({ sql: cached }))
  const seen: number[] = []
  for (let part = 0; part < 10; part += 1) {
    await load(http, times / 10)
    seen.push(served.memoryMb())
  }
  await http.close()
  return seen
}

function printSpeeds(rows: ReadonlyMap<string, LoadResult>): void {
  const base = rows.get("HTTP, recorded")?.perSecond ?? Number.NaN
  console.log(
    formatTable([
      [`${callers} callers`, "per second", "to recorded", "p50 ms", "p99 ms", "errors"],
      ...[...rows].map(([name, { perSecond, p50, p99, errors }]) => [
        name,
        short(perSecond),
        short(perSecond / base),
        short(p50),
        short(p99),
        `${errors}`,
      ]),
    ]),
  )
}
