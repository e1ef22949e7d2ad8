import { isLongForm } from "@dosimeter/core/testing"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
  writeFileSync(
    join(hospital.folder, "dashboard.sql"),
    `-- A dashboard; with a comment.
     SELECT gender_concept_id AS sex, COUNT(*) AS n FROM person GROUP BY 1;
     SELECT COUNT(*) AS women FROM person WHERE gender_concept_id = 8532;
     SELECT EXTRACT(YEAR FROM visit_start_date) AS year, COUNT(*) AS visits FROM visit_occurrence GROUP BY 1`,
  )
})
beforeEach(() => hospital.rewrite((policy) => policy.replace("shown_from: 10", "")))
afterAll(() => hospital.remove())

test("[B6] a workload is shown with costs and errors, free, and released under one charge", async () => {
  const { out, error, code } = await hospital.run("plan", "dashboard.sql", "--epsilon", "1")
  expect([error, code]).toEqual(["", 0])
  expect(out).toMatch(/^ +question +alone +in plan +errors at 95 %\n1 .*COUNT\(\*\) ± \d+\n2 .*± \d+\n3 /)
  expect(out).toMatch(/cost {4}rho [\d.]+ .*; one by one: rho [\d.]+; 2 tables are measured\n$/)
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  const refused = await hospital.run("plan", "dashboard.sql", "--epsilon", "1", "--release")
  expect(refused.error).toContain("cli/not-confirmed")
  const released = await hospital.run("plan", "dashboard.sql", "--epsilon", "1", "--release", "--yes")
  expect(released.out).toMatch(/^-- 1 of 3: SELECT gender[^]*-- 2 of 3[^]*women[^]*-- 3 of 3[^]*cost {4}rho/)
  expect((await hospital.run("receipts")).out.trim().split("\n")).toHaveLength(2)
  const again = await hospital.run("plan", "dashboard.sql", "--epsilon", "1", "--release", "--yes", "--json")
  expect(JSON.parse(again.out)).toMatchObject({
    origin: "recorded",
    answers: [{ rows: [{}, {}] }, { rows: [{}] }, {}],
  })
})

test.runIf(isLongForm)("a person is asked before it is paid for", async () => {
  let asked = ""
  const prompt = new Writable({
    write: (chunk, _encoding, done) => {
      asked += String(chunk)
      done()
    },
  })
  for (const [typed, code] of [
    ["n\n", 4],
    ["y\n", 0],
  ] as const) {
    const got = await runCommand(["plan", "dashboard.sql", "--release"], {
      folder: hospital.folder,
      out: () => undefined,
      error: () => undefined,
      input: Readable.from([typed]),
      terminal: { columns: 100, plain: true, prompt },
    })
    expect(got).toBe(code)
  }
  expect(asked).toContain("release all of them? [y/N]")
})

test("weights are of questions that are there, and an error points into its question", async () => {
  for (const weight of ["4=2", "x", "1=0", "1=-2"]) {
    expect((await hospital.run("plan", "dashboard.sql", "--weight", weight)).code).toBe(2)
  }
  expect((await hospital.run("plan", "dashboard.sql", "--weight", "3=5")).code).toBe(0)
  writeFileSync(
    join(hospital.folder, "broken.sql"),
    "SELECT COUNT(*) FROM person;\nSELECT nothing FROM person;",
  )
  const { error } = await hospital.run("plan", "broken.sql")
  expect(error).toContain("sql/unknown-column")
  expect(error).toContain("1 | SELECT nothing FROM person")
})
