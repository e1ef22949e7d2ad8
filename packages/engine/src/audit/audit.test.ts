import { DuckDBInstance } from "@duckdb/node-api"
import { compare, exactly, showRational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { openAudit, type Audit } from "./audit.ts"
import type { Outcome } from "./outcome.ts"

const policy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 2, delta: 1e-6, accounting: pure }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      age: { type: integer, min: 0, max: 110 }
`
const count = "SELECT COUNT(*) AS n FROM patients"
const home = freshHome()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-audited-"))
let audit: Audit

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  const instance = await DuckDBInstance.create(join(folder, "ward.duckdb"))
  const connection = await instance.connect()
  await connection.run(
    "CREATE TABLE patients AS SELECT i AS id, (i % 100)::INTEGER AS age FROM range(200) r(i)",
  )
  connection.closeSync()
  instance.closeSync()
  audit = await openAudit({ policy, folder, bits: seededBits("audit") })
})
afterAll(async () => {
  await audit.close()
  rmSync(folder, { recursive: true })
})

function valueOf(outcome: Outcome | undefined): number {
  if (outcome?.kind !== "answered") throw new Error("it was not answered")
  return Number(outcome.answer.rows[0]?.[0]?.value)
}

async function answersOf(from: Audit, times: number): Promise<readonly number[]> {
  const values: number[] = []
  for await (const outcome of from.repeat(count, times)) values.push(valueOf(outcome))
  return values
}

test("every repetition is paid for, on a ledger that knows nothing of the others, with noise of its own", async () => {
  const origins = new Set<string>()
  const values = new Set<number>()
  for await (const outcome of audit.repeat(count, 12)) {
    if (outcome.kind === "answered") origins.add(outcome.origin)
    values.add(valueOf(outcome))
  }
  // Twelve times 0.5 is three times the budget.
  expect([...origins]).toEqual(["released"])
  expect(values.size).toBeGreaterThan(3)
})

test("given bits give the same answers again, and fresh bits others", async () => {
  const twice = [0, 1].map(async () => {
    const own = await openAudit({ policy, folder, bits: seededBits("the same") })
    const values = await answersOf(own, 20)
    await own.close()
    return values
  })
  const [first, second] = await Promise.all(twice)
  expect(first).toEqual(second)
  const fresh = await openAudit({ policy, folder })
  // Two draws of a Laplace law of scale 2 agree once in seven times, twenty of them once in 10^16.
  expect(await answersOf(fresh, 20)).not.toEqual(first)
  await fresh.close()
})

test("price, mechanisms and sensitivities are stated, and the receipt states the same", async () => {
  const stated = await audit.state(count)
  expect(stated).toMatchObject({ unit: "patient", neighbours: "add-or-remove" })
  expect(compare(stated.charge.amount, exactly("0.5", "epsilon"))).toBe(0)
  expect(stated.mechanisms).toHaveLength(1)
  expect(stated.mechanisms[0]).toMatchObject({ column: "COUNT(*)", mechanism: "laplace" })
  expect(stated.sql[0]).toContain("patients")
  expect(stated.text).toContain("epsilon 0.5")
  const outcome = await (await audit.begin()).ask(count)
  if (outcome.kind !== "answered") throw new Error("it was not answered")
  expect(outcome.receipt?.epsilon).toBe("0.5")
  expect(outcome.receipt?.mechanisms[0]?.["scale"]).toBe(
    showRational(stated.mechanisms[0]?.scale ?? exactly(0, "")),
  )
  expect(outcome.receipt?.mechanisms[0]?.["sensitivity"]).toBe(stated.mechanisms[0]?.sensitivity)
})

test("a session keeps the rules of a ledger: re-asking is free, and the budget ends in a refusal", async () => {
  const session = await audit.begin()
  const first = await session.ask(count)
  const again = await session.ask(count)
  expect(again).toMatchObject({ kind: "answered", origin: "recorded" })
  expect(valueOf(again)).toBe(valueOf(first))
  expect(await session.spent()).toBe(0.25)
  const outcomes: Outcome[] = []
  for (const age of [10, 20, 30, 40]) outcomes.push(await session.ask(`${count} WHERE age < ${age}`))
  expect(outcomes.map(({ kind }) => kind)).toEqual(["answered", "answered", "answered", "refused"])
  expect(outcomes[3]).toMatchObject({ error: { code: "budget/exhausted" } })
  expect(await session.ask("SELECT age FROM patients")).toMatchObject({ kind: "refused" })
})

test("nothing of the dataset's own is touched: ledger, anchor, key", async () => {
  const engine = await openEngine({ policy, folder, prepare: "never" })
  await engine.ask(count)
  await engine.close()
  const before = filesOf(folder, home)
  const own = await openAudit({ policy, folder, prepare: "always" })
  await answersOf(own, 5)
  expect(filesOf(folder, home)).toEqual(before)
  await own.close()
  expect(filesOf(folder, home)).toEqual(before)
  expect(Object.keys(before).some((name) => name.endsWith(".ledger"))).toBe(true)
  expect(Object.keys(before).some((name) => name.includes("anchor"))).toBe(true)
})

/** Every file below some folders, with its content. */
function filesOf(...folders: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    folders.flatMap((place) =>
      readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "base64")] as const),
    ),
  )
}
