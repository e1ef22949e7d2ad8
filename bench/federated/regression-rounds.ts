// What a regression over sites costs one of them, in CPU and bytes: all sums of the job one after the other,
// with a database and a ledger at every site, and messages as the texts that travel.

import { FederatedJob } from "../../packages/engine/src/federation/coordinator.ts"
import { parseEnvelope } from "../../packages/engine/src/federation/envelope.ts"
import { ModelSites } from "../../packages/engine/src/testing/model-sites.ts"
import { formatTable, short } from "../table.ts"

const features = Array.from({ length: 10 }, (_, at) => `x${at}`)
const rounds = 100
const rowsPerSite = 10_000

const policy = `dataset: bench
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
${features.map((name) => `      ${name}: { min: 0, max: 100, type: integer, nullable: false }`).join("\n")}
      ill: { type: boolean, nullable: false }
`

/** Every number is a function of a patient's number; sites have other patients. */
function scriptOf(site: number): string {
  const from = site * rowsPerSite
  const columns = features.map(
    (name, at) => `((i * ${37 + 2 * at} + i // ${7 + at}) % 101)::INTEGER AS ${name}`,
  )
  return `CREATE TABLE patients AS SELECT i::INTEGER AS id, ${columns.join(", ")}, (i * 13) % 17 < 6 AS ill
    FROM range(${from}, ${from + rowsPerSite}) r(i)`
}

interface Cost {
  cpuMs: number
  sentBytes: number
  receivedBytes: number
}

/** Prints a table; what is kept are seconds of CPU a site. */
export async function benchRounds(counts: readonly number[]): Promise<Readonly<Record<string, number>>> {
  const medians: Record<string, number> = {}
  const sums = rounds + 3
  const rows = [["sites", "site, s of CPU", "a sum, ms", "sent, kB", "received, kB", "coordinator, s of CPU"]]
  for (const count of counts) {
    const { site, coordinator, anewMs } = await costOf(count)
    rows.push([
      `${count}`,
      short(site.cpuMs / 1000),
      short(site.cpuMs / sums),
      short(site.sentBytes / 1000),
      short(site.receivedBytes / 1000),
      short(coordinator.cpuMs / 1000),
      short(anewMs / 1000),
    ])
    medians[`${count} sites, regression of ${features.length}: s of CPU a site`] = site.cpuMs / 1000
    console.error(`measured: ${rows.at(-1)?.join("  ") ?? ""}`)
  }
  console.log(`A logistic regression of ${features.length} features in ${rounds} rounds, ${sums} sums, with
${rowsPerSite.toLocaleString("en-US")} patients at each site, nobody dropping out.\n`)
  console.log(`${formatTable(rows)}\n`)
  return medians
}

interface CostOfJob {
  readonly site: Cost
  readonly coordinator: Cost
  /** What a coordinator that starts anew pays to go on with it. */
  readonly anewMs: number
}

async function costOf(count: number): Promise<CostOfJob> {
  const names = Array.from({ length: count }, (_, at) => `site${at}`)
  const sites = await ModelSites.open({
    policy,
    scripts: Object.fromEntries(names.map((name, at) => [name, scriptOf(at)])),
  })
  try {
    await sites.begin("bench")
    const sql = `SELECT ${features.join(", ")}, ill FROM patients`
    const job = sites.job({ sql, model: { kind: "logistic", target: "ill", rounds } })
    const costs = new Map<string, Cost>()
    const of = (name: string): Cost => {
      const cost = costs.get(name) ?? { cpuMs: 0, sentBytes: 0, receivedBytes: 0 }
      costs.set(name, cost)
      return cost
    }
    const queue = [...job.invitations()]
    for (let envelope = queue.shift(); envelope !== undefined; envelope = queue.shift()) {
      const text = JSON.stringify(envelope)
      of(envelope.from).sentBytes += text.length
      const cost = of(envelope.to)
      cost.receivedBytes += text.length
      const from = process.cpuUsage()
      queue.push(...(await sites.deliver(job, parseEnvelope(text))))
      const { user, system } = process.cpuUsage(from)
      cost.cpuMs += (user + system) / 1000
    }
    if (job.state().phase !== "answered") throw new Error("the regression was not fitted")
    const from = process.cpuUsage()
    FederatedJob.rebuilt(sites.study, job.document, job.events)
    const { user, system } = process.cpuUsage(from)
    return { site: of("site0"), coordinator: of("coordinator"), anewMs: (user + system) / 1000 }
  } finally {
    await sites.close()
  }
}
