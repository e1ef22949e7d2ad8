// What is said of a norm follows from what is charged, and not from the groups and rows that a plan states.

import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { compile } from "../../compile.ts"
import { clinicPolicy } from "../../testing/clinic/clinic.ts"
import { explain } from "../explain.ts"
import { normWords } from "./norm-words.ts"

const { catalog, terms } = readPolicy(clinicPolicy({}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(sql: string): ReturnType<typeof compile>["plan"] {
  return compile(sql, { grammar, catalog, terms }).plan
}

function scaledOf({ bounds: { scaled } }: Release): NonNullable<Release["bounds"]["scaled"]> {
  if (scaled === undefined) throw new Error("units are scaled")
  return scaled
}

test("words of a norm are those of its bound", () => {
  const plan = planOf("SELECT ward, COUNT(*) FROM visits GROUP BY ward")
  const [release] = plan.releases
  if (release === undefined) throw new Error("there is a release")
  const words = normWords(release) ?? ""
  expect(words).toMatch(/^a length of [\d.]+$/)
  const other = { ...release.bounds, groupsPerUnit: 1n, rowsPerGroup: 1n }
  expect(normWords({ ...release, bounds: other })).toBe(words)
  const { bound, norm } = scaledOf(release)
  const twice = { ...release, bounds: { ...other, scaled: { norm, bound: 2n * bound } } }
  const length = (text: string): number => Number(text.split(" ").at(-1))
  expect(length(normWords(twice) ?? "") / length(words)).toBeCloseTo(2, 2)
  const said = explain(plan).releases.map(({ bounding }) => bounding)
  expect(said).toEqual([expect.stringContaining(`scaled down where they are more than ${words}`)])
})

test("weighed rows have groups and rows, which are proven; what is dropped has no norm", () => {
  for (const sql of [
    "SELECT MEDIAN(fee) FROM visits",
    "SELECT ward, VARIANCE(fee) FROM visits GROUP BY ward",
  ]) {
    expect(planOf(sql).releases.map(normWords)).toEqual([undefined])
  }
})

test("averages have a norm, and say of how many rows they are", () => {
  const plan = planOf("SELECT ward, AVG(fee) FROM visits GROUP BY ward")
  expect(plan.releases.map(normWords)).not.toContain(undefined)
  expect(explain(plan).releases[0]?.bounding).toMatch(
    /^at most \d+ rows of each person in a group count, scaled down/,
  )
})
