// Rows that are weighed: what each of some hand-made people adds to histograms, run on DuckDB.

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { isWeighed } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { printRel } from "@dosimeter/proof/print/print"
import { quotedName } from "@dosimeter/proof/testing/hostile-values"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { compile } from "../compile.ts"
import { designCopies } from "../copies/design-copies.ts"
import { compareVersions, extractOn, planOf, policyOf } from "../testing/clinic/hand-made.ts"
import { TestDatabase } from "../testing/units/test-database.ts"

const wards = Array.from({ length: 12 }, (_, index) => `W${index}`)
const tables = `
  visits:
    unit: person_id
    columns:
      person_id: integer
      ward: { type: text, values: [${wards.join(", ")}] }
      n: { type: integer, min: -2, max: 10 }
      m: { type: integer, min: 0, max: 12, nullable: false }
      code: text
`

/** People, by what they have; i counts their rows. At most 3 groups x 2 rows of each count. */
const people = {
  "as many rows as count": { rows: 2, ward: "0" },
  "a row more": { rows: 3, ward: "0" },
  "all that counts, in three groups": { rows: 6, ward: "i % 3" },
  "all that counts, in six groups": { rows: 6, ward: "i" },
  "a group more": { rows: 7, ward: "i" },
  "many rows everywhere": { rows: 120, ward: "i % 12" },
  "most of it in one group": { rows: 400, ward: "CASE WHEN i < 390 THEN 0 ELSE i - 389 END" },
  "more than weights can tell": { rows: 200_000, ward: "i % 2" },
  "rows that do not count": {
    rows: 9,
    ward: "CASE WHEN i < 3 THEN i WHEN i < 6 THEN 50 END",
    value: "CASE WHEN i <> 4 THEN i END",
  },
} as const

let grammar: Grammar
let database: TestDatabase

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
  const versionOf = (schema: string, name: keyof typeof people): string => {
    const { rows, ward, ...more } = people[name]
    const value = "value" in more ? more.value : "i % 11 - 1"
    return `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.visits AS FROM none.visits;
      INSERT INTO ${schema}.visits
      SELECT 1, 'W' || (${ward}), ${value}, i % 13, 'c ' || (${ward}) FROM range(${rows}) r(i);`
  }
  await database.execute(`
    CREATE SCHEMA none; CREATE TABLE none.visits
      (person_id INTEGER, ward VARCHAR, n INTEGER, m INTEGER, code VARCHAR);
    INSERT INTO none.visits SELECT 100 + i, 'W' || (i % 12), i % 10, i % 13, 'c ' || (i % 4) FROM range(40) r(i);
    ${names.map((name, at) => versionOf(`p${at}`, name)).join("\n")}`)
})

afterAll(() => database.close())

const names = Object.keys(people).filter((name): name is keyof typeof people => name in people)
const questions = {
  "without groups": "SELECT MEDIAN(n) FROM visits",
  "public groups": "SELECT ward, MEDIAN(n) FROM visits GROUP BY ward",
  "selected groups": "SELECT code, MEDIAN(n) FROM visits GROUP BY code",
} as const

function planned(sql: string, neighbours: string): ReleasePlan {
  const plan = planOf(sql, policyOf(tables, { groups: 3, rows: 2, neighbours }), { grammar })
  expect(plan.releases.flatMap(({ measurements }) => measurements).every(isWeighed)).toBe(true)
  return plan
}

describe.each(Object.entries(questions))("[Q2] %s", (_, sql) => {
  test("nobody who is added or removed changes more than is claimed, and some as much", async () => {
    const plan = planned(sql, "add-or-remove")
    const reached = new Set<string>()
    for (const [at, name] of names.entries()) {
      const found = await compareVersions(database, plan, [`p${at}`, "none"])
      expect(found.broken, name).toEqual([])
      for (const one of found.reached) reached.add(one)
    }
    expect([...reached]).toEqual(expect.arrayContaining(["quantiles: rows", "quantiles: groups"]))
  })

  test("nor does anybody who is replaced", async () => {
    const plan = planned(sql, "replace")
    for (const [at, name] of names.entries()) {
      if (at % 2 > 0) continue
      const found = await compareVersions(database, plan, [`p${at}`, `p${(at + 3) % names.length}`])
      expect(found.broken, name).toEqual([])
    }
  })
})

describe("what a person weighs in all", () => {
  async function weightOf(sql: string, name: keyof typeof people): Promise<bigint> {
    const [release] = planned(sql, "add-or-remove").releases
    if (release === undefined) throw new Error("there is a release")
    const totals: bigint[] = []
    for (const version of [`p${names.indexOf(name)}`, "none"]) {
      const last = (await extractOn(database, release, version)).at(-1)
      const counts = (last?.rows ?? []).map((row) => row.at(-1))
      totals.push(counts.reduce<bigint>((sum, count) => sum + (typeof count === "bigint" ? count : 0n), 0n))
    }
    return (totals[0] ?? 0n) - (totals[1] ?? 0n)
  }
  const full = 1n << 16n
  const without = questions["without groups"]
  const inGroups = questions["public groups"]

  test.each([
    [without, "as many rows as count", 2n * full],
    [without, "a row more", 3n * ((2n * full) / 3n)],
    [without, "more than weights can tell", 0n],
    [without, "rows that do not count", 8n * ((2n * full) / 8n)],
    [inGroups, "all that counts, in three groups", 6n * full * full],
    [inGroups, "all that counts, in six groups", 6n * full * full],
    [inGroups, "a group more", 7n * full * ((6n * full) / 7n)],
    // Three in groups of their own, none in a ward that is not listed, three without a ward.
    [inGroups, "rows that do not count", (3n * full + 3n * ((2n * full) / 3n)) * full],
  ] as const)("%s, %s: %s", async (sql, name, weight) => {
    expect(await weightOf(sql, name)).toBe(weight)
  })
})

describe("over copies", () => {
  const keys = { visits: [[{ column: "ward" }], [{ column: "code" }]] }
  const stored = {
    "without groups": ["SELECT MEDIAN(m) FROM visits", "visits", false],
    "public groups": ["SELECT ward, MEDIAN(m) FROM visits GROUP BY ward", "visits by ward", false],
    "selected groups": ["SELECT code, MEDIAN(m) FROM visits GROUP BY code", "visits by code", false],
    // Rows without a value do not count, so the others are counted again.
    "values that may be missing": [
      "SELECT ward, MEDIAN(n) FROM visits GROUP BY ward",
      "visits by ward",
      true,
    ],
  } as const

  test.each(Object.entries(stored))(
    "[Q2] %s: the same exact tables as over the rows themselves",
    async (name, [sql, label, counts]) => {
      const { catalog, terms } = readPolicy(policyOf(tables, { groups: 3, rows: 2 }))
      const copies = designCopies(catalog, { schema: [], keys })
      const made = copies.filter((copy) => copy.label === label)
      const { plan } = compile(sql, { grammar, catalog, terms, prepared: copies })
      expect(plan.releases.map(({ prepared }) => prepared)).toEqual([[label]])
      const histogram = plan.releases[0]?.extracts.at(-1)?.rel
      const printed = histogram === undefined ? "" : printRel(histogram, "duckdb").text
      expect(/count\(\*\)/iu.test(printed), printed).toBe(counts)
      const raw = planned(sql, "add-or-remove")
      for (const version of ["none", ...names.map((_, at) => `p${at}`)]) {
        for (const copy of made) {
          const table = quotedName(copy.table.path.at(-1) ?? "")
          const query = printCopy(copy, { dialect: "duckdb", secret: "'secret'" })
          await database.execute(`CREATE OR REPLACE TABLE ${table} AS ${query}`, version)
        }
        const [over, before] = [await histogramsOf(plan, version), await histogramsOf(raw, version)]
        expect(over, `${name}, ${version}`).toEqual(before)
      }
      for (const at of names.keys()) {
        expect((await compareVersions(database, plan, [`p${at}`, "none"])).broken).toEqual([])
      }
    },
  )

  async function histogramsOf(plan: ReleasePlan, version: string): Promise<readonly string[]> {
    const [release] = plan.releases
    if (release === undefined) throw new Error("there is a release")
    const rows = (await extractOn(database, release, version)).at(-1)?.rows ?? []
    return rows.map((row) => row.join(" ")).toSorted()
  }
})
