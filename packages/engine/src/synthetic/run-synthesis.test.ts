// Attacks on whole measurements, on data with one person more or less: what an asker sees besides the rows,
// what is read for a charge, and what becomes of one whose rounds are broken off.

import { budgetFor } from "@dosimeter/core"
import { compare, exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { fail } from "../errors.ts"
import { askingOver } from "../engine.ts"
import type { Backend } from "../dataset/backend.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset } from "../prepare/open-dataset.ts"
import { clinicPolicy } from "../testing/clinic.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"

const people = 300
const folders: string[] = []
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** People whose columns hang together, or with a last one who is like nobody else. */
async function openWard(seed: string, options: { isThere?: boolean; failsAt?: number; movesAt?: number }) {
  const { isThere = false, failsAt, movesAt } = options
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-rounds-"))
  folders.push(folder)
  freshHome()
  const last = isThere ? "UNION ALL SELECT 100000, 'f', 9, 200" : ""
  await makeDuckdb(
    join(folder, "clinic.duckdb"),
    `CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 10 < 5 THEN 'f' ELSE 'm' END AS sex,
       i % 9 AS age, (50 + 10 * (i % 9))::DOUBLE AS weight FROM range(${people}) r(i) ${last};
     CREATE TABLE visits AS SELECT i % ${people} AS patient_id, (i % 400)::DOUBLE AS fee,
       ['A', 'B', 'C'][1 + i % 3] AS ward, 'town' AS city FROM range(${3 * people}) r(i);
     CREATE TABLE wards AS SELECT 'A' AS ward`,
  )
  const dataset = await openDataset({ policy: clinicPolicy, folder, prepare: "never" })
  const ledger = await openMemoryLedger({ dataset: "clinic" })
  await ledger.openAccount("dataset", budgetFor({ epsilon: 50, delta: "1e-5", accounting: "zcdp" }))
  closing.push(async () => {
    await dataset.backend.close()
    await ledger.close()
  })
  const read: string[] = []
  const run: Backend["run"] = async (query, given) => {
    read.push(query.sql.text)
    if (read.length === failsAt) fail("backend/failed", {})
    return dataset.backend.run(query, given)
  }
  const backend = new Proxy(dataset.backend, {
    get: (own, name): unknown => {
      const value: unknown = name === "run" ? run : Reflect.get(own, name)
      return typeof value === "function" && name !== "run" ? value.bind(own) : value
    },
  })
  const check = async (): Promise<void> => {
    if (movesAt !== undefined && read.length >= movesAt) fail("dataset/changed", {})
    await dataset.version.check()
  }
  const version = { ...dataset.version, check }
  const asking = await askingOver(
    { dataset: { ...dataset, backend, version }, ledger },
    { rng: seededBits(seed) },
  )
  const spent = async (): Promise<number> =>
    numberNear((await ledger.accounts())[0]?.spent ?? exactly("0", "spent"))
  return { ...asking, ledger, read, spent }
}

const asked = { table: "patients", columns: ["sex", "age"], ask: { epsilon: exactly("1", "epsilon") } }
/** Two columns and their pair are read whatever the data is. */
const firstReads = 3

test("[B6] one person more changes nothing that is seen before the end, and the losses stay in the charge", async () => {
  const runs = await Promise.all(
    [false, true].map(async (isThere) => {
      const ward = await openWard("same", { isThere })
      const told: string[] = []
      const release = await ward.synthetic.measure({
        ...asked,
        onProgress: (step) => told.push(step),
        // Nothing was read when the charge became durable.
        onCharged: () => told.push(`charged, ${ward.read.length} read`),
      })
      const rho = release.synthesis.taken.reduce((sum, { variance }) => sum + 1 / (2 * variance), 0)
      return { told, rho, ward, release }
    }),
  )
  const [without, having] = runs
  if (without === undefined || having === undefined) throw new Error("there are two runs")
  expect(having.told).toEqual(without.told)
  expect(without.told).toEqual(["charged, 0 read", "measuring columns", "measuring pairs"])
  const { charge } = without.release.plan
  for (const { rho, ward, release } of runs) {
    expect(rho).toBeLessThanOrEqual(numberNear(charge.amount) * (1 + 1e-12))
    expect(await ward.spent()).toBeGreaterThanOrEqual(rho * (1 - 1e-12))
    // Every table was read once.
    expect(ward.read).toHaveLength(release.synthesis.taken.length)
    expect(compare(charge.amount, release.plan.charge.amount)).toBe(0)
  }
  // Keyed hashes of a version are another matter than the data: what is read first is the same question.
  const texts = runs.map(({ ward }) =>
    ward.read.slice(0, firstReads).map((sql) => sql.replaceAll(/'[0-9a-f]{64}'/g, "")),
  )
  expect(texts[1]).toEqual(texts[0])
})

test.each([
  ["the first table", 1],
  ["a table of the second round", 3],
  ["a table of a round that was decided from noisy ones", 4],
])("what fails at %s was paid for, gives nothing, and is told alike", async (_, failsAt) => {
  const ward = await openWard("fails", { failsAt })
  const plan = await ward.synthetic.plan(asked)
  const refused = expect.objectContaining({
    issues: [expect.objectContaining({ code: "backend/failed", facts: {} })],
  })
  await expect(ward.synthetic.measure(asked)).rejects.toThrow(refused)
  expect(await ward.spent()).toBeGreaterThanOrEqual(numberNear(plan.charge.amount) * (1 - 1e-12))
  expect(await ward.synthetic.isMeasured(asked)).toBe(false)
  expect((await ward.ledger.entries(1n, 100)).map(({ entry }) => entry.kind)).toContain("charge")
  expect(await ward.ledger.unsettled()).toEqual([])
  // The door is closed until the owner has looked.
  expect((await ward.ledger.incidents()).map(({ cause }) => cause)).toEqual(["database"])
  await expect(ward.synthetic.measure(asked)).rejects.toThrow("nothing new is answered")
})

test("data that changes between rounds gives nothing, and what was measured of the old is not gone on with", async () => {
  const ward = await openWard("moves", { movesAt: 3 })
  const before = await ward.spent()
  await expect(ward.synthetic.measure(asked)).rejects.toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ code: "dataset/changed" })] }),
  )
  expect(ward.read).toHaveLength(3)
  expect(await ward.spent()).toBeGreaterThan(before)
  expect(await ward.ledger.unsettled()).toEqual([])
  await expect(ward.synthetic.isMeasured(asked)).resolves.toBe(false)
})

test("what somebody stops between rounds was paid for, and asking again is paid again", async () => {
  const ward = await openWard("stops", {})
  const stop = new AbortController()
  const onProgress = (step: string): void => {
    if (step === "measuring pairs") stop.abort()
  }
  await expect(ward.synthetic.measure({ ...asked, signal: stop.signal, onProgress })).rejects.toThrow(
    expect.objectContaining({ code: "backend/cancelled" }),
  )
  const once = await ward.spent()
  expect(once).toBeGreaterThan(0)
  const { origin } = await ward.synthetic.measure(asked)
  expect(origin).toBe("released")
  expect(await ward.spent()).toBeCloseTo(2 * once, 9)
})
