// What privacy costs in each database: every class of questions as the plain query, as the private one over
// the tables themselves, and over prepared copies; processor time of the database, as ratios within one run,
// and the bytes that move.

import { openDataset, type Dataset } from "../../packages/engine/src/prepare/open-dataset.ts"
import { loadGrammar } from "../../packages/language/src/parse/grammar.ts"
import { median, medianRatio } from "../measure.ts"
import { formatTable, short } from "../table.ts"
import { peoplePolicy } from "../sql/bench-data.ts"
import { privateQuery } from "../sql/private-query.ts"
import { classes } from "../sql/questions.ts"
import { sources, type BenchSource } from "./sources.ts"

interface Options {
  readonly quick: boolean
  readonly rows?: number
  /** One database by name. */
  readonly only?: string
}

/** A private query over copies takes at most so many times as long as the plain one. */
const goal = 1.2

/** Measures and prints; returns the ratios of the prepared forms. */
export async function benchDatabases({
  quick,
  rows = 1_000_000,
  only,
}: Options): Promise<Readonly<Record<string, number>>> {
  const ratios: Record<string, number> = {}
  for (const [name, make] of Object.entries(sources)) {
    if (only !== undefined && only !== name) continue
    const source = await make(rows)
    if ("missing" in source) {
      console.log(`\n${source.name} was not measured: ${source.missing}`)
      continue
    }
    try {
      Object.assign(ratios, await measure(source, rows, quick ? 2 : 5))
    } finally {
      await source.remove()
    }
  }
  return ratios
}

async function measure(
  source: BenchSource,
  rows: number,
  rounds: number,
): Promise<Readonly<Record<string, number>>> {
  const policy = peoplePolicy.replace("{ duckdb: bench.duckdb }", source.written)
  const before = await source.cpu()
  const dataset = await openDataset({ policy, folder: source.folder, prepare: "always" })
  const prepared = (await source.cpu()) - before
  const grammar = await loadGrammar()
  const ratios: Record<string, number> = {}
  const table = [["class", "plain ms", "a million rows", "raw / plain", "prepared / plain", "kB moved", ""]]
  const scan = plainQuery(source, dataset, "SELECT COUNT(*), SUM(cost) FROM cond")
  await scan()
  const scanned = await costOf(source, scan)
  const stored = (await dataset.copies?.stored())?.bytes ?? 0
  console.log(
    `\n${source.name}, ${rows.toLocaleString("en-US")} rows; milliseconds of processor time: ${short(prepared)} to open and prepare ` +
      `(copies of ${short(stored / 1e6)} MB), ${short(scanned.ms)} for a plain scan`,
  )
  for (const one of classes.filter(({ policy: of }) => of === "people")) {
    const forms = {
      plain: plainQuery(source, dataset, one.plain ?? one.sql),
      raw: privateQuery(one, { dataset, grammar, copies: [] }),
      prepared: privateQuery(one, { dataset, grammar, copies: dataset.prepared }),
    }
    const costs = await alternately(source, forms, rounds)
    const [plain, raw, copied] = [costs.plain, costs.raw, costs.prepared].map((form) =>
      form.map(({ ms }) => ms),
    )
    const ratio = medianRatio(copied ?? [], plain ?? [])
    ratios[`${source.name}: ${one.name}`] = ratio
    table.push([
      one.name,
      short(median(plain ?? [])),
      short(median(copied ?? []) / (rows / 1e6)),
      short(medianRatio(raw ?? [], plain ?? [])),
      short(ratio),
      source.relay === undefined ? "-" : short(median(costs.prepared.map(({ bytes }) => bytes)) / 1000),
      ratio <= goal ? "met" : "missed",
    ])
    // A large run takes a while, and what is measured so far should not be lost with it.
    console.error(table.at(-1)?.join("  "))
  }
  console.log(`\n${formatTable(table)}\n`)
  await dataset.backend.close()
  return ratios
}

type Run = () => Promise<void>

type Form = "plain" | "raw" | "prepared"

/** What a run takes: processor time of the database, and bytes in both directions. */
interface Cost {
  readonly ms: number
  readonly bytes: number
}

/** One after the other in each round, so that what else the machine does meets all of them. */
async function alternately(
  source: BenchSource,
  forms: Readonly<Record<Form, Run>>,
  rounds: number,
): Promise<Readonly<Record<Form, readonly Cost[]>>> {
  const costs: Record<Form, Cost[]> = { plain: [], raw: [], prepared: [] }
  const names = ["plain", "prepared", "raw"] as const
  for (const name of names) await forms[name]()
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) costs[name].push(await costOf(source, forms[name]))
  }
  return costs
}

async function costOf({ cpu, relay }: BenchSource, run: Run): Promise<Cost> {
  const bytes = (): number => (relay === undefined ? 0 : relay.moved.toServer + relay.moved.toClient)
  const [before, moved] = [await cpu(), bytes()]
  await run()
  const between = bytes() - moved
  return { ms: (await cpu()) - before, bytes: between }
}

function plainQuery(source: BenchSource, { backend }: Dataset, sql: string): Run {
  return async () => {
    await backend.readPublic({ text: source.plainly(sql), parameters: [] }, [])
  }
}
