import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-check-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const policy = `dataset: clinic
source: { csv: ["people.csv"] }
unit: person
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  people:
    unit: id
    keys: [[id]]
    columns:
      age: { type: integer, min: 0, max: 110, nullable: false }
`

test("check finds what the first question would fail on: a key that is none, a NULL where there is none", async () => {
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  const check = async (rows: string): Promise<{ readonly code: number; readonly text: string }> => {
    writeFileSync(join(folder, "people.csv"), `id,age\n${rows}\n`)
    let text = ""
    const write = (piece: string): void => void (text += piece)
    const code = await runCommand(["check"], { folder, out: write, error: write })
    return { code, text }
  }
  expect(await check("1,20\n2,30")).toMatchObject({
    code: 0,
    text: expect.stringContaining("nothing is wrong"),
  })
  const twice = await check("1,20\n1,30")
  expect(twice.text).toContain("is not unique")
  expect(twice.code).not.toBe(0)
  const none = await check("1,20\n2,")
  expect(none.text).toContain("NULL in some rows")
  expect(none.code).not.toBe(0)
})

async function checked(
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly text: string }> {
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  writeFileSync(join(folder, "people.csv"), "id,age\n1,20\n2,30\n")
  let text = ""
  const write = (piece: string): void => void (text += piece)
  const code = await runCommand(["check", ...options], { folder, out: write, error: write })
  return { code, text }
}

test("check tells which accounting suits 1, 10 and 100 counts", async () => {
  const { code, text } = await checked()
  expect(code).toBe(0)
  expect(text).toMatch(/\n +pure +zcdp +gdp\n/)
  expect(text).toMatch(/\n +1 count \(of each person once\) +[\d.]+ +[\d.]+ +[\d.]+ +least noise: pure\n/)
  expect(text).toMatch(/\n +100 counts \(of each person once\) +[\d.]+ +[\d.]+ +[\d.]+ +least noise: gdp\n/)
  expect(text).toMatch(/pure has the least noise up to \d+ questions; this policy has zcdp\n/)
})

test("check tells it for what is planned, in words and as JSON", async () => {
  const { text } = await checked("--planned", "20 counts, 3 by-group, 1 keys")
  expect(text).toMatch(/\n +20 counts .*\n +3 counts by public groups .*\n +1 count by groups from the data /)
  // All groups of this policy are public: no delta is kept for others.
  expect(text).toMatch(/groups from the data +[\d.]+ \(shown from \d+\) +needs delta +needs delta/)
  const json: unknown = JSON.parse((await checked("--planned", "11 count", "--json")).text)
  expect(json).toMatchObject({
    dataset: "clinic",
    agreesWithSource: true,
    advice: {
      accounting: "zcdp",
      plans: [{ planned: [{ questions: 11, kind: "count" }] }],
    },
  })
  const wrong = await checked("--planned", "eleven counts")
  expect(wrong.text).toContain("--planned is eleven counts")
  expect(wrong.code).not.toBe(0)
})
