import { afterAll, beforeAll, expect, test } from "vitest"
import { canaries } from "../../../testing/small-hospital.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
})
afterAll(async () => lab.close())

const body = { table: "person", columns: ["gender_concept_id", "year_of_birth"], epsilon: "0.5" }
const spent = async (): Promise<unknown> => (await lab.engine.account()).spent

test("rows are priced for nothing, measured for one charge, and made again in any number for nothing", async () => {
  const analyst = lab.as("analyst")
  const before = await spent()
  const priced = await analyst.call("priceSynthetic", { body })
  expect(priced).toMatchObject({ columns: body.columns, free: false, quality: { pairs: 1 } })
  expect(Number(priced.cost.epsilon)).toBeLessThanOrEqual(0.5)
  expect(await spent()).toEqual(before)
  const made = await analyst.call("makeSynthetic", { body: { ...body, rows: 40 } })
  expect(made).toMatchObject({ rows: 40, rowsOfSecondTable: null, origin: "released", cost: priced.cost })
  expect(made.report.map(({ columns }) => columns.length)).toEqual([1, 1, 2])
  const after = await spent()
  expect(after).not.toEqual(before)
  expect((await analyst.call("priceSynthetic", { body })).free).toBe(true)
  const again = await analyst.call("makeSynthetic", { body: { ...body, rows: 40, seed: "2" } })
  expect(again).toMatchObject({ origin: "recorded", charge: made.charge })
  const csv = await analyst.text("makeSynthetic", { body: { ...body, rows: 7 } })
  const lines = csv.trimEnd().split("\n")
  expect(lines).toHaveLength(8)
  expect(lines[0]).toBe("gender_concept_id,year_of_birth")
  expect(await spent()).toEqual(after)
  for (const canary of canaries) expect(csv + JSON.stringify(made)).not.toContain(canary)
})

test("it is in the audit trail and among the releases, in words", async () => {
  const { items } = await lab.as("owner").call("searchAudit", { query: { what: "question-answered" } })
  expect(items.length).toBeGreaterThanOrEqual(3)
  const { charge } = await lab.as("analyst").call("makeSynthetic", { body })
  const release = await lab.as("analyst").call("getRelease", { params: { position: `${charge}` } })
  expect(JSON.stringify(release)).toContain("synthetic rows of person (gender_concept_id, year_of_birth)")
  expect(release.answers[0]?.columns.map(({ name }) => name)).toEqual(["round", "columns", "cells", "noise"])
})

test("a key makes it safe to send again, and two at once are one charge", async () => {
  const other = { ...body, epsilon: "0.25" }
  const charges = async (): Promise<number> =>
    (await lab.engine.ledger.entries(1n, 1000)).filter(({ entry }) => entry.kind === "charge").length
  const before = await charges()
  const [one, two] = await Promise.all([
    lab.as("analyst").call("makeSynthetic", { body: other }, { key: "once" }),
    lab.as("owner").call("makeSynthetic", { body: other }),
  ])
  expect(one.charge).toBe(two.charge)
  const again = await lab.as("analyst").call("makeSynthetic", { body: other }, { key: "once" })
  expect(again.charge).toBe(one.charge)
  expect(await charges()).toBe(before + 1)
})

test("what cannot be made is refused for nothing", async () => {
  const before = await spent()
  const analyst = lab.as("analyst")
  for (const [wrong, code] of [
    [{}, "synthetic/what"],
    [{ table: "nobody" }, "synthetic/what"],
    [{ ...body, rules: ["year_of_birth < 1950 => tall = yes"] }, "synthetic/unknown-column"],
    [{ ...body, part: "rows" }, "request/bad-input"],
    [{ ...body, rows: 100_001 }, "request/bad-input"],
    // Noise alone may give every person as many rows of the second table as are allowed.
    [
      { table: "person", rowsOf: { table: "drug_exposure", order: "days_supply", most: 1000 }, rows: 1001 },
      "request/bad-input",
    ],
    [{ ...body, rho: "0.1" }, "request/bad-input"],
    [{ sql: "SELECT 1; DROP TABLE person" }, "sql/several-statements"],
  ] as const) {
    const given = { body: { ...wrong, ...("part" in wrong ? { part: "rows" as const } : {}) } }
    await expect(analyst.call("makeSynthetic", given), code).rejects.toMatchObject({ problem: { code } })
  }
  expect(await spent()).toEqual(before)
})

test.each(["committee", "auditor", "participant", "community"] as const)(
  "no rows for the %s",
  async (role) => {
    for (const route of ["priceSynthetic", "makeSynthetic"] as const) {
      await expect(lab.as(role).call(route, { body })).rejects.toMatchObject({
        problem: { code: "account/no-right" },
      })
    }
  },
)
