// Reports from devices a second, as the collector of a server counts them, each batch durable before the
// reply: in a file, and in a PostgreSQL that servers share; and how much of the disk a report takes.

import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeReport, readProtocol, releaseReport, systemBits } from "@dosimeter/core/local"
import pg from "pg"
import { findPostgres } from "../../packages/engine/src/testing/postgres-cluster.ts"
import type { CampaignPlan } from "../../packages/server/src/collector/campaign.ts"
import { Campaigns } from "../../packages/server/src/collector/campaigns.ts"
import { openPostgresState } from "../../packages/server/src/state/postgres-state.ts"
import { openSqliteState } from "../../packages/server/src/state/sqlite-state.ts"
import type { StateStore } from "../../packages/server/src/state/state-store.ts"
import { formatTable, short } from "../table.ts"

const batches = [1, 1000] as const
const plan: CampaignPlan = {
  id: "winter",
  title: "Winter",
  summary: "One question.",
  epsilon: "1",
  people: 10_000_000,
  reportsMax: 10_000_000,
  halfWidthMax: 0.1,
  questions: [{ kind: "choice", name: "fever", text: "Fever?", options: ["no", "yes", "do not know"] }],
}

/** Measures and prints; returns reports a second of processor time, by place and size of a batch. */
export async function benchCollector({
  quick,
}: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), "bench-collector-"))
  const found = findPostgres()
  const cluster = "open" in found ? found.open("on disk") : undefined
  const rates: Record<string, number> = {}
  const table = [["where, reports in a batch", "a second", "a second of our processor", "bytes each on disk"]]
  try {
    const file = join(folder, "server.state")
    const places: {
      readonly name: string
      readonly store: StateStore
      readonly size: () => Promise<number>
    }[] = [{ name: "a file", store: openSqliteState(file), size: async () => sizeOf(file) }]
    if (cluster !== undefined) {
      const url = await cluster.database()
      places.push({
        name: "PostgreSQL",
        store: await openPostgresState(url, "bench"),
        size: () => sizeIn(url),
      })
    }
    for (const { name, store, size } of places) {
      const campaigns = new Campaigns(store)
      await campaigns.create(plan, "olga")
      const { protocol } = await campaigns.move(plan.id, "publish", "olga")
      for (const batch of batches) {
        const count = batch === 1 ? (quick ? 100 : 1000) : quick ? 10_000 : 100_000
        const before = await size()
        const { wall, cpu } = await collected(campaigns, readProtocol(protocol), { count, batch })
        const each = batch === 1 ? "-" : short(((await size()) - before) / count)
        table.push([`${name}, ${batch}`, short(count / wall), short(count / cpu), each])
        rates[`${name}, ${batch} at once/s`] = count / cpu
      }
      await store.close()
    }
  } finally {
    await cluster?.stop()
    rmSync(folder, { recursive: true })
  }
  console.log(`\n${formatTable(table)}\n`)
  return rates
}

async function collected(
  campaigns: Campaigns,
  protocol: ReturnType<typeof readProtocol>,
  { count, batch }: { readonly count: number; readonly batch: number },
): Promise<{ readonly wall: number; readonly cpu: number }> {
  const rng = systemBits()
  const reports = Array.from({ length: count }, (_, at) =>
    makeReport(protocol, releaseReport(protocol, at % 3, rng), rng),
  )
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  let accepted = 0
  for (let from = 0; from < count; from += batch) {
    accepted += (await campaigns.collect(plan.id, reports.slice(from, from + batch))).accepted
  }
  const { user, system } = process.cpuUsage(cpu)
  if (accepted !== count) throw new Error(`${accepted} of ${count} reports were counted`)
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }
}

/** With what was written and is not in its place yet. */
function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

async function sizeIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ readonly size: string }>(
    "SELECT pg_database_size(current_database()) AS size",
  )
  await client.end()
  return Number(rows[0]?.size)
}
