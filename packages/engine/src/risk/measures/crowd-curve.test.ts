import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openExactRows } from "../../dataset/duckdb/exact-rows.ts"
import { crowdCurve } from "./crowd-curve.ts"

test("rows that are drawn from a large table are alone in all of it, or are not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-curve-"))
  // Everybody has an own; two share each pair, so that in a fifth of the rows most would be alone with it.
  const lines = Array.from({ length: 2000 }, (_, row) => `${row},${row % 1000},x`)
  writeFileSync(join(folder, "pairs.csv"), `own,pair,same\n${lines.join("\n")}\n`)
  const rows = await openExactRows({ kind: "csv", globs: ["pairs.csv"] }, folder)
  const options = { count: 2000, looks: { most: 500, drawn: 400 } }
  const shares = await crowdCurve(rows, "pairs", { ...options, columns: ["pair", "same"] })
  expect(shares?.points.map(({ known, least, most }) => [known, least, most])).toEqual([
    [1, 0, 0],
    [2, 0, 0],
  ])
  expect(shares).toMatchObject({ rows: 2000, looked: 400, isSample: false, columnsLeftOut: 0 })
  await rows.ask("DROP TABLE known")
  await rows.ask("DROP TABLE looked")
  const own = await crowdCurve(rows, "pairs", { ...options, columns: ["own", "pair", "same"] })
  expect(own?.points.map(({ known, most }) => [known, most])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ])
  expect(own?.points.map(({ least }) => least)).toEqual([0, 0, 1])
  rows.close()
  rmSync(folder, { recursive: true })
})
