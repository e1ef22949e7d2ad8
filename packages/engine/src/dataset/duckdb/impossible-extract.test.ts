// Extracts that cannot be: the backend makes no Secret of them, and if one came through all the same, no row
// would take the place of another.

import { seededBits } from "@dosimeter/core/testing"
import { compile } from "@dosimeter/planner/compile"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { duckdbBackend } from "./duckdb-backend.ts"
import { openDuckDB } from "./open-duckdb.ts"
import { Secret } from "../../release/secret/secret.ts"
import { paidTables } from "../../testing/read-paid.ts"
import { releaseTables } from "../../release/release.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 400, max: 400 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    keys: [id]
    columns:
      id: integer
      sex: { type: text, values: [f, m] }
      town: text
`

test("[Q2] no Secret is made of what cannot be", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-extract-"))
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  instance.closeSync()
  const backend = duckdbBackend(await openDuckDB({ kind: "duckdb", file: "clinic.duckdb" }, folder))
  const ward: RelColumn = { id: 1, name: "ward", domain: { type: { kind: "text" }, nullable: true } }
  const count: RelColumn = { id: 2, name: "n", domain: { type: { kind: "integer" }, nullable: false } }
  const run = (text: string): Promise<unknown> =>
    backend.run(
      { sql: { text, parameters: [] }, columns: [ward, count], keyCount: 1, groupCount: 1 },
      { secret: "" },
    )
  try {
    await expect(run("SELECT 'a', 1 UNION ALL SELECT chr(65279) || 'a', 2")).resolves.toBeInstanceOf(Secret)
    await expect(run("SELECT 'a', 1 UNION ALL SELECT 'a', 2")).rejects.toMatchObject({
      code: "backend/impossible-extract",
    })
    await expect(run("SELECT 7, 1")).rejects.toMatchObject({ code: "backend/failed" })
    await expect(run("SELECT 'a', 1.5")).rejects.toMatchObject({ code: "backend/impossible-extract" })
  } finally {
    await backend.close()
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ["listed", "SELECT sex, COUNT(*) FROM patients GROUP BY sex", "f"],
  ["selected", "SELECT town, COUNT(*) FROM patients GROUP BY town", "f"],
  [
    "selected for a sum",
    "SELECT town, SUM(CASE WHEN sex = 'f' THEN 1 ELSE 0 END) FROM patients GROUP BY town",
    "f",
  ],
])("[Q2] rows with equal keys are added up: %s", async (_, sql, key) => {
  const { plan } = compile(sql, { grammar: await loadGrammar(), ...readPolicy(policy) })
  const [release] = plan.releases
  if (release === undefined) throw new Error("nothing is released")
  const width = release.extracts[0]?.values.length ?? 0
  const rows = [1000n, 1n].map((count) => ({
    keys: [{ kind: "text" as const, value: key }],
    values: Array<bigint>(width).fill(count),
  }))
  for (const order of [rows, rows.toReversed()]) {
    const [tables] = await paidTables(plan, [{ rows: order }])
    if (tables === undefined) throw new Error("nothing is released")
    const shown = releaseTables(tables, seededBits("equal keys"))
    const found = shown.filter(({ keys: [first] }) => first?.kind === "text" && first.value === key)
    expect(found).toHaveLength(1)
    const value = found[0]?.cells[0]?.value
    const number = value?.kind === "number" ? Number(value.value.numerator / value.value.denominator) : 0
    expect(number).toBeGreaterThan(900)
  }
})
