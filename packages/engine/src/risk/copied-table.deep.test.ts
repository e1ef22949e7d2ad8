// Risk reports of tables in a real PostgreSQL: the same as of the same rows in a file.

import type { PostgresSource, Source } from "@dosimeter/policy/file/policy"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { execute } from "../testing/database/postgres-members.ts"
import { findPostgres, type PostgresCluster } from "../testing/postgres-cluster.ts"
import { measureRisk } from "./measure-risk.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-risk-pg-"))
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

test.skipIf(!("open" in found))(
  "a table of a PostgreSQL is measured as the same rows in a file",
  async () => {
    const url = (await cluster?.database()) ?? ""
    await execute(url, [
      "CREATE SCHEMA ward",
      `CREATE TABLE ward.stay (person int, born date, zip text, weight numeric(5,1), "odd ""name""" text, diagnosis text)`,
      `INSERT INTO ward.stay SELECT i, CASE WHEN i % 9 = 0 THEN NULL ELSE date '1950-01-01' + 400 * (i % 30) END,
       lpad((i % 7)::text, 5, '0'), 50 + i % 40 / 2.0,
       CASE i % 3 WHEN 0 THEN '' WHEN 1 THEN NULL ELSE E'a,"b"\\nc' END,
       CASE WHEN i % 4 = 0 THEN 'flu' ELSE 'none' END FROM generate_series(1, 400) AS i`,
      "CREATE TABLE ward.moment (seen date, name text)",
      "INSERT INTO ward.moment VALUES (date '0044-03-15 BC', 'Caesar'), (date '2001-01-01', 'Ann')",
    ])
    const source: PostgresSource = { kind: "postgres", url, schemas: ["ward"], version: { by: "content" } }
    const columns = { quasi: ["born", "zip", 'odd "name"'], sensitive: ["diagnosis"] }
    const own = await measureRisk({ source, folder, table: "stay", attacks: false, ...columns })
    const born = (i: number): string =>
      i % 9 === 0 ? "" : new Date(Date.UTC(1950, 0, 1 + 400 * (i % 30))).toISOString().slice(0, 10)
    const lines = Array.from({ length: 400 }, (_, index) => index + 1).map((i) => {
      const odd = ['"_empty"', "", '"a,""b""\\nc"'][i % 3] ?? ""
      return `${i},${born(i)},"z${`${i % 7}`.padStart(5, "0")}",${50 + (i % 40) / 2},${odd},${i % 4 === 0 ? "flu" : "none"}`
    })
    const head = 'person,born,zip,weight,"odd ""name""",diagnosis'
    writeFileSync(join(folder, "stay.csv"), `${head}\n${lines.join("\n")}\n`)
    const file: Source = { kind: "csv", globs: ["stay.csv"] }
    const same = await measureRisk({ source: file, folder, attacks: false, ...columns })
    expect(own.rows).toBe(400)
    expect(own.table).toBe("ward.stay")
    expect(own.crowds).toEqual(same.crowds)
    expect(own.homogeneity).toEqual(same.homogeneity)
    expect(own.combinations).toEqual(same.combinations)
    expect(own.columns.map(({ distinct, missing }) => [distinct, missing])).toEqual(
      same.columns.map(({ distinct, missing }) => [distinct, missing]),
    )
    // A date that has no place in a date of ours is told from others all the same.
    const moments = await measureRisk({
      source,
      folder,
      table: "ward.moment",
      attacks: false,
      quasi: ["seen"],
    })
    expect(moments.crowds).toMatchObject({ k: 1, classes: 2 })
    await expect(measureRisk({ source, folder })).rejects.toMatchObject({ code: "risk/which-table" })
    await expect(measureRisk({ source, folder, table: "bed" })).rejects.toMatchObject({
      code: "risk/no-table",
    })
    // Nothing of the copies stays.
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("dosimeter-risk-copy-"))).toEqual([])
  },
)
