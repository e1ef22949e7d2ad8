import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-check-"))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const policy = `dataset: clinic
source: { csv: ["people.csv"] }
unit: person
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
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
