import { afterAll, beforeAll, expect, test } from "vitest"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
})
afterAll(async () => lab.close())

const body = { table: "person", quasi: ["year_of_birth"], attacks: false }

test("an owner makes a report of a table, and the audit trail says so", async () => {
  const dataset = lab.engine.policy.dataset
  const before = await lab.engine.account()
  const report = await lab.as("owner").call("makeRiskReport", { params: { dataset }, body })
  expect(report).toMatchObject({ format: "dosimeter-risk/1", quasi: ["year_of_birth"] })
  const page = await lab.as("owner").text("makeRiskReport", { params: { dataset }, body })
  expect(page).toContain("This report is exact and not private.")
  const { items } = await lab.as("owner").call("searchAudit", { query: { what: "risk-report-made" } })
  expect(items.map(({ about }) => about)).toEqual(["table person", "table person"])
  // Nothing is charged for it.
  expect(await lab.engine.account()).toEqual(before)
})

test("a second file comes with the request, under a name that leads nowhere", async () => {
  const dataset = lab.engine.policy.dataset
  const link = {
    name: "../voters 2026.csv",
    csv: "name,born\nAnn,1950\nBob,1800\n",
    on: { year_of_birth: "born" },
  }
  const report = await lab
    .as("owner")
    .call("makeRiskReport", { params: { dataset }, body: { ...body, link } })
  expect(report).toMatchObject({ linkage: { file: "___voters_2026", records: 2, on: ["year_of_birth"] } })
  const wrong = { ...link, on: { year_of_birth: "years" } }
  await expect(
    lab.as("owner").call("makeRiskReport", { params: { dataset }, body: { ...body, link: wrong } }),
  ).rejects.toMatchObject({ problem: { code: "risk/no-column" } })
})

test("rows of one person are one, as the policy says whose they are", async () => {
  const dataset = lab.engine.policy.dataset
  const stays = { table: "visit_occurrence", quasi: ["visit_concept_id"], attacks: false }
  const report = await lab.as("owner").call("makeRiskReport", { params: { dataset }, body: stays })
  expect(report).toMatchObject({ person: { column: "person_id" } })
  const people = await lab.as("owner").call("makeRiskReport", { params: { dataset }, body })
  expect(people["person"]).toBeUndefined()
  expect(Number(report["rows"])).toBeLessThanOrEqual(Number(people["rows"]))
})

test.each(["analyst", "committee", "auditor", "participant"] as const)(
  "no report for the %s",
  async (role) => {
    const dataset = lab.engine.policy.dataset
    await expect(lab.as(role).call("makeRiskReport", { params: { dataset }, body })).rejects.toMatchObject({
      problem: { code: "account/no-right" },
    })
  },
)

test("another dataset, and a column that is not there", async () => {
  const owner = lab.as("owner")
  await expect(owner.call("makeRiskReport", { params: { dataset: "none" }, body })).rejects.toMatchObject({
    problem: { code: "request/no-dataset" },
  })
  const dataset = lab.engine.policy.dataset
  const wrong = { ...body, quasi: ["height"] }
  await expect(owner.call("makeRiskReport", { params: { dataset }, body: wrong })).rejects.toMatchObject({
    problem: { code: "risk/no-column" },
  })
})
