import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
afterAll(() => hospital.remove())

const asked = ["--table", "person", "--columns", "gender_concept_id,year_of_birth", "--epsilon", "1"]

/** Synthetic data is never called anonymous, but for saying that it is not. */
function callsAnonymous(text: string): boolean {
  return /anonym/i.test(text.replaceAll("not anonymous", ""))
}

test("[B6] synthetic rows are priced for nothing, paid for once, and made again for nothing", async () => {
  const priced = await hospital.run("synth", ...asked, "--explain")
  expect([priced.error, priced.code]).toEqual(["", 0])
  expect(priced.out).toMatch(
    /^columns {5}gender_concept_id, year_of_birth\ncost {8}.*epsilon 1[^]*of 10,000 people/,
  )
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  const file = join(hospital.folder, "people.csv")
  const unsaid = await hospital.run("synth", ...asked, "--out", "people.csv")
  expect(unsaid.error).toContain("cli/not-confirmed")
  expect(existsSync(file)).toBe(false)
  const made = await hospital.run("synth", ...asked, "--out", "people.csv", "--yes")
  expect([made.error, made.code]).toEqual(["", 0])
  expect(made.out).toMatch(/wrote {7}\d+ rows: .*people.csv[^]*year_of_birth .*%[^]*cost {8}.*epsilon 1/)
  const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n")
  expect(head).toBe("gender_concept_id,year_of_birth")
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.every((row) => /^\d*,\d*$/.test(row))).toBe(true)
  expect((await hospital.run("receipts")).out.trim().split("\n")).toHaveLength(2)
  expect((await hospital.run("synth", ...asked, "--out", "people.csv")).error).toContain("cli/file-exists")
  const again = await hospital.run("synth", ...asked, "--out", "more.csv", "--rows", "7", "--json")
  expect(JSON.parse(again.out)).toMatchObject({ origin: "recorded", rows: 7, report: expect.any(Array) })
  expect((await hospital.run("receipts")).out.trim().split("\n")).toHaveLength(2)
  const help = await hospital.run("synth", "--help")
  expect(help.out).toContain("not anonymous")
  for (const text of [priced.out, made.out, again.out, help.out]) expect(callsAnonymous(text)).toBe(false)
})

test("a synthesis that cannot be is refused, and nothing is written", async () => {
  for (const [wrong, code] of [
    [["--table", "person"], "cli/usage"],
    [["--table", "person", "--out", "people.txt"], "cli/bad-option"],
    [["--table", "person", "--out", "x.csv", "--rows", "0"], "cli/bad-option"],
    [["--table", "person", "--rows-of", "visit_occurrence", "--out", "x.csv"], "cli/usage"],
    [["--table", "nothing", "--out", "x.csv"], "synthetic/what"],
  ] as const) {
    expect((await hospital.run("synth", ...wrong)).error).toContain(code)
  }
  expect(existsSync(join(hospital.folder, "x.csv"))).toBe(false)
})

test("the guide never calls synthetic rows anonymous", () => {
  const guide = readFileSync(
    new URL("../../../../../../docs/guides/synthetic-data.md", import.meta.url),
    "utf8",
  )
  expect(guide).toContain("not anonymous")
  expect(callsAnonymous(guide)).toBe(false)
})
