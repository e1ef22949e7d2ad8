// Standing approvals agree to what they say, and to nothing that only looks like it.

import { expect, test } from "vitest"
import { rational } from "@dosimeter/core/exact"
import type { JobOffer } from "@dosimeter/engine"
import { fitsPattern, isFor, type Standing } from "./standing.ts"

const pattern = "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND * GROUP BY sex"

test.each([
  "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND smokes GROUP BY sex",
  "select SEX , count( * )\n from patients where born>1950 and city = 'Bern' group by sex",
])("fits: %s", (sql) => {
  expect(fitsPattern(pattern, sql)).toBe(true)
})

test.each([
  ["a second column", "SELECT sex, COUNT(*), SUM(pay) FROM patients WHERE born > 1950 AND a GROUP BY sex"],
  ["another count", "SELECT sex, COUNT(pay) FROM patients WHERE born > 1950 AND a GROUP BY sex"],
  [
    "the end in a comment",
    "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND a GROUP BY zip -- GROUP BY sex",
  ],
  ["a part in a comment", "SELECT sex, COUNT(*) FROM patients WHERE /* born > 1950 AND */ a GROUP BY sex"],
  ["the end in a text", "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND a = ' GROUP BY sex'"],
  [
    "the end in a name",
    'SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND a = 1 GROUP BY " group by sex"',
  ],
  [
    "a text with a backslash",
    "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND a = E'\\' ' GROUP BY sex",
  ],
  ["a text in dollars", "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 AND a = $$' ' GROUP BY sex"],
  ["less than all", "SELECT sex, COUNT(*) FROM patients WHERE born > 1950 GROUP BY sex"],
  ["a word that is longer", "SELECT sex, COUNT(*) FROM patients WHERE born > 19500 AND a GROUP BY sex"],
])("does not fit: %s", (_, sql) => {
  expect(fitsPattern(pattern, sql)).toBe(false)
})

test("texts and quoted names are as they are, and pieces do not share words", () => {
  expect(
    fitsPattern("SELECT COUNT(*) FROM a WHERE b = 'C  d'", "select count(*) from a where b = 'C  d'"),
  ).toBe(true)
  expect(fitsPattern("SELECT COUNT(*) FROM a WHERE b = 'C'", "SELECT COUNT(*) FROM a WHERE b = 'c'")).toBe(
    false,
  )
  expect(
    fitsPattern("SELECT COUNT(*) FROM a WHERE b = 'C d'", "SELECT COUNT(*) FROM a WHERE b = 'C  d'"),
  ).toBe(false)
  expect(fitsPattern('SELECT COUNT(*) FROM "A"', 'SELECT COUNT(*) FROM "a"')).toBe(false)
  expect(fitsPattern("SELECT COUNT(*) FROM b ä", "SELECT COUNT(*) FROM bä")).toBe(false)
  expect(fitsPattern("* a b * b c *", "a b c")).toBe(false)
  expect(fitsPattern("* a b * b c *", "x a b y b c z")).toBe(true)
  expect(fitsPattern("a * a", "a")).toBe(false)
  expect(fitsPattern("*", "SELECT COUNT(*) FROM a")).toBe(true)
})

test("where every site answers by itself, many sites are no crowd", () => {
  const standing: Standing = {
    id: 1,
    pattern: "*",
    epsilonEach: "1",
    epsilon: "1",
    delta: "1e-6",
    sitesMin: 3,
    until: "2099-12-31",
    madeBy: "carl",
    madeAt: "2026-11-18T00:00:00.000Z",
    used: { jobs: 0, epsilon: rational(0n), delta: rational(0n) },
  }
  const offer = (mode: "summed" | "separate"): JobOffer =>
    ({
      epsilon: "0.5",
      delta: "0",
      document: { mode, sql: "SELECT 1", sites: [1, 2, 3] },
    }) as unknown as JobOffer
  expect(isFor(standing, offer("summed"), "2026-11-18T00:00:00.000Z")).toBe(true)
  expect(isFor(standing, offer("separate"), "2026-11-18T00:00:00.000Z")).toBe(false)
  expect(isFor({ ...standing, sitesMin: 1 }, offer("separate"), "2026-11-18T00:00:00.000Z")).toBe(true)
})
