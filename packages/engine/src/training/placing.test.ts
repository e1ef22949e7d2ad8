import { exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { predictRow, readModel, writeModel } from "./model-file.ts"
import { coefficientsOf, factsOfTraining } from "./model-receipt.ts"

const policy = `dataset: gym
source: { duckdb: gym.duckdb }
unit: member
neighbours: add-or-remove
budget: { epsilon: 900, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 300 }, delta: 1e-8, confidence: 0.95 }
tables:
  members:
    unit: id
    keys: [[id]]
    columns:
      age: { min: 20, max: 90, type: integer, nullable: false }
      weight: { min: 40, max: 140, grid: 0.5 }
      sport: { values: [chess, run, swim], nullable: false }
      sex: { values: [f, m] }
      born: { type: date, min: 1930-01-01, max: 2000-01-01 }
      fee: { type: integer }
  odd:
    unit: id
    keys: [[id]]
    columns:
      x: { min: 0, max: 10, grid: 0.5 }
      y: { min: 0, max: 10, grid: 0.5 }
      kind: { values: [a, b, c] }
`

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-gym-"))
  await makeDuckdb(
    join(folder, "gym.duckdb"),
    `
    CREATE TABLE members AS SELECT i AS id,
      CASE WHEN i % 6 < 3 THEN 70 WHEN i % 6 < 5 THEN 30 ELSE 50 END + (hash(i) % 11)::INTEGER - 5 AS age,
      CASE WHEN i % 20 = 0 THEN NULL
        ELSE CASE WHEN i % 6 < 3 THEN 60 WHEN i % 6 < 5 THEN 70 ELSE 120 END
          + (hash(i + 7) % 11)::INTEGER - 5 END::DOUBLE AS weight,
      CASE WHEN i % 6 < 3 THEN 'chess' WHEN i % 6 < 5 THEN 'run' ELSE 'swim' END AS sport,
      CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
      DATE '1950-01-01' + (i % 1000)::INTEGER AS born, i % 50 AS fee
      FROM range(6000) r(i);
    CREATE TABLE odd AS SELECT i AS id,
      ['nan', 'infinity', '-infinity', NULL, '-0.0', '1e308'][1 + i % 6]::DOUBLE AS x,
      ['nan', NULL][1 + i % 2]::DOUBLE AS y, ['d', NULL][1 + i % 2] AS kind
      FROM range(60) r(i)`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

async function opened(seed: string, use: (engine: Engine) => Promise<void>): Promise<void> {
  freshHome()
  const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
  const engine = await openEngine({ policy, folder, state, prepare: "never", rng: seededBits(seed) })
  try {
    await use(engine)
  } finally {
    await engine.close()
    rmSync(state, { recursive: true })
  }
}

const epsilon = (value: string): { readonly ask: { readonly epsilon: ReturnType<typeof exactly> } } => ({
  ask: { epsilon: exactly(value, "epsilon") },
})
const sql = "SELECT age, weight, sport FROM members"

test("[B6] groups are one charge that their sums use up, are recorded, and take rows in", () =>
  opened("groups", async ({ training, account, ledger }) => {
    const asked = { model: "k-means", sql, ...epsilon("20") }
    const planned = await training.plan(asked)
    expect(planned).toMatchObject({ count: 3, rounds: 6, target: undefined })
    expect(planned.features).toEqual(["age", "weight", "sport = chess", "sport = run", "sport = swim"])
    expect(planned.noise).toMatchObject({ part: "centre", of: "share of a feature's range" })
    const lost = planned.training.sums.reduce(
      (sum, { count, bound, variance }) => sum + (count * Number(bound) ** 2) / (2 * numberNear(variance)),
      0,
    )
    expect(lost / numberNear(planned.charge.amount)).toBeCloseTo(1, 9)
    expect(factsOfTraining(planned).mechanisms.map(({ column }) => column)).toEqual([
      "centres, 6 rounds",
      "quality",
    ])
    const steps = new Set<string>()
    const { file, charge } = await training.train({ ...asked, onProgress: (step) => steps.add(step) })
    expect([...steps]).toEqual(["reading the rows", "finding groups", "measuring how good it is"])
    expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(planned.charge.amount), 12)
    expect(readModel(writeModel(file))).toEqual(file)
    expect(writeModel(file)).not.toContain('"target"')
    const [listed] = await training.list()
    expect(listed).toEqual({ charge, model: "k-means", rows: file.model.rows })
    expect((await training.train(asked)).origin).toBe("recorded")
    expect((await ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")).toHaveLength(1)
    // Another number of groups is another question.
    expect(await training.isTrained({ ...asked, count: 4 })).toBe(false)
    expect(await training.isTrained({ ...asked, count: 3 })).toBe(true)
    expect(Math.abs(file.model.rows - 6000)).toBeLessThan(60)
    const parts = coefficientsOf(file, 0.95)
    const of = (group: number, name: string): number =>
      parts.find((one) => one.output === `group ${group}` && one.name === name)?.value ?? Number.NaN
    for (const [group, people, age, weight, sport] of [
      [1, 3000, 70, 60, "chess"],
      [2, 2000, 30, 70, "run"],
      [3, 1000, 50, 120, "swim"],
    ] as const) {
      expect(Math.abs(of(group, "(people)") - people)).toBeLessThan(60)
      expect(Math.abs(of(group, "age") - age)).toBeLessThan(1)
      // Missing weights stand in the middle of their range.
      expect(Math.abs(of(group, "weight") - (0.95 * weight + 0.05 * 90))).toBeLessThan(3)
      expect(Math.abs(of(group, `sport = ${sport}`) - 1)).toBeLessThan(0.02)
    }
    for (const { low = 1, value, high = 0 } of parts)
      expect([low <= value, value <= high]).toEqual([true, true])
    expect(file.model.quality).toMatchObject({ kind: "spread" })
    expect(file.model.quality.kind === "spread" && file.model.quality.share).toBeGreaterThan(0.9)
    expect(predictRow(file, { age: "68", weight: "", sport: "chess" })).toEqual({ value: "group 1" })
    expect(predictRow(file, { age: "45", weight: "118", sport: "" })).toEqual({ value: "group 3" })
  }))

test("[B6] components are one charge that their sums use up, are recorded, and place rows", () =>
  opened("components", async ({ training, account }) => {
    const asked = { model: "components", sql: "SELECT age, weight, sex FROM members", ...epsilon("20") }
    const planned = await training.plan(asked)
    expect(planned).toMatchObject({ count: 2, rounds: 1, features: ["age", "weight", "sex = m"] })
    expect(planned.noise).toMatchObject({ part: "component", of: "share of a variance" })
    const lost = planned.training.sums.reduce(
      (sum, { count, bound, variance }) => sum + (count * Number(bound) ** 2) / (2 * numberNear(variance)),
      0,
    )
    expect(lost / numberNear(planned.charge.amount)).toBeCloseTo(1, 9)
    const { file, charge } = await training.train(asked)
    expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(planned.charge.amount), 12)
    expect(readModel(writeModel(file))).toEqual(file)
    const [listed] = await training.list()
    expect(listed).toEqual({ charge, model: "components", rows: file.model.rows })
    expect((await training.train(asked)).file).toEqual(file)
    expect(Math.abs(file.model.rows - 6000)).toBeLessThan(200)
    const parts = coefficientsOf(file, 0.95)
    expect(parts.map(({ output, name }) => `${output} ${name}`)).toEqual(
      ["component 1", "component 2"].flatMap((one) =>
        ["(share of the variance)", "age", "weight", "sex = m"].map((name) => `${one} ${name}`),
      ),
    )
    for (const { low = 1, value, high = 0 } of parts)
      expect([low <= value, value <= high]).toEqual([true, true])
    const { value, coordinates = {} } = predictRow(file, { age: "70", weight: "60", sex: "f" })
    expect([Object.keys(coordinates), value]).toEqual([
      ["component 1", "component 2"],
      coordinates["component 1"],
    ])
    const other = predictRow(file, { age: "30", weight: "", sex: "f" })
    expect(Math.abs(Number(other.value) - Number(value))).toBeGreaterThan(0.5)
    const { count: all, features } = await training.plan({ ...asked, count: 3 })
    expect([all, features.length]).toEqual([3, 3])
  }))

test("what cannot be is refused before anything is charged", () =>
  opened("refused", async ({ training, account }) => {
    const before = await account()
    const asked = { model: "k-means", sql }
    for (const [change, code] of [
      [{ target: "age" }, "training/without-target"],
      [{ model: "components", target: "age" }, "training/without-target"],
      [{ model: "logistic" }, "training/needs-target"],
      [{ model: "bayes", target: "sport", count: 3 }, "training/no-count"],
      [{ count: 1 }, "model/bad-setting"],
      [{ count: 51 }, "model/bad-setting"],
      [{ count: Number.NaN }, "model/bad-setting"],
      [{ model: "components", count: 6 }, "model/bad-setting"],
      [{ model: "components", rounds: 2 }, "training/rounds"],
      [{ rounds: 51 }, "training/rounds"],
      [{ sql: "SELECT fee, age FROM members" }, "model/unbounded-feature"],
      [{ sql: "SELECT born, age FROM members" }, "training/no-number"],
      [{ sql: "SELECT 1 AS one, age FROM members" }, "model/constant-feature"],
      [{ sql: "SELECT age, age FROM members" }, "training/same-name"],
      [{ sql: "SELECT sport, COUNT(*) > 3 AS n FROM members GROUP BY sport" }, "training/not-rows"],
    ] as const) {
      const refused = expect.objectContaining({ issues: [expect.objectContaining({ code })] })
      await expect(training.plan({ ...asked, ...change }), code).rejects.toThrow(refused)
      await expect(training.train({ ...asked, ...change }), code).rejects.toThrow(refused)
    }
    expect((await account()).spent).toEqual(before.spent)
  }))

test("nothing that the data holds is refused after its charge", () =>
  opened("odd data", async ({ training }) => {
    for (const from of [
      "SELECT x, y, kind FROM odd",
      "SELECT age AS x, weight AS y FROM members WHERE age < 20",
    ])
      for (const model of ["components", "k-means"]) {
        const { file, origin } = await training.train({ model, sql: from, ...epsilon("20") })
        expect([model, origin]).toEqual([model, "released"])
        expect(readModel(writeModel(file)), model).toEqual(file)
        const { value } = predictRow(file, { x: "5", y: "" })
        expect(typeof value === "string" || Number.isFinite(value), model).toBe(true)
      }
  }))

test("a file that says otherwise than its model is none", () =>
  opened("forged", async ({ training }) => {
    const { file } = await training.train({ model: "k-means", sql, ...epsilon("20") })
    const [first, ...others] = file.inputs
    for (const broken of [
      { ...file, inputs: others },
      { ...file, inputs: [...others, first] },
      { ...file, model: { ...file.model, groups: [] } },
      // Nothing is made of a size that a file claims.
      ...[2 ** 40, 3e7, 4].map((categories) => ({
        ...file,
        model: { ...file.model, features: [{ kind: "category", name: "age", categories }] },
      })),
      // A model that reads its columns in another way than the file has them.
      { ...file, inputs: [{ ...first, low: 21 }, ...others] },
      {
        ...file,
        inputs: [{ kind: "listed", name: "age", values: ["a", "b"], hasMissing: false }, ...others],
      },
    ])
      expect(readModel(JSON.stringify(broken))).toBeUndefined()
  }))

test("a column of a name that every object has is missing where a row has none", () =>
  opened("names", async ({ training }) => {
    const renamed = "SELECT age AS constructor, weight AS valueOf FROM members"
    const { file } = await training.train({ model: "k-means", sql: renamed, ...epsilon("20") })
    expect(predictRow(file, {}).value).toMatch(/^group \d$/)
  }))
