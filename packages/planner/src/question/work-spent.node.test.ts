// What one unit costs in all steps together is bounded before anything is read, whoever is in the data.

import { DosimeterError } from "@dosimeter/core"
import { beforeAll, describe, expect, it } from "vitest"
import { nothingSpent } from "@dosimeter/proof/work/unit-cost"
import { isWithin, workLimitsOf, type Spent } from "@dosimeter/proof/work/work-limits"
import { compile } from "../compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { claimedWork } from "../testing/units/claimed-work.ts"
import { policyOf } from "../testing/clinic/hand-made.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { checkWork } from "@dosimeter/proof/verify/check-work"

const { catalog, terms } = readPolicy(
  policyOf(`
  people:
    unit: id
    keys: [[id]]
    columns: { id: integer, diagnosis: { type: text, values: [hiv, flu] } }
  visits:
    unit: person
    columns: { person: integer, n: { type: integer, min: 0, max: 10000 }, note: text }
  drugs:
    unit: person
    columns: { person: integer, n: { type: integer, min: 0, max: 10000 } }
`),
)
const limits = workLimitsOf(catalog)
let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const planOf = (sql: string): ReleasePlan => compile(sql, { grammar, catalog, terms }).plan

function outcomeOf(sql: string): string {
  try {
    planOf(sql)
    return "answered"
  } catch (error) {
    return error instanceof DosimeterError ? error.code : String(error)
  }
}

/** What the extracts of a plan cost one unit. */
function spentBy({ releases }: ReleasePlan): readonly Spent[] {
  const extracts = releases.flatMap((release) => release.extracts)
  return extracts.map(({ rel }) => claimedWork(rel, catalog).at(-1)?.work.spent ?? nothingSpent)
}

const has = "id = 7 AND diagnosis = 'hiv'"
const values = (count: number): string =>
  `(VALUES ${Array.from({ length: count }, (_, index) => `(${index})`).join(", ")})`
const letters = (count: number): string => `CASE WHEN ${has} THEN '${"😀".repeat(count)}' ELSE '' END`
const grow = (text: string, by: number): string => `REPLACE(${text}, '😀', '${"😀".repeat(by)}')`
const joined = (count: number): string =>
  `people JOIN ${values(count)} a(x) ON (${has}) OR a.x = 0 JOIN ${values(count)} b(x) ON (${has}) OR b.x = 0`
const all = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(" UNION ALL ")

describe("texts of one person's rows", () => {
  const long = `${grow(letters(15), 256)} || a.x || b.x`
  const short = `SELECT id, ${letters(10)} AS t, a.x * 1000 + b.x AS x FROM ${joined(900)}`
  const grown = `${grow("t", 256)} || x`
  const ofSeven = "CASE WHEN person = 7 THEN '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀' ELSE '' END"
  const ofVisits = (index: number): string =>
    `SELECT person, ${grow(ofSeven, 256)} || '${index}.' || n AS t FROM visits`
  const refused: Readonly<Record<string, string>> = {
    "letters of four bytes": `SELECT COUNT(DISTINCT t) FROM (SELECT id, ${long} AS t FROM ${joined(180)}) z`,
    "four joins' worth": `SELECT COUNT(DISTINCT t) FROM (${all(4, (index) => `SELECT id, ${long} || '${index}' AS t FROM ${joined(180)}`)}) z`,
    "for each stored row, in a union": `SELECT COUNT(DISTINCT t) FROM (${all(30, ofVisits)}) z`,
    "distinct within groups of a person": `SELECT COUNT(*) FROM (SELECT id, COUNT(DISTINCT ${grown}) AS c FROM (${short}) z GROUP BY id) y WHERE c > 0`,
    "as keys of groups": `SELECT COUNT(*) FROM (SELECT id, ${grown} AS k, COUNT(*) AS c FROM (${short}) z GROUP BY id, ${grown}) y WHERE c > 0`,
  }
  const fewer: Readonly<Record<string, string>> = {
    "to put a window in order": `SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ${grown}) AS c FROM (${short}) z) y WHERE c > 0`,
    "as a window's parts": `SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id, ${grown} ORDER BY x) AS c FROM (${short}) z) y WHERE c > 0`,
    "equated by EXISTS": `SELECT COUNT(*) FROM people p WHERE NOT EXISTS (SELECT 1 FROM (${short}) z WHERE z.id = p.id AND ${grow("z.t", 256)} || z.x = p.diagnosis || 'q')`,
  }
  it.each(Object.entries(refused))("[W1] %s: refused", (_, sql) => {
    expect(outcomeOf(sql)).toBe("sql/too-much-work")
  })

  it.each(Object.entries(fewer))("[W1] %s: of so few rows that they fit into 64 MB", (_, sql) => {
    for (const { held } of spentBy(planOf(sql))) {
      expect(held.most).toBeGreaterThan(0)
      expect(4 * held.most).toBeLessThanOrEqual(64 * 2 ** 20)
    }
  })
})

describe("what is computed of one person's rows", () => {
  const conditions = (count: number, over: string): string =>
    Array.from({ length: count }, (_, index) => `ABS(${over} + ${index}) <> ${index + 20_000}`).join(" AND ")
  const pairs = "SELECT a.person, a.n + b.n AS n FROM drugs a JOIN drugs b ON a.person = b.person"
  const rowsIn = (plan: ReleasePlan): readonly string[] =>
    plan.notes.flatMap((note) => /at most ([\d,]+) rows/u.exec(note)?.slice(1, 2) ?? [])

  it("[W1] the more is computed of joined rows, the fewer a person brings, and all stay within the limit", () => {
    const found = [2, 60].map((count) => {
      const plan = planOf(`SELECT COUNT(*) FROM (${pairs}) z WHERE ${conditions(count, "n")}`)
      for (const spent of spentBy(plan)) expect(isWithin(spent, limits.spent)).toBe(true)
      return rowsIn(plan)
    })
    expect(found).toEqual([["1,000"], ["250"]])
  })

  it("[W1] conditions of stored rows that a union repeats are refused", () => {
    const repeated = (parts: number): string =>
      `SELECT COUNT(*) FROM (${all(parts, () => "SELECT person, n FROM drugs")}) z WHERE ${conditions(300, "n")}`
    expect(outcomeOf(repeated(30))).toBe("sql/too-much-work")
    expect(outcomeOf(repeated(2))).toBe("answered")
  })

  it("[W1] the verifier refuses what costs a unit more than it may", () => {
    const { releases } = planOf(`SELECT COUNT(*) FROM (${pairs}) z WHERE n > 3`)
    for (const { rel } of releases.flatMap(({ extracts }) => extracts)) {
      const { steps } = claimedWork(rel, catalog).at(-1)?.work.spent ?? nothingSpent
      const less = { ...limits.spent, steps: { ...limits.spent.steps, most: steps.most - 1 } }
      expect(() => checkWork(rel, limits)).not.toThrow()
      expect(() => checkWork(rel, { ...limits, spent: less })).toThrow("not bounded: spent")
    }
  })
})
