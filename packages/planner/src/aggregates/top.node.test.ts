// The largest groups: which questions are recognised, when choosing first is better, and what one person can
// do to the exact tables of such a plan.

import { numberNear, rational } from "@dosimeter/core/exact"
import { linearHalfWidth } from "./errors/reading-errors.ts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { compile } from "../compile.ts"
import type { ReleasePlan, TopPlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "../copies/design-copies.ts"
import { withRelease } from "../testing/corruptions/corrupt-plan.ts"
import { compareVersions, planOf, policyOf } from "../testing/clinic/hand-made.ts"
import { TestDatabase } from "../testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const wards = Array.from({ length: 12 }, (_, index) => `W${index}`)
const tables = `
  visits:
    unit: person_id
    columns:
      person_id: integer
      ward: { type: text, values: [${wards.join(", ")}] }
      n: { type: integer, min: -2, max: 10 }
      code: text
  codes:
    unit: public
    keys: [[code]]
    columns: { code: text }
`
const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2"
const byCode = "SELECT code, COUNT(DISTINCT person_id) AS c FROM visits GROUP BY code ORDER BY c DESC LIMIT 2"

let grammar: Grammar
let database: TestDatabase

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
  // Person 0 is in every ward, twice in some; person 1 in a few; everyone else in one.
  await database.execute(`
    CREATE SCHEMA before; CREATE SCHEMA after;
    CREATE TABLE before.visits (person_id INTEGER, ward VARCHAR, n INTEGER, code VARCHAR);
    INSERT INTO before.visits SELECT 0, 'W' || (i % 12), i % 9, 'own ' || i FROM range(30) r(i);
    INSERT INTO before.visits SELECT 1, 'W' || (i % 3), 10, 'c ' || i FROM range(9) r(i);
    INSERT INTO before.visits SELECT 2 + i, 'W' || (i % 12), -2, 'c ' || (i % 4) FROM range(40) r(i);
    CREATE TABLE after.visits AS SELECT * FROM before.visits WHERE person_id <> 0`)
})

afterAll(() => database.close())

interface Options {
  readonly groups?: number
  readonly rows?: number
  readonly neighbours?: string
  readonly accounting?: string
}

function planned(sql: string, { accounting = "zcdp", ...options }: Options = {}): ReleasePlan {
  const policy = policyOf(tables, { groups: 30, rows: 2, ...options })
  return planOf(sql, policy.replace("accounting: zcdp", `accounting: ${accounting}`), { grammar })
}

const topOf = (plan: ReleasePlan): TopPlan | undefined => {
  const keys = plan.releases[0]?.keys
  return keys?.kind === "top" ? keys : undefined
}

describe("recognised", () => {
  test.each([
    byWard,
    byCode,
    "SELECT ward FROM visits GROUP BY ward ORDER BY COUNT(*) DESC, ward LIMIT 2",
    "SELECT ward, COUNT(*) * 2, AVG(n) FROM visits GROUP BY ward ORDER BY COUNT(*) DESC LIMIT 1",
    "SELECT * FROM (SELECT code, COUNT(*) AS c FROM visits GROUP BY 1 ORDER BY c DESC LIMIT 2) AS q JOIN codes USING (code)",
    "SELECT ward, COUNT(*) FILTER (WHERE n > 3) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
    "SELECT ward, COUNT(*), MEDIAN(n) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
  ])("%s", (sql) => {
    expect(topOf(planned(sql))?.spec.k).toBeLessThanOrEqual(2n)
  })
})

describe("not recognised: other groups are looked at, or another order is wanted", () => {
  test.each([
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 LIMIT 2",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY ward DESC, 2 DESC LIMIT 2",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2 OFFSET 1",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 0",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 13",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward HAVING COUNT(*) > 5 ORDER BY 2 DESC LIMIT 2",
    "SELECT ward, COUNT(*), SUM(COUNT(*)) OVER () FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
    "SELECT ward, SUM(n) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
    "SELECT ward, COUNT(*) + 1 FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
    "SELECT COUNT(*) FROM visits ORDER BY 1 DESC LIMIT 2",
    "WITH q AS (SELECT ward, COUNT(*) AS c FROM visits GROUP BY 1) SELECT a.ward FROM (SELECT * FROM q ORDER BY c DESC LIMIT 2) AS a JOIN q AS b ON a.ward = b.ward",
  ])("%s", (sql) => {
    expect(topOf(planned(sql))).toBeUndefined()
  })
})

describe("choosing first is taken where it is better", () => {
  test.each([
    [byWard, { groups: 3 }, "public"],
    [byWard, { groups: 4 }, "top"],
    [byWard, { groups: 30 }, "top"],
    [byWard, { groups: 30, accounting: "pure" }, "top"],
    [byCode, { groups: 2 }, "private"],
    [byCode, { groups: 30 }, "top"],
    [byCode, { groups: 30, accounting: "pure" }, "top"],
    [byCode, { groups: 30, accounting: "pure", neighbours: "replace" }, "top"],
    [byCode.replace("LIMIT 2", "LIMIT 25"), { groups: 30 }, "private"],
  ] as const)("%s with %s: %s", (sql, options, kind) => {
    expect(planned(sql, options).releases[0]?.keys.kind).toBe(kind)
  })

  test("and then no number has more noise", () => {
    const half = (plan: ReleasePlan): number => {
      const [count] = plan.releases[0]?.measurements ?? []
      const width =
        count?.kind === "linear"
          ? linearHalfWidth(count, { column: 0, isWhole: true }, rational(19n, 20n))
          : undefined
      return width === undefined ? 0 : numberNear(width)
    }
    for (const accounting of ["pure", "zcdp"]) {
      const all = "SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 DESC"
      const [top, plain] = [byWard, all].map((sql) => half(planned(sql, { accounting })))
      expect(top).toBeLessThan(plain ?? 0)
    }
  })
})

test("whoever keeps rows by noisy numbers is told what that does to intervals", () => {
  const isTold = (sql: string): boolean =>
    planned(sql, { groups: 2 }).notes.some((note) => note.includes("selected by noisy values"))
  const counts = "SELECT ward, COUNT(*) AS c FROM visits GROUP BY ward"
  expect(isTold(`${counts} ORDER BY c DESC LIMIT 2`)).toBe(true)
  expect(isTold(`${counts} HAVING COUNT(*) > 5`)).toBe(true)
  expect(isTold(`SELECT * FROM (${counts}) AS q WHERE c * 2 > 5`)).toBe(true)
  expect(
    isTold(
      `SELECT ward FROM (SELECT ward, RANK() OVER (ORDER BY c) AS r FROM (${counts}) AS q) AS s WHERE r < 3`,
    ),
  ).toBe(true)
  expect(isTold(`${counts} ORDER BY c DESC`)).toBe(false)
  expect(isTold(`${counts} ORDER BY ward LIMIT 2`)).toBe(false)
  expect(isTold(`SELECT * FROM (${counts}) AS q WHERE ward <> 'W1'`)).toBe(false)
  expect(planned(byWard).notes).toEqual([])
})

test("prepared copies serve as well", () => {
  const { catalog, terms } = readPolicy(policyOf(tables, { groups: 30, rows: 2 }))
  const keys = { visits: [[{ column: "ward" }], [{ column: "code" }]] }
  const prepared = designCopies(catalog, { schema: [], keys })
  for (const sql of [byWard, byCode]) {
    const { plan } = compile(sql, { grammar, catalog, terms, prepared })
    expect([plan.releases[0]?.prepared.length, topOf(plan)?.kind]).toEqual([1, "top"])
  }
})

describe("[Q2] one person changes no more than is claimed, and that much", () => {
  const wanted: readonly (readonly [string, Options, readonly string[]])[] = [
    [byWard, {}, ["top: score", "L1", "L2 squared", "amount"]],
    [byWard, { accounting: "pure" }, ["top: score", "L1", "amount"]],
    [byCode, {}, ["top: score", "top: groups", "L1", "L2 squared", "amount"]],
    [byCode, { groups: 9, accounting: "pure" }, ["top: score", "top: groups", "L1", "amount"]],
    [
      "SELECT ward, COUNT(DISTINCT person_id), SUM(n), MEDIAN(n) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2",
      {},
      ["top: score"],
    ],
  ]
  test.each(wanted)("%s %s", async (sql, options, reached) => {
    const plan = planned(sql, options)
    expect(topOf(plan)).toBeDefined()
    const found = await compareVersions(database, plan, ["before", "after"])
    expect(found.broken).toEqual([])
    expect(reached.filter((what) => !found.reached.includes(what))).toEqual([])
  })

  test("a claim that is too small is seen", async () => {
    const small = withRelease(planned(byWard), (release) =>
      release.keys.kind === "top"
        ? { ...release, keys: { ...release.keys, spec: { ...release.keys.spec, sensitivity: 1n } } }
        : release,
    )
    const found = await compareVersions(database, small, ["before", "after"])
    expect(found.broken.join()).toContain("top: score: 2 is more than 1")
  })
})
