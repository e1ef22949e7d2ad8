// Consent through the engine: who withdraws is not in the next answer, and what was answered before is not
// given again.

import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import type { ConsentSource } from "./consent-walk.ts"
import { paidReceipt } from "../testing/paid-receipt.ts"

const policy = `dataset: ward
source: { duckdb: ward.duckdb }
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  patients: { unit: id, keys: [[id]], columns: { sex: { values: [f, m], nullable: false } } }
  visits: { unit: patient, columns: { fee: { type: integer, min: 0, max: 500 }, code: text } }
`
const purposes = ["DUO:0000006"]
const questions = {
  bySex: "SELECT sex, COUNT(*) FROM patients GROUP BY sex",
  sums: "SELECT COUNT(*), SUM(fee), AVG(fee) FROM visits",
  codes: "SELECT code, COUNT(*) FROM visits GROUP BY code",
  median: "SELECT MEDIAN(fee) FROM visits",
  joined: "SELECT sex, SUM(fee) FROM visits JOIN patients ON patient = id GROUP BY ROLLUP (sex)",
} as const

let folder = ""
const engines: Engine[] = []
let withdrawn: string[] = []

/** Everybody agreed but who is in `withdrawn`. */
const consent: ConsentSource = {
  current: async () => {
    const gone = [...withdrawn]
    return {
      version: `after ${gone.join(" ")}`,
      units: async (mode) =>
        mode === "opt-out"
          ? gone
          : [
              ...people()
                .map(String)
                .filter((id) => !gone.includes(id)),
              "x",
            ],
    }
  },
}

const people = (): readonly number[] => Array.from({ length: 300 }, (_, index) => index)

/** The ward without some people, in a folder of its own; answers draw the same noise everywhere. */
async function open(
  name: string,
  options: { text?: string; without?: string; asks?: boolean; prepare?: "always" },
): Promise<Engine> {
  const own = join(folder, name)
  mkdirSync(own)
  const instance = await DuckDBInstance.create(join(own, "ward.duckdb"))
  const connection = await instance.connect()
  const without = options.without ?? "FALSE"
  await connection.run(`
    CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex
      FROM range(300) r(i) WHERE NOT (${without});
    CREATE TABLE visits AS SELECT i % 300 AS patient, (i % 500)::INTEGER AS fee, 'c' || (i % 3) AS code
      FROM range(600) r(i) WHERE NOT (${without.replaceAll("i ", "i % 300 ")})`)
  connection.closeSync()
  instance.closeSync()
  const engine = await openEngine({
    policy: options.text ?? policy,
    folder: own,
    rng: seededBits("consent"),
    prepare: options.prepare ?? "never",
    ...(options.asks === false ? {} : { consent }),
  })
  engines.push(engine)
  return engine
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-consent-"))
})

afterAll(async () => {
  for (const engine of engines) await engine.close()
  rmSync(folder, { recursive: true })
})

test.each(["required", "opt-out"])("[G1] who withdraws is not in the next answer: %s", async (mode) => {
  withdrawn = []
  const engine = await open(mode, { text: `${policy}consent: ${mode}\n` })
  const before = await engine.ask(questions.sums, { purposes })
  expect((await engine.ask(questions.sums, { purposes })).origin).toBe("recorded")
  withdrawn = ["8", "8"]
  const after = await engine.ask(questions.sums, { purposes })
  expect(after.origin).toBe("released")
  expect(after.receipt).toMatchObject({ consent: { mode, purposes, version: "after 8 8" } })
  expect(paidReceipt(before).dataVersion).not.toBe(paidReceipt(after).dataVersion)
  const explained = await engine.explain(questions.sums, { purposes })
  expect(explained.text).toMatch(/^consent     each id .* for DUO:0000006 \(version after 8 8\)$/m)
  // For another purpose it is another answer.
  expect((await engine.ask(questions.sums, { purposes: ["DUO:0000042"] })).origin).toBe("released")
})

test("[G1] answers are those of data without who withdrew, to the last bit", async () => {
  withdrawn = ["8", "13"]
  const asked = await open("asked", { text: `${policy}consent: required\n`, prepare: "always" })
  const plain = await open("plain", { without: "i IN (8, 13)", prepare: "always" })
  for (const sql of Object.values(questions)) {
    const [a, b] = [await asked.ask(sql, { purposes }), await plain.ask(sql)]
    expect(a.answer).toEqual(b.answer)
  }
})

test("workloads are planned and released under the same decisions", async () => {
  withdrawn = []
  const engine = await open("workload", { text: `${policy}consent: opt-out\n` })
  const list = [questions.bySex, questions.joined].map((sql) => ({
    sql,
    weight: { numerator: 1n, denominator: 1n },
  }))
  const workload = await engine.plan(list, { purposes })
  withdrawn = ["1"]
  expect(await codeOf(engine.release(workload, { purposes }))).toBe("consent/changed")
  withdrawn = []
  expect((await engine.release(workload, { purposes })).origin).toBe("released")
})

test("lists that nobody uses are dropped, and made again", async () => {
  const engine = await open("many", { text: `${policy}consent: opt-out\n` })
  for (const id of [...people().slice(0, 7), 0]) {
    withdrawn = [`${id}`]
    await engine.ask(questions.bySex, { purposes, ask: { epsilon: { numerator: 1n, denominator: 10n } } })
  }
})

test("consent/no-purpose, consent/unavailable: nothing is read without decisions", async () => {
  const engine = await open("deaf", { text: `${policy}consent: required\n`, asks: false })
  expect(await codeOf(engine.ask(questions.bySex, { purposes }))).toBe("consent/unavailable")
  expect(await codeOf(engine.explain(questions.bySex, { purposes }))).toBe("consent/unavailable")
  const other = await open("aimless", { text: `${policy}consent: required\n` })
  expect(await codeOf(other.ask(questions.bySex))).toBe("consent/no-purpose")
  expect(await codeOf(other.plan([], {}))).toBe("consent/no-purpose")
  const kinds = (await other.ledger.entries(1n, 100)).map(({ entry }) => entry.kind)
  expect(kinds.filter((kind) => kind === "charge")).toEqual([])
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}
