// Through the engine: what fails after a charge, what a process leaves behind that ends, and both in slots.

import { exactly, rational, type RandomBits } from "@dosimeter/core"
import { DosimeterError, makeError } from "@dosimeter/core/errors"
import { seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { engineErrors, errorOf } from "../errors.ts"
import { askerOf, type QuestionOptions } from "../ask/ask-question.ts"
import { causeOf } from "./under-charge.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { refusal } from "../testing/ledger-fixtures.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 2, rows_per_group: 1, norm: fixed }
tables:
  cases:
    unit: patient_id
    columns:
      day: { min: 2026-01-01, max: 2027-12-31, type: date, nullable: false }
`
const sql = "SELECT COUNT(*) FROM cases"
let source = ""
let state = ""
let engine: Engine
let isBroken = false

function bits(): RandomBits {
  const own = seededBits("incidents")
  const check = (): void => {
    if (isBroken) throw new Error("a bug while releasing")
  }
  return {
    word: () => {
      check()
      return own.word()
    },
    fill: (words) => {
      check()
      own.fill(words)
    },
  }
}

async function opened(more = ""): Promise<Engine> {
  return openEngine({ policy: `${policy}${more}`, folder: source, state, prepare: "never", rng: bits() })
}

beforeAll(async () => {
  source = mkdtempSync(join(tmpdir(), "dosimeter-incidents-"))
  const instance = await DuckDBInstance.create(join(source, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE cases AS
    SELECT i AS patient_id, DATE '2026-01-05' + CAST(i % 21 AS INTEGER) AS day FROM range(300) r(i)`)
  connection.closeSync()
  instance.closeSync()
})
afterAll(() => rmSync(source, { recursive: true }))
beforeEach(async () => {
  freshHome()
  state = mkdtempSync(join(tmpdir(), "dosimeter-incidents-state-"))
  engine = await opened()
})
afterEach(async () => {
  isBroken = false
  await engine.close()
  rmSync(state, { recursive: true })
})

async function failing(question: () => Promise<unknown>): Promise<void> {
  isBroken = true
  await expect(question()).rejects.toThrow("a bug while releasing")
  isBroken = false
}

/** A process that ends right after it has charged: nothing settles what it leaves behind. */
async function cutOff(question: QuestionOptions): Promise<bigint> {
  let charge = 0n
  const onCharged = (position: bigint): never => {
    charge = position
    throw new Error("the process ends here")
  }
  await expect(engine.ask(sql, { ...question, onCharged })).rejects.toThrow("the process ends here")
  await engine.close()
  engine = await opened()
  return charge
}

test("[I1] the cause of a failure is of a few kinds, and none of its words are kept", async () => {
  expect(causeOf(errorOf("backend/failed", {}))).toBe("database")
  expect(causeOf(errorOf("backend/too-large", {}))).toBe("database")
  expect(causeOf(errorOf("dataset/unreachable", { what: "" }))).toBe("database")
  expect(causeOf(errorOf("backend/too-slow", { seconds: "5" }))).toBe("time")
  expect(causeOf(errorOf("backend/cancelled", {}))).toBe("cancelled")
  // What another party has sent closes no door.
  expect(causeOf(errorOf("federation/sum-key", {}))).toBe("cancelled")
  expect(causeOf(errorOf("backend/unexpected-engine", { what: "" }))).toBe("extract")
  expect(causeOf(new Error("any"))).toBe("bug")
  const own = { code: "ledger/failed" as const, facts: { path: "" } }
  expect(causeOf(makeError(engineErrors["ledger/failed"], own))).toBeUndefined()
  await failing(() => engine.ask(sql))
  const last = (await engine.ledger.entries(1n, 100)).at(-1)
  expect(last?.entry).toEqual({
    kind: "settlement",
    at: last?.entry.at,
    charge: 3n,
    outcome: "failed",
    cause: "bug",
  })
})

test("[I1] the owner at the command line has a door, too, and opens it with a reason", async () => {
  await failing(() => engine.ask(sql))
  expect((await refusal(engine.ask(sql))).code).toBe("ledger/door-closed")
  await engine.close()
  engine = await opened()
  const [incident] = await engine.ledger.incidents()
  expect(incident).toMatchObject({ principal: "owner", cause: "bug" })
  await engine.ledger.reopen(incident?.position ?? 0n, { by: ["owner"], why: "looked at" })
  expect((await engine.ask(sql)).origin).toBe("released")
})

test("[I1] what the asker has stopped closes nothing, and stays charged", async () => {
  const stop = new AbortController()
  const asked = engine.ask(sql, { signal: stop.signal, onCharged: () => stop.abort() })
  expect((await refusal(asked)).code).toBe("backend/cancelled")
  expect(await engine.ledger.incidents()).toEqual([])
  expect((await engine.account()).spent.numerator).not.toBe(0n)
  expect((await engine.ask(sql)).origin).toBe("released")
})

test("[I1] a series that fails closes the door of who made it, and goes on when it is open", async () => {
  const day = BigInt(Date.parse("2026-01-05T00:00:00Z") / 86_400_000)
  const definition = {
    name: "flu",
    sql: "SELECT date_trunc('week', day) AS week, COUNT(*) FROM cases GROUP BY week",
    from: day,
    periods: 4,
    epsilon: exactly("0.5", "epsilon"),
  }
  await engine.series.create(definition, askerOf({ principal: "ada" }))
  await failing(() => engine.series.update("flu", day + 14n))
  expect((await refusal(engine.series.update("flu", day + 14n))).code).toBe("ledger/door-closed")
  expect((await refusal(engine.ask(sql, { principal: "ada" }))).code).toBe("ledger/door-closed")
  const [incident] = await engine.ledger.incidents()
  expect(incident).toMatchObject({ principal: "ada", cause: "bug" })
  await engine.ledger.reopen(incident?.position ?? 0n, { by: ["owner"], why: "looked at" })
  expect(await engine.series.update("flu", day + 14n)).toBe(2)
})

test("ledger/untold: what failed where answers wait is not asked again, and the owner sees why", async () => {
  await failing(() => engine.ask(sql, { principal: "ada", held: true }))
  const refused = await refusal(engine.ask(sql))
  expect([refused.code, refused.issues[0].facts["position"]]).toEqual(["ledger/untold", "3"])
})

test("[I2] a question that was cut off is answered under its charge when it is sent again", async () => {
  const charge = await cutOff({ requestId: "key" })
  const spent = (await engine.account()).spent
  const answered = await engine.ask(sql, { requestId: "key" })
  expect(answered).toMatchObject({ origin: "released", charge })
  expect(answered.receipt).toMatchObject({ ledger: { position: `${charge}` } })
  expect((await engine.ask(sql, { requestId: "key" })).answer).toEqual(answered.answer)
  expect((await engine.account()).spent).toEqual(spent)
  expect(await engine.ledger.incidents()).toEqual([])
})

test("[I2] the same question under another request takes the charge as well, and another one pays", async () => {
  const charge = await cutOff({ requestId: "key" })
  expect(await engine.ask(sql, { principal: "ben" })).not.toMatchObject({ charge })
  const other = await engine.ask("SELECT COUNT(*) FROM cases WHERE day > DATE '2026-02-01'")
  expect(other.charge).not.toBe(charge)
  // Somebody has the answer by now, so nothing more is read.
  expect((await engine.ask(sql, { requestId: "key" })).origin).toBe("recorded")
})

test("[I2] what ends processes twice has failed, and does not go on ending them", async () => {
  await cutOff({ requestId: "key" })
  await cutOff({ requestId: "key" })
  expect((await refusal(engine.ask(sql, { requestId: "key" }))).code).toBe("ledger/request-failed")
  expect((await refusal(engine.ask(sql, { requestId: "key" }))).code).toBe("ledger/request-failed")
  expect(await engine.ledger.incidents()).toMatchObject([{ cause: "lost", principal: "owner" }])
  expect((await refusal(engine.ask(sql))).code).toBe("ledger/door-closed")
})

test("[I2] several questions that were cut off are answered under their charge", async () => {
  const workload = await engine.plan([{ sql, weight: rational(1n) }])
  const onCharged = (): never => {
    throw new Error("the process ends here")
  }
  await expect(engine.release(workload, { requestId: "all", onCharged })).rejects.toThrow("ends here")
  await engine.close()
  engine = await opened()
  const spent = (await engine.account()).spent
  const again = await engine.plan([{ sql, weight: rational(1n) }])
  expect((await engine.release(again, { requestId: "all" })).origin).toBe("released")
  expect((await engine.account()).spent).toEqual(spent)
})

test("[I3] failures and refusals leave at the end of a slot, as answers do", async () => {
  await engine.close()
  engine = await opened("slot_ms: 60\n")
  const slots = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await work().catch((error: unknown) => {
      if (error instanceof DosimeterError) return
      expect(String(error)).toContain("a bug while releasing")
    })
    return (performance.now() - started) / 60
  }
  // Timers may end a millisecond early; later than asked is always possible.
  expect(await slots(() => engine.ask(sql))).toBeGreaterThan(0.95)
  isBroken = true
  const other = "SELECT COUNT(*) FROM cases WHERE day > DATE '2026-02-02'"
  expect(await slots(() => engine.ask(other))).toBeGreaterThan(0.95)
  expect(await slots(() => engine.ask(other))).toBeGreaterThan(0.95)
})
