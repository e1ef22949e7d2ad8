// What a lying coordinator, a lying site or a curious one tried.

import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DosimeterError, type RandomBits } from "@dosimeter/core"
import { add, numberUp, rational, zero } from "@dosimeter/core/exact"
import { lossOfShares } from "@dosimeter/core/distributed"
import { zcdpToEpsilon } from "@dosimeter/core/meaning"
import { seededBits } from "@dosimeter/core/testing"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Ledger } from "../ledger/ledger.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { FederatedJob, type JobRequest, type StudyOptions } from "./coordinator.ts"
import { sealed, type Envelope } from "./envelope.ts"
import { planJob } from "./plan-job.ts"
import type { Backend } from "../dataset/backend.ts"
import { withViews } from "./views.ts"
import { AgreementKey, deriveKey, seal, signHash } from "./sums/sum-keys.ts"
import { decodeCoordinatorMessage, decodeSiteMessage } from "./sums/sum-messages.ts"
import {
  keysStatement,
  maskedStatement,
  rosterOf,
  sharesStatement,
  unmaskStatement,
  survivorsStatement,
  groupOf,
} from "./sums/sum-statements.ts"
import { receiptOfJob } from "./receipt-of-job.ts"
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

async function siteAt(index: number, ofBackend: (own: Backend) => Backend = (own) => own): Promise<Site> {
  const rng: RandomBits = seededBits(`site ${index}`)
  const dataset = datasets[index]
  const [name = "", signer = coordinator] = [names[index], signers[index]]
  if (dataset === undefined) throw new Error("there is no such site")
  const { policy, backend, version } = dataset
  const ledger = await openMemoryLedger({ dataset: policy.dataset })
  await ledger.openAccount("dataset", policy.terms.budget)
  const site = new FederatedSite({
    name,
    signer,
    coordinator: coordinator.publicKey,
    study: "ages",
    peers,
    policy,
    backend: ofBackend(backend),
    ledger,
    version,
    grammar,
    rng,
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

function kindOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "kind" in body ? body.kind : undefined
}

const allSites = (): Promise<Site[]> => Promise.all(names.map((_, index) => siteAt(index)))

async function charges({ ledger }: Site): Promise<readonly string[]> {
  return (await ledger.entries(1n, 100)).map(({ entry }) => entry.kind).filter((kind) => kind === "charge")
}

const countSql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex ORDER BY sex"

/** What a coordinator answers; a liar's message may be refused. */
function taken(job: FederatedJob, envelope: Envelope): readonly Envelope[] {
  try {
    return job.receive(envelope)
  } catch (error) {
    if (envelope.from === "east" && error instanceof DosimeterError) return []
    throw error
  }
}

/** A promise, and what keeps it. */
function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((keep) => {
    resolve = keep
  })
  return { promise, resolve }
}

/** Takes a message to where it goes; what it answers. */
type Carries = (envelope: Envelope, kind: unknown) => readonly Envelope[] | undefined

/** Everybody agrees; messages are carried until nothing moves but the clock. `instead` may act for somebody. */
async function walk(
  job: FederatedJob,
  sites: readonly Site[],
  instead: Carries = () => undefined,
): Promise<void> {
  const byName = new Map(sites.map((one) => [one.site.name, one.site]))
  const queue: Envelope[] = [...job.invitations()]
  for (let hours = 1; hours < 80;) {
    const envelope = queue.shift()
    if (envelope === undefined) {
      if (job.state().phase === "answered" || job.state().phase === "failed") return
      queue.push(...job.advance(later(hours)))
      hours += 2
      continue
    }
    const arrived: Envelope = JSON.parse(JSON.stringify(envelope))
    const own = instead(arrived, kindOf(arrived.body))
    const site = byName.get(arrived.to)
    if (own !== undefined) queue.push(...own)
    else if (arrived.to === "coordinator") queue.push(...taken(job, arrived))
    else if (arrived.step === "job" && site !== undefined) {
      const offer = await site.offer(arrived.body)
      queue.push(...(await site.approve(offer.job, "committee")))
    } else if (site !== undefined) queue.push(...(await site.receive(arrived)))
  }
}

const countJob = (more: Partial<JobRequest> = {}): FederatedJob =>
  FederatedJob.create(study(), request({ sql: countSql, ...more }), start)

/** A lying site's signer, and its messages with another body. */
const liar = (name: string): Signer => signers[names.indexOf(name)] ?? coordinator
const altered = ({ signature: _, ...rest }: Envelope, body: unknown, signer: Signer): Envelope =>
  sealed({ ...rest, body }, signer)

test("a job of another study is not taken: it would be charged to no limit of the study's own", async () => {
  const site = await siteAt(0)
  const { document } = countJob({ study: "ages, too" })
  await expect(site.site.offer(document)).rejects.toThrow("it is of another study")
  const own = await site.site.offer(countJob().document)
  const [left] = await site.site.approve(own.job, "committee")
  expect(left?.step).toBe("approve")
})

// Every site hears the answer and knows its own share: what is left must have the noise of `honest` others.
// Of Laplace noise of scale 100 in two shares, the one that is left has epsilon 0.36 in place of 0.01.
test.each([3, 4, 5, 10])(
  "a site of %i that takes its own share off the answer leaves enough noise",
  (count) => {
    const sites = Array.from({ length: count }, (_, index) => ({
      name: `site-${index}`,
      key: Signer.make().publicKey,
    }))
    const { threshold, honest } = countJob({ sites }).document.document
    expect(honest).toBeLessThanOrEqual(threshold - 1)
  },
)

test("no job lets two sites be added up, of which each can take itself off", () => {
  const sites = peers().slice(0, 3)
  expect(() => countJob({ sites, threshold: 2, honest: 2, colluding: 0 })).toThrow(DosimeterError)
})

test("a mask key of small order is refused before anybody is charged, and closes no door", async () => {
  const job = countJob()
  const sites = await allSites()
  const east = liar("east")
  const sealing = new AgreementKey(randomBytes(32))
  let sequence = 0
  let sum = ""
  const says = (step: string, body: unknown): Envelope =>
    sealed({ job: job.id, step, from: "east", to: "coordinator", sequence: sequence++, body }, east)
  const asEast: Carries = ({ from, to, step, body }, kind) => {
    if (
      step === "approve" &&
      from === "north" &&
      typeof body === "object" &&
      body !== null &&
      "keys" in body
    ) {
      ;({ sum } = decodeSiteMessage(body.keys))
      return undefined
    }
    if (to !== "east") return undefined
    if (step === "job") {
      const bytes = Buffer.alloc(32).toString("base64")
      const terms = { kind: "keys", sum, site: "east", seal: sealing.public, mask: bytes } as const
      return [
        says("approve", {
          by: "x",
          keys: { ...terms, signature: signHash(keysStatement(terms), east.privateKey) },
        }),
      ]
    }
    if (kind !== "roster") return []
    const roster = decodeCoordinatorMessage(body)
    if (roster.kind !== "roster") return []
    const hash = rosterOf(roster.keys)
    const forAll = roster.keys.map(({ site, seal: key }) => [
      site,
      site === "east"
        ? "none"
        : seal(deriveKey(sealing.sharedWith(key), hash, ["seal", "east", site]), randomBytes(64)),
    ])
    const own = {
      kind: "shares",
      sum,
      site: "east",
      roster: hash,
      seedHash: "00",
      sealed: Object.fromEntries(forAll),
    } as const
    return [says("sum", { ...own, signature: signHash(sharesStatement(own), east.privateKey) })]
  }
  // East answers its invitation last: it needs the hash of the sum.
  const invitations = job.invitations()
  await walk(job, sites, (envelope, kind) => {
    if (envelope.to === "east" && envelope.step === "job" && sum === "") return invitations.slice(3)
    try {
      return asEast(envelope, kind)
    } catch {
      return []
    }
  })
  for (const site of sites.slice(0, 3)) {
    expect(await site.ledger.incidents()).toEqual([])
    expect(await charges(site)).toHaveLength(job.state().phase === "answered" ? 1 : 0)
  }
})

test("masked numbers that are no base64 are refused when they come, and the job can be made anew", async () => {
  const job = countJob()
  const change: Carries = (envelope, kind) => {
    if (envelope.from !== "east" || kind !== "masked") return undefined
    const message = decodeSiteMessage(envelope.body)
    if (message.kind !== "masked") return undefined
    const { signature: _, ...rest } = message
    const own = { ...rest, numbers: "!".repeat(rest.numbers.length) }
    const body = { ...own, signature: signHash(maskedStatement(own), liar("east").privateKey) }
    try {
      return job.receive(altered(envelope, body, liar("east")))
    } catch {
      return []
    }
  }
  await walk(job, await allSites(), change)
  expect(job.result()?.receipt.survivors).toEqual(["north", "south", "west"])
  expect(() => FederatedJob.rebuilt(study(), job.document, job.events)).not.toThrow()
})

test.each(names)("one site's wrong share among more than needed does no harm: %s", async (wrongOne) => {
  const job = countJob()
  let group: readonly string[] = []
  let roster = ""
  let survivors: readonly string[] = []
  const change: Carries = (envelope, kind) => {
    const { from, to, body } = envelope
    if (to === "south" && (kind === "roster" || kind === "sealed" || kind === "survivors")) {
      const message = decodeCoordinatorMessage(body)
      if (message.kind === "roster") roster = rosterOf(message.keys)
      if (message.kind === "sealed") group = names.filter((name) => Object.hasOwn(message.sealed, name))
      if (message.kind === "survivors") ({ survivors } = message)
    }
    if (from !== wrongOne || kind !== "unmask") return undefined
    const message = decodeSiteMessage(body)
    if (message.kind !== "unmask") return undefined
    const { signature: _, ...rest } = message
    const wrong = Object.fromEntries(
      Object.keys(rest.seeds).map((name) => [name, randomBytes(32).toString("base64")]),
    )
    const own = { ...rest, seeds: wrong }
    const statement = survivorsStatement(own.sum, groupOf(roster, group), survivors)
    const signed = signHash(unmaskStatement({ ...own, survivors: statement }), liar(wrongOne).privateKey)
    return job.receive(altered(envelope, { ...own, signature: signed }, liar(wrongOne)))
  }
  await walk(job, await allSites(), change)
  expect(job.state().phase).toBe("answered")
})

/** North's message "sealed", held back; and north with a database that waits, and may fail. */
async function atSealed(error?: Error): Promise<{
  readonly north: Site
  readonly message: Envelope
  readonly begun: Promise<void>
  readonly goOn: () => void
}> {
  const job = countJob()
  const begun = promised()
  const gate = promised()
  const north = await siteAt(
    0,
    (own) =>
      new Proxy(own, {
        get(target, key): unknown {
          const found: unknown = Reflect.get(target, key)
          if (key !== "run") return typeof found === "function" ? found.bind(target) : found
          return async (...of: Parameters<Backend["run"]>) => {
            begun.resolve()
            await gate.promise
            if (error !== undefined) throw error
            return target.run(...of)
          }
        },
      }),
  )
  let message: Envelope | undefined
  await walk(
    job,
    [north, ...(await Promise.all([1, 2, 3].map((index) => siteAt(index))))],
    (envelope, kind) => {
      if (envelope.to !== "north" || (message === undefined && kind !== "sealed")) return undefined
      message ??= envelope
      return []
    },
  )
  if (message === undefined) throw new Error("shares were sealed")
  return { north, message, begun: begun.promise, goOn: gate.resolve }
}

test("an end that comes while a site reads hides no failure from its owner", async () => {
  const { north, message, begun, goOn } = await atSealed(new Error("a row did not fit"))
  const left = north.site.receive(message)
  await begun
  const { signature: _, ...rest } = message
  const end = sealed({ ...rest, step: "end", sequence: rest.sequence + 1, body: { why: "" } }, coordinator)
  await north.site.receive(end)
  goOn()
  expect((await left).map(({ step, body }) => ({ step, body }))).toEqual([
    { step: "leave", body: { why: "the site has stopped" } },
  ])
  expect(await north.ledger.incidents()).toHaveLength(1)
})

test("a job that ends while a site reads gets nothing of it, and its charge is settled", async () => {
  const { north, message, begun, goOn } = await atSealed()
  const left = north.site.receive(message)
  await begun
  const { signature: _, ...rest } = message
  const end = sealed({ ...rest, step: "end", sequence: rest.sequence + 1, body: { why: "" } }, coordinator)
  await north.site.receive(end)
  expect(await north.ledger.unsettled()).toHaveLength(1)
  goOn()
  expect(await left).toEqual([])
  expect(await north.ledger.unsettled()).toEqual([])
  expect(await north.ledger.incidents()).toEqual([])
})

test("sealed shares that come twice while a site reads make it neither leave nor forget its charge", async () => {
  const { north, message, begun, goOn } = await atSealed()
  const first = north.site.receive(message)
  await begun
  const { signature: _, ...rest } = message
  const again = sealed({ ...rest, sequence: rest.sequence + 1 }, coordinator)
  const second = north.site.receive(again).catch(() => [])
  goOn()
  expect((await first).map((one) => kindOf(one.body))).toEqual(["masked"])
  expect(await second).toEqual([])
  await north.site.advance(later(100))
  expect(await north.ledger.unsettled()).toEqual([])
})

test("an offer that was under way when a job was approved does not take the approval back", async () => {
  const { site } = await siteAt(0)
  const job = countJob()
  await site.offer(job.document)
  const underWay = site.offer(job.document)
  await site.approve(job.id, "committee")
  await underWay.catch(() => undefined)
  await expect(site.approve(job.id, "committee")).rejects.toMatchObject({ code: "federation/unknown-job" })
})

test("plans that protect units of other names have other layouts", () => {
  const layoutOf = (text: string): string =>
    planJob(countSql, ask, 3, { policy: readPolicy(text), grammar }).layout
  const byVisit = policyOf().replace("unit: patient\n", "unit: visit\n")
  expect(layoutOf(byVisit)).not.toBe(layoutOf(policyOf()))
})

// The last is what the site would give for years above 100 and below 50, added to what others give.
test.each(["min: -100, max: 100", "min: 50, max: 100"])(
  "a sum of values of %s has another layout",
  (range) => {
    const layoutOf = (text: string): string =>
      planJob("SELECT SUM(age) AS years FROM patients", ask, 3, { policy: readPolicy(text), grammar }).layout
    expect(layoutOf(policyOf().replace("min: 0, max: 100", range))).not.toBe(layoutOf(policyOf()))
  },
)

// Ten sites, of which two may be in league and add no noise: eight shares are all that anybody can count on.
test("what the public learns is stated for the noise of honest survivors alone", () => {
  const sites = Array.from({ length: 10 }, (_, index) => ({
    name: `site-${index}`,
    key: Signer.make().publicKey,
  }))
  const { document } = countJob({ sites, colluding: 2 }).document
  const planned = planJob(countSql, ask, document.honest, study())
  const survivors = sites.map(({ name }) => name)
  const { toPublic } = receiptOfJob(document, planned, { survivors, lost: [] })
  const rho = planned.shares.map((share) => lossOfShares(share, 8).zcdp.rho).reduce(add, zero)
  const least = numberUp(zcdpToEpsilon(rho, rational(1n, 100_000_000n)))
  expect(Number(toPublic.epsilon)).toBeGreaterThanOrEqual(least * (1 - 1e-9))
})

const views = {
  patients: "SELECT id, sex, age FROM patients WHERE age >= 18",
  visits: "SELECT v.patient_id, v.ward FROM raw_visits v JOIN patients p ON p.id = v.patient_id",
}

test.each([
  // A name may be spelt in escapes,
  'SELECT COUNT(*) FROM U&"p\\0061tients"',
  // and a view may stand on another one.
  "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
])("a site's view stands before its table, however it is asked for: %s", (sql) => {
  const raw = "  raw_visits:\n    unit: patient_id\n    columns:\n      patient_id: { type: integer }\n"
  const text = policyOf().replace(
    "  visits:\n",
    `${raw}      ward: { values: [A, B, C], type: text }\n  visits:\n`,
  )
  const planned = (): string => {
    const { plan } = planJob(withViews(sql, views), ask, 3, { policy: readPolicy(text), grammar })
    return JSON.stringify(plan.releases, (_, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    )
  }
  let plan: string
  try {
    plan = planned()
  } catch {
    // Refused is as good.
    return
  }
  expect(plan).toContain("18n")
})
