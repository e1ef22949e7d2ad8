// Standing approvals agree to what they say, and to nothing that only looks like it.

import { rational } from "@dosimeter/core/exact"
import type { JobDocument, JobOffer } from "@dosimeter/engine"
import { expect, test } from "vitest"
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

const standing: Standing = {
  id: 1,
  pattern: "*",
  epsilonEach: "1",
  epsilon: "10",
  delta: "1e-3",
  sitesMin: 3,
  until: "2099-12-31",
  madeBy: "carl",
  madeAt: "2026-11-19T00:00:00.000Z",
  used: { jobs: 0, epsilon: rational(0n), delta: rational(0n) },
}
const document: JobDocument = {
  format: "dosimeter-job/1",
  study: "heart",
  purpose: "to plan",
  sql: "SELECT age, ill FROM patients",
  ask: {
    epsilon: "1",
    delta: "1/100000000",
    confidence: "19/20",
    groupsPerUnit: "1",
    rowsPerGroup: "1",
    shownFrom: "0",
  },
  loss: { accounting: "zcdp", amount: "1/100", delta: "0" },
  layout: "0".repeat(64),
  mode: "summed",
  sites: ["north", "south", "west"].map((name) => ({ name, key: name })),
  threshold: 3,
  honest: 2,
  colluding: 1,
  coordinator: "key",
  created: "2026-11-19T00:00:00.000Z",
  deadlines: { approval: "2026-11-20T00:00:00.000Z", stepSeconds: 60, end: "2026-11-21T00:00:00.000Z" },
  nonce: "0".repeat(64),
}
const offerOf = (own: JobDocument): JobOffer => ({
  job: "0".repeat(64),
  document: own,
  words: [],
  facts: { numbers: 1, unit: "patient" },
  charge: own.loss,
  epsilon: "1",
  delta: "1e-8",
  columns: [],
})
const today = "2026-11-19T12:00:00.000Z"

test("a pattern of everything is for every question within its budget, and for no model", () => {
  expect(isFor(standing, offerOf(document), today)).toBe(true)
  expect(isFor({ ...standing, epsilonEach: "0.9" }, offerOf(document), today)).toBe(false)
  expect(isFor(standing, offerOf({ ...document, sites: document.sites.slice(0, 2) }), today)).toBe(false)
  const model = { kind: "linear", target: "ill", rounds: 10 } as const
  expect(isFor(standing, offerOf({ ...document, model }), today)).toBe(false)
})

test("where every site answers by itself, many sites are no crowd", () => {
  const separate = offerOf({ ...document, mode: "separate" })
  expect(isFor(standing, separate, today)).toBe(false)
  expect(isFor({ ...standing, sitesMin: 1 }, separate, today)).toBe(true)
})
