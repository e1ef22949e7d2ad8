// What a coordinator that lies about the rounds of a regression gets from honest sites: nothing that was not
// charged. It holds its own key, so everything here is signed as it should be.

import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { exactAsk } from "../testing/exact-sites.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { ModelSites } from "../testing/model-sites.ts"
import { sealed, type Envelope } from "./envelope.ts"
import { jobId, signJob, type JobModel } from "./job.ts"
import { planOfJob } from "./plan-model-job.ts"

const policy = `dataset: ward
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      age: { min: 20, max: 90, type: integer, nullable: false }
      days: { min: 0, max: 30, type: integer, nullable: false }
      sex: { values: [f, m], nullable: false, type: text }
`
const script = (from: number): string =>
  `CREATE TABLE patients AS SELECT i::INTEGER AS id, (20 + (i * 7) % 71)::INTEGER AS age,
     ((i * 13) % 31)::INTEGER AS days, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex
   FROM range(${from}, ${from + 60}) r(i)`

const names = ["north", "south", "west", "east"]
const model: JobModel = { kind: "linear", target: "days", rounds: 10 }
const sql = "SELECT age, days, sex FROM patients"

let sites: ModelSites
let grammar: Grammar

beforeAll(async () => {
  freshHome()
  grammar = await loadGrammar()
  const scripts = Object.fromEntries(names.map((name, place) => [name, script(place * 60)]))
  sites = await ModelSites.open({ policy, scripts })
})

afterAll(() => sites.close())

beforeEach(() => sites.begin("attacks"))

/** Carries a job to the end of a round, and holds what all sites are told then. */
async function heldAfter(round: number, loses = "nobody"): Promise<readonly Envelope[]> {
  const job = sites.job({ sql, model })
  const queue: Envelope[] = [...job.invitations()]
  const held: Envelope[] = []
  for (let hours = 1; held.length === 0 || queue.length > 0;) {
    const envelope = queue.shift()
    const { done } = job.state().rounds
    if (envelope === undefined) {
      // The clock says that somebody has dropped out.
      queue.push(...job.advance(new Date(Date.UTC(2026, 10, 19, 10 + hours))))
      hours += 2
    } else if (envelope.step === "round" && done === round) held.push(envelope)
    else if (!isLost(envelope, loses)) queue.push(...(await sites.deliver(job, envelope)))
  }
  expect(held.length).toBeGreaterThan(2)
  return held
}

function isLost({ from, body }: Envelope, loses: string): boolean {
  return from === loses && kindOf(body) === "masked"
}

function kindOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "kind" in body ? body.kind : undefined
}

/** The same message with another body, in the same place or a later one. */
function altered(envelope: Envelope, body: unknown, after = 0): Envelope {
  const { job, step, from, to, sequence } = envelope
  return sealed({ job, step, from, to, sequence: sequence + after, body }, sites.coordinator)
}

interface Told {
  readonly numbers: readonly string[]
  readonly survivors: readonly string[]
}

function toldIn({ body }: Envelope): Told {
  return JSON.parse(JSON.stringify(body)) as Told
}

const refused = { code: expect.stringMatching(/^federation\//) }

/** What a site answers. */
async function answerOf(envelope: Envelope): Promise<readonly Envelope[]> {
  return sites.at(envelope.to).site.receive(envelope)
}

/** Gives every site what it is told; all their keys are then shown to all of them as one round's. */
async function mixed(told: readonly Envelope[]): Promise<void> {
  const keys = (await Promise.all(told.map(answerOf))).flat()
  expect(keys.map(({ body }) => kindOf(body))).toEqual(told.map(() => "keys"))
  const bodies = keys.map(({ body }) => JSON.parse(JSON.stringify(body)) as { readonly sum: string })
  const sums = [...new Set(bodies.map(({ sum }) => sum))]
  expect(sums.length).toBeGreaterThan(1)
  for (const { job, to, sequence } of told) {
    let place = sequence
    for (const sum of sums) {
      // As they are, and as if all were of one sum.
      for (const all of [bodies, bodies.map((one) => ({ ...one, sum }))]) {
        place += 1
        const body = { kind: "roster", sum, keys: all }
        const roster = { job, step: "sum", from: "coordinator", to, sequence: place, body }
        await expect(answerOf(sealed(roster, sites.coordinator))).rejects.toMatchObject(refused)
      }
    }
  }
}

describe("a coordinator that lies between rounds", () => {
  test("tells sites different sums, to have other coefficients at each: they are in different rounds", async () => {
    const [first, ...others] = await heldAfter(1)
    if (first === undefined) throw new Error("there is a round")
    const { numbers, survivors } = toldIn(first)
    const lie = [`${BigInt(numbers[0] ?? "0") + 1n}`, ...numbers.slice(1)]
    await mixed([altered(first, { numbers: lie, survivors }), ...others])
  })

  test("tells sites different survivors of the same sum: they are in different rounds", async () => {
    const [first, ...others] = await heldAfter(1)
    if (first === undefined) throw new Error("there is a round")
    const { numbers, survivors } = toldIn(first)
    await mixed([altered(first, { numbers, survivors: survivors.slice(0, 3) }), ...others])
  })

  test("replays a round, skips one, or begins one before the last has ended", async () => {
    const [first] = await heldAfter(1)
    if (first === undefined) throw new Error("there is a round")
    const [keys] = await answerOf(first)
    expect(kindOf(keys?.body)).toBe("keys")
    // The same message is known; the same words in a new message are no round of theirs.
    expect(await answerOf(first)).toEqual([])
    await expect(answerOf(altered(first, first.body, 1))).rejects.toMatchObject(refused)
    await expect(answerOf(altered(first, first.body, 5))).rejects.toMatchObject(refused)
  })

  test("tells what cannot be the sum of a round", async () => {
    const [first] = await heldAfter(1)
    if (first === undefined) throw new Error("there is a round")
    const told = toldIn(first)
    const lies = [
      { ...told, survivors: told.survivors.slice(0, 2) },
      { ...told, survivors: ["north", "south", "mallory"] },
      { ...told, survivors: ["north", "south", "south"] },
      { ...told, numbers: [...told.numbers, "1"] },
      { ...told, numbers: told.numbers.map(() => "many") },
      { ...told, numbers: ["1".padEnd(150, "0"), ...told.numbers.slice(1)] },
      { ...told, numbers: ["-1".padEnd(150, "0"), ...told.numbers.slice(1)] },
      { ...told, weights: [1, 2] },
    ]
    for (const [after, lie] of lies.entries()) {
      await expect(answerOf(altered(first, lie, after))).rejects.toMatchObject({
        code: "federation/bad-message",
      })
    }
  })

  test("leaves a site out of one sum and takes it back for the next, to subtract: it does not come", async () => {
    const held = await heldAfter(1, "west")
    expect(held.map(({ to }) => to)).not.toContain("west")
    const [first] = held
    if (first === undefined) throw new Error("there is a round")
    const { job, body } = first
    for (let sequence = 1; sequence < 30; sequence += 1) {
      const back = sealed(
        { job, step: "round", from: "coordinator", to: "west", sequence, body },
        sites.coordinator,
      )
      await expect(answerOf(back)).rejects.toMatchObject(refused)
    }
  })

  test("asks for one round more than was approved", async () => {
    const job = sites.job({ sql, model })
    let last: Envelope | undefined
    await sites.walk(job, (envelope) => {
      if (envelope.step !== "result" || envelope.to !== "north") return envelope
      last = envelope
      return undefined
    })
    if (last === undefined) throw new Error("there is a result")
    const { job: id, to, sequence } = last
    const one = toldIn({ ...last, body: { numbers: ["1", "1", "1", "1"], survivors: names } })
    const more = sealed(
      { job: id, step: "round", from: "coordinator", to, sequence, body: one },
      sites.coordinator,
    )
    await expect(answerOf(more)).rejects.toMatchObject({ code: "federation/out-of-order" })
    const { ledger } = sites.at("north")
    const charges = (await ledger.entries(1n, 50)).filter(({ entry }) => entry.kind === "charge")
    expect(charges).toHaveLength(1)
  })
})

describe("a job that says something else than what was agreed", () => {
  test("is not its coordinator's, or has another layout, or is another job", async () => {
    const { document, signature } = sites.job({ sql, model }).document
    const { site } = sites.at("north")
    const longer = { ...document, model: { ...model, rounds: 500 } }
    await expect(site.offer({ document: longer, signature })).rejects.toMatchObject({
      code: "federation/bad-message",
    })
    const other = { ...document, model: { ...model, target: "age" } }
    for (const one of [longer, other]) {
      expect(jobId(one)).not.toBe(jobId(document))
      await expect(site.offer(signJob(one, sites.coordinator))).rejects.toMatchObject({
        code: "federation/other-layout",
      })
    }
    const { model: _, ...question } = document
    await expect(site.offer(signJob(question, sites.coordinator))).rejects.toMatchObject({
      code: "privacy/rows-selected",
    })
    const alone = { ...document, mode: "separate" as const, honest: 1, colluding: 0, threshold: 1 }
    await expect(site.offer(signJob(alone, sites.coordinator))).rejects.toMatchObject({
      code: "federation/bad-message",
    })
  })

  const planned = (text: string, views = {}) =>
    planOfJob({ sql, ask: exactAsk, honest: 2, model }, { policy: readPolicy(text), grammar }, views)

  test("a house with other ranges, another unit or a view of its own: only what is alike is added up", () => {
    const { layout } = planned(policy)
    expect(planned(policy.replace("max: 90", "max: 91")).layout).not.toBe(layout)
    expect(planned(policy.replace("max: 30", "max: 60")).layout).not.toBe(layout)
    expect(planned(policy.replace("unit: patient", "unit: household")).layout).not.toBe(layout)
    const own = policy
      .replace("patients:", "persons:")
      .replace("age: { min: 20, max: 90", "born: { min: 1936, max: 2006")
      .replace(
        "sex: { values: [f, m], nullable: false, type: text }",
        "gender: { values: [1, 2], nullable: false, type: integer }",
      )
    // The study lists f first, and the view m.
    const patients = `SELECT id, CLAMP(2026 - born, 20, 90) AS age, days,
      CASE gender WHEN 1 THEN 'm' ELSE 'f' END AS sex FROM persons`
    expect(planned(own, { patients }).layout).toBe(layout)
    expect(() => planned(own, { others: patients })).toThrow(
      expect.objectContaining({ code: "federation/no-view" }),
    )
  })

  test("pure epsilon has no shares for it", () => {
    expect(() => planned(policy.replace("zcdp", "pure"))).toThrow("pure epsilon")
  })
})
