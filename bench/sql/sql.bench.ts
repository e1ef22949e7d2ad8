// What privacy costs in the database: each class of question as the plain query that anybody would write, as
// the private one over the tables themselves, and over prepared copies. Both private forms are printed by the
// compiler and run through the backend.

import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDataset, type Dataset } from "../../packages/engine/src/prepare/open-dataset.ts"
import { loadGrammar, type Grammar } from "../../packages/language/src/parse/grammar.ts"
import { median, medianRatio } from "../measure.ts"
import { formatTable, short } from "../table.ts"
import { makeData, peoplePolicy, recordPolicy } from "./bench-data.ts"
import { privateQuery } from "./private-query.ts"
import { classes, type QuestionClass } from "./questions.ts"

type Form = "plain" | "raw" | "prepared"

/** CPU milliseconds of each form, round by round. */
type Measured = ReadonlyMap<string, Readonly<Record<Form, readonly number[]>>>

interface Options {
  readonly quick: boolean
  readonly rows?: number
  readonly full?: boolean
}

/** Measures and prints; returns the ratios of the prepared forms. */
export async function benchSql({
  quick,
  rows,
  full = false,
}: Options): Promise<Readonly<Record<string, number>>> {
  const size = rows ?? (full ? 20_000_000 : 2_000_000)
  const rounds = quick ? 3 : 5
  const large = await measure(size, rounds)
  const ratios: Record<string, number> = {}
  const table = [["class", "plain ms", "raw / plain", "prepared / plain", "goal", ""]]
  for (const { name, goal } of classes) {
    const times = large.get(name)
    if (times === undefined) continue
    const prepared = medianRatio(times.prepared, times.plain)
    ratios[name] = prepared
    const raw = times.raw.length === 0 ? undefined : medianRatio(times.raw, times.plain)
    const verdict = prepared <= goal ? "met" : "missed"
    table.push([name, short(median(times.plain)), short(raw), prepared.toFixed(3), `${goal}`, verdict])
  }
  console.log(`\n${formatTable(table)}\n`)
  if (full) await showGrowth(size, large, rounds)
  return ratios
}

async function showGrowth(size: number, large: Measured, rounds: number): Promise<void> {
  const small = await measure(size / 20, rounds)
  const table = [["class", "plain", "raw", "prepared"]]
  for (const { name } of classes) {
    const [a, b] = [small.get(name), large.get(name)]
    if (a === undefined || b === undefined) continue
    const growth = (form: Form): string => short(median(b[form]) / median(a[form]))
    table.push([name, growth("plain"), growth("raw"), growth("prepared")])
  }
  console.log(`\nTimes longer on 20 times the rows (20 is linear):\n\n${formatTable(table)}\n`)
}

async function measure(rows: number, rounds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "bench-sql-"))
  try {
    console.log(`${rows.toLocaleString("en-US")} rows; memory limit 2 GB`)
    await makeData(folder, rows)
    const source = statSync(join(folder, "bench.duckdb")).size
    const datasets = {
      people: await prepare(peoplePolicy, folder, source),
      records: await prepare(recordPolicy, folder, source),
    }
    const grammar = await loadGrammar()
    const results = new Map<string, Readonly<Record<Form, number[]>>>()
    for (const one of classes) {
      results.set(one.name, await measureClass(one, { dataset: datasets[one.policy], grammar, rounds }))
    }
    for (const { backend } of Object.values(datasets)) await backend.close()
    return results
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function prepare(policy: string, folder: string, sourceBytes: number): Promise<Dataset> {
  const start = performance.now()
  const cpu = process.cpuUsage()
  const dataset = await openDataset({
    policy,
    folder,
    limits: { memoryMb: 2000 },
    prepare: "always",
  })
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const size = (await dataset.copies?.stored())?.bytes ?? 0
  console.log(
    `prepared ${dataset.policy.dataset} (${dataset.prepared.map(({ label }) => label).join(", ")}) in ${short(seconds)} s, ` +
      `${short((user + system) / 1e6)} s of CPU; ${short(size / sourceBytes)} times the size of the source`,
  )
  return dataset
}

interface Context {
  readonly dataset: Dataset
  readonly grammar: Grammar
  readonly rounds: number
}

async function measureClass(
  one: QuestionClass,
  { dataset, grammar, rounds }: Context,
): Promise<Record<Form, number[]>> {
  const { backend, prepared } = dataset
  const plain = async (): Promise<void> => {
    await backend.readPublic({ text: one.plain ?? one.sql, parameters: [] }, [])
  }
  const over = (copies: Dataset["prepared"]): (() => Promise<void>) =>
    privateQuery(one, { dataset, grammar, copies })
  const forms = { plain, raw: over([]), prepared: over(prepared) }
  const times: Record<Form, number[]> = { plain: [], raw: [], prepared: [] }
  const repeats = { plain: 1, raw: 1, prepared: 1 }
  for (const form of ["plain", "raw", "prepared"] as const) {
    // Warm, and often enough for the clock.
    const first = await cpuMilliseconds(forms[form], 1)
    repeats[form] = Math.max(1, Math.min(50, Math.ceil(100 / Math.max(first, 0.1))))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const form of ["plain", "prepared", "raw"] as const) {
      if (form === "raw" && round >= 2) continue
      times[form].push(await cpuMilliseconds(forms[form], repeats[form]))
    }
  }
  return times
}

async function cpuMilliseconds(run: () => Promise<void>, repeats: number): Promise<number> {
  const start = process.cpuUsage()
  for (let count = 0; count < repeats; count += 1) await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 / repeats
}
