// A question to sites with different data, through the secure sum, in one process: what is answered is the
// sum over all sites with the shares of noise that were drawn, and nothing else.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { budgetFor } from "@dosimeter/core"
import { releaseShare } from "@dosimeter/core/distributed"
import { isLongForm, sampleOf, seededBits } from "@dosimeter/core/testing"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Ledger } from "../ledger/ledger.ts"
import { memoryAnchor } from "../ledger/anchor.ts"
import { openChainLedger } from "../ledger/chain-ledger.ts"
import { MemoryStore } from "../ledger/stores/memory-store.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { FederatedJob, type JobRequest, type StudyOptions } from "./coordinator.ts"
import { sealed, type Envelope } from "./envelope.ts"
import { signJob } from "./job.ts"
import { usualFloor, type JobFloor } from "./floor.ts"
import { planJob } from "./plan-job.ts"
import { Signer } from "./signing.ts"
import { FederatedSite } from "./site.ts"

const catalogText = `dataset: study
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-5, accounting: ACCOUNTING }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false, type: text }
      age: { min: 0, max: 100, type: integer, nullable: false }
      id: { type: integer }
  visits:
    unit: patient_id
    columns:
      patient_id: { type: integer }
      ward: { values: [A, B, C], type: text }
      town: { type: text }
`

const names = ["north", "south", "west", "east"]
const sizes = [300, 500, 40, 700]
const start = new Date("2026-11-18T10:00:00.000Z")
const later = (hours: number): Date => new Date(start.getTime() + hours * 3_600_000)

const ask: JobRequest["ask"] = {
  epsilon: "1",
  delta: "1/100000000",
  confidence: "19/20",
  groupsPerUnit: "3",
  rowsPerGroup: "1",
  shownFrom: "0",
}

const coordinator = Signer.make()
const signers = names.map(() => Signer.make())
const folders: string[] = []
const datasets: Dataset[] = []
let grammar: Grammar

const peers = (): JobRequest["sites"] =>
  names.map((name, index) => ({ name, key: signers[index]?.publicKey ?? "" }))
const policyOf = (accounting = "zcdp"): string => catalogText.replace("ACCOUNTING", accounting)
const study = (accounting?: string): StudyOptions => ({
  policy: readPolicy(policyOf(accounting)),
  grammar,
  signer: coordinator,
})

beforeAll(async () => {
  freshHome()
  grammar = await loadGrammar()
  for (const [index, size] of sizes.entries()) {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-site-"))
    folders.push(folder)
    await makeDuckdb(
      join(folder, "data.duckdb"),
      `CREATE TABLE patients AS SELECT i::INTEGER AS id,
         CASE WHEN i % ${index + 2} = 0 THEN 'f' ELSE 'm' END AS sex,
         ((i * 7) % 90 + ${index})::INTEGER AS age FROM range(${size}) r(i);
       CREATE TABLE visits AS SELECT (i % ${size})::INTEGER AS patient_id,
         ['A', 'B', 'C'][1 + (i // ${size}) % 2] AS ward,
         'town ' || (i % 2) AS town FROM range(${size * 2}) r(i)`,
    )
    datasets.push(await openDataset({ policy: policyOf(), folder, prepare: "never" }))
  }
})

afterAll(async () => {
  for (const { backend } of datasets) await backend.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

interface Site {
  readonly site: FederatedSite
  readonly ledger: Ledger
}

interface SiteWith {
  readonly ledger?: Ledger
  readonly known?: typeof peers
  readonly floor?: JobFloor
}

async function siteAt(index: number, given: SiteWith = {}): Promise<Site> {
  const dataset = datasets[index]
  const [name = "", signer = coordinator] = [names[index], signers[index]]
  if (dataset === undefined) throw new Error("there is no such site")
  const { policy, backend, version } = dataset
  const ledger = given.ledger ?? (await openMemoryLedger({ dataset: policy.dataset }))
  if (given.ledger === undefined) await ledger.openAccount("dataset", policy.terms.budget)
  const site = new FederatedSite({
    name,
    signer,
    coordinator: coordinator.publicKey,
    study: "ages",
    peers: given.known ?? peers,
    policy,
    backend,
    ledger,
    version,
    grammar,
    rng: seededBits(`site ${index}`),
    floor: given.floor ?? usualFloor,
    now: () => start,
  })
  return { site, ledger }
}

const request = (more: Partial<JobRequest> & { readonly sql: string }): JobRequest => ({
  study: "ages",
  purpose: "to see it work",
  sites: peers(),
  ask,
  deadlines: { approval: later(24).toISOString(), stepSeconds: 3600, end: later(72).toISOString() },
  ...more,
})

/** What a message is, and whether it is lost on its way. */
type Loses = (envelope: Envelope, kind: unknown) => boolean

function kindOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "kind" in body ? body.kind : undefined
}

interface Walk {
  readonly job: FederatedJob
  readonly sites: readonly Site[]
}

/** Everybody is offered the job and agrees; messages are carried until nothing moves but the clock. */
async function walk(job: FederatedJob, sites: readonly Site[], loses: Loses = () => false): Promise<Walk> {
  const byName = new Map(sites.map((one) => [one.site.name, one.site]))
  const queue: Envelope[] = [...job.invitations()]
  let hours = 1
  for (let steps = 0; steps < 2000; steps += 1) {
    const envelope = queue.shift()
    if (envelope === undefined) {
      const { phase } = job.state()
      if (phase === "answered" || phase === "failed") break
      queue.push(...job.advance(later(hours)))
      hours += 2
      continue
    }
    // What travels is text.
    const arrived: Envelope = JSON.parse(JSON.stringify(envelope))
    if (loses(arrived, kindOf(arrived.body))) continue
    const site = byName.get(arrived.to)
    if (arrived.to === "coordinator") queue.push(...job.receive(arrived))
    else if (arrived.step === "job" && site !== undefined) {
      const offer = await site.offer(arrived.body)
      queue.push(...(await site.approve(offer.job, "committee")))
    } else if (site !== undefined) queue.push(...(await site.receive(arrived)))
  }
  return { job, sites }
}

const allSites = (): Promise<Site[]> => Promise.all(names.map((_, index) => siteAt(index)))

async function charges({ ledger }: Site): Promise<readonly string[]> {
  return (await ledger.entries(1n, 100)).map(({ entry }) => entry.kind).filter((kind) => kind === "charge")
}

const countSql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex ORDER BY sex"

describe("a question to four sites", () => {
  test("the pooled answer less the shares that were drawn is the count over all data", async () => {
    const job = FederatedJob.create(study(), request({ sql: countSql }), start)
    const { sites } = await walk(job, await allSites())
    const { result, document } = { result: job.result(), document: job.document.document }
    expect(result?.receipt.survivors).toEqual(names)
    // Every site's noise once more, from the same bits on nobody's data.
    const { shares } = planJob(countSql, ask, document.honest, study())
    const [share] = shares
    if (share === undefined || share.kind !== "bell-share") throw new Error("counts have Gaussian noise")
    const noise = names.map((_, index) => releaseShare(share, [0n, 0n], seededBits(`site ${index}`)))
    const grid = 2 ** share.finer
    const noiseAt = (place: number): number =>
      Math.floor(Number(noise.reduce((sum, own) => sum + (own[place] ?? 0n), 0n)) / grid + 0.5)
    const women = sizes.map((size, index) => Math.ceil(size / (index + 2))).reduce((a, b) => a + b, 0)
    const people = sizes.reduce((a, b) => a + b, 0)
    const exact = [women, people - women]
    const shown = result?.answer.rows.map((row) => Number(row[1]?.value))
    expect(shown?.map((value, place) => value - noiseAt(place))).toEqual(exact)
    for (const row of result?.answer.rows ?? []) {
      const { low, high, value } = row[1] ?? {}
      expect(Number(low)).toBeLessThan(Number(value))
      expect(Number(high)).toBeGreaterThan(Number(value))
    }
    for (const site of sites) {
      expect(await charges(site)).toHaveLength(1)
      expect(site.site.result(job.id)?.answer).toEqual(result?.answer)
      expect(await site.ledger.verify()).toMatchObject({ sound: true })
    }
  })

  // Of four sites three must stay to the end: one may drop out at any step.
  const steps = ["masked", "keys", "shares", "agreed", "unmask"] as const
  test.each(sampleOf(steps, 1))(
    "one that drops out at the step %s takes nothing away from the others",
    async (kind) => {
      const job = FederatedJob.create(study(), request({ sql: countSql }), start)
      const lost: Loses = ({ from, step, body }, own) =>
        from === "west" &&
        (kind === "keys" ? step === "approve" : step === "sum" && own === kind) &&
        body !== null
      const { sites } = await walk(job, await allSites(), lost)
      const stays = kind === "agreed" || kind === "unmask"
      expect(job.state().phase).toBe("answered")
      expect(job.result()?.receipt.survivors).toEqual(names.filter((name) => stays || name !== "west"))
      const [north, , west] = sites
      if (north === undefined || west === undefined) throw new Error("sites are there")
      expect(await charges(north)).toHaveLength(1)
      expect(await charges(west)).toHaveLength(kind === "keys" || kind === "shares" ? 0 : 1)
    },
  )

  test.runIf(isLongForm)(
    "two that drop out leave too few: there is no answer, and every charge is settled",
    async () => {
      const job = FederatedJob.create(study(), request({ sql: countSql }), start)
      const { sites } = await walk(
        job,
        await allSites(),
        ({ from }, kind) => kind === "masked" && (from === "west" || from === "east"),
      )
      expect(job.state()).toMatchObject({ phase: "failed", why: expect.stringContaining("too few") })
      expect(job.result()).toBeUndefined()
      for (const { ledger } of sites.slice(0, 2)) expect(await ledger.unsettled()).toEqual([])
      for (const { site, ledger } of sites) {
        await site.advance(later(100))
        expect(await ledger.unsettled()).toEqual([])
      }
    },
  )

  test("the coordinator is made anew from what it has kept, at every point", async () => {
    const job = FederatedJob.create(study(), request({ sql: countSql }), start)
    const sent: Envelope[] = []
    await walk(job, await allSites(), (envelope) => {
      if (envelope.from === "coordinator" && envelope.step !== "job") sent.push(envelope)
      return false
    })
    const again = FederatedJob.rebuilt(study(), JSON.parse(JSON.stringify(job.document)), job.events)
    expect(again.sent).toEqual(sent)
    expect(again.job.state()).toEqual(job.state())
    expect(again.job.result()).toEqual(job.result())
  })

  test("in the mode separate every site is protected by itself, and two sites are enough", async () => {
    const two = request({ sql: countSql, mode: "separate" })
    const job = FederatedJob.create(study(), { ...two, sites: two.sites.slice(0, 2) }, start)
    await walk(job, (await allSites()).slice(0, 2))
    const { answer, receipt, bySite = [] } = job.result() ?? {}
    expect(receipt).toMatchObject({ honest: 1, survivors: ["north", "south"] })
    expect(bySite.map(({ site }) => site)).toEqual(["north", "south"])
    const counts = bySite.map((one) => one.answer.rows.map((row) => Number(row[1]?.value)))
    expect(answer?.rows.map((row) => row[1]?.value)).toEqual(
      [0, 1].map((place) => counts.reduce((sum, own) => sum + (own[place] ?? 0), 0)),
    )
    const widths = [answer, bySite[0]?.answer].map((table) => {
      const { low, high } = table?.rows[0]?.[1] ?? {}
      return Number(high) - Number(low)
    })
    expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(Math.SQRT2, 0)
  })
})

describe("what a site refuses", () => {
  const made = (more: Partial<JobRequest> = {}): FederatedJob =>
    FederatedJob.create(study(), request({ sql: countSql, ...more }), start)

  test("a job that was charged is not taken again, nor by the same site after a restart", async () => {
    const job = made()
    const { sites } = await walk(job, await allSites())
    const [north] = sites
    if (north === undefined) throw new Error("there is a site")
    await expect(north.site.offer(job.document)).rejects.toMatchObject({ code: "federation/job-known" })
    const { site: restarted } = await siteAt(0, { ledger: north.ledger })
    await expect(restarted.offer(job.document)).rejects.toMatchObject({ code: "federation/job-known" })
  })

  test("what a charge has bought whose process has ended is nothing, and its owner hears of it", async () => {
    const parts = { store: new MemoryStore(), anchor: memoryAnchor() }
    const opened = (): Promise<Ledger> => openChainLedger(parts, { dataset: "study" })
    const first = await opened()
    await first.openAccount("dataset", study().policy.terms.budget)
    const job = made({ sites: peers().slice(0, 1), mode: "separate" })
    const before = await siteAt(0, { ledger: first })
    const { job: id } = await before.site.offer(job.document)
    await before.site.approve(id, "committee")
    // Another process, while the first one lives.
    const beside = await siteAt(0, { ledger: await opened() })
    await beside.site.settleLeft()
    expect(await beside.ledger.unsettled()).toHaveLength(1)
    await first.close()
    const after = await siteAt(0, { ledger: await opened() })
    await after.site.settleLeft()
    expect(await after.ledger.unsettled()).toEqual([])
    expect(await after.ledger.incidents()).toMatchObject([{ cause: "lost" }])
  })

  test("a site that is closed in order settles the charges of what it has given", async () => {
    const job = made({ sites: peers().slice(0, 1), mode: "separate" })
    const { site, ledger } = await siteAt(0)
    const { job: id } = await site.offer(job.document)
    await site.approve(id, "committee")
    expect(await ledger.unsettled()).toHaveLength(1)
    await site.close()
    expect(await ledger.unsettled()).toEqual([])
    expect(await ledger.incidents()).toEqual([])
  })

  test("a job whose sites are no longer known when it is approved, or that ends too late", async () => {
    let known = peers()
    const { site, ledger } = await siteAt(0, { known: () => known })
    const job = made()
    const { job: id } = await site.offer(job.document)
    known = known.slice(0, 3)
    await expect(site.approve(id, "committee")).rejects.toThrow("is not known here")
    known = peers()
    expect(await site.approve(id, "committee")).toHaveLength(1)
    const ends = (hours: number): FederatedJob =>
      made({ deadlines: { ...job.document.document.deadlines, end: later(hours).toISOString() } })
    await expect(site.offer(ends(24 * 366 + 1).document)).rejects.toThrow("366 days")
    await expect(site.offer(ends(24 * 366).document)).resolves.toBeDefined()
    expect(await charges({ site, ledger })).toEqual([])
  })

  test("a plan of another layout, a larger delta, another coordinator, a late job", async () => {
    const { site, ledger } = await siteAt(0)
    const { document } = made()
    const offered = (change: Partial<typeof document.document>, signer = coordinator): Promise<unknown> =>
      site.offer(signJob({ ...document.document, ...change }, signer))
    const cases = [
      [offered({ sql: "SELECT COUNT(*) FROM patients" }), "federation/other-layout"],
      [offered({ layout: "0".repeat(64) }), "federation/other-layout"],
      [offered({ loss: { ...document.document.loss, amount: "1/1000" } }), "federation/other-layout"],
      [offered({ ask: { ...ask, delta: "1/1000" } }), "federation/not-for-us"],
      [offered({ ask: { ...ask, epsilon: "5" } }), "ask/too-large"],
      [offered({ sites: document.document.sites.slice(1) }), "federation/not-for-us"],
      [offered({ created: later(1).toISOString() }), "federation/not-for-us"],
      [offered({ honest: 3, colluding: 0 }), "federation/bad-message"],
    ] as const
    for (const [refused, code] of cases) {
      await expect(refused).rejects.toMatchObject({ code })
    }
    const other = Signer.make()
    const own = (one: { readonly name: string }): boolean => one.name === "north"
    const invented = peers().map((one) => (own(one) ? one : { ...one, key: Signer.make().publicKey }))
    await expect(offered({ sites: invented })).rejects.toThrow("is not known here")
    await expect(offered({ coordinator: other.publicKey }, other)).rejects.toThrow("another coordinator")
    const strict = await siteAt(0, { floor: { ...usualFloor, sites: 5 } })
    await expect(strict.site.offer(document)).rejects.toThrow("asks for at least 5")
    expect(await charges({ site, ledger })).toEqual([])
  })

  test("messages that are altered, reordered, of others, or twice", async () => {
    const job = made()
    const { site, ledger } = await siteAt(0)
    const { job: id } = await site.offer(job.document)
    const [approval] = await site.approve(id, "committee")
    if (approval === undefined) throw new Error("an approval is sent")
    await expect(site.approve(id, "committee")).rejects.toMatchObject({ code: "federation/unknown-job" })
    const message = { job: id, step: "end", from: "coordinator", to: "north", sequence: 1, body: { why: "" } }
    const end = sealed(message, coordinator)
    const wrong = [
      { ...end, body: { why: "other" } },
      sealed({ ...message, sequence: 2 }, coordinator),
      sealed({ ...message, to: "south" }, coordinator),
      sealed({ ...message, from: "south" }, coordinator),
      sealed(message, Signer.make()),
    ]
    for (const one of wrong) {
      await expect(site.receive(one)).rejects.toMatchObject({ code: "federation/out-of-order" })
    }
    expect(await site.receive(end)).toEqual([])
    expect(await site.receive(end)).toEqual([])
    expect(await charges({ site, ledger })).toEqual([])
    const other = { ...approval, from: "south" }
    for (const one of [{ ...approval, body: {} }, other, { ...approval, sequence: 1 }]) {
      expect(() => job.receive(one)).toThrow(expect.objectContaining({ code: "federation/out-of-order" }))
    }
    expect(job.receive(approval)).toEqual([])
    expect(job.receive(approval)).toEqual([])
  })

  test.runIf(isLongForm)(
    "a budget that is too small is no charge: the site leaves, and the others go on",
    async () => {
      const job = made()
      const sites = await allSites()
      const [first] = sites
      if (first === undefined) throw new Error("there is a site")
      const { ledger } = first
      const budget = budgetFor({ epsilon: "0.001", delta: "0.00001", accounting: "zcdp" })
      await ledger.changeBudget("dataset", budget, { by: ["owner"], why: "nothing is left" })
      await walk(job, sites)
      expect(job.result()?.receipt.survivors).toEqual(["south", "west", "east"])
      expect(job.state().sites[0]).toMatchObject({ progress: "lost", why: "budget/exhausted" })
      expect(await charges(first)).toEqual([])
    },
  )
})

describe("what cannot be asked of several sites", () => {
  test.each([
    ["SELECT town, COUNT(*) FROM visits GROUP BY town", "values:"],
    ["SELECT QUANTILE(age, 0.5) FROM patients", "bands"],
    ["EXPLAIN SELECT COUNT(*) FROM patients", "before it is approved"],
  ])("%s", (sql, remedy) => {
    const refused = (): unknown => planJob(sql, ask, 3, study())
    const issues: unknown = expect.arrayContaining([
      expect.objectContaining({ help: expect.stringContaining(remedy) }),
    ])
    expect(refused).toThrow(expect.objectContaining({ code: "federation/not-a-sum", issues }))
  })

  test("smaller counts than a site's policy shows", () => {
    const { policy } = study()
    const careful = { ...policy, terms: { ...policy.terms, shownFrom: 5n } }
    const plan = (shownFrom: string): unknown =>
      planJob(countSql, { ...ask, shownFrom }, 3, { policy: careful, grammar })
    expect(() => plan("4")).toThrow(expect.objectContaining({ code: "federation/shows-too-little" }))
    expect(() => plan("5")).not.toThrow()
  })

  test("what the remedies say can be asked", () => {
    const asked = [
      "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
      "SELECT FLOOR(age / 5) AS band, COUNT(*) FROM patients GROUP BY FLOOR(age / 5)",
      "SELECT AVG(age), STDDEV(age) FROM patients",
      "SELECT ward, SUM(1) FROM visits GROUP BY ROLLUP (ward)",
    ]
    for (const accounting of sampleOf(["zcdp", "pure"], 1)) {
      for (const sql of asked)
        expect(planJob(sql, ask, 3, study(accounting)).shares.length).toBeGreaterThan(0)
    }
  })
})
