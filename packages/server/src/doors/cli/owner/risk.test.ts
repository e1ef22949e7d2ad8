import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-risk-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (more: string): void => {
    text += more
  }
  const code = await runCommand(["risk", ...args], { folder, out: write, error: write })
  return { code, text }
}

// In A one is 30 and has flu, and two are 40 and have HIV; in B two are 40 and differ.
const patients = ["30,A,flu", "40,A,hiv", "40,A,hiv", "40,B,flu", "40,B,<b>hiv"]
writeFileSync(join(folder, "patients.csv"), `age,zip,diagnosis\n${patients.join("\n")}\n`)
writeFileSync(join(folder, "voters.csv"), "name,years,zip\nAnn,30,A\nBob,50,A\n")
const columns = ["patients.csv", "--quasi", "age,zip", "--sensitive", "diagnosis"]

test("the terminal says first that the report is not private, and what was found", async () => {
  const { code, text } = await run(...columns, "--no-attacks", "--link", "voters.csv", "--on", "age=years")
  expect(code).toBe(0)
  expect(text).toMatch(/^This report is exact and not private\./)
  expect(text).toContain("- 1 of 5 people (20.0 %) is the only one with their age and zip.")
  expect(text).toMatch(
    /For 3 of 5 people \(60\.0 %\), whoever [^:]+ diagnosis with certainty: 1 is\s+alone, and 2 are/,
  )
  expect(text).toMatch(/Of the 2 records of voters, 1 matches one person alone/)
  expect(text).toMatch(/age, zip +20\.0 % {2}\[###\.+\] +60\.0 %/)
})

test("the page holds all it needs, escapes what is data, and only its owner can read the file", async () => {
  const { code, text } = await run(
    ...columns,
    "--k",
    "2",
    "--targets",
    "2",
    "--rows",
    "5",
    "--html",
    "risk.html",
  )
  expect([code, text.endsWith("\nwrote risk.html\n")]).toEqual([0, true])
  const page = readFileSync(join(folder, "risk.html"), "utf8")
  expect(statSync(join(folder, "risk.html")).mode & 0o077).toBe(0)
  expect(page).toContain("This report is exact and not private.")
  expect(page).not.toMatch(/<script|https?:|<link|<b>hiv/)
  expect(page).toMatch(/<svg/)
  // Five are asked for, and about three something is certain: the head, and three rows.
  expect(page.slice(page.indexOf("Single people")).match(/<tr>/g)).toHaveLength(4)
  const again = await run(...columns, "--no-attacks", "--html", "risk.html")
  expect(again.text).toContain("help: write elsewhere with --html FILE, or replace it with --force")
  expect([again.code, again.text]).toEqual([4, expect.stringContaining("error[cli/file-exists]")])
})

test("the page in Chinese has every sentence in it, and the same figures", async () => {
  const made = ["--k", "2", "--targets", "2", "--rows", "5", "--link", "voters.csv", "--on", "age=years"]
  const shown = async (language: string): Promise<string> => {
    await run(...columns, ...made, "--html", `${language}.html`, "--language", language)
    return readFileSync(join(folder, `${language}.html`), "utf8")
  }
  const [en, zh] = [await shown("en"), await shown("zh")]
  expect(zh).toContain('<html lang="zh-Hans">')
  // Names of columns, values and Dosimeter stay as they are; three English words in a row are a sentence.
  const text = zh.slice(zh.indexOf("<h1>")).replaceAll(/<[^>]*>/g, " ")
  expect(text.match(/[a-z]+ [a-z]+ [a-z]+/gi)).toBeNull()
  const bars = (page: string): readonly string[] => page.match(/<(rect|circle|polyline)[^>]*>/g) ?? []
  // What the attacks on Dosimeter's answers reach is drawn anew each time.
  const exact = (page: string): readonly string[] => bars(page).slice(0, 30)
  expect(exact(zh)).toEqual(exact(en))
  expect(bars(zh)).toHaveLength(bars(en).length)
})

test("a table of a policy's data, as JSON; the ledger is not begun", async () => {
  const policy = `dataset: clinic
source: { csv: patients.csv }
unit: row
budget: { epsilon: 1, delta: 0, accounting: pure }
question: { epsilon: 1 }
tables:
  patients: { unit: row, columns: { age: { type: integer, min: 0, max: 120 } } }
`
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  const args = [
    "--policy",
    "dosimeter.yaml",
    "--table",
    "patients",
    "--quasi",
    "age",
    "--no-attacks",
    "--json",
  ]
  const { code, text } = await run(...args)
  expect(code).toBe(0)
  expect(JSON.parse(text)).toMatchObject({
    format: "dosimeter-risk/1",
    table: "patients",
    rows: 5,
    crowds: { k: 1 },
  })
  expect(statSync(join(folder, ".dosimeter"), { throwIfNoEntry: false })).toBeUndefined()
})

test.each([
  [["patients.csv", "--policy", "dosimeter.yaml"], "error[cli/usage]"],
  [[], "error[cli/usage]"],
  [["patients.csv", "--k", "1"], "error[cli/bad-option]"],
  [["patients.csv", "--fact", "flu"], "error[cli/bad-option]"],
  [["patients.csv", "--quasi", "height"], "error[risk/no-column]"],
  [["patients.csv", "--fact", "age=30", "--quasi", "zip"], "error[risk/fact-not-sensitive]"],
  [["patients.csv", "--on", "age=years"], "error[cli/usage]"],
  [["patients.csv", "--link", "gone.csv"], "error[cli/no-file]: there is no file gone.csv"],
  [["gone.csv"], "error[cli/no-file]: there is no file gone.csv"],
  [["gone*.csv"], "error[dataset/no-files]"],
])("%j: %s", async (args, error) => {
  const { code, text } = await run(...args)
  expect(code).not.toBe(0)
  expect(text).toContain(error)
})
