// Regressions that sites fit together: less the shares of noise that were drawn, each sum is number by number
// that of all rows at one place, and so is the model.

import { releaseShare } from "@dosimeter/core/distributed"
import { compare, rational } from "@dosimeter/core/exact"
import { isLongForm, sampleOf, seededBits } from "@dosimeter/core/testing"
import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import { modelOf } from "@dosimeter/ml/regression/model"
import { rowsOf, type RowValues } from "@dosimeter/ml/regression/rows"
import { train } from "@dosimeter/ml/regression/train"
import { planTraining } from "@dosimeter/ml/regression/training-plan"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freshHome } from "../testing/fresh-home.ts"
import { ModelSites } from "../testing/model-sites.ts"
import { FederatedJob } from "./coordinator.ts"
import type { Envelope } from "./envelope.ts"
import { jobModels, type JobModel } from "./job.ts"
import { JobRounds, type RoundSum } from "./job-rounds.ts"
import { amountOf } from "./plan-job.ts"
import { planOfJob } from "./plan-model-job.ts"
import { readResult } from "./read-result.ts"

// Dalal, Fowlkes and Hoadley 1989: 23 flights of the shuttle before Challenger's last, the temperature in
// degrees Fahrenheit and whether an O-ring was in distress.
const temperatures = "66 70 69 68 67 72 73 70 57 63 70 78 67 53 67 75 70 81 76 79 75 76 58"
  .split(" ")
  .map(Number)
const distress = [1, 8, 9, 10, 13, 20, 22]
const flights = temperatures.map((temperature, place) => ({
  temperature,
  bad: distress.includes(place) ? 1 : 0,
}))

const names = ["north", "south", "west", "east"]
const siteOf = (place: number): string => names[(place * 7) % 11 < 3 ? 0 : 1 + (place % 3)] ?? ""

const policy = `dataset: shuttle
source: { duckdb: data.duckdb }
unit: flight
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  flights:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      temperature: { min: 50, max: 85, type: integer, nullable: false }
      bad: { min: 0, max: 1, type: integer, nullable: false }
`

const scriptOf = (name: string): string => {
  const rows = flights.flatMap(({ temperature, bad }, place) =>
    siteOf(place) === name ? [`(${place}, ${temperature}, ${bad})`] : [],
  )
  return `CREATE TABLE flights (id INTEGER, temperature INTEGER, bad INTEGER);
    INSERT INTO flights VALUES ${rows.join(", ")}`
}

let sites: ModelSites

beforeAll(async () => {
  freshHome()
  sites = await ModelSites.open({
    policy,
    scripts: Object.fromEntries(names.map((name) => [name, scriptOf(name)])),
  })
})

afterAll(() => sites.close())

const rounds = 10
const rowsSql: Readonly<Record<JobModel["kind"], string>> = {
  linear: "SELECT temperature, bad FROM flights",
  logistic: "SELECT temperature, bad = 1 AS bad FROM flights",
  poisson: "SELECT temperature, bad FROM flights",
}
const asked = (kind: JobModel["kind"]): Parameters<ModelSites["job"]>[0] => ({
  sql: rowsSql[kind],
  model: { kind, target: "bad", rounds },
})

/** The rows of some sites as the model of a job sees them. */
function rowsAt(kind: JobModel["kind"], at: (name: string) => boolean): AskedRows {
  const shape = {
    family: kind,
    features: [{ name: "temperature", low: 50, high: 85 }],
    target: { name: "bad", low: 0, high: 1 },
    rowsPerUnit: 1,
  } as const
  const own = flights.filter((_, place) => at(siteOf(place)))
  const units = own.map(({ temperature, bad }): RowValues[] => [{ features: [temperature], target: bad }])
  return new AskedRows(rowsOf(shape, units))
}

/** The sums that the coordinator told, round by round; the last one it keeps. */
function toldSums(envelopes: readonly Envelope[], job: FederatedJob): readonly RoundSum[] {
  const [first] = job.document.document.sites
  return envelopes
    .filter(({ step, to }) => step === "round" && to === first?.name)
    .map(({ body }) => {
      const { numbers, survivors }: { numbers: string[]; survivors: string[] } = JSON.parse(
        JSON.stringify(body),
      )
      return { numbers: numbers.map(BigInt), survivors }
    })
}

/** Follows a job once more from what was told: each sum less the noise of those in it, and the exact one. */
function* followed(job: FederatedJob, told: readonly RoundSum[], seed: string) {
  const { document } = job.document
  const kind = document.model?.kind ?? "linear"
  const planned = planOfJob(document, sites.study)
  const course = new JobRounds(document, planned)
  const bits = new Map(names.map((name) => [name, seededBits(`${seed} ${name}`)]))
  for (const sum of told) {
    const { ask } = course
    const share = planned.shares[ask?.kind ?? 0]
    if (ask === undefined || share === undefined) throw new Error("a round is asked for")
    const zeros = Array<bigint>(share.numbers).fill(0n)
    const noise = sum.survivors.map((name) =>
      releaseShare(share, zeros, bits.get(name) ?? seededBits("nobody")),
    )
    const less = sum.numbers.map((number, place) =>
      noise.reduce((left, own) => left - (own[place] ?? 0n), number),
    )
    const steps = 1n << BigInt(share.kind === "bell-share" ? share.finer : 0)
    const exact = rowsAt(kind, (name) => sum.survivors.includes(name)).sumOf(ask.ask)
    yield { less, exact: exact.map((number) => number * steps), noise }
    course.take(sum)
  }
}

test.each(sampleOf(jobModels, 1))(
  "a %s regression over four sites: each sum less its noise is that of all rows, and all end with one model",
  async (kind) => {
    await sites.begin(kind)
    const job = sites.job(asked(kind))
    const seen: Envelope[] = []
    await sites.walk(job, (envelope) => {
      seen.push(envelope)
      return envelope
    })
    const result = job.result()
    expect(job.state()).toMatchObject({ phase: "answered", rounds: { done: rounds + 3, all: rounds + 3 } })
    const told = toldSums(seen, job)
    expect(told).toHaveLength(rounds + 2)
    for (const { less, exact } of followed(job, told, kind)) expect(less).toEqual(exact)
    expect(result?.receipt).toMatchObject({ survivors: names, lost: [], model: { kind, rounds } })
    expect(result?.answer.rows.map((row) => row[1]?.value)).toEqual(["(intercept)", "temperature"])
    for (const row of result?.answer.rows ?? []) {
      expect(Number(row[2]?.low)).toBeLessThan(Number(row[2]?.value))
      expect(Number(row[2]?.high)).toBeGreaterThan(Number(row[2]?.value))
    }
    for (const name of names) {
      const { site, ledger } = sites.at(name)
      expect(site.result(job.id)?.answer).toEqual(result?.answer)
      const entries = (await ledger.entries(1n, 100)).map(({ entry }) => entry)
      const [charge, ...more] = entries.filter((entry) => entry.kind === "charge")
      expect(more).toEqual([])
      expect(charge?.amount).toEqual(amountOf(job.document.document.loss.amount))
      expect(await ledger.verify()).toMatchObject({ sound: true })
      expect(await ledger.unsettled()).toEqual([])
    }
    // The coordinator made anew from what it has kept.
    const again = FederatedJob.rebuilt(sites.study, JSON.parse(JSON.stringify(job.document)), job.events)
    expect(again.sent).toEqual(seen.filter(({ from, step }) => from === "coordinator" && step !== "job"))
    expect(again.job.result()).toEqual(result)
    const read = readResult(JSON.parse(JSON.stringify(again.sent.at(-1)?.body)))
    expect(read.receipt).toEqual(result?.receipt)
  },
)

test.each(jobModels)(
  "without noise the %s model of three sites is that of all rows to the last digit, and is the known one",
  (kind) => {
    const places = names.slice(0, 3)
    const third = (name: string): string => (name === "east" ? "west" : name)
    const shape = { ...shapeOf(kind), rowsPerUnit: 1 }
    const plan = planTraining({
      shape,
      muSquared: rational(10n ** 24n),
      neighbours: "add-or-remove",
      rounds: 300,
    })
    const all = rowsAt(kind, () => true)
    const apart = places.map((place) => rowsAt(kind, (name) => third(name) === place))
    const [pooled, central] = [train(plan), train(plan)]
    let [one, other] = [pooled.next(), central.next()]
    while (one.done !== true && other.done !== true) {
      const { value: ask } = one
      const parts = apart.map((rows) => rows.sumOf(ask))
      const [first = [], ...rest] = parts
      one = pooled.next(first.map((number, at) => rest.reduce((sum, own) => sum + (own[at] ?? 0n), number)))
      other = central.next(all.sumOf(other.value))
    }
    if (one.done !== true || other.done !== true) throw new Error("both end together")
    const [federated, whole] = [modelOf(plan, one.value), modelOf(plan, other.value)]
    expect(federated).toEqual(whole)
    const [list = []] = federated.coefficients
    for (const [place, published] of publishedOf(kind).entries()) {
      expect(Math.abs((list[place]?.value ?? 0) / published - 1)).toBeLessThan(5e-4)
    }
  },
)

function shapeOf(family: JobModel["kind"]) {
  return {
    family,
    features: [{ name: "temperature", low: 50, high: 85 }],
    target: { name: "bad", low: 0, high: 1 },
  } as const
}

// Maximum likelihood of all 23; the logistic one is published.
function publishedOf(kind: JobModel["kind"]): readonly number[] {
  const known = {
    linear: [2.90476190476, -0.0373809523809],
    logistic: [15.04290165, -0.23216274],
    poisson: [5.785394, -0.104485],
  }
  return known[kind]
}

describe("a site that drops out between rounds", () => {
  test("is in no later sum, costs the others nothing more, and every sum has fresh noise of all in it", async () => {
    await sites.begin("drop")
    const job = sites.job(asked("logistic"))
    const seen: Envelope[] = []
    await sites.walk(job, (envelope) => {
      seen.push(envelope)
      const { step, from, body } = envelope
      const isMasked = step === "sum" && JSON.stringify(body).includes('"masked"')
      const count = seen.filter(({ step: one }) => one === "round").length
      return from === "west" && isMasked && count >= 4 * 4 ? undefined : envelope
    })
    const { receipt } = job.result() ?? {}
    const stayed = names.filter((name) => name !== "west")
    expect(receipt).toMatchObject({ survivors: stayed, lost: ["west"] })
    const told = toldSums(seen, job)
    const first = told.findIndex(({ survivors }) => survivors.length === 3)
    expect(first).toBeGreaterThan(2)
    expect(told.slice(0, first).every(({ survivors }) => survivors.length === 4)).toBe(true)
    expect(told.slice(first).every(({ survivors }) => survivors.length === 3)).toBe(true)
    // West had drawn for the sum that it did not stay in, and draws no more; the others go on as before.
    const noises: string[] = []
    for (const { less, exact, noise } of followed(job, told, "drop")) {
      expect(less).toEqual(exact)
      noises.push(...noise.map((own) => own.join(" ")))
    }
    // Whoever takes one round from the next is left with the noise of both.
    expect(new Set(noises).size).toBe(noises.length)
    for (const name of names) {
      const charges = (await sites.at(name).ledger.entries(1n, 100)).filter(
        ({ entry }) => entry.kind === "charge",
      )
      expect(charges).toHaveLength(1)
    }
    // Its charge stands, and is settled when the job's end is told.
    expect(await sites.at("west").ledger.unsettled()).toEqual([])
    expect(await sites.at("west").ledger.incidents()).toEqual([])
  })

  test.runIf(isLongForm)(
    "leaves too few: there is no model, and all that was charged stays charged",
    async () => {
      await sites.begin("few")
      const job = sites.job(asked("linear"))
      let told = 0
      await sites.walk(job, (envelope) => {
        if (envelope.step === "round") told += 1
        const isGone = told > 8 && (envelope.from === "west" || envelope.from === "east")
        return isGone ? undefined : envelope
      })
      expect(job.state()).toMatchObject({ phase: "failed", why: expect.stringContaining("too few") })
      const { ledger } = sites.at("north")
      expect(await ledger.unsettled()).toEqual([])
      const [account] = await ledger.accounts()
      expect(compare(account?.spent ?? rational(0n), amountOf(job.document.document.loss.amount))).toBe(0)
    },
  )
})

describe("what a committee and a lead are told", () => {
  test("the model, all rounds, and the dose of all of them", async () => {
    await sites.begin("words")
    const job = sites.job(asked("logistic"))
    const { words, facts, columns } = await sites.at("north").site.offer(job.document)
    expect(words).toEqual([
      "Study rings: to see it work",
      "Model: a logistic regression of bad on temperature",
      "Its rows: SELECT temperature, bad = 1 AS bad FROM flights",
      "Dose: epsilon 1, delta 1e-8 for each flight, charged to this dataset for all 13 sums together, before a row is read.",
      "What leaves: 156 numbers under masks, in 13 rounds. The coordinator learns the sums over at least 3 of 4 sites, never the numbers of this one.",
      "What each round asks for follows from the sums before it; this site works it out by itself, and makes no more than 13.",
      "The noise is shared between sites, and each can take its own share off the answer. The dose holds against every site that takes part, and against the coordinator with 1 site in league: at least 2 sites' shares are unknown to them.",
      "A person who is in the data of several sites counts, and is charged, once at each.",
      "Who sees the answer: the coordinator, and every site that took part.",
    ])
    expect(facts).toMatchObject({ rounds: 13, unit: "flight" })
    expect(columns.map(({ name }) => name)).toEqual(["of", "coefficient", "value", "standard_error"])
  })

  test.each([
    ["no sum", { mode: "separate" as const }, "model needs sums"],
    ["too few rounds", { model: { kind: "linear" as const, target: "bad", rounds: 3 } }, "10 to 2000 rounds"],
    ["no such target", { model: { kind: "linear" as const, target: "age", rounds } }, "age"],
  ])("%s is refused before anybody is asked", (_, more, why) => {
    expect(() => sites.job({ ...asked("linear"), ...more })).toThrow(why)
  })
})
