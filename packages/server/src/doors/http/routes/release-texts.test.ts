// A release says what was asked, to those who may know it.

import { afterAll, beforeAll, expect, test } from "vitest"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"
import { ReleaseTexts } from "../../../questions/release-texts.ts"
import { ApiError } from "../contract/client.ts"

const sql = "SELECT COUNT(*) AS n FROM person"
let lab: HttpLab
let position = ""

beforeAll(async () => {
  lab = await httpLab()
  const { receipt } = await lab.as("analyst").call("ask", { body: { sql, epsilon: "0.1" } })
  position = /"position":"(\d+)"/.exec(JSON.stringify(receipt))?.[1] ?? ""
})
afterAll(async () => lab.close())

test("the asker, the owner and the committee see the question; an auditor sees the release", async () => {
  const params = { position }
  for (const role of ["analyst", "owner", "committee"] as const) {
    const seen = { question: sql, questionWithheld: false, title: null }
    expect(await lab.as(role).call("getRelease", { params })).toMatchObject(seen)
    expect((await lab.as(role).call("listReleases", {})).items[0]).toMatchObject(seen)
  }
  const withheld = { question: null, questionWithheld: true }
  expect(await lab.as("auditor").call("getRelease", { params })).toMatchObject(withheld)
  expect((await lab.as("auditor").call("listReleases", {})).items[0]).toMatchObject(withheld)
  // Everybody's page has nothing of it.
  expect(await (await fetch(`${lab.url}/transparency`)).text()).not.toContain("SELECT")
})

test("who asked, or the owner, gives a title, which everybody reads who sees the release", async () => {
  const params = { position }
  const refused = lab.as("auditor").call("setReleaseTitle", { params, body: { title: "mine" } })
  await expect(refused).rejects.toMatchObject({ problem: { code: "release/not-own" } })
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  await lab.as("analyst").call("setReleaseTitle", { params, body: { title: " People " } })
  expect(await lab.as("auditor").call("getRelease", { params })).toMatchObject({ title: "People" })
  await lab.as("owner").call("setReleaseTitle", { params, body: { title: "" } })
  expect(await lab.as("analyst").call("getRelease", { params })).toMatchObject({ title: null, question: sql })
})

test("asked again, the first text stays; what belongs to another ledger is not shown", async () => {
  const { ledger } = lab.engine
  await new ReleaseTexts(lab.store, ledger).keep([BigInt(position)], "SELECT 2")
  await new ReleaseTexts(lab.store, { id: "another" }).keep([BigInt(position)], "SELECT 3")
  const texts = await new ReleaseTexts(lab.store, ledger).of([BigInt(position), 99n])
  expect([...texts]).toEqual([[BigInt(position), { question: sql, title: "" }]])
})

test("questions that were asked together keep all of their texts", async () => {
  const questions = [{ sql }, { sql: `${sql} WHERE year_of_birth < 1950` }]
  await lab.as("analyst").call("releasePlan", { body: { questions, epsilon: "0.2" } })
  const [together] = (await lab.as("analyst").call("listReleases", {})).items
  expect(together?.question).toBe(questions.map((one) => one.sql).join(";\n"))
})
