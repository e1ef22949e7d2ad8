import { compare, exactly, numberNear, subtract } from "@dosimeter/core/exact"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { countSql } from "./group-sql.ts"
import { makeRows, type MadeTable } from "./make-rows.ts"
import { planSynthesis } from "./plan-synthesis.ts"
import type { SyntheticQuestion } from "./synthetic-question.ts"
import { writeTable } from "./write-table.ts"

let clinic: Clinic
let open: OpenClinic
beforeAll(async () => {
  clinic = await makeClinic()
  open = await clinic.open({ seed: "synthetic" })
})
afterAll(async () => {
  await open.close()
  clinic.remove()
})

function columnOf(table: MadeTable, name: string): readonly unknown[] {
  const place = table.columns.findIndex((column) => column.name === name)
  return Array.from({ length: table.length }, (_, row) => table.row(row)[place])
}

test("[B6] all rounds are one charge, their losses add up to it, and more rows cost nothing", async () => {
  const { synthetic, ledger } = open.engine
  const asked = { table: "patients", columns: ["sex", "age"], ask: { epsilon: exactly("2", "epsilon") } }
  const plan = await synthetic.plan(asked)
  const before = await open.engine.account()
  expect(await synthetic.isMeasured(asked)).toBe(false)
  const steps: string[] = []
  let charged = 0n
  const measured = synthetic.measure({
    ...asked,
    onProgress: (step) => steps.push(step),
    onCharged: (position) => {
      // Before anything is read.
      expect(steps).toEqual([])
      charged = position
    },
  })
  // Asked twice at once, it is measured and paid for once.
  const [release, joined] = await Promise.all([measured, synthetic.measure(asked)])
  const after = await open.engine.account()
  expect([release.charge, joined.charge, joined.origin]).toEqual([charged, charged, "recorded"])
  // Nothing that follows from a table is told before the end: not which rounds there are, nor of how many.
  expect(steps).toEqual(["measuring columns", "measuring pairs"])
  // The ledger rounds up to its units.
  const spent = subtract(after.spent, before.spent)
  expect(compare(spent, plan.charge.amount)).toBeGreaterThanOrEqual(0)
  expect(numberNear(spent)).toBeCloseTo(numberNear(plan.charge.amount), 12)
  const rho = release.synthesis.taken.reduce((sum, { variance }) => sum + 1 / (2 * variance), 0)
  expect(rho / numberNear(plan.charge.amount)).toBeLessThan(1 + 1e-12)
  expect(rho / numberNear(plan.charge.amount)).toBeGreaterThan(1 - 1e-6)
  const charges = (await ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")
  expect(charges).toHaveLength(1)
  expect(release.receipt).toMatchObject({
    format: "dosimeter-receipt/1",
    epsilon: expect.stringMatching(/^(2|1\.99)/),
  })
  const again = await synthetic.measure(asked)
  expect([again.origin, await synthetic.isMeasured(asked)]).toEqual(["recorded", true])
  expect(again.synthesis.taken).toEqual(release.synthesis.taken)
  const [first, second] = [release, again].map((one) => makeRows(one, { rows: 300, seed: "a" }))
  expect(second?.units.row(7)).toEqual(first?.units.row(7))
  expect(columnOf(makeRows(again, { rows: 5, seed: "b" }).units, "sex")).toHaveLength(5)
  expect((await open.engine.account()).spent).toEqual(after.spent)
  expect((await ledger.verify()).sound).toBe(true)
})

test("rows have what the data has, rules are kept, and the report tells how far off they are", async () => {
  const asked = {
    sql: "SELECT sex, age, weight FROM patients",
    rules: ["sex = f => age < 9"],
    ask: { epsilon: exactly("4", "epsilon") },
  }
  const release = await open.engine.synthetic.measure(asked)
  const { units, report } = makeRows(release, { seed: "a" })
  expect(Math.abs(units.length - 2000)).toBeLessThan(150)
  const [sexes, ages, weights] = ["sex", "age", "weight"].map((name) => columnOf(units, name))
  expect(sexes?.some((sex, row) => sex === "f" && Number(ages?.[row]) >= 9)).toBe(false)
  const women = sexes?.filter((sex) => sex === "f").length ?? 0
  expect(Math.abs(women / units.length - 0.5)).toBeLessThan(0.12)
  const inside = weights?.filter((weight) => Number(weight) >= 45 && Number(weight) < 105).length ?? 0
  expect(inside / units.length).toBeGreaterThan(0.9)
  expect(report.map(({ columns }) => columns.length).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2, 2, 2])
  for (const { low, guess, high } of report) expect(low <= guess && guess <= high).toBe(true)
})

test("people with rows of a second table have as many as their own row says", async () => {
  const asked = {
    table: "patients",
    columns: ["sex"],
    rowsOf: { table: "visits", columns: ["ward"], order: "fee", most: 5 },
    ask: { epsilon: exactly("4", "epsilon") },
  }
  const { units, rows } = makeRows(await open.engine.synthetic.measure(asked), { seed: "a", rows: 1000 })
  if (rows === undefined) throw new Error("there are rows")
  expect(units.columns.map(({ name }) => name)).toEqual(["unit", "sex", "rows_of_visits"])
  expect(rows.columns.map(({ name }) => name)).toEqual(["unit", "ward"])
  const counts = columnOf(units, "rows_of_visits")
  const held = new Map(columnOf(units, "unit").map((unit, row) => [unit, Number(counts[row])]))
  const found = new Map<unknown, number>()
  for (const unit of columnOf(rows, "unit")) found.set(unit, (found.get(unit) ?? 0) + 1)
  for (const [unit, count] of held) expect(found.get(unit) ?? 0).toBe(count)
  expect(Math.max(...held.values())).toBeLessThanOrEqual(5)
  expect(Math.abs(rows.length / 1000 - 3)).toBeLessThan(0.3)
})

test("what cannot be bounded or proven is refused before anything is charged", async () => {
  const before = await open.engine.account()
  const wide = Array.from({ length: 41 }, (_, place) => `age AS age_${place}`).join(", ")
  const anySex = ["sex in (f, m)", "sex is missing"]
  const contradiction = anySex.flatMap((sex) => [`${sex} => age < 3`, `${sex} => age > 6`])
  for (const [asked, code] of [
    [{ sql: "SELECT city FROM visits" }, "synthetic/unbounded-column"],
    [{ sql: `SELECT ${wide} FROM patients` }, "synthetic/too-many-columns"],
    [{ table: "visits" }, "synthetic/several-rows"],
    [{ sql: "SELECT id FROM patients" }, "privacy/rows-selected"],
    [{ sql: "SELECT sex, sex FROM patients" }, "synthetic/same-name"],
    [{ table: "wards" }, "synthetic/what"],
    [{ table: "patients", columns: ["size"] }, "synthetic/what"],
    [{ table: "patients", target: "size" }, "synthetic/what"],
    [{ table: "patients", rules: ["sex = f"] }, "synthetic/bad-rule"],
    [{ table: "patients", rules: contradiction }, "synthetic/rules-contradict"],
    [{ table: "patients", rowsOf: { table: "visits", order: "fee", most: 1 } }, "synthetic/what"],
    [{ table: "patients", ask: { epsilon: exactly("5", "epsilon") } }, "ask/too-large"],
  ] as const) {
    const refused = expect.objectContaining({ issues: [expect.objectContaining({ code })] })
    await expect(open.engine.synthetic.plan(asked)).rejects.toThrow(refused)
    await expect(open.engine.synthetic.measure(asked)).rejects.toThrow(refused)
  }
  expect((await open.engine.account()).spent).toEqual(before.spent)
})

test("the same words over another table of the database are another question", async () => {
  const grammar = await loadGrammar()
  const rule = (asked: SyntheticQuestion, text = clinicPolicy): string =>
    planSynthesis(asked, { ...readPolicy(text), grammar, ask: {} }).rule
  const before = "visits:\n    unit: patient_id"
  const moved = clinicPolicy.replace(before, "visits:\n    source: old.visits\n    unit: patient_id")
  const renamed = clinicPolicy.replace("fee: {", "fee: { source: price,")
  expect(new Set([clinicPolicy, moved, renamed]).size).toBe(3)
  const rowsOf = { table: "visits", order: "fee", most: 3, columns: ["ward"] }
  const named =
    "SELECT sex FROM patients WHERE EXISTS (SELECT 1 FROM VISITS v WHERE v.patient_id = patients.id)"
  for (const asked of [{ table: "patients", columns: ["sex"], rowsOf }, { sql: named }]) {
    expect(rule(asked, moved)).not.toBe(rule(asked))
    expect(rule(asked, renamed)).not.toBe(rule(asked))
    expect(rule(asked)).toBe(rule({ ...asked }))
  }
  // What is not named makes no difference.
  expect(rule({ table: "patients" }, moved)).toBe(rule({ table: "patients" }))
})

test("a SELECT may end as people end statements", async () => {
  const plans = await Promise.all(
    ["", ";", " ;; ", " -- all of them", "\n/* done */;"].map((end) =>
      open.engine.synthetic.plan({ sql: `SELECT sex, age FROM patients${end}` }),
    ),
  )
  expect(plans.map(({ columns }) => columns.map(({ name }) => name))).toEqual(plans.map(() => ["sex", "age"]))
})

test("a budget in pure epsilon is refused", async () => {
  const policy = clinicPolicy.replace("accounting: zcdp", "accounting: pure")
  const pure = await clinic.open({ policy, seed: "pure" })
  const refused = expect.objectContaining({
    issues: [expect.objectContaining({ code: "synthetic/needs-gaussian" })],
  })
  await expect(pure.engine.synthetic.plan({ table: "patients" })).rejects.toThrow(refused)
  await pure.close()
})

test("rows are written as CSV and as Parquet, with quotes, dates and missing values", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-made-"))
  const table: MadeTable = {
    columns: [
      { kind: "listed", name: 'the "name"', values: ["a,b", ""], hasMissing: true },
      { kind: "numbers", name: "day", type: "date", step: 1, edges: [0, 10], hasMissing: false },
    ],
    length: 3,
    row: (number) => [["a,b", "", null][number] ?? null, number],
  }
  const [csv, parquet] = [join(folder, "rows.csv"), join(folder, "rows.parquet")]
  await writeTable(table, csv)
  await writeTable(table, parquet)
  expect(readFileSync(csv, "utf8")).toBe('"the ""name""",day\n"a,b",1970-01-01\n"",1970-01-02\n,1970-01-03\n')
  expect(existsSync(parquet) && readFileSync(parquet).subarray(0, 4).toString()).toBe("PAR1")
  rmSync(folder, { recursive: true })
})

test("values become groups by declared values alone, and every value has a group", () => {
  const { sql, keys } = countSql(
    "SELECT 1",
    [
      { kind: "listed", name: "s", values: ["it's", "b", "c"], hasMissing: true },
      { kind: "numbers", name: "n", type: "integer", step: 1, edges: [0, 5, 10, 20], hasMissing: true },
      { kind: "listed", name: "one", values: [true], hasMissing: false },
    ],
    { attributes: [0, 1, 2], groups: [[0, 1, 1, 2], [0, 0, 1, 2], [0]], share: 1 },
  )
  expect(keys).toEqual([0, 1])
  expect(sql).toBe(
    `SELECT CASE WHEN "s" = 'it''s' THEN 0 WHEN "s" IN ('b', 'c') THEN 1 ELSE 2 END AS g1, ` +
      `CASE WHEN "n" IS NULL THEN 2 WHEN "n" < 10 THEN 0 ELSE 1 END AS g2, COUNT(*) AS n ` +
      "FROM (\nSELECT 1\n) AS records GROUP BY 1, 2",
  )
})
