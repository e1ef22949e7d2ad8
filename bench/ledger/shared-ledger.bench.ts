// Charges per second in a PostgreSQL on the same disk, beside those in a file: from one process, and from
// four that share the ledger.

import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { budgetFor } from "@dosimeter/core"
import { openPostgresLedger } from "../../packages/engine/src/ledger/stores/postgres-ledger.ts"
import { bundleWorker } from "../../packages/engine/src/testing/bundle-worker.ts"
import { findPostgres } from "../../packages/engine/src/testing/postgres-cluster.ts"
import { startWorker } from "../../packages/engine/src/testing/start-worker.ts"
import { median } from "../measure.ts"
import { formatTable, short } from "../table.ts"
import { chargesPerSecond } from "./charges-per-second.ts"

interface SharedOptions {
  readonly folder: string
  readonly rounds: number
  /** Charges a second in a file, by the number of callers. */
  readonly alone: ReadonlyMap<number, number>
}

/** Measures and prints; nothing where there is no PostgreSQL. */
export async function benchShared(options: SharedOptions): Promise<Readonly<Record<string, number>>> {
  const found = findPostgres()
  if ("missing" in found) {
    console.log(`\nA shared ledger was not measured: ${found.missing}`)
    return {}
  }
  const cluster = found.open("on disk")
  try {
    const url = await cluster.database()
    const callers = await byCallers(url, options)
    const bundle = await bundleWorker(options.folder)
    const file = await byProcesses(bundle, join(options.folder, "processes"), options.folder)
    const shared = await byProcesses(bundle, url, options.folder)
    const rows = [
      ...[...callers].map(
        ([count, rate]) => [`${count} callers`, rate, options.alone.get(count) ?? NaN] as const,
      ),
      [`${processes} processes of ${together}`, shared, file] as const,
    ]
    console.log("\nThe same in PostgreSQL\n")
    const lines = rows.map(([name, rate, other]) => [name, short(rate), short(other), short(rate / other)])
    console.log(formatTable([["", "charges/s", "in a file", "ratio"], ...lines]))
    return Object.fromEntries(
      rows.map(([name, rate, other]) => [`PostgreSQL over file, ${name}`, rate / other]),
    )
  } finally {
    await cluster.stop()
  }
}

async function byCallers(
  url: string,
  { folder, rounds, alone }: SharedOptions,
): Promise<Map<number, number>> {
  const ledger = await openPostgresLedger(url, { dataset: "bench", anchor: join(folder, "shared.anchor") })
  await ledger.openAccount("dataset", budgetFor({ epsilon: "1000000", delta: "0", accounting: "pure" }))
  const rates = new Map<number, number>()
  for (const callers of alone.keys()) {
    const list: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      list.push(await chargesPerSecond(ledger, { callers, each: Math.ceil(256 / callers), round }))
    }
    rates.set(callers, median(list))
  }
  await ledger.close()
  return rates
}

const processes = 4
const together = 16

/** Each charges and settles; a second charge begins when the first is settled. */
async function byProcesses(bundle: string, path: string, folder: string): Promise<number> {
  const charges = 25 * together
  const workers = Array.from({ length: processes }, () => startWorker(bundle))
  // All have started before the first begins.
  await setTimeout(1000)
  const started = performance.now()
  for (const [index, worker] of workers.entries()) {
    const anchor = join(folder, path.startsWith("postgres:") ? "shared.four" : "file.four")
    worker.give({ path, anchor, name: `process ${index}`, epsilon: "1000000", charges, together })
  }
  await Promise.all(workers.map(({ child }) => once(child, "close")))
  const seconds = (performance.now() - started) / 1000
  const done = workers
    .flatMap((worker) => worker.lines())
    .filter((line) => line.startsWith("answered")).length
  if (done !== processes * charges) throw new Error(`${done} of ${processes * charges} were answered`)
  return done / seconds
}
