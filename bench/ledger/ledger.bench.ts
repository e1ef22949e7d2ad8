// Durable charges per second: how many reservations come back, each on disk with its anchor, when 1, 8 or 64
// callers ask one after the other; beside the bare cost of what the disk does, which differs from hour to
// hour. Then the same in a PostgreSQL, and from four processes.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { budgetFor } from "@dosimeter/core"
import { openSqliteLedger } from "../../packages/engine/src/ledger/stores/sqlite-ledger.ts"
import { median } from "../measure.ts"
import { formatTable, short } from "../table.ts"
import { chargesPerSecond } from "./charges-per-second.ts"
import { benchShared } from "./shared-ledger.bench.ts"

const callerCounts = [1, 8, 64] as const

/** Measures and prints; returns charges per second by the number of callers. */
export async function benchLedger({
  quick,
}: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), "bench-ledger-"))
  const rounds = quick ? 3 : 7
  const syncs: number[] = []
  const charges = new Map<number, number[]>(callerCounts.map((callers) => [callers, []]))
  try {
    const path = join(folder, "ledger")
    const ledger = await openSqliteLedger(path, { dataset: "bench" })
    await ledger.openAccount("dataset", budgetFor({ epsilon: "1000000", delta: "0", accounting: "pure" }))
    for (let round = 0; round < rounds; round += 1) {
      syncs.push(syncsPerSecond(folder))
      for (const callers of callerCounts) {
        charges
          .get(callers)
          ?.push(await chargesPerSecond(ledger, { callers, each: Math.ceil(256 / callers), round }))
      }
    }
    const { entries } = { entries: (await ledger.entries(1n, 1_000_000)).length }
    await ledger.close()
    const started = performance.now()
    await (await openSqliteLedger(path, { dataset: "bench" })).close()
    const opened = (entries / (performance.now() - started)) * 1000
    print(median(syncs), new Map([...charges].map(([callers, list]) => [callers, median(list)])), {
      entries,
      opened,
    })
    const alone = new Map([...charges].map(([callers, list]) => [callers, median(list)]))
    return { ...resultsOf(alone), ...(await benchShared({ folder, rounds, alone })) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function resultsOf(charges: ReadonlyMap<number, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...charges].map(([callers, rate]) => [`charges/s, ${callers} callers`, rate]))
}

function syncsPerSecond(folder: string): number {
  const file = openSync(join(folder, "syncs"), "w")
  const started = performance.now()
  const count = 100
  for (let turn = 0; turn < count; turn += 1) {
    writeSync(file, "x".repeat(512))
    fdatasyncSync(file)
  }
  closeSync(file)
  return (count * 1000) / (performance.now() - started)
}

function print(
  syncs: number,
  charges: ReadonlyMap<number, number>,
  ledger: { readonly entries: number; readonly opened: number },
): void {
  const rows = [...charges].map(([callers, rate]) => [`${callers} callers`, short(rate), short(rate / syncs)])
  console.log("\nDurable charges, each with its anchor\n")
  console.log(formatTable([["", "charges/s", "per bare sync"], ...rows]))
  console.log(`\nThe disk syncs ${short(syncs)} times a second by itself.`)
  console.log(
    `Opening reads and checks ${short(ledger.opened)} entries a second (${ledger.entries} entries).`,
  )
}
