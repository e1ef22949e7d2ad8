import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { compile } from "@dosimeter/planner/compile"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { checkEngine, engineFacts } from "../dataset/duckdb/check-engine.ts"
import { openEngine } from "../engine.ts"
import { openDataset, type Dataset } from "./open-dataset.ts"
import { prepareDataset } from "./prepare-dataset.ts"
import { exactSums } from "../testing/exact-tables.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed,
  max_groups_per_unit: 1000, max_rows_per_group: 1000 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m] }
      weight: { min: 0, max: 200 }
      name: deny
  visits:
    unit: patient_id
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
      cost: { min: -10, max: 300 }
      ward: { values: [A, B, C] }
      day: { min: 2020-01-01, max: 2021-12-31 }
      city: { type: text }
`
const labels = [
  "patients",
  "visits",
  "totals of visits",
  "visits by ward",
  "totals of visits by ward",
  "visits by month(day)",
  "totals of visits by month(day)",
]
let folder = ""
let file = ""

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-prepare-"))
  file = join(folder, ".dosimeter", "clinic.prepared")
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`
    CREATE TABLE patients AS SELECT i AS id,
      CASE WHEN i % 7 = 0 THEN NULL WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
      CASE WHEN i % 11 = 0 THEN 'NaN'::DOUBLE ELSE i % 300 END AS weight, 'name ' || i AS name FROM range(500) r(i);
    CREATE TABLE visits AS SELECT CASE WHEN i % 97 = 0 THEN NULL ELSE (i * i) % 500 END AS patient_id,
      (i % 700)::DOUBLE + 0.004 AS fee, CASE WHEN i % 13 = 0 THEN NULL ELSE (i % 900) / 3.0 - 50 END AS cost,
      ['A', 'B', 'C', 'X'][1 + i % 4] AS ward, DATE '2019-06-01' + CAST(i % 1200 AS INTEGER) AS day,
      'town ' || (i % 3) AS city FROM range(5000) r(i)`)
  connection.closeSync()
  instance.closeSync()
})

afterEach(() => rmSync(folder, { recursive: true }))

describe("copies", () => {
  test("are made for the keys that the owner names", async () => {
    const named = policy.replace("    unit: patient_id", "    unit: patient_id\n    prepare: [[ward, city]]")
    const { copies } = await prepareDataset({ policy: named, folder })
    expect(copies).toEqual([
      "patients",
      "visits",
      "totals of visits",
      "visits by ward, city",
      "totals of visits by ward, city",
    ])
    const engine = await openEngine({ policy: named, folder })
    const { explanation } = await engine.explain(
      "SELECT ward, city, COUNT(*) FROM visits GROUP BY ward, city",
    )
    // Keys are selected by rows, and sums are those of totals.
    const both = "prepared: totals of visits by ward, city, visits by ward, city"
    expect(explanation.releases.map(({ form }) => form)).toEqual([both])
    await engine.close()
  })

  test("are made on the first opening, once, for nobody else to read", async () => {
    const engine = await openEngine({ policy, folder })
    expect(engine.unprepared).toEqual([])
    expect((await engine.explain("SELECT ward, COUNT(*) FROM visits GROUP BY ward")).text).toContain(
      "form        prepared: totals of visits by ward",
    )
    expect((await engine.explain("SELECT COUNT(*) FROM visits WHERE fee > 3")).text).toContain(
      "form        raw",
    )
    await engine.ask("SELECT ward, COUNT(*), SUM(fee) FROM visits GROUP BY ward")
    await engine.close()
    expect(statSync(file).mode & 0o077).toBe(0)
    const { mtimeMs, ino } = statSync(file)
    await (await openEngine({ policy, folder })).close()
    expect(statSync(file)).toMatchObject({ mtimeMs, ino })
  })

  test("are listed as missing where they are not made", async () => {
    const engine = await openEngine({ policy, folder, prepare: "never" })
    expect(engine.unprepared).toEqual(labels)
    await engine.close()
    expect(existsSync(file)).toBe(false)
  })

  test("tell how far they are", async () => {
    const seen: string[] = []
    const { copies, bytes } = await prepareDataset({
      policy,
      folder,
      onProgress: ({ label, done, total }) => seen.push(`${done}/${total} ${label}`),
    })
    expect(copies).toEqual(labels)
    expect(bytes).toBeGreaterThan(0)
    expect(seen).toEqual([
      ...labels.map((label, done) => `${done}/7 ${label}`),
      "7/7 totals of visits by month(day)",
    ])
  })

  test("that were stopped get no name, and are finished later", async () => {
    const stop = new AbortController()
    const onProgress = ({ label }: { readonly label: string }): void => {
      if (label === "visits by ward") stop.abort()
    }
    const error = await failure(() => prepareDataset({ policy, folder, onProgress, signal: stop.signal }))
    expect(error.code).toBe("dataset/not-prepared")
    expect([existsSync(file), existsSync(`${file}.building`)]).toEqual([false, true])
    await onFile(`${file}.building`, 'DELETE FROM "copy of patients"')
    await prepareDataset({ policy, folder })
    expect(existsSync(`${file}.building`)).toBe(false)
    // What was finished is not made again.
    expect(await onFile(file, 'SELECT count(*) FROM "copy of patients"')).toEqual([[0n]])
    const again = await openDataset({ policy, folder, prepare: "never" })
    expect(again.missing).toEqual([])
    await again.backend.close()
  })

  test("that were begun for other data are begun again", async () => {
    const stop = new AbortController()
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (done === 3) stop.abort()
    }
    await failure(() => prepareDataset({ policy, folder, onProgress, signal: stop.signal }))
    await onFile(`${file}.building`, 'DELETE FROM "copy of patients"')
    utimesSync(join(folder, "clinic.duckdb"), 1, 1)
    await prepareDataset({ policy, folder })
    expect(await onFile(file, 'SELECT count(*) FROM "copy of patients"')).toEqual([[500n]])
  })
})

describe("copies are not served", () => {
  const missing = async (text = policy): Promise<readonly string[]> => {
    const dataset = await openDataset({ policy: text, folder, prepare: "never" })
    await dataset.backend.close()
    return dataset.missing
  }

  test("after the data has changed", async () => {
    await prepareDataset({ policy, folder })
    expect(await missing()).toEqual([])
    utimesSync(join(folder, "clinic.duckdb"), 1, 1)
    expect(await missing()).toEqual(labels)
  })

  test("under another key", async () => {
    await prepareDataset({ policy, folder })
    writeFileSync(join(folder, ".dosimeter", "clinic.key"), "ab".repeat(32))
    expect(await missing()).toEqual(labels)
  })

  test("where the policy reads a column otherwise", async () => {
    await prepareDataset({ policy, folder })
    expect(await missing(policy.replace("max: 300", "max: 250"))).toEqual(labels.slice(1))
  })

  test("where the file is something else", async () => {
    await prepareDataset({ policy, folder })
    writeFileSync(file, "nothing of this kind")
    expect(await missing()).toEqual(labels)
    await prepareDataset({ policy, folder })
    expect(await missing()).toEqual([])
  })

  test("where their manifest was changed", async () => {
    await prepareDataset({ policy, folder })
    await onFile(file, "UPDATE manifest SET head = head || ' '")
    expect(await missing()).toEqual(labels)
  })
})

test("where nothing is cut, copies give what the tables give", async () => {
  const dataset = await openDataset({ policy, folder, prepare: "always" })
  const questions = [
    "SELECT sex, COUNT(*), SUM(weight), AVG(weight) FROM patients GROUP BY sex",
    "SELECT ward, COUNT(*), SUM(fee), SUM(cost), COUNT(cost), COUNT(DISTINCT patient_id) FROM visits GROUP BY ward",
    "SELECT DATE_TRUNC('month', day), COUNT(*), SUM(cost) FROM visits GROUP BY 1",
    "SELECT MEDIAN(fee), MEDIAN(cost), SUM(cost), COUNT(*) FROM visits",
    "SELECT p.sex, COUNT(*), SUM(cost), SUM(p.weight) FROM visits JOIN patients AS p ON p.id = patient_id GROUP BY 1",
    "SELECT COUNT(*), COUNT(DISTINCT patient_id) FROM visits WHERE ward = 'B'",
  ]
  for (const sql of questions) {
    const [raw, copied] = [await planOf(sql, dataset, []), await planOf(sql, dataset, dataset.prepared)]
    expect(copied.releases.map(({ prepared }) => prepared.length > 0)).toEqual([true])
    const sums = await exactSums(copied, dataset)
    expect(sums.length).toBeGreaterThan(0)
    expect(sums, sql).toEqual(await exactSums(raw, dataset))
  }
  await dataset.backend.close()
})

describe("the database", () => {
  test("reaches nothing but its source and its copies, and changes neither", async () => {
    const { backend } = await openDataset({ policy, folder, prepare: "always" })
    const refused = [
      `ATTACH '${join(folder, "other.duckdb")}'`,
      `SELECT * FROM read_csv('${join(folder, ".dosimeter", "clinic.key")}')`,
      `COPY visits TO '${join(folder, "out.csv")}'`,
      "CREATE TABLE prepared.main.more AS SELECT 1",
      'DELETE FROM prepared.main."copy of visits"',
      "DELETE FROM visits",
      "SET memory_limit = '1TB'",
      "SET lock_configuration = false",
      "SET enable_external_access = true",
      "INSTALL httpfs",
      "LOAD httpfs",
    ]
    await expect(asked(backend, "DESCRIBE visits")).resolves.toBeDefined()
    for (const sql of refused) {
      await expect(asked(backend, sql), sql).rejects.toMatchObject({ code: "backend/failed" })
    }
    await backend.close()
  })

  test("is not served if it computes otherwise", async () => {
    const instance = await DuckDBInstance.create(":memory:")
    const connection = await instance.connect()
    await checkEngine(connection)
    for (const fact of engineFacts) {
      const { what } = fact
      const error = await failure(() => checkEngine(connection, [{ ...fact, gives: "otherwise" }]))
      expect([error.code, error.message]).toEqual([
        "backend/unexpected-engine",
        expect.stringContaining(what),
      ])
    }
    const unknown = await failure(() =>
      checkEngine(connection, [{ what: "x", sql: "no_such(1)", gives: "1" }]),
    )
    expect(unknown.code).toBe("backend/unexpected-engine")
    connection.closeSync()
    instance.closeSync()
  })

  test("has the time and the memory that the policy gives it", async () => {
    const text = `${policy}resources: { seconds: 1, memory_mb: 300, threads: 1 }\n`
    // With more time than the policy gives: what is asked here is how it is set.
    const patient = { policy: text, folder, prepare: "never", timeoutMs: 600_000 } as const
    const { backend, policy: read } = await openDataset(patient)
    const settings = await asked(
      backend,
      "SELECT current_setting('memory_limit'), CAST(current_setting('threads') AS VARCHAR)",
      [{ kind: "text" }, { kind: "text" }],
    )
    expect(settings).toEqual([["text 286.1 MiB", "text 1"]])
    await backend.close()
    expect(read.resources.seconds).toBe(1)
    const engine = await openEngine({ policy: text, folder, prepare: "never" })
    // Constants alone, which no bound of a person's work is about.
    const thousand = `(VALUES ${Array.from({ length: 1000 }, (_, index) => `(${index})`).join(", ")})`
    const constants = ["a", "b", "c", "d"].map((name) => `${thousand} AS ${name}(x)`).join(", ")
    const slow = `SELECT COUNT(*) FROM patients
      WHERE EXISTS (SELECT 1 FROM ${constants} WHERE a.x * b.x + c.x * d.x = -1)`
    expect((await failure(() => engine.ask(slow))).code).toBe("backend/too-slow")
    await engine.close()
  })

  test("is stopped when it takes too long, and when it is told to", async () => {
    const patient = await openDataset({ policy, folder, prepare: "never" })
    const forever = { text: "SELECT COUNT(*) FROM range(1000000000000) WHERE range % 7 = 3", parameters: [] }
    const query = { sql: forever, columns: [], keyCount: 0, groupCount: 0 }
    const hasty = await openDataset({ policy, folder, prepare: "never", timeoutMs: 50 })
    const slow = await failure(() => hasty.backend.run(query, { secret: "" }))
    expect(slow.code).toBe("backend/too-slow")
    const signal = AbortSignal.timeout(50)
    const stopped = await failure(() => patient.backend.run(query, { secret: "", signal }))
    expect(stopped.code).toBe("backend/cancelled")
    await hasty.backend.close()
    await patient.backend.close()
  })
})

test("no group and no row is favoured by its place", async () => {
  const instance = await DuckDBInstance.create(join(folder, "even.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE visits AS SELECT u AS patient_id, k AS ward, n FROM range(20000) a(u),
    (SELECT unnest(['A', 'B', 'C', 'D', 'E']) AS k), (SELECT unnest([1, 2, 3]) AS n)`)
  connection.closeSync()
  instance.closeSync()
  const text = `${policy.split("tables:")[0] ?? ""}tables:
  visits:
    unit: patient_id
    columns:
      ward: { values: [A, B, C, D, E] }
      n: { min: 1, max: 3 }
`
  const even = text.replace("clinic.duckdb", "even.duckdb").replace("dataset: clinic", "dataset: even")
  const { backend } = await openDataset({ policy: even, folder, prepare: "always" })
  const counts = async (key: string, place: string): Promise<readonly number[]> => {
    const found = await asked(
      backend,
      `SELECT count(*) FROM prepared.main."copy of visits by ward" WHERE ${place} = 1 GROUP BY ${key}`,
      [{ kind: "integer" }],
    )
    return found.map(([count = ""]) => Number(/^number (\d+)\/1$/.exec(count)?.[1]))
  }
  // 20,000 units, 5 groups of 3 rows each: sixty-odd either way is one standard deviation.
  const groups = await counts("ward", "_i = 1 AND _g")
  expect(groups).toHaveLength(5)
  for (const count of groups) expect(Math.abs(count - 4000)).toBeLessThan(500)
  const rows = await counts("n", "_i")
  expect(rows).toHaveLength(3)
  for (const count of rows) expect(Math.abs(count - 100_000 / 3)).toBeLessThan(1000)
  await backend.close()
})

test("a copy holds no denied column", async () => {
  await prepareDataset({ policy, folder })
  expect(readFileSync(file).includes("name 1")).toBe(false)
})

async function planOf(
  sql: string,
  { policy: read }: Dataset,
  prepared: Dataset["prepared"],
): Promise<VerifiedPlan> {
  const { catalog, terms } = read
  const ask = { groupsPerUnit: 1000n, rowsPerGroup: 1000n }
  return compile(sql, { grammar: await loadGrammar(), catalog, terms, ask, prepared }).plan
}

/** What the served database says to a statement, as texts. */
async function asked(
  backend: Dataset["backend"],
  text: string,
  types: readonly SqlType[] = [],
): Promise<readonly (readonly string[])[]> {
  const columns = types.map((type) => ({ domain: { type, nullable: true } }))
  const rows = await backend.readPublic({ text, parameters: [] }, columns)
  return rows.map((row: readonly Constant[]) => row.map(constantKey))
}

async function onFile(path: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(sql)
  const rows = reader.getRows()
  connection.closeSync()
  instance.closeSync()
  return rows
}

async function failure(run: () => Promise<unknown>): Promise<DosimeterError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof DosimeterError) return error
    throw error
  }
  throw new Error("this should have been refused")
}
