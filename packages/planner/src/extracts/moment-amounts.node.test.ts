// Averages whose units are scaled: what each of some hand-made people adds, run on DuckDB.

import { isLongForm } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { numberNear } from "@dosimeter/core/exact"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { hasStrategy, type LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { scaledTerms } from "@dosimeter/proof/algebra/scaled-reading"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { quotedName } from "@dosimeter/proof/testing/hostile-values"
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
      fee: { type: float, min: 0, max: 500, grid: 0.01 }
`

/** People, by what they have; i counts their rows. The norm is that of 3 groups x 2 rows. */
const people = {
  "one row at the lower end": { rows: 1, ward: "0", value: "-2" },
  "one row at the upper end": { rows: 1, ward: "0", value: "10" },
  "as many rows as count": { rows: 2, ward: "0", value: "i + 1" },
  "a row more": { rows: 3, ward: "0", value: "i + 1" },
  "the whole norm": { rows: 6, ward: "i % 3", value: "10" },
  "a little more": { rows: 8, ward: "i % 4", value: "10" },
  "much more, at the lower end": { rows: 240, ward: "i % 12", value: "-2" },
  "much more, in the middle": { rows: 240, ward: "i % 12", value: "4" },
  "most of it in one group": {
    rows: 400,
    ward: "CASE WHEN i < 390 THEN 0 ELSE i - 389 END",
    value: "i % 13 - 2",
  },
  "more than weights can tell": { rows: 200_000, ward: "i % 2", value: "10" },
  "outside of the range": {
    rows: 9,
    ward: "i % 3",
    value: "CASE WHEN i % 2 = 0 THEN 2000000000 ELSE -7 END",
  },
  "rows that do not count": {
    rows: 9,
    ward: "CASE WHEN i < 3 THEN i WHEN i < 6 THEN 50 END",
    value: "CASE WHEN i <> 1 THEN i END",
  },
  "no value at all": { rows: 5, ward: "i", value: "CAST(NULL AS INTEGER)" },
} as const

let grammar: Grammar
let database: TestDatabase
const names = Object.keys(people).filter((name): name is keyof typeof people => name in people)

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
  const versionOf = (schema: string, name: keyof typeof people): string => {
    const { rows, ward, value } = people[name]
    return `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.visits AS FROM none.visits;
      INSERT INTO ${schema}.visits
      SELECT 1, 'W' || (${ward}), ${value}, CASE i % 4 WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN 1e300
        WHEN 2 THEN NULL ELSE 500 END FROM range(${rows}) r(i);`
  }
  await database.execute(`
    CREATE SCHEMA none; CREATE TABLE none.visits (person_id INTEGER, ward VARCHAR, n INTEGER, fee DOUBLE);
    INSERT INTO none.visits SELECT 100 + i, 'W' || (i % 12), i % 10, i FROM range(40) r(i);
    CREATE SCHEMA empty; CREATE TABLE empty.visits AS FROM none.visits LIMIT 0;
    ${names.map((name, at) => versionOf(`p${at}`, name)).join("\n")}`)
})

afterAll(() => database.close())

const questions = {
  "an average": "SELECT ward, AVG(n) FROM visits GROUP BY ward",
  "two averages": "SELECT ward, AVG(n), AVG(fee) FROM visits GROUP BY ward",
  "an average beside a count and sums":
    "SELECT ward, COUNT(*), SUM(n), AVG(n), SUM(fee) FROM visits GROUP BY ward",
} as const

function policyFor(options: { readonly accounting: string; readonly neighbours?: string }): string {
  const { accounting, neighbours = "add-or-remove" } = options
  const policy = policyOf(tables, { groups: 3, rows: 2, neighbours })
  return accounting === "zcdp"
    ? policy
    : policy.replace("delta: 1e-6, accounting: zcdp", "accounting: pure").replace("delta: 1e-8, ", "")
}

function planned(sql: string, options: Parameters<typeof policyFor>[0]): ReleasePlan {
  const plan = planOf(sql, policyFor(options), { grammar })
  const measured = plan.releases.flatMap(({ measurements }) => measurements)
  expect(measured).toHaveLength(1)
  expect(measured.every((one) => hasStrategy(one, "scaled"))).toBe(true)
  return plan
}

describe.each(Object.entries(questions))("[Q2] %s", (_, sql) => {
  test.each(["zcdp", "pure"])(
    "nobody changes more than is claimed, and some as much: %s",
    async (accounting) => {
      const plan = planned(sql, { accounting })
      const reached = new Set<string>()
      for (const [at, name] of names.entries()) {
        const found = await compareVersions(database, plan, [`p${at}`, "none"])
        expect(found.broken, name).toEqual([])
        for (const one of found.reached) reached.add(one)
      }
      expect([...reached]).toContain("scaled: norm")
    },
  )

  test("nobody who is replaced does", async () => {
    const plan = planned(sql, { accounting: "zcdp", neighbours: "replace" })
    for (const at of names.keys()) {
      const other = `p${(at + 1) % names.length}`
      expect((await compareVersions(database, plan, [`p${at}`, other])).broken).toEqual([])
    }
  })
})

/** The numbers that one person adds to each ward, as they are read from exact columns. */
async function readFrom(
  sql: string,
  name: keyof typeof people,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const plan = planned(sql, { accounting: "zcdp" })
  const [release] = plan.releases
  const measured = release?.measurements.find((one) => hasStrategy(one, "scaled"))
  if (release === undefined || measured === undefined) throw new Error("nothing is scaled")
  const [before] = await extractOn(database, release, `p${names.indexOf(name)}`)
  const [after] = await extractOn(database, release, "none")
  const ids = release.extracts[0]?.values ?? []
  const cells = (table: typeof before): ReadonlyMap<string, readonly bigint[]> =>
    new Map(
      table?.rows.map((row) => [
        `${row[0]}`,
        measured.columns.map(({ id }) => wholeOf(row[1 + ids.indexOf(id)])),
      ]),
    )
  const [more, less] = [cells(before), cells(after)]
  return new Map(
    [...more].map(([ward, own]) => {
      const added = own.map((value, place) => Number(value - (less.get(ward)?.[place] ?? 0n)))
      return [ward, measured.columns.map((_, column) => numberIn(measured, column, added))]
    }),
  )
}

function numberIn(measured: LinearMeasurement<"scaled">, column: number, added: readonly number[]): number {
  return scaledTerms(measured, column).reduce(
    (sum, { draw, factor }) => sum + numberNear(factor) * (added[draw] ?? 0),
    0,
  )
}

function wholeOf(cell: unknown): bigint {
  return typeof cell === "bigint" || typeof cell === "number" ? BigInt(cell) : 0n
}

describe("what is read is number and sum", () => {
  const average = questions["an average"]

  test("of all rows within the bounds", async () => {
    const found = await readFrom(average, "as many rows as count")
    expect(found.get("W0")?.map((value) => value.toFixed(6))).toEqual(["2.000000", "3.000000"])
  })

  test.runIf(isLongForm)("of so many rows a group at most, with the average of all", async () => {
    const found = await readFrom(average, "a row more")
    // 1 + 2 + 3, of which two count: 2 rows of 2.
    expect(found.get("W0")?.map((value) => value.toFixed(6))).toEqual(["2.000000", "4.000000"])
  })

  test("of who is above the norm less, with the same average in each group", async () => {
    const found = await readFrom(average, "much more, in the middle")
    expect([...found.values()].every(([rows = 0]) => rows > 0 && rows < 2)).toBe(true)
    for (const [rows = 0, sum = 0] of found.values()) expect(sum / rows).toBeCloseTo(4, 9)
  })

  test("of all rows where counts and sums are asked for beside it, one weight for all", async () => {
    const found = await readFrom(questions["an average beside a count and sums"], "most of it in one group")
    for (const [, [all = 0, , rows = 0, sum = 0]] of found) {
      if (all === 0) continue
      expect(rows / all).toBeCloseTo(1, 9)
      expect(sum / rows).toBeGreaterThanOrEqual(-2)
      expect(sum / rows).toBeLessThanOrEqual(10)
    }
    const first = found.get("W0")
    const second = found.get("W1")
    expect((first?.[0] ?? 0) / (second?.[0] ?? 1)).toBeCloseTo(390, 6)
  })
})

describe("over a copy of pairs by a finer key", () => {
  const half = "CASE WHEN ward < 'W5' THEN 'low' ELSE 'high' END"
  const sqls = [
    `SELECT ${half}, COUNT(*), AVG(n) FROM visits GROUP BY 1`,
    `SELECT ${half}, COUNT(fee), SUM(n), AVG(fee), AVG(n) FROM visits GROUP BY 1`,
    `SELECT ${half}, AVG(fee) FROM visits GROUP BY 1`,
  ]

  test("sums of stored totals are printed, and are those of the rows", async () => {
    const { catalog, terms } = readPolicy(policyFor({ accounting: "zcdp" }))
    const prepared = designCopies(catalog, { schema: [], keys: { visits: [[{ column: "ward" }]] } })
    const versions = ["none", ...names.map((_, at) => `p${at}`)]
    for (const { table, totals, ...copy } of prepared) {
      if (totals === undefined) continue
      const made = printCopy({ table, totals, ...copy }, { dialect: "duckdb", secret: "'secret'" })
      const name = quotedName(table.path.at(-1) ?? "")
      for (const version of versions) await database.execute(`CREATE TABLE ${name} AS ${made}`, version)
    }
    for (const sql of sqls) {
      const [stored] = compile(sql, { catalog, terms, grammar, prepared }).plan.releases
      const [raw] = compile(sql, { catalog, terms, grammar }).plan.releases
      if (stored === undefined || raw === undefined) throw new Error("nothing is released")
      expect(stored.prepared.every((label) => label.startsWith("totals of"))).toBe(true)
      expect(stored.prepared).toHaveLength(1)
      for (const version of versions) {
        const sorted = async (release: typeof raw): Promise<readonly string[]> =>
          (await extractOn(database, release, version)).flatMap(({ rows }) => rows.map(String)).toSorted()
        expect(await sorted(stored), `${sql} ${version}`).toEqual(await sorted(raw))
      }
    }
  })
})
