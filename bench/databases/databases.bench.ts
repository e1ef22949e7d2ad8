// What privacy costs in each database: every class of questions as the plain query, as the private one over
// the tables themselves, and over prepared copies; wall time of one caller, as ratios within one run.

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
  const start = performance.now()
  const policy = peoplePolicy.replace("{ duckdb: bench.duckdb }", source.written)
  const dataset = await openDataset({ policy, folder: source.folder, prepare: "always" })
  const grammar = await loadGrammar()
  const ratios: Record<string, number> = {}
  const table = [["class", "plain ms", "raw / plain", "prepared / plain", ""]]
  const scan = await milliseconds(plainQuery(source, dataset, "SELECT COUNT(*), SUM(cost) FROM cond"), 2)
  console.log(
    `\n${source.name}, ${rows.toLocaleString("en-US")} rows; opened and prepared in ` +
      `${short((performance.now() - start) / 1000)} s, a plain scan takes ${short(scan / 1000)} s`,
  )
  for (const one of classes.filter(({ policy: of }) => of === "people")) {
    const forms = {
      plain: plainQuery(source, dataset, one.plain ?? one.sql),
      raw: privateQuery(one, { dataset, grammar, copies: [] }),
      prepared: privateQuery(one, { dataset, grammar, copies: dataset.prepared }),
    }
    const times = await alternately(forms, rounds)
    const prepared = medianRatio(times.prepared, times.plain)
    ratios[`${source.name}: ${one.name}`] = prepared
    table.push([
      one.name,
      short(median(times.plain)),
      short(medianRatio(times.raw, times.plain)),
      short(prepared),
      prepared <= goal ? "met" : "missed",
    ])
  }
  console.log(`\n${formatTable(table)}\n`)
  await dataset.backend.close()
  return ratios
}

type Run = () => Promise<void>

type Form = "plain" | "raw" | "prepared"

/** One after the other in each round, so that what else the machine does meets all of them. */
async function alternately(
  forms: Readonly<Record<Form, Run>>,
  rounds: number,
): Promise<Readonly<Record<Form, readonly number[]>>> {
  const times: Record<Form, number[]> = { plain: [], raw: [], prepared: [] }
  const names = ["plain", "prepared", "raw"] as const
  for (const name of names) await forms[name]()
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) times[name].push(await milliseconds(forms[name], 1))
  }
  return times
}

async function milliseconds(run: Run, repeats: number): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < repeats; count += 1) await run()
  return (performance.now() - start) / repeats
}

function plainQuery(source: BenchSource, { backend }: Dataset, sql: string): Run {
  return async () => {
    await backend.readPublic({ text: source.plainly(sql), parameters: [] }, [])
  }
}
