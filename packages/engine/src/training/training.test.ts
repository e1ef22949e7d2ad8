import { compare, exactly, numberNear, subtract } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { fail } from "../errors.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { predictRow, readModel, writeModel } from "./model-file.ts"
import { coefficientsOf } from "./model-receipt.ts"

const policy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 900, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 300 }, delta: 1e-8, confidence: 0.95 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false }
      age: { min: 20, max: 90, type: integer, nullable: false }
      weight: { min: 40, max: 140, grid: 0.5 }
      ill: { type: boolean, nullable: false }
      stage: { values: [I, II, III], nullable: false }
      days: { min: 0, max: 30, type: integer, nullable: false }
      born: { type: date, min: 1930-01-01, max: 2000-01-01 }
  odd:
    unit: id
    keys: [[id]]
    columns:
      x: { min: 0, max: 10, grid: 0.5 }
      y: { min: 0, max: 10, grid: 0.5 }
      kind: { values: [a, b, c] }
      yes: { type: boolean }
  visits:
    unit: patient_id
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
`

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-ward-"))
  await makeDuckdb(
    join(folder, "ward.duckdb"),
    `
    CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
      20 + (i * 7) % 71 AS age, CASE WHEN i % 10 = 0 THEN NULL ELSE 40 + (i * 13) % 101 END::DOUBLE AS weight,
      hash(i) % 1000 < 1000 / (1 + exp(-(((20 + (i * 7) % 71) - 55) / 12.0 + (i % 2)))) AS ill,
      ['I', 'II', 'III'][(1 + (hash(i + 9) % 1000 + ((i * 7) % 71) * 20) // 801)::BIGINT] AS stage,
      least(30, floor(exp(((i * 7) % 71) / 30.0) + hash(i + 3) % 3))::INTEGER AS days,
      DATE '1950-01-01' + (i % 1000)::INTEGER AS born
      FROM range(4000) r(i);
    CREATE TABLE odd AS SELECT i AS id,
      ['nan', 'infinity', '-infinity', NULL, '-0.0', '1e308'][1 + i % 6]::DOUBLE AS x,
      ['nan', NULL][1 + i % 2]::DOUBLE AS y, ['d', NULL][1 + i % 2] AS kind,
      NULL::BOOLEAN AS yes FROM range(60) r(i);
    CREATE TABLE visits AS SELECT i % 4000 AS patient_id, (i % 400)::DOUBLE AS fee FROM range(9000) r(i)`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

async function opened(
  seed: string,
  use: (engine: Engine, reopened: () => Promise<Engine>) => Promise<void>,
  other = policy,
): Promise<void> {
  freshHome()
  const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
  const open = async (): Promise<Engine> =>
    openEngine({
      policy: other,
      folder,
      state,
      prepare: "never",
      rng: seededBits(seed),
      consent: {
        current: async () => ({
          version: "1",
          units: async () => Array.from({ length: 1000 }, (_, unit) => `${unit}`),
        }),
      },
    })
  let engine = await open()
  const reopened = async (): Promise<Engine> => {
    await engine.close()
    engine = await open()
    return engine
  }
  try {
    await use(engine, reopened)
  } finally {
    await engine.close()
    rmSync(state, { recursive: true })
  }
}

const epsilon = (value: string): { readonly ask: { readonly epsilon: ReturnType<typeof exactly> } } => ({
  ask: { epsilon: exactly(value, "epsilon") },
})
const features = "SELECT age, sex, weight, ill FROM patients"

test("[B6] a model is one charge before anything is read, and the same question again costs nothing", () =>
  opened("charge", async ({ training, account, ledger, ask }) => {
    const asked = { model: "logistic", sql: features, target: "ill", ...epsilon("2") }
    const planned = await training.plan(asked)
    expect(await training.isTrained(asked)).toBe(false)
    const before = await account()
    const steps: string[] = []
    let charged = 0n
    const trained = await training.train({
      ...asked,
      onProgress: (step) => steps.push(step),
      onCharged: (position) => {
        expect(steps).toEqual([])
        charged = position
      },
    })
    expect(new Set(steps)).toEqual(
      new Set([
        "reading the rows",
        "taking a first look",
        "fitting",
        "measuring errors",
        "measuring how good it is",
      ]),
    )
    const after = await account()
    const spent = subtract(after.spent, before.spent)
    expect(compare(spent, planned.charge.amount)).toBeGreaterThanOrEqual(0)
    expect(numberNear(spent)).toBeCloseTo(numberNear(planned.charge.amount), 12)
    // The sums lose what is charged, up to rounding: none of it is wasted.
    const lost = planned.training.sums.reduce(
      (sum, { count, bound, variance }) => sum + (count * Number(bound) ** 2) / (2 * numberNear(variance)),
      0,
    )
    expect(lost / numberNear(planned.charge.amount)).toBeCloseTo(1, 9)
    expect(trained).toMatchObject({ origin: "released", charge: charged })
    const again = await training.train(asked)
    expect([again.origin, await training.isTrained(asked)]).toEqual(["recorded", true])
    expect(again.file).toEqual(trained.file)
    const commented = await training.train({ ...asked, sql: `${asked.sql} -- as it was` })
    expect([commented.origin, commented.charge]).toEqual(["recorded", charged])
    expect(again.receipt).toEqual(trained.receipt)
    expect((await account()).spent).toEqual(after.spent)
    expect((await ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")).toHaveLength(1)
    expect((await ledger.verify()).sound).toBe(true)
    // Text and back, to the last digit.
    expect(readModel(writeModel(trained.file))).toEqual(trained.file)
    // It is in the list, and nothing else is; who may not work with it is not told that it is there.
    await ask("SELECT COUNT(*) FROM patients", epsilon("0.1"))
    const { rows } = trained.file.model
    expect(await training.list()).toEqual([{ charge: charged, model: "logistic", target: "ill", rows }])
    expect(await training.released(charged)).toEqual(trained.file)
    for (const other of [charged + 2n, 10n ** 9n, 0n]) expect(await training.released(other)).toBeUndefined()
    expect(await training.isTrained({ ...asked, mayUse: async (charge) => charge !== charged })).toBe(false)
  }))

test("one training that several want at once is one charge", () =>
  opened("at once", async ({ training, ledger }) => {
    const asked = { model: "logistic", sql: features, target: "ill", rounds: 10 }
    const all = await Promise.all(
      ["ada", "bob", "cleo"].map((principal) => training.train({ ...asked, principal })),
    )
    expect(all.map(({ origin }) => origin).toSorted()).toEqual(["recorded", "recorded", "released"])
    expect(new Set(all.map(({ charge }) => charge)).size).toBe(1)
    expect((await ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")).toHaveLength(1)
  }))

test("[G3] a training that was stopped is paid for, and leaves nothing to read or to take over", () =>
  opened("stopped", async ({ training, account, ledger }) => {
    const asked = { model: "logistic", sql: features, target: "ill", principal: "ada", rounds: 10 }
    const { charge } = await training.plan(asked)
    const stop = new AbortController()
    let position = 0n
    const stopped = training.train({
      ...asked,
      requestId: "once",
      signal: stop.signal,
      onProgress: (step) => (step === "fitting" ? stop.abort() : undefined),
      onCharged: (at) => {
        position = at
      },
    })
    await expect(stopped).rejects.toMatchObject({ code: "backend/cancelled" })
    expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(charge.amount), 12)
    expect(await training.isTrained(asked)).toBe(false)
    expect([await training.list(), await training.released(position)]).toEqual([[], undefined])
    // The same request again is told so; another one is charged again, and draws anew.
    await expect(training.train({ ...asked, requestId: "once" })).rejects.toMatchObject({
      code: "ledger/request-failed",
    })
    const again = await training.train({ ...asked, requestId: "twice" })
    expect(again.origin).toBe("released")
    expect(numberNear((await account()).spent)).toBeCloseTo(2 * numberNear(charge.amount), 12)
    expect((await ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")).toHaveLength(2)
  }))

test("a training whose process has ended is taken over by the same request, under the charge that it has made", () =>
  opened("ended", async ({ training }, reopened) => {
    const asked = { model: "logistic", sql: features, target: "ill", rounds: 10, requestId: "once" }
    // What fails because of the ledger itself waits there.
    const ended = training.train({
      ...asked,
      onProgress: (step) =>
        step === "fitting" ? fail("ledger/unknown-account", { account: "x" }) : undefined,
    })
    await expect(ended).rejects.toMatchObject({ code: "ledger/unknown-account" })
    expect([await training.isTrained(asked), await training.list()]).toEqual([false, []])
    const later = await reopened()
    const { origin, charge } = await later.training.train(asked)
    expect([origin, charge]).toEqual(["released", (await later.training.list())[0]?.charge])
    const charges = (await later.ledger.entries(1n, 100)).filter(({ entry }) => entry.kind === "charge")
    expect(charges.map(({ position }) => position)).toEqual([charge])
  }))

test("at a large epsilon the coefficients are those that the data was made with", () =>
  opened("fit", async ({ training }) => {
    const { file } = await training.train({
      model: "logistic",
      sql: features,
      target: "ill",
      ...epsilon("300"),
    })
    if (file.model.kind !== "regression") throw new Error("it is a regression")
    const [list = []] = file.model.coefficients
    const by = new Map(list.map((one) => [one.name, one]))
    expect([...by.keys()]).toEqual(["(intercept)", "age", "sex = m", "weight", "weight is missing"])
    const near = (name: string, wanted: number): void => {
      const { value = 0, error = 0 } = by.get(name) ?? {}
      expect(Math.abs(value - wanted)).toBeLessThan(5 * error)
      expect(error).toBeLessThan(Math.max(0.05, Math.abs(wanted)))
    }
    near("age", 1 / 12)
    near("sex = m", 1)
    near("weight", 0)
    expect(file.model.quality).toMatchObject({ kind: "curve" })
    if (file.model.quality.kind === "curve") expect(file.model.quality.auc).toBeGreaterThan(0.75)
    const old = predictRow(file, { age: "85", sex: "m", weight: "80" })
    const young = predictRow(file, { age: "25", sex: "f", weight: "" })
    expect([old.value, young.value]).toEqual(["true", "false"])
    expect(old.probabilities?.["true"]).toBeGreaterThan(0.9)
  }))

test("numbers, counts and classes have models too, and rows may come from GROUP BY", () =>
  opened("families", async ({ training }) => {
    const linear = await training.train({
      model: "linear",
      sql: "SELECT age, 2 * age + 10 AS twice FROM patients",
      target: "twice",
      ...epsilon("100"),
    })
    expect(linear.file.model.quality).toMatchObject({ kind: "explained" })
    expect(predictRow(linear.file, { age: "40" }).value).toBeGreaterThan(85)
    expect(predictRow(linear.file, { age: "40" }).value).toBeLessThan(95)
    const poisson = await training.train({
      model: "poisson",
      sql: "SELECT age, days FROM patients",
      target: "days",
      ...epsilon("100"),
    })
    const days = (age: string): number => Number(predictRow(poisson.file, { age }).value)
    expect(days("85")).toBeGreaterThan(2 * days("25"))
    const classes = await training.train({
      model: "multinomial",
      sql: "SELECT stage, age FROM patients",
      target: "stage",
      ...epsilon("100"),
    })
    const young = predictRow(classes.file, { age: "21" })
    expect(Object.keys(young.probabilities ?? {})).toEqual(["I", "II", "III"])
    expect(young.value).toBe("I")
    expect(predictRow(classes.file, { age: "90" }).value).not.toBe("I")
    const grouped = await training.train({
      model: "linear",
      sql: `SELECT CLAMP(COUNT(*), 0, 10) AS n, AVG(fee) AS fee FROM visits GROUP BY patient_id`,
      target: "fee",
      ...epsilon("10"),
    })
    expect(grouped.file.model.features.map(({ name }) => name)).toContain("n")
  }))

test("[B6] curves are one charge that their sums use up, are recorded, and predict", () =>
  opened("curves", async ({ training, account }) => {
    const asked = { model: "boosting", sql: features, target: "ill", ...epsilon("100") }
    const planned = await training.plan(asked)
    expect(planned.noise).toMatchObject({ part: "curve", of: "log-odds" })
    const lost = planned.training.sums.reduce(
      (sum, { count, bound, variance }) => sum + (count * Number(bound) ** 2) / (2 * numberNear(variance)),
      0,
    )
    expect(lost / numberNear(planned.charge.amount)).toBeCloseTo(1, 9)
    const { file, charge } = await training.train(asked)
    expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(planned.charge.amount), 12)
    expect(readModel(writeModel(file))).toEqual(file)
    expect(await training.list()).toMatchObject([{ charge, model: "boosting", target: "ill" }])
    const again = await training.train(asked)
    expect([again.origin, again.file]).toEqual(["recorded", file])
    expect(file.model.quality.kind === "curve" && file.model.quality.auc).toBeGreaterThan(0.75)
    expect(Math.abs(file.model.rows - 4000)).toBeLessThan(40)
    expect(predictRow(file, { age: "85", sex: "m", weight: "" }).value).toBe("true")
    expect(predictRow(file, { age: "25", sex: "f", weight: "80" }).value).toBe("false")
    const parts = coefficientsOf(file, 0.95)
    expect(new Set(parts.map(({ output }) => output))).toEqual(new Set(["age", "sex", "weight"]))
    const ages = parts.filter(({ output }) => output === "age")
    expect(ages[0]).toMatchObject({ from: 20 })
    expect(ages.at(-1)).toMatchObject({ to: 90 })
    // Weights may be missing, ages may not.
    expect(parts.filter(({ name }) => name === "missing").map(({ output }) => output)).toEqual(["weight"])
    expect((ages.at(-1)?.value ?? 0) - (ages[0]?.value ?? 0)).toBeGreaterThan(2)
    const linear = await training.train({
      ...asked,
      sql: "SELECT age, sex, 2 * age + 10 AS twice FROM patients",
      target: "twice",
    })
    expect(Math.abs(Number(predictRow(linear.file, { age: "40", sex: "f" }).value) - 90)).toBeLessThan(12)
  }))

test("[B6] naive Bayes is one charge that its sums use up, is recorded, and predicts", () =>
  opened("tables", async ({ training, account }) => {
    const asked = {
      model: "bayes",
      sql: "SELECT stage, age, sex, weight FROM patients",
      target: "stage",
      ...epsilon("20"),
    }
    const planned = await training.plan(asked)
    const lost = planned.training.sums.reduce(
      (sum, { count, bound, variance }) => sum + (count * Number(bound) ** 2) / (2 * numberNear(variance)),
      0,
    )
    expect(lost / numberNear(planned.charge.amount)).toBeCloseTo(1, 9)
    const { file, charge } = await training.train(asked)
    expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(planned.charge.amount), 12)
    expect(readModel(writeModel(file))).toEqual(file)
    expect(await training.list()).toMatchObject([{ charge, model: "bayes", target: "stage" }])
    expect((await training.train(asked)).file).toEqual(file)
    const { value, probabilities = {} } = predictRow(file, { age: "21", sex: "f", weight: "" })
    expect([value, Object.keys(probabilities)]).toEqual(["I", ["I", "II", "III"]])
    const parts = coefficientsOf(file, 0.95)
    expect(parts.filter(({ name }) => name === "missing").map(({ output }) => output)).toEqual([
      "II: weight",
      "III: weight",
    ])
    for (const { low = 1, value: own, high = 0 } of parts)
      expect([low < own, own < high]).toEqual([true, true])
    const two = await training.train({ ...asked, sql: features, target: "ill" })
    expect(predictRow(two.file, { age: "88", sex: "m", weight: "80" }).value).toBe("true")
    expect(two.file.model.quality.kind === "curve" && two.file.model.quality.auc).toBeGreaterThan(0.7)
  }))

test("another rule over the same rows is another question", () =>
  opened("rule", async ({ training }) => {
    const asked = { model: "logistic", sql: features, target: "ill", rounds: 10 }
    await training.train(asked)
    expect(await training.isTrained(asked)).toBe(true)
    expect(await training.isTrained({ ...asked, rounds: 11 })).toBe(false)
    expect(await training.isTrained({ ...asked, ask: { epsilon: exactly("2", "epsilon") } })).toBe(false)
    const { training: proven } = await training.plan(asked)
    expect(proven.sums.map(({ name, count }) => [name, count])).toEqual([
      ["look", 1],
      ["gradient", 10],
      ["curvature", 1],
      ["quality", 1],
    ])
  }))

test("where each row is a unit by itself, rows need no id", () =>
  opened(
    "rows",
    async ({ training }) => {
      const { file } = await training.train({
        model: "logistic",
        sql: features,
        target: "ill",
        ...epsilon("100"),
      })
      expect(Math.abs(file.model.rows - 4000)).toBeLessThan(20)
      expect(file.dose.unit).toBe("admission")
    },
    policy
      .replace("unit: patient\n", "unit: admission\n")
      .replace("    unit: id\n    keys: [[id]]\n", "    unit: row\n")
      .replace(/ {2}odd:[^]*$/, ""),
  ))

test("only rows of people who agreed are read, where people decide that", () =>
  opened(
    "consent",
    async ({ training }) => {
      const asked = { model: "logistic", sql: features, target: "ill", ...epsilon("100") }
      await expect(training.plan(asked)).rejects.toThrow(
        expect.objectContaining({ issues: [expect.objectContaining({ code: "consent/no-purpose" })] }),
      )
      const { file, receipt } = await training.train({ ...asked, purposes: ["HMB"] })
      expect(Math.abs(file.model.rows - 1000)).toBeLessThan(20)
      expect(receipt).toMatchObject({ consent: { purposes: ["HMB"] } })
    },
    policy.replace("tables:", "consent: required\ntables:"),
  ))

test("what cannot be bounded or proven is refused before anything is charged", () =>
  opened("refused", async ({ training, account }) => {
    const before = await account()
    const asked = { model: "logistic", sql: features, target: "ill" }
    for (const [change, code] of [
      [{ model: "oracle" }, "training/unknown-model"],
      [{ model: "boosting", rounds: 101 }, "training/rounds"],
      [{ model: "bayes", rounds: 2 }, "training/rounds"],
      [{ model: "bayes", target: "weight" }, "model/wrong-target"],
      [{ model: "boosting", target: "stage", sql: "SELECT stage, age FROM patients" }, "model/wrong-target"],
      [{ target: "size" }, "training/no-target"],
      [{ rounds: 3 }, "training/rounds"],
      [{ target: "stage", sql: "SELECT stage, age FROM patients" }, "model/wrong-target"],
      [{ model: "linear" }, "model/wrong-target"],
      [{ model: "poisson", target: "sex" }, "model/wrong-target"],
      [{ sql: "SELECT ill FROM patients" }, "model/no-features"],
      [{ sql: "SELECT ill, age * 1.0 / (age - 19) AS x, born FROM patients" }, "training/no-number"],
      [{ sql: "SELECT ill, age, age FROM patients" }, "training/same-name"],
      [{ sql: "SELECT id, ill FROM patients" }, "privacy/rows-selected"],
      [{ sql: "SELECT age, COUNT(*) > 3 AS ill FROM patients GROUP BY age" }, "training/not-rows"],
      [{ sql: "SELECT fee, fee > 10 AS ill FROM visits" }, "training/several-rows"],
      [
        { sql: "SELECT COUNT(*) AS n, MAX(fee) > 10 AS ill FROM visits GROUP BY patient_id" },
        "model/unbounded-feature",
      ],
      [{ sql: "SELECT 1 AS one, ill FROM patients" }, "model/constant-feature"],
      [{ sql: "SELECT TRUE AS always, ill FROM patients" }, "model/constant-feature"],
      [{ sql: "SELECT age, TRUE AS ill FROM patients" }, "model/one-class"],
      [{ sql: "SELECT age, NULL::boolean AS ill FROM patients" }, "model/one-class"],
      [{ model: "boosting", sql: "SELECT age, TRUE AS ill FROM patients" }, "model/one-class"],
      [{ sql: "SELECT nothing, ill FROM patients" }, "sql/unknown-column"],
      [epsilon("301"), "ask/too-large"],
    ] as const) {
      const refused = expect.objectContaining({ issues: [expect.objectContaining({ code })] })
      await expect(training.plan({ ...asked, ...change }), code).rejects.toThrow(refused)
      await expect(training.train({ ...asked, ...change }), code).rejects.toThrow(refused)
    }
    expect((await account()).spent).toEqual(before.spent)
  }))

test("nothing that the data holds is refused after its charge: nobody, one class, no numbers, no targets", () =>
  opened("odd data", async ({ training }) => {
    const rows = [
      ["SELECT age, weight, days, stage, ill FROM patients WHERE age < 20", 0],
      ["SELECT age, weight, days, stage, ill FROM patients WHERE age = 90 AND ill AND stage = 'III'", 60],
      ["SELECT x AS age, y AS weight, x AS days, kind AS stage, yes AS ill FROM odd", 60],
    ] as const
    const targets = [
      ["logistic", "ill"],
      ["linear", "weight"],
      ["poisson", "days"],
      ["multinomial", "stage"],
      ["boosting", "ill"],
      ["boosting", "weight"],
      ["bayes", "stage"],
    ] as const
    for (const [sql, most] of rows) {
      for (const [model, target] of targets) {
        const { file, origin } = await training.train({
          model,
          target,
          sql,
          ...(model === "bayes" ? {} : { rounds: 10 }),
          ...epsilon("20"),
        })
        expect([model, origin]).toEqual([model, "released"])
        expect(readModel(writeModel(file)), model).toEqual(file)
        expect(file.model.rows).toBeLessThan(most + 1000)
        const { value } = predictRow(file, { age: "5", weight: "", days: "3", stage: "a", ill: "" })
        expect(typeof value === "string" || Number.isFinite(value), model).toBe(true)
      }
    }
  }))

test("a budget in pure epsilon is refused, and one in mu squared is used up exactly", async () => {
  const asked = { model: "logistic", sql: features, target: "ill" }
  const refused = expect.objectContaining({
    issues: [expect.objectContaining({ code: "training/needs-gaussian" })],
  })
  await opened(
    "pure",
    async ({ training }) => {
      await expect(training.plan(asked)).rejects.toThrow(refused)
    },
    policy.replace("accounting: zcdp", "accounting: pure"),
  )
  await opened(
    "gdp",
    async ({ training, account }) => {
      const { charge } = await training.plan(asked)
      await training.train(asked)
      expect(numberNear((await account()).spent)).toBeCloseTo(numberNear(charge.amount), 12)
    },
    policy.replace("accounting: zcdp", "accounting: gdp"),
  )
})
