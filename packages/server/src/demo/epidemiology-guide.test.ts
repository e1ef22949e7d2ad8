// The questions of docs/guides/epidemiology.md, as they stand there, on a small hospital.

import { sampleOf } from "@dosimeter/core/testing"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../main.ts"
import { makeHospital } from "./hospital.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-guide-test-"))
const page = readFileSync(join(import.meta.dirname, "../../../../docs/guides/epidemiology.md"), "utf8")
const questions = [...page.matchAll(/^```sql\n([^]*?);\n```\n\n```\n([^\n]*)/gm)].map(
  ([, sql = "", head = ""]) => [head.trim().split(/ +/), sql] as const,
)

beforeAll(() => makeHospital(folder, { persons: 3000 }))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ""
  const write = (more: string): void => {
    text += more
  }
  const code = await runCommand(args, { folder, out: write, error: write, called: "dosimeter" })
  return { code, text }
}

test("there are three questions", () => {
  expect(questions).toHaveLength(3)
})

test.each(sampleOf(questions, 1))(
  "%s are answered, from one table in which a person is in one cell",
  async (columns, sql) => {
    const { code: explained, text } = await run("explain", sql)
    expect(explained, text).toBe(0)
    expect(text).toMatch(/groups +\d+ public groups, all shown/)
    expect(text).toContain("the group is decided by the person; a person has one row in a group")
    expect(text.match(/one person adds at most 1;/g)).toHaveLength(1)
    const { code, text: answer } = await run("ask", sql)
    expect(code, answer).toBe(0)
    const [head = ""] = answer.split("\n").filter((line) => line.includes(columns[0] ?? ""))
    expect(head.trim().split(/ +/)).toEqual(columns)
  },
)
