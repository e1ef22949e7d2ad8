// Units that are scaled down have weights that follow from the whole vector of a table: the record takes
// nothing for the same number that has other weights.

import { exactly } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"
import type { Recorded } from "./recorded.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-reuse-scaled-"))
const policyOf = (accounting: "zcdp" | "pure"): string => `dataset: care
source: { duckdb: care.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 200, delta: ${accounting === "pure" ? "0" : "1e-5"}, accounting: ${accounting} }
question: { epsilon: { default: 4, max: 20 }, delta: ${accounting === "pure" ? "0" : "1e-8"}, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 4, norm: fixed }
tables:
  visits:
    unit: patient
    columns:
      ward: { values: [A, B, C], nullable: false }
      n: { min: 0, max: 10, type: integer, nullable: false }
`

// Two thousand people, each once in ward A and twenty times in B.
beforeAll(async () => {
  const instance = await DuckDBInstance.create(join(folder, "care.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE visits AS
    SELECT p AS patient, 'A' AS ward, 5 AS n FROM range(2000) r(p)
    UNION ALL SELECT p, 'B', 5 FROM range(2000) r(p), range(20) s(i)`)
  connection.closeSync()
  instance.closeSync()
})
afterAll(() => rmSync(folder, { recursive: true }))

let engine: Engine
let state: string

function withEngine(accounting: "zcdp" | "pure"): void {
  beforeEach(async () => {
    freshHome()
    state = mkdtempSync(join(tmpdir(), "dosimeter-reuse-scaled-state-"))
    const rng = seededBits("reuse-scaled")
    engine = await openEngine({ policy: policyOf(accounting), folder, state, rng, prepare: "never" })
  })
  afterEach(async () => {
    await engine.close()
    rmSync(state, { recursive: true })
  })
}

async function ask(
  sql: string,
  epsilon: string,
  reuse: "auto" | "always" | "never" = "auto",
): Promise<Recorded> {
  return engine.ask(sql, { ask: { epsilon: exactly(epsilon, "epsilon") }, reuse })
}

/** The number in a row and a column. */
function numberAt({ answer }: Recorded, row: number, column: number): number {
  return Number(answer.rows[row]?.[column]?.value)
}

const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward"

describe("[B5] where units are scaled down,", () => {
  withEngine("zcdp")

  test("groupings that are weighed together answer themselves, and nothing of another vector", async () => {
    const rollup = "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP (ward)"
    const first = await ask(rollup, "20")
    // All that is left of 42,000 visits; nothing was drawn, so it is the same for each person.
    const left = Number(first.answer.rows.find((row) => row[0]?.value === null)?.[1]?.value)
    expect(left).toBeGreaterThan(2000)
    expect(left).toBeLessThan(30_000)
    expect((await ask(rollup, "1")).origin).toBe("reused")
    expect((await ask(byWard, "1")).origin).toBe("released")
    const forced = await ask("SELECT ward, SUM(n) FROM visits GROUP BY ROLLUP (ward)", "1")
    expect(forced.origin).toBe("released")
  })

  test.each([
    "SELECT COUNT(*) FROM visits WHERE ward = 'A'",
    "SELECT COUNT(*) FROM visits WHERE ward IN ('A', 'B', 'C')",
    byWard,
  ])("a table of another vector does not answer by itself: %s", async (sql) => {
    const several =
      "SELECT ward, COUNT(*), COUNT(DISTINCT patient), SUM(n), COUNT(*) FILTER (WHERE n > 7) FROM visits GROUP BY ward"
    await ask(several, "20")
    const forced = await ask(sql, "0.5", "always")
    expect(forced.origin).toBe("reused")
    expect(forced.receipt).toMatchObject({
      differences: ["units of the recorded table are scaled down by other weights"],
    })
    expect((await ask(sql, "1")).origin).toBe("released")
  })

  test("nor is it averaged with the answer", async () => {
    const filtered = "SELECT ward, COUNT(*), COUNT(*) FILTER (WHERE n > 7) FROM visits GROUP BY ward"
    const own = numberAt(await ask(filtered, "20", "never"), 1, 1)
    const other = numberAt(await ask(byWard, "20", "never"), 1, 1)
    expect(Math.abs(own - other)).toBeGreaterThan(1000)
    const after = await ask(filtered, "6")
    expect(Math.abs(numberAt(after, 1, 1) - own)).toBeLessThan(200)
  })

  test("a table of which groups were dropped does not answer either", async () => {
    await ask("SELECT ward, COUNT(*), AVG(n) FROM visits GROUP BY ward", "20")
    expect((await ask(byWard, "1")).origin).toBe("released")
  })

  test("the same table answers, and a receipt of it says that units are scaled", async () => {
    await ask(byWard, "10")
    const again = await ask(byWard, "1")
    expect(again.origin).toBe("reused")
    expect(again.receipt).toMatchObject({ bounding: [{ scaled: "l2" }] })
  })
})

describe("[B5] where Laplace noise is too small for weights,", () => {
  withEngine("pure")

  test("what was scaled and what was dropped are two numbers", async () => {
    const scaled = numberAt(await ask(byWard, "1"), 1, 1)
    const dropped = await ask(byWard, "4")
    expect(Math.abs(numberAt(dropped, 1, 1) - 8000)).toBeLessThan(100)
    expect(scaled).toBeGreaterThan(12_000)
  })

  test("and the dropped one does not stand for the other", async () => {
    await ask(byWard, "4")
    expect((await ask(byWard, "1")).origin).toBe("released")
  })
})

describe("what a declared cap proves of an earlier answer", () => {
  const sql = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward"
  const at = (confidence: string): string =>
    policyOf("zcdp")
      .replace("confidence: 0.95", `confidence: ${confidence}`)
      .replace("norm: fixed", "rows_per_unit: 30")

  test("holds at the confidence that it was worked out for, and not at a higher one", async () => {
    freshHome()
    const place = mkdtempSync(join(tmpdir(), "dosimeter-reuse-cap-state-"))
    const said: unknown[] = []
    for (const confidence of ["0.8", "0.6", "0.9"]) {
      const rng = seededBits(`cap ${confidence}`)
      const one = await openEngine({ policy: at(confidence), folder, state: place, rng, prepare: "never" })
      const { origin, answer } = await one.ask(sql)
      said.push([origin, answer.columns[1]?.bounding])
      await one.close()
    }
    rmSync(place, { recursive: true })
    expect(said).toEqual([
      ["released", "proven"],
      ["reused", "proven"],
      ["reused", "estimate"],
    ])
  })
})
