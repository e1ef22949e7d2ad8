import type { Attacks, CrowdCurve } from "@dosimeter/engine/risk"
import { expect, test } from "vitest"
import { attackQuestion, curveCover, recursiveWords, tableAttackWords } from "./risk-words.ts"

const curve: CrowdCurve = {
  columns: ["age", "zip"],
  columnsLeftOut: 0,
  rows: 1_000_000,
  looked: 1_000_000,
  isSample: true,
  points: [],
}

test("what was counted in a sample says so, and so do rows that are not people", () => {
  expect(curveCover(curve, undefined)).toBe(
    "Counted in a sample of 1,000,000 rows, in which more are alone than in the whole.",
  )
  expect(curveCover({ ...curve, isSample: false, rows: 900, looked: 900 }, undefined)).toBe(
    "Counted in all 900 rows.",
  )
  expect(curveCover({ ...curve, isSample: false, looked: 100_000, columnsLeftOut: 3 }, undefined)).toBe(
    "Counted in all 1,000,000 rows. It was asked of 100,000 of them, drawn at random. 3 more columns were not tried.",
  )
  expect(curveCover(curve, { column: "patient", varying: 0 })).toContain(
    "of which one person may have several",
  )
})

const result = { kind: "differenced", queries: 2, targets: 100, right: 0.7, hidden: 0 } as const
const table = {
  kind: "homogeneous",
  people: 18_000,
  withheld: 2000,
  certain: [12],
  together: 12,
  levels: [],
  dosimeter: result,
} as const
const attacks: Attacks = {
  fact: { column: "diagnosis", value: "flu" },
  rows: 20_000,
  isSample: true,
  k: 11,
  epsilon: 1,
  ceiling: 0.73,
  counts: [],
  dosimeter: result,
  tables: [table],
  leftOut: [],
}

test("people who were drawn for the attacks are no share of the table, and the report says so", () => {
  expect(attackQuestion(attacks)).toContain("what is said of them is not a share of the table")
  expect(tableAttackWords(table, attacks)).toContain("for 12 of 18,000 people who were drawn")
  const whole = { ...attacks, isSample: false }
  expect(attackQuestion(whole)).not.toContain("drawn")
  expect(tableAttackWords(table, whole)).toContain("for 12 of 18,000 people.")
})

test("recursive diversity: above which c, and for whom for none", () => {
  const rows = { rows: 20 }
  expect(recursiveWords({ l: 2, c: 4, without: 2 }, rows)).toBe("c above 4, but for 10.0 %")
  expect(recursiveWords({ l: 3, c: 2.3333, without: 0 }, rows)).toBe("c above 2.34")
  expect(recursiveWords({ l: 3, c: 1234.2, without: 0 }, rows)).toBe("c above 1240")
  expect(recursiveWords({ l: 4, c: undefined, without: 20 }, rows)).toBe("for no c")
})
