// What one person can change where a fact about values, equality or reading would be false: exact tables with
// and without that person, read through the engine's own backend, raw and prepared.

import { compile } from "@dosimeter/planner/compile"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExactTable } from "../../release/secret/exact-table.ts"
import { openDataset, type Dataset } from "../../prepare/open-dataset.ts"
import { exactTables } from "../../testing/exact-tables.ts"

const head = `dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
`
const numbered = `${head}  people:
    unit: id
    keys: [id]
    columns:
      id: integer
      age: { type: integer, min: 0, max: 120 }
      town: text
  visits:
    unit: pid
    keys: [vid]
    columns:
      vid: integer
      pid: integer
      n: integer
`
const named = `${head}  named:
    unit: code
    keys: [code]
    columns:
      code: text
      town: text
  stays:
    unit: code
    columns:
      code: text
      ward: text
`
const folder = mkdtempSync(join(tmpdir(), "dosimeter-one-person-"))
let grammar: Grammar

beforeAll(async () => {
  grammar = await loadGrammar()
  for (const [name, id] of [
    ["with", 777],
    ["without", -1],
  ] as const) {
    await fill(join(folder, name), id)
  }
})

afterAll(async () => {
  for (const dataset of opened.values()) await (await dataset).backend.close()
  rmSync(folder, { recursive: true })
})

// Person 777 has a thousand visits, a town with a mark before it, and an id that differs in case alone.
async function fill(place: string, id: number): Promise<void> {
  mkdirSync(place)
  const instance = await DuckDBInstance.create(join(place, "clinic.duckdb"))
  const connection = await instance.connect()
  const own = `WHERE ${id} >= 0`
  await connection.run(`
    CREATE TABLE people AS SELECT i::BIGINT AS id, (i % 90)::INTEGER AS age, 'a' AS town FROM range(300) r(i);
    INSERT INTO people SELECT 777, 44, chr(65279) || 'a' ${own};
    CREATE TABLE visits AS SELECT (i * 7919)::BIGINT AS vid, i::BIGINT AS pid, i::BIGINT AS n
      FROM range(300) r(i);
    INSERT INTO visits SELECT 1000000000000000000 + i, 777, i FROM range(1000) r(i) ${own};
    CREATE TABLE named (code VARCHAR COLLATE NOCASE, town VARCHAR COLLATE NOCASE);
    INSERT INTO named SELECT 'p' || i, 'a' FROM range(300) r(i);
    INSERT INTO named SELECT 'P7', 'A' ${own};
    CREATE TABLE stays (code VARCHAR COLLATE NOCASE, ward VARCHAR COLLATE NOACCENT);
    INSERT INTO stays SELECT 'p' || i, 'e' FROM range(300) r(i);
    INSERT INTO stays SELECT 'P7', 'é' ${own};`)
  connection.closeSync()
  instance.closeSync()
}

const opened = new Map<string, Promise<Dataset>>()

// Opened once: with or without the person, by numbers or by names, read from copies or not.
function datasetOf(name: string, policy: string, prepare: "always" | "never"): Promise<Dataset> {
  const key = [name, policy === named, prepare].join()
  const known = opened.get(key) ?? openDataset({ policy, folder: join(folder, name), prepare })
  opened.set(key, known)
  return known
}

/** The exact tables of a question. They never leave a test. */
async function exactOf(
  sql: string,
  name: string,
  prepare: "always" | "never",
): Promise<readonly ExactTable[]> {
  const dataset = await datasetOf(name, /named|stays/.test(sql) ? named : numbered, prepare)
  const { plan } = compile(sql, { grammar, ...dataset.policy, prepared: dataset.prepared })
  return exactTables(plan, dataset)
}

/** By how much the numbers of all groups change together when the person goes. */
async function change(sql: string, prepare: "always" | "never"): Promise<readonly bigint[]> {
  const [all, less] = [await exactOf(sql, "with", prepare), await exactOf(sql, "without", prepare)]
  return all.map((table, index) => {
    const cells = (rows: ExactTable["rows"]): ReadonlyMap<string, bigint> =>
      new Map(
        rows.map(({ keys, values }) => [
          JSON.stringify(keys, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
          values[0] ?? 0n,
        ]),
      )
    const [a, b] = [cells(table.rows), cells(less[index]?.rows ?? [])]
    expect(a.size).toBe(table.rows.length)
    return [...new Set([...a.keys(), ...b.keys()])].reduce((sum, key) => {
      const difference = (a.get(key) ?? 0n) - (b.get(key) ?? 0n)
      return sum + (difference < 0n ? -difference : difference)
    }, 0n)
  })
}

describe.each(["always", "never"] as const)("prepare: %s", (prepare) => {
  test("[Q2] a text with a byte order mark is a group of its own, and takes no other's place", async () => {
    expect(await change("SELECT town, COUNT(*) FROM people GROUP BY town", prepare)).toEqual([1n])
    const [table] = await exactOf("SELECT town, COUNT(*) FROM people GROUP BY town", "with", prepare)
    const counts = new Map(
      table?.rows.map(({ keys: [key], values: [count] }) => [key?.kind === "text" ? key.value : "", count]),
    )
    expect(counts).toEqual(
      new Map([
        ["\uFEFFa", 1n],
        ["a", 300n],
      ]),
    )
  })

  test("[Q2] a mark that the question writes is kept too", async () => {
    const sql =
      "SELECT CASE WHEN id = 777 THEN E'\\uFEFFa' ELSE 'a' END AS k, COUNT(*) FROM people GROUP BY 1"
    expect(await change(sql, prepare)).toEqual([1n])
  })

  test("[Q3] whole numbers that equal one float are not one number", async () => {
    const group = `SELECT big, COUNT(*) FROM (SELECT pid, n + 100000000000000000000 AS big FROM visits) t
      WHERE big = CAST(1e20 AS double precision) GROUP BY big`
    // The key's table, and what is measured: a thousand rows weigh what one row does (2^31), rounded down.
    const [keys, rows = 0n, ...more] = await change(group, prepare)
    expect([keys, more]).toEqual([1n, []])
    expect(rows > 0n && rows <= 1n << 31n).toBe(true)
    const key = "SELECT COUNT(*) FROM visits WHERE vid = CAST(1e18 AS double precision)"
    expect(await change(key, prepare)).toEqual([1n])
  })

  test("[Q2] ids that a collation takes for equal are two people, and texts two groups", async () => {
    expect(await change("SELECT COUNT(*) FROM named", prepare)).toEqual([1n])
    expect(await change("SELECT town, COUNT(*) FROM named GROUP BY town", prepare)).toEqual([1n])
    expect(await change("SELECT ward, COUNT(DISTINCT code) FROM stays GROUP BY ward", prepare)).toEqual([1n])
    expect(await change("SELECT COUNT(*) FROM stays JOIN named USING (code)", prepare)).toEqual([1n])
    expect(await change("SELECT COUNT(DISTINCT town) FROM named", prepare)).toEqual([1n])
    expect(await change("SELECT COUNT(*) FROM named WHERE code = 'p7'", prepare)).toEqual([0n])
  })
})
