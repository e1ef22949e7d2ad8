import { isLongForm } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
beforeAll(async () => {
  hospital = await smallHospital()
})
afterAll(() => hospital.remove())

const sql = "SELECT date_trunc('month', visit_start_date), COUNT(*) FROM visit_occurrence GROUP BY 1"
const create = ["series", "create", "visits", "--sql", sql, "--from", "2019-01-01", "--for", "24"]

test.runIf(isLongForm)("[M3] a series is made, continued and shown; its charge is made once", async () => {
  const refused = await hospital.run(...create)
  expect([refused.code, refused.error.includes("cli/series-append-only")]).toEqual([4, true])
  for (const [option, value] of [
    ["--for", "0"],
    ["--from", "2019-02-30"],
  ] as const) {
    expect((await hospital.run(...create, "--append-only", option, value)).error).toContain("cli/bad-option")
  }
  const explained = await hospital.run(...create, "--explain", "--epsilon", "1")
  expect(explained.out).toMatch(
    /\nerrors {2}± [\d,.]+ in period 1, ± [\d,.]+ in period 13, ± [\d,.]+ in period 24, at 95 %\n/,
  )
  expect(explained.out).toContain("for all of them; nothing was charged\n")
  expect((await hospital.run("receipts")).out).toBe("nothing was charged so far\n")
  const made = await hospital.run(...create, "--append-only", "--epsilon", "1")
  expect(made.error).toBe("")
  expect(made.out).toMatch(
    /^series visits: 24 periods from 2019-01-01 until 2021-01-01\nbounds {2}the first 4 periods/,
  )
  const before = await hospital.run("budget", "--json")
  const updated = await hospital.run("series", "update", "visits", "--through", "2019-07-01")
  expect(updated.error).toBe("")
  expect(updated.out).toMatch(/^6 periods released\nperiod +total of COUNT\(\*\) +rising +measured\n/)
  const [, first = ""] = /errors {2}± ([\d.]+) in/.exec(explained.out) ?? []
  expect(updated.out).toMatch(new RegExp(`2019-01-01 .* -?[\\d,]+ ± ${Math.round(Number(first))}\\s`))
  expect(updated.out).toMatch(/2019-01-01 +[\d,]+ [^-\n]* +-?[\d,]+ ± [\d,]+\s*\n[^]*\(6 of 24 periods\)\n$/)
  const shown = await hospital.run("series", "show", "visits", "--json")
  const { rows }: { rows: readonly unknown[] } = JSON.parse(shown.out)
  expect(rows).toHaveLength(6)
  expect((await hospital.run("series", "update", "visits", "--through", "2019-07-01")).out).toBe(
    "0 periods released\n",
  )
  expect((await hospital.run("budget", "--json")).out).toBe(before.out)
  expect((await hospital.run("ledger", "verify")).code).toBe(0)
})
