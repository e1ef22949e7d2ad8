// What is said of a norm follows from what is charged, and not from the groups and rows that a plan states.

import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { compile } from "../../compile.ts"
import { clinicPolicy } from "../../testing/clinic/clinic.ts"
import { explain } from "../explain.ts"
import { normWords } from "./norm-words.ts"
import { scaledWords } from "./scaled.ts"

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

test("the error of an average is of values that count in full, or says whose values they are", () => {
  const plan = planOf("SELECT ward, AVG(fee) FROM visits GROUP BY ward")
  const [release] = plan.releases
  const measurement = release?.measurements.find((one) => hasStrategy(one, "scaled"))
  if (release === undefined || measurement === undefined) throw new Error("units are scaled")
  const { norm, bound } = scaledOf(release)
  const errorAt = (share: bigint): string => {
    const bounds = { ...release.bounds, scaled: { norm, bound: bound / share } }
    return scaledWords(measurement, { plan, release: { ...release, bounds } }).error
  }
  expect(errorAt(1n)).toMatch(/mean ± [\d.,]+ of 1,000 values at/)
  // Far below the length of a row: whoever has one value weighs the whole norm, and no more.
  const [short, shorter] = [200n, 400n].map(errorAt)
  expect(short).toContain("of 1,000 values, each the only one of its person")
  const size = (text = ""): number => Number(/mean ± ([\d.,]+)/.exec(text)?.[1]?.replaceAll(",", ""))
  expect(size(short)).toBeGreaterThan(size(errorAt(1n)))
  expect(size(shorter) / size(short)).toBeCloseTo(2, 2)
})
