import { expect, test } from "vitest"
import { languages, textOf } from "../../testing/shown.tsx"
import { ReleaseAnswers } from "./release-answers.tsx"

const count = (name: string, value: number) => ({
  columns: [{ name, type: "integer", kind: "noisy" as const }],
  rows: [{ [name]: { value, low: value - 3, high: value + 3, state: "released" as const } }],
})
const release = { outcome: "released", position: 7, receipt: {}, series: null } as const
const shown = (more: Partial<Parameters<typeof ReleaseAnswers>[0]["release"]>, language = languages[0]) =>
  textOf(<ReleaseAnswers release={{ ...release, answers: [], ...more }} />, language)

test("one answer has no number; of several, each has its own", () => {
  expect(shown({ answers: [count("people", 512)] })).toContain("512")
  expect(shown({ answers: [count("people", 512)] })).not.toContain("Answer 1")
  const both = shown({ answers: [count("people", 512), count("visits", 2048)] })
  expect(both).toMatch(/Answer 1 of 2[^]*people[^]*512[^]*Answer 2 of 2[^]*visits[^]*2,048/)
})

test("a series says how far it has come", () => {
  const series = { name: "flu", periods: 24 }
  expect(shown({ answers: [count("total", 8)], series })).toContain("Series flu: 1 of 24 periods released")
})

test("no answer is said to be none, in every language", () => {
  for (const language of languages) {
    const [failed, waiting] = [
      shown({ outcome: "failed" }, language),
      shown({ outcome: "waiting" }, language),
    ]
    expect(failed).not.toBe("")
    expect(waiting).not.toBe(failed)
  }
  expect(shown({ outcome: "failed" })).toContain("has no answer")
})
