import { add, compare, numberNear, subtract, zero } from "@dosimeter/core/exact"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { makeRows } from "./make-rows.ts"
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

test("[B6] all rounds are one charge, and their losses add up to it and never above", async () => {
  const plan = await open.engine.synthetic.plan({ table: "patients" })
  const before = await open.engine.account()
  const steps: string[] = []
  const release = await open.engine.synthetic.measure({ table: "patients", onProgress: (step) => steps.push(step) })
  const after = await open.engine.account()
  const charged = subtract(after.spent, before.spent)
  // The ledger rounds up to its units.
  expect(compare(charged, plan.charge.amount)).toBeGreaterThanOrEqual(0)
  const rho = release.synthesis.taken.map(({ variance }) => 1 / (2 * variance)).reduce((sum, one) => sum + one, 0)
  expect(rho).toBeLessThanOrEqual(numberNear(plan.charge.amount) * (1 + 1e-12))
  expect(rho).toBeGreaterThan(numberNear(plan.charge.amount) * (1 - 1e-6))
  const entries = await open.engine.ledger.entries(1n, 100)
  expect(entries.filter(({ entry }) => entry.kind === "charge")).toHaveLength(1)
  expect(steps[0]).toContain("measuring columns")
  const made = makeRows(release, { rows: 500, seed: "a" })
  expect(made.units.length).toBe(500)
  expect(makeRows(release, { rows: 500, seed: "a" }).units.row(7)).toEqual(made.units.row(7))
  for (const line of made.report) expect(line.low).toBeLessThanOrEqual(line.high)
  expect(add(zero, zero)).toEqual(zero)
  console.log(made.report, made.units.row(3), made.units.row(4), release.synthesis.rows, release.receipt)
})
test("person and rows", async () => {
  const release = await open.engine.synthetic.measure({ table: "patients", rowsOf: { table: "visits", order: "fee", most: 5 }, ask: {} })
  const made = makeRows(release, { seed: "a" })
  console.log(made.units.length, made.rows?.length, made.rows?.columns.map((c) => c.name), [0,1,2,3,4,5].map((i) => made.rows?.row(i)), made.report.length, release.synthesis.pairs)
  await writeTable(made.rows!, "/tmp/zz.parquet"); await writeTable(made.units, "/tmp/zz.csv")
  console.log(readFileSync("/tmp/zz.csv", "utf8").slice(0, 200))
})
