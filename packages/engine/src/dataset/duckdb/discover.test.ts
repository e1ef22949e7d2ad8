import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError, rational } from "@dosimeter/core"
import { proposePolicy } from "@dosimeter/policy/propose/propose-policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { FileFormat, Source } from "@dosimeter/policy/file/policy"
import type { TableFacts } from "@dosimeter/policy/file/source-facts"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { duckdbType } from "./duckdb-type.ts"
import { findFiles } from "./find-files.ts"
import { openDuckDB } from "./open-duckdb.ts"
import { discoverSource } from "../../prepare/look-at-source.ts"

const canary = "CANARY"
const folder = mkdtempSync(join(tmpdir(), "dosimeter-discover-"))

beforeAll(async () => {
  mkdirSync(join(folder, "deep", "er"), { recursive: true })
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE patients
      (id INTEGER PRIMARY KEY, last_name VARCHAR NOT NULL, code VARCHAR UNIQUE);
    CREATE TABLE visits (visit_id BIGINT, patient_id INTEGER REFERENCES patients (id), fee DOUBLE,
      paid DECIMAL(10, 2),
      ward ENUM ('${canary}', 'B'), seen DATE, tags VARCHAR[], fine DECIMAL(38, 20), big HUGEINT, moment TIMESTAMPTZ);
    CREATE SCHEMA lab; CREATE TABLE lab.readings (value FLOAT);
    CREATE VIEW seen AS SELECT patient_id, seen FROM visits;
    INSERT INTO patients VALUES (1, '${canary}', '${canary}');
    INSERT INTO visits VALUES (1, 1, 2.5, 1, '${canary}', DATE '2001-01-01', ['${canary}'], 1, 1, now())`)
  for (const name of ["visits", "deep/patients"]) {
    await connection.run(`COPY (SELECT 1 AS patient_id, '${canary}' AS note) TO '${folder}/${name}.parquet'`)
  }
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, "visits.csv"), `patient_id,note,seen\n1,${canary},2001-01-01\n`)
  writeFileSync(join(folder, "headless.csv"), `17,${canary}\n18,x\n`)
  const lines = [
    { patient_id: 1, note: canary },
    { patient_id: 2, note: "x", size: 1.5, who: { [canary]: 1 } },
  ]
  writeFileSync(join(folder, "visits.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"))
  writeFileSync(join(folder, "broken.parquet"), canary)
  writeFileSync(join(folder, "broken.duckdb"), canary.repeat(1000))
  writeFileSync(join(folder, "deep", "er", "a[1].csv"), "x\n1\n")
  writeFileSync(join(folder, "deep", "er", "VISITS.csv"), "x\n1\n")
})

afterAll(() => rmSync(folder, { recursive: true }))

function shown(table: TableFacts | undefined): readonly string[] {
  return (table?.columns ?? []).map(
    ({ name, type, nullable }) => `${name} ${type?.kind}${nullable ? "" : "!"}`,
  )
}

test("a DuckDB file gives names, types, keys and foreign keys, and no value", async () => {
  const facts = await discoverSource({ kind: "duckdb", file: "clinic.duckdb" }, folder)
  const named = (name: string) => facts.tables.find((table) => table.name === name)
  expect(facts.tables.map(({ path }) => path.join("."))).toEqual([
    "lab.readings",
    "patients",
    "seen",
    "visits",
  ])
  expect(shown(named("patients"))).toEqual(["id integer!", "last_name text!", "code text"])
  // The UNIQUE code may be NULL in many rows, so it is no key.
  expect(named("patients")?.keys).toEqual([["id"]])
  expect(shown(named("visits"))).toEqual([
    "visit_id integer",
    "patient_id integer",
    "fee float",
    "paid decimal",
    "ward text",
    "seen date",
    "tags undefined",
    "fine float",
    "big integer",
    "moment undefined",
  ])
  expect(named("visits")?.columns[1]?.references).toEqual({ table: "patients", column: "id" })
  expect(
    JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
  ).not.toContain(canary)
})

test.each<[FileFormat, readonly string[]]>([
  ["parquet", ["patient_id integer", "note text"]],
  ["csv", ["patient_id integer", "note text", "seen date"]],
  ["ndjson", ["patient_id integer", "note text", "size float", "who undefined"]],
])("%s files are tables named after them", async (kind, columns) => {
  const facts = await discoverSource({ kind, globs: [`visits.${kind}`] }, folder)
  expect(facts.tables.map(({ name, path }) => [name, path])).toEqual([["visits", ["visits"]]])
  expect(shown(facts.tables[0])).toEqual(columns)
  expect(
    JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
  ).not.toContain(canary)
})

test("a proposal for what was discovered is accepted, and holds no value", async () => {
  const source: Source = { kind: "duckdb", file: "clinic.duckdb" }
  const facts = await discoverSource(source, folder)
  const { text } = proposePolicy(facts, { dataset: "clinic", source })
  expect(text).not.toContain(canary)
  const { catalog } = readPolicy(text, { facts })
  expect(catalog.tables.map(({ name }) => name)).toEqual(["patients", "seen", "visits"])
})

test("patterns are resolved by us", () => {
  const names = (pattern: string) => findFiles(pattern, folder).map((path) => path.slice(folder.length + 1))
  expect(names("*.csv")).toEqual(["headless.csv", "visits.csv"])
  expect(names("**/*.parquet")).toEqual(["broken.parquet", "deep/patients.parquet", "visits.parquet"])
  expect(names("vis?ts.*")).toEqual(["visits.csv", "visits.ndjson", "visits.parquet"])
  expect(names(join(folder, "d*p", "*.parquet"))).toEqual(["deep/patients.parquet"])
  expect(names("deep")).toEqual([])
  expect(names("nowhere/*.csv")).toEqual([])
})

const failures: readonly (readonly [string, string, Source, string])[] = [
  ["dataset/no-files", "unavailable", { kind: "csv", globs: ["*.tsv"] }, "no file matches *.tsv in "],
  [
    "dataset/not-found",
    "unavailable",
    { kind: "duckdb", file: "gone.duckdb" },
    "there is no file gone.duckdb",
  ],
  [
    "dataset/unreadable",
    "unavailable",
    { kind: "parquet", globs: ["broken.parquet"] },
    "broken.parquet cannot be read as parquet",
  ],
  [
    "dataset/unreadable",
    "unavailable",
    { kind: "duckdb", file: "broken.duckdb" },
    "broken.duckdb cannot be read as duckdb",
  ],
  [
    "dataset/same-name",
    "invalid",
    { kind: "csv", globs: ["visits.csv", "**/VISITS.csv"] },
    "visits.csv and VISITS.csv would both be",
  ],
  ["dataset/bad-path", "invalid", { kind: "csv", globs: ["deep/er/a*.csv"] }, "holds a wildcard"],
  [
    "dataset/no-header",
    "invalid",
    { kind: "csv", globs: ["headless.csv"] },
    "the first line of headless does not look",
  ],
]

test.each(failures)("%s (%s): %j", async (code, kind, source, message) => {
  const error: unknown = await discoverSource(source, folder).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DosimeterError)
  expect(error).toMatchObject({ code, kind, message: expect.stringContaining(message) })
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(canary)
  expect(error).not.toHaveProperty("cause", expect.anything())
})

test("an opened source reaches nothing but its files, and cannot be opened wider", async () => {
  const opened = await openDuckDB({ kind: "parquet", globs: ["visits.parquet"] }, folder)
  await opened.lock()
  const run = async (sql: string): Promise<string> =>
    opened.connection.run(sql).then(
      () => "done",
      () => "refused",
    )
  expect(await run("SELECT count(*) FROM visits")).toBe("done")
  expect(await run(`SELECT * FROM read_csv('${folder}/visits.csv')`)).toBe("refused")
  expect(await run(`COPY visits TO '${folder}/stolen.csv'`)).toBe("refused")
  expect(await run("SET enable_external_access = true")).toBe("refused")
  expect(await run("INSTALL httpfs")).toBe("refused")
  expect(await run(`ATTACH '${folder}/clinic.duckdb'`)).toBe("refused")
  opened.close()
  const file = await openDuckDB({ kind: "duckdb", file: "clinic.duckdb" }, folder)
  await expect(file.connection.run("INSERT INTO patients VALUES (2, 'x', 'y')")).rejects.toThrow("read-only")
  file.close()
})

test("whole and decimal numbers have the range of their type", () => {
  expect(duckdbType("UTINYINT").range).toEqual({ min: rational(0n), max: rational(255n) })
  expect(duckdbType("SMALLINT").range).toEqual({ min: rational(-32_768n), max: rational(32_767n) })
  expect(duckdbType("DECIMAL(4,2)")).toEqual({
    type: { kind: "decimal", scale: 2 },
    typeName: "DECIMAL(4,2)",
    range: { min: rational(-9999n, 100n), max: rational(9999n, 100n) },
  })
  expect(duckdbType("DECIMAL(38,20)")).toMatchObject({ type: { kind: "float" } })
  expect(duckdbType(`ENUM('${canary}')`)).toEqual({ type: { kind: "text" }, typeName: "ENUM" })
  expect(duckdbType(`STRUCT("${canary}" INTEGER)`)).toEqual({ type: undefined, typeName: "STRUCT" })
  expect(duckdbType("INTEGER[3]")).toEqual({ type: undefined, typeName: "a list" })
})
