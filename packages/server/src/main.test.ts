import { DuckDBInstance } from "@duckdb/node-api"
import { makeError, type ErrorDefinition } from "@dosimeter/core/errors"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { serverErrors } from "./errors.ts"
import { runCommand } from "./main.ts"

const canary = "CANARY"
const folder = mkdtempSync(join(tmpdir(), "dosimeter-cli-"))
const file = (name: string): string => join(folder, name)

beforeAll(async () => {
  mkdirSync(file("exports"))
  mkdirSync(file("empty"))
  writeFileSync(file("exports/visits.csv"), `patient_id,ward,fee,email\n1,${canary},2.5,${canary}\n`)
  writeFileSync(file("visits.ndjson"), `{"patient_id":"${canary}","fee":1}\n`)
  writeFileSync(file("broken.parquet"), canary)
  const instance = await DuckDBInstance.create(file("clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE person
      (person_id INTEGER, gender_concept_id INTEGER, year_of_birth INTEGER);
    CREATE TABLE visit_occurrence (visit_occurrence_id INTEGER, person_id INTEGER, visit_start_date DATE,
      visit_source_value ENUM ('${canary}'));
    INSERT INTO visit_occurrence VALUES (1, 1, DATE '2001-01-01', '${canary}')`)
  await connection.run(`COPY visit_occurrence TO '${file("visit_occurrence.parquet")}'`)
  connection.closeSync()
  instance.closeSync()
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command and gives its exit code and what it wrote. No output may hold a value. */
async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (more: string): void => {
    text += more
  }
  const code = await runCommand(args, { folder, out: write, error: write })
  expect(text).not.toContain(canary)
  return { code, text }
}

test("init proposes a policy that check accepts, for every kind of source", async () => {
  const sources = ["exports", "exports/*.csv", "visits.ndjson", "visit_occurrence.parquet", "clinic.duckdb"]
  for (const [index, source] of sources.entries()) {
    const out = `policy-${index}.yaml`
    const made = await run("init", source, "--out", out)
    expect(made, made.text).toMatchObject({ code: 0, text: expect.stringContaining(`wrote ${out}\n`) })
    expect(made.text).toMatch(/which accounting suits what is planned[^]*\n +100 counts .*least noise: gdp\n/)
    expect(readFileSync(file(out), "utf8")).not.toContain(canary)
    const checked = await run("check", out)
    expect(checked, checked.text).toMatchObject({
      code: 0,
      text: expect.stringContaining("nothing is wrong"),
    })
  }
})

test("init names the dataset, takes a pack and a unit, and writes where it is told", async () => {
  mkdirSync(file("policies"))
  const args = ["init", "exports", "--dataset", "clinic", "--unit", "ward", "--pack", "omop-5.3"]
  const made = await run(...args, "--out", "policies/a.yaml")
  expect(made.code, made.text).toBe(0)
  const text = readFileSync(file("policies/a.yaml"), "utf8")
  expect(text).toContain("dataset: clinic\n")
  expect(text).toContain('source: { csv: "../exports/*.csv" }')
  expect(text).toContain("schema: omop-5.3")
  expect(text).toContain("unit: ward")
  expect((await run("check", "policies/a.yaml")).code).toBe(0)
})

test("init --print writes nothing", async () => {
  const { code, text } = await run("init", "exports", "--out", "none.yaml", "--print")
  expect(code).toBe(0)
  expect(text).toContain("budget: { epsilon: 1,")
  expect((await run("check", "none.yaml")).text).toContain("error[cli/no-file]: there is no file none.yaml")
})

test("cli/file-exists: init does not overwrite a policy unless told to", async () => {
  writeFileSync(file("mine.yaml"), "mine")
  expect(await run("init", "exports", "--out", "mine.yaml")).toEqual({
    code: 4,
    text: `error[cli/file-exists]: mine.yaml is there already
help: write elsewhere with --out FILE, look first with --print, or replace it with --force
`,
  })
  expect(readFileSync(file("mine.yaml"), "utf8")).toBe("mine")
  expect((await run("init", "exports", "--out", "mine.yaml", "--force")).code).toBe(0)
})

test("check says everything that is wrong, with line and column", async () => {
  await run("init", "exports", "--out", "wrong.yaml")
  const text = readFileSync(file("wrong.yaml"), "utf8")
  writeFileSync(file("wrong.yaml"), text.replace("epsilon: 1,", "epsilon: none,").replace("fee:", "fees:"))
  expect(await run("check", "wrong.yaml")).toEqual({
    code: 2,
    text: `wrong.yaml:13:20
error[policy/wrong-value]: epsilon of budget is none, and should be a number such as 0.5 or 1e-9
 13 | budget: { epsilon: none, delta: 1e-9, accounting: zcdp }
    |                    ^^^^
help: write a number such as 0.5 or 1e-9

wrong.yaml:28:7
error[policy/not-in-source]: the source has no column fees in the table visits
 28 |       fees: { type: float, bounds: auto }   # decide: { type: float, min: 0, max: 100, grid: 0.01 }
    |       ^^^^
help: write fee, name it with source:, or remove the line

2 problems
`,
  })
})

test("check tells in plain words what a policy allows", async () => {
  writeFileSync(
    file("omop.yaml"),
    `dataset: hospital
source: { duckdb: clinic.duckdb }
schema: omop-5.4
neighbours: replace
budget: { epsilon: 3, delta: 1e-9, accounting: gdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-10 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
limits: { studies: { heart: { epsilon: 1, delta: 1e-10 } }, analysts: { ada: { epsilon: 2, delta: 1e-10 } } }
shown_from: 10
tables: { visit_occurrence: { columns: { visit_source_value: deny } } }
`,
  )
  const { code, text } = await run("check", "omop.yaml")
  expect(code, text).toBe(0)
  expect(text).toContain(`hospital: nothing is wrong with this policy
  unit              one person; two datasets are neighbours if one is replaced by another
  budget            epsilon 3, delta 1e-9 for everything ever asked (gdp)
  a question        epsilon 0.5 unless it says otherwise, at most 1; delta 1e-10
  intervals         at 0.95 confidence
  bounding          3 groups a person (at most 100), 5 rows a group (at most 1000)
  shown from        counts of 10, after noise
  studies           heart (epsilon 1)
  analysts          ada (epsilon 2)
  private tables    person, visit_occurrence
  denied columns    visit_occurrence.visit_source_value
  denied tables     location, fact_relationship, cost, care_site, provider
  not in the source observation_period, condition_occurrence,`)
  expect(text).toContain("still to check    2 keys and 3 columns that are never NULL, against the data")
  expect(text).toContain("names and types agree with it")
  const alone = await run("check", "omop.yaml", "--without-source")
  expect(alone.text).toContain("not looked at")
})

test("a policy without a proper source is told all its problems, and no file is opened", async () => {
  writeFileSync(file("lost.yaml"), "dataset: a\nsource: { tsv: x }\n")
  const { code, text } = await run("check", "lost.yaml")
  expect(code).toBe(2)
  expect(text).toContain("error[policy/unknown-key]: source has no key tsv")
  expect(text).toContain("6 problems")
})

test("the exit code says who must act", async () => {
  expect(await run("init", "exports/visits.txt")).toMatchObject({
    code: 2,
    text: expect.stringContaining(
      "error[cli/unknown-source]: nothing tells what kind of data exports/visits.txt is",
    ),
  })
  expect((await run("init", "empty", "--out", "x.yaml")).code).toBe(2)
  expect((await run("init", "clinic.duckdb", "other.duckdb", "--out", "x.yaml")).code).toBe(2)
  expect((await run("init", "gone.duckdb", "--out", "x.yaml")).code).toBe(5)
  expect((await run("init", "gone*.csv", "--out", "x.yaml")).code).toBe(5)
  expect((await run("init", "broken.parquet", "--out", "x.yaml")).code).toBe(5)
  expect((await run("init")).code).toBe(2)
  expect((await run("init", "exports", "--pack", "omop-6")).code).toBe(2)
  expect(await run("xyzzy")).toEqual({ code: 2, text: "error: unknown command 'xyzzy'\n" })
  expect((await run("aks")).text).toContain("(Did you mean ask?)")
})

test("help has examples and succeeds", async () => {
  expect(await run("--help")).toMatchObject({
    code: 0,
    text: expect.stringContaining("init [options] <source...>"),
  })
  const commands = [
    "demo",
    "init",
    "check",
    "ask",
    "explain",
    "budget",
    "receipts",
    "prepare",
    "ledger verify",
  ]
  for (const command of commands) {
    expect(await run(...command.split(" "), "--help")).toMatchObject({
      code: 0,
      text: expect.stringContaining("Examples:"),
    })
  }
})

test("an error that nobody expected shows where it came from, and no message", async () => {
  let text = ""
  const code = await runCommand(["init", "exports", "--print"], {
    folder,
    out: () => {
      throw new Error(canary)
    },
    error: (more) => {
      text += more
    },
  })
  expect(code).toBe(70)
  expect(text).toMatch(/^error\[bug\/invariant\]: .*\n +at /)
  expect(text).not.toContain(canary)
})

const table: Readonly<Record<string, ErrorDefinition<never>>> = serverErrors

test.each(Object.entries(table))("%s says what is wrong and what to do", (code, definition) => {
  const facts = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` })
  const error = makeError(definition, { code, facts: facts as never })
  expect(error.message).toMatch(/^(?!.*(undefined|\[object|\n)).+[^.]$/)
  expect(error.help).toMatch(/^(?!.*(undefined|\[object|\n)).+[^.]$/)
})
