import { expect, test } from "vitest"
import { codeCount, codeOf, numberColumn, valueOf, type SyntheticColumn } from "./columns.ts"
import { binEdges, binOf } from "./number-bins.ts"
import { cutsOf, readRule, ruleOf } from "./rules.ts"
import { SeededNumbers } from "./seeded-numbers.ts"

const random = new SeededNumbers("columns")
const age = numberColumn("age", { min: 0, max: 100, step: 1, type: "integer", hasMissing: true }, [16])
const job: SyntheticColumn = { kind: "listed", name: "job", values: ["no", "yes", "some"], hasMissing: true }

test("bins follow from a declared range, and every cut is an edge", () => {
  expect(binEdges({ min: 0, max: 5, step: 1 })).toEqual([0, 1, 2, 3, 4, 5, 5])
  const long = binEdges({ min: 0, max: 99_999, step: 1 }, [12_345])
  expect(long.slice(0, 3)).toEqual([0, 1, 2])
  expect(long).toContain(12_345)
  expect(long.length).toBeLessThan(60)
  for (const edges of [
    long,
    binEdges({ min: -3.5, max: 8, step: undefined }),
    binEdges({ min: 0, max: 200, step: 0.5 }),
  ]) {
    expect(edges).toEqual(edges.toSorted((a, b) => a - b))
    expect(new Set(edges.slice(0, -1)).size).toBe(edges.length - 1)
  }
})

test("a value of a code has that code", () => {
  const kinds = [
    age,
    job,
    numberColumn("fee", { min: 0, max: 500, step: 0.01, type: "decimal", hasMissing: false }, []),
  ]
  for (const column of kinds) {
    for (let code = 0; code < codeCount(column); code += 1) {
      const value = valueOf(column, code, random)
      expect(codeOf(column, value)).toBe(code)
      if (column.kind === "numbers" && value !== null) {
        const place = Number(value) / (column.step ?? 1)
        expect(Math.abs(place - Math.round(place))).toBeLessThan(1e-6)
      }
    }
  }
  expect(binOf([0, 10, 20], 25)).toBe(1)
  expect(codeOf(job, "never listed")).toBe(3)
})

test("a rule forbids what it says, for whole bins, and nothing about missing values", () => {
  const written = readRule("age < 16 => job = no")
  expect(cutsOf([written], "age", 1)).toEqual([16])
  const { isImpossible } = ruleOf(written, [age, job])
  for (const [years, work, expected] of [
    [15, "yes", true],
    [15, "no", false],
    [16, "yes", false],
    [15, null, false],
    [null, "yes", false],
  ] as const) {
    expect(isImpossible([codeOf(age, years), codeOf(job, work)])).toBe(expected)
  }
  const most = ruleOf(readRule("job in (yes, some) => age >= 16"), [age, job])
  expect(most.isImpossible([codeOf(job, "yes"), codeOf(age, 3)])).toBe(true)
  expect(cutsOf([readRule("age <= 16 => job = no")], "age", 1)).toEqual([17])
  const missing = ruleOf(readRule("age < 16 => job is missing"), [age, job])
  expect(missing.isImpossible([codeOf(age, 3), codeOf(job, "no")])).toBe(true)
  expect(missing.isImpossible([codeOf(age, 3), codeOf(job, null)])).toBe(false)
})

test("what is no rule about two columns is refused", () => {
  for (const [text, code] of [
    ["age < 16", "synthetic/bad-rule"],
    ["age < old => job = no", "synthetic/bad-rule"],
    ["age < 16 => age > 3", "synthetic/bad-rule"],
    ["size < 16 => job = no", "synthetic/unknown-column"],
    ["age < 16 => job = maybe", "synthetic/rule-never-met"],
  ] as const) {
    expect(() => ruleOf(readRule(text), [age, job])).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ code })] }),
    )
  }
})
