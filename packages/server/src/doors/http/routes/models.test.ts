import { afterAll, beforeAll, expect, test } from "vitest"
import { canaries } from "../../../testing/small-hospital.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
})
afterAll(async () => lab.close())

const sql = "SELECT gender_concept_id, year_of_birth, year_of_birth < 1960 AS older FROM person"
const body = { model: "logistic", target: "older", sql, rounds: 10, epsilon: "0.5" }
const spent = async (): Promise<unknown> => (await lab.engine.account()).spent
const charges = async (): Promise<number> =>
  (await lab.engine.ledger.entries(1n, 1000)).filter(({ entry }) => entry.kind === "charge").length

test("a model is priced for nothing, trained for one charge, listed, and given with its files", async () => {
  const analyst = lab.as("analyst")
  const before = await spent()
  const priced = await analyst.call("priceModel", { body })
  expect(priced).toMatchObject({
    model: "logistic",
    target: "older",
    columns: ["gender_concept_id", "year_of_birth"],
    rounds: 10,
    free: false,
    noise: { of: "log-odds", units: [{ units: 1000 }, { units: 10_000 }, { units: 100_000 }] },
  })
  expect(Number(priced.cost.epsilon)).toBeLessThanOrEqual(0.5)
  expect([await spent(), (await analyst.call("listModels")).items]).toEqual([before, []])
  const trained = await analyst.call("trainModel", { body })
  expect(trained).toMatchObject({ origin: "released", cost: priced.cost, quality: { kind: "curve" } })
  expect(trained.dose).toMatchObject({ unit: "person", neighbours: "add-or-remove" })
  expect(Number(trained.dose.epsilon)).toBeCloseTo(0.5, 6)
  for (const { low = 1, value, high = 0 } of trained.coefficients) {
    expect([low <= value, value <= high]).toEqual([true, true])
  }
  expect(JSON.parse(trained.files.json)).toMatchObject({ format: "dosimeter-model/1", features: sql })
  expect(Buffer.from(trained.files.onnx ?? "", "base64").toString("latin1")).toContain("expected")
  const after = await spent()
  expect(after).not.toEqual(before)
  // The same again, also with a semicolon, is the same model.
  expect((await analyst.call("priceModel", { body })).free).toBe(true)
  const again = await analyst.call("trainModel", { body: { ...body, sql: `${sql};` } })
  expect(again).toMatchObject({ origin: "recorded", charge: trained.charge, quality: trained.quality })
  const { items } = await analyst.call("listModels")
  expect(items).toMatchObject([
    { charge: trained.charge, principal: "ada", model: "logistic", target: "older", rows: trained.rows },
  ])
  const params = { position: `${trained.charge}` }
  const card = await analyst.call("getModel", { params })
  const { origin: _origin, cost: _cost, receipt: _receipt, budget: _budget, ...own } = trained
  expect(card).toEqual({ ...own, question: sql })
  const release = await analyst.call("getRelease", { params })
  expect(release.question).toBe(`logistic model of older in 10 rounds\n${sql}`)
  expect(await spent()).toEqual(after)
  for (const canary of canaries) expect(JSON.stringify([trained, items])).not.toContain(canary)
})

test("its text is for who asked, the owner and the committee; the model is for all who see the release", async () => {
  const [first] = (await lab.as("analyst").call("listModels")).items
  const params = { position: `${first?.charge}` }
  for (const role of ["owner", "committee"] as const)
    expect((await lab.as(role).call("getModel", { params })).question).toBe(sql)
  const card = await lab.as("auditor").call("getModel", { params })
  expect(card.question).toBeNull()
  expect(card.files.json).not.toContain("SELECT")
  // Somebody else who asks the same in other words reads their own.
  const other = `${sql} -- as the owner wrote it`
  const trained = await lab.as("owner").call("trainModel", { body: { ...body, sql: other } })
  expect([trained.origin, trained.charge]).toEqual(["recorded", first?.charge])
  expect(JSON.parse(trained.files.json)).toMatchObject({ features: other })
  for (const role of ["participant", "community"] as const) {
    for (const call of [
      lab.as(role).call("getModel", { params }),
      lab.as(role).call("listModels"),
      lab.as(role).call("priceModel", { body }),
      lab.as(role).call("trainModel", { body }),
    ])
      await expect(call, role).rejects.toMatchObject({ problem: { code: "account/no-right" } })
  }
})

test("groups and components have no target, and a card of their own", async () => {
  const analyst = lab.as("analyst")
  const rows = { sql: "SELECT gender_concept_id, year_of_birth FROM person", epsilon: "0.5" }
  for (const [model, part] of [
    ["k-means", "centre"],
    ["components", "component"],
  ] as const) {
    const asked = { model, count: 2, ...rows }
    const priced = await analyst.call("priceModel", { body: asked })
    expect(priced).toMatchObject({ model, target: null, count: 2, free: false, noise: { part } })
    expect(priced.noise.units[0]?.share).toBeGreaterThan(0)
    const trained = await analyst.call("trainModel", { body: asked })
    expect(trained).toMatchObject({ model, target: null, quality: { kind: "spread" }, files: { onnx: null } })
    for (const { low = 1, value, high = 0 } of trained.coefficients)
      expect([low <= value, value <= high]).toEqual([true, true])
    const [listed] = (await analyst.call("listModels")).items
    expect(listed).toMatchObject({ charge: trained.charge, model, target: null })
    const card = await analyst.call("getModel", { params: { position: `${trained.charge}` } })
    expect(card.coefficients).toEqual(trained.coefficients)
    const release = await analyst.call("getRelease", { params: { position: `${trained.charge}` } })
    expect(release.question).toBe(`${model} model with a count of 2\n${rows.sql}`)
    expect((await analyst.call("priceModel", { body: asked })).free).toBe(true)
    for (const canary of canaries) expect(JSON.stringify(trained)).not.toContain(canary)
  }
})

test("its steps come as they happen, and tell nothing of how far it is", async () => {
  const other = { ...body, epsilon: "0.25" }
  const steps = []
  for await (const { event, data } of lab.as("analyst").stepsOf("trainModel", { body: other }))
    steps.push([event, Object.keys(data as object).length])
  expect(steps.map(([event]) => event)).toEqual(["planned", "charged", "reading", "released"])
  expect(steps.slice(1, 3)).toEqual([
    ["charged", 1],
    ["reading", 0],
  ])
})

test("a key makes it safe to send again, and two at once are one charge", async () => {
  const other = { ...body, epsilon: "0.3" }
  const before = await charges()
  const [one, two] = await Promise.all([
    lab.as("analyst").call("trainModel", { body: other }, { key: "once" }),
    lab.as("owner").call("trainModel", { body: other }),
  ])
  expect(one.charge).toBe(two.charge)
  const again = await lab.as("analyst").call("trainModel", { body: other }, { key: "once" })
  expect(again.charge).toBe(one.charge)
  expect(await charges()).toBe(before + 1)
})

test("what cannot be trained or is no model is refused for nothing", async () => {
  const before = await spent()
  const analyst = lab.as("analyst")
  for (const [change, code] of [
    [{ model: "oracle" }, "training/unknown-model"],
    [{ target: "nothing" }, "training/no-target"],
    [{ rounds: 9 }, "training/rounds"],
    [{ count: 2 }, "training/no-count"],
    [{ model: "k-means" }, "training/without-target"],
    [{ sql: "SELECT 1; DROP TABLE person" }, "sql/several-statements"],
    [{ sql: "SELECT person_source_value, TRUE AS older FROM person" }, "privacy/denied-column"],
    [{ rho: "0.1" }, "request/bad-input"],
  ] as const) {
    for (const route of ["priceModel", "trainModel"] as const) {
      await expect(analyst.call(route, { body: { ...body, ...change } }), code).rejects.toMatchObject({
        problem: { code },
      })
    }
  }
  expect(await spent()).toEqual(before)
  const asked = await analyst.call("ask", { body: { sql: "SELECT COUNT(*) FROM person", epsilon: "0.1" } })
  expect(asked.origin).toBe("released")
  const [last] = (await analyst.call("listReleases")).items
  for (const [position, code] of [
    [`${last?.position}`, "release/no-model"],
    ["1", "release/unknown"],
    ["999999", "release/unknown"],
  ] as const) {
    const given = { params: { position } }
    await expect(analyst.call("getModel", given)).rejects.toMatchObject({ problem: { code } })
  }
})
