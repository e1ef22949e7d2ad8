// Preparing in a process that is killed (SIGKILL), while a copy is made and while the file gets its name:
// nothing that is half done is ever served, and the next try ends with the copies that an undisturbed one
// makes.

import { DuckDBInstance } from "@duckdb/node-api"
import { sampleOf } from "@dosimeter/core/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { prepareWorkerUrl } from "../testing/prepare-worker.ts"
import { openDataset } from "./open-dataset.ts"
import { prepareDataset } from "./prepare-dataset.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  visits:
    unit: patient
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
      ward: { values: [A, B, C] }
`
const labels = ["visits", "totals of visits", "visits by ward", "totals of visits by ward"]

/** Killed when so many copies are there, some milliseconds after the next was begun. */
const kills = labels.flatMap((_, done) => [0, 3, 15].map((delay) => ({ done: done + 1, delay })))

const folder = mkdtempSync(join(tmpdir(), "dosimeter-killed-"))
let undisturbed: ReadonlyMap<string, string>

beforeAll(async () => {
  await makeDuckdb(
    join(folder, "clinic.duckdb"),
    `CREATE TABLE visits AS SELECT (i * i) % 4000 AS patient, (i % 700)::DOUBLE + 0.004 AS fee,
       ['A', 'B', 'C', 'X'][1 + i % 4] AS ward FROM range(100000) r(i)`,
  )
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  await prepareDataset({ policy, folder })
  undisturbed = await tablesOf(join(folder, ".dosimeter", "clinic.prepared"))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(sampleOf(kills, 1))("when $done are done, $delay ms later", async ({ done, delay }) => {
  const state = mkdtempSync(join(folder, "state-"))
  // The same secret: places are drawn by it.
  const own = join(state, ".dosimeter")
  mkdirSync(own)
  copyFileSync(join(folder, ".dosimeter", "clinic.key"), join(own, "clinic.key"))
  const options = { policy, folder, state: own }
  await kill(own, { done, delay })
  const before = await openDataset({ ...options, prepare: "never" })
  const isThere = existsSync(join(own, "clinic.prepared"))
  expect(before.prepared.map(({ label }) => label)).toEqual(isThere ? labels : [])
  await before.backend.close()
  expect((await prepareDataset(options)).copies).toEqual(labels)
  expect(await tablesOf(join(own, "clinic.prepared"))).toEqual(undisturbed)
  expect(existsSync(join(own, "clinic.prepared.building"))).toBe(false)
})

/** Prepares in a process that is killed when it has told of so many copies. */
async function kill(state: string, at: { readonly done: number; readonly delay: number }): Promise<void> {
  const [url, ...paths] = [prepareWorkerUrl, folder, state].map((text) => JSON.stringify(text))
  const program = `import { prepareIn } from ${url}; await prepareIn(${paths.join(", ")})`
  const tsx = import.meta.resolve("tsx")
  const args = ["--conditions=source", "--import", tsx, "--input-type=module", "--eval", program]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "close")
  let text = ""
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece
      if (text.includes(`${at.done} `)) resolve()
    })
    child.once("close", () => resolve())
  })
  await setTimeout(at.delay)
  child.kill("SIGKILL")
  await ended
  expect(text).toContain(`${at.done} `)
}

/** All that a file of copies holds, whatever the order. */
async function tablesOf(path: string): Promise<ReadonlyMap<string, string>> {
  const instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const names = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables() ORDER BY 1")
  const found = new Map<string, string>()
  for (const [name] of names.getRows()) {
    const text = String(name).replaceAll('"', '""')
    const rows = await connection.runAndReadAll(
      `SELECT count(*) || ' ' || sum(hash(t)::HUGEINT) FROM "${text}" AS t`,
    )
    found.set(String(name), String(rows.getRows()[0]?.[0]))
  }
  connection.closeSync()
  instance.closeSync()
  return found
}
