// A coordinator's jobs as they are shown: what is kept beside the letters is what the letters say, and
// whoever changes it gets nothing by it.

import { afterEach, beforeEach, expect, test } from "vitest"
import { sealed, Signer, usualAsk, type JobRequest } from "@dosimeter/engine"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import type { Policy } from "@dosimeter/policy/file/policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { letterTo } from "../mail/envelope-letter.ts"
import { keepLetters } from "../mail/letters.ts"
import { openSqliteState } from "../../state/sqlite-state.ts"
import type { StateStore } from "../../state/state-store.ts"
import { Bells } from "../mail/bells.ts"
import { Jobs, type LedJob } from "./jobs.ts"

const policyOf = (unit = "patient"): Policy =>
  readPolicy(`dataset: trial
source: { duckdb: none.duckdb }
unit: ${unit}
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 2 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      age: { min: 18, max: 99, type: integer, nullable: false }
`)
const coordinator = Signer.make()
const sites = [
  { name: "north", signer: Signer.make(), count: 170 },
  { name: "south", signer: Signer.make(), count: 23 },
]
const at = "2026-11-19T10:00:00.000Z"
let store: StateStore

beforeEach(() => {
  store = openSqliteState(":memory:")
})

afterEach(async () => store.close())

/** Jobs as a process that has just begun has them. */
async function fresh(unit?: string): Promise<Jobs> {
  const study = { policy: policyOf(unit), grammar: await loadGrammar(), signer: coordinator }
  return new Jobs({ store, study, bells: new Bells(), now: () => new Date(at) })
}

async function asked(): Promise<string> {
  const request: JobRequest = {
    study: "trial",
    purpose: "how many?",
    sql: "SELECT COUNT(*) AS n FROM patients WHERE age > 40",
    sites: sites.map(({ name, signer }) => ({ name, key: signer.publicKey })),
    ask: usualAsk(policyOf(), "1"),
    mode: "separate",
    deadlines: { approval: "2026-11-20T10:00:00.000Z", stepSeconds: 60, end: "2026-11-21T10:00:00.000Z" },
  }
  return (await (await fresh()).ask(request, "lena")).id
}

/** A letter of a site comes, and a process works on it. */
async function comes(job: string, site: number, sequence: number): Promise<void> {
  const { name, signer, count } = sites[site] ?? fail()
  const said =
    sequence === 0
      ? { step: "approve", body: { by: "carl", keys: {} } }
      : // Shares of noise are in half steps, and so are the numbers.
        { step: "numbers", body: { numbers: [`${2 * count}`] } }
  const letter = letterTo(sealed({ job, from: name, to: "coordinator", sequence, ...said }, signer))
  await store.transaction((access) => keepLetters(access, "in", [{ ...letter, peer: name }], at))
  const jobs = await fresh()
  while (await jobs.step());
}

function fail(): never {
  throw new Error("there is such a site")
}

async function answered(): Promise<string> {
  const job = await asked()
  for (const sequence of [0, 1]) for (const site of [0, 1]) await comes(job, site, sequence)
  return job
}

const phaseOf = ({ state }: LedJob): string => state.phase
const countOf = ({ result }: LedJob): unknown => result?.answer.rows[0]?.[0]?.value

test("what is kept says after every letter what all letters say together", async () => {
  const job = await asked()
  const seen: string[] = []
  for (const [site, sequence] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const) {
    await comes(job, site, sequence)
    const [kept] = await store.all("SELECT * FROM federation_shown")
    const shown = await (await fresh()).find(job)
    await store.run("DELETE FROM federation_shown")
    // Without it the letters are read.
    const read = await (await fresh()).find(job)
    expect(JSON.stringify(shown)).toBe(JSON.stringify(read))
    seen.push(shown.state.sites.map(({ progress }) => progress).join(" "))
    await store.run("INSERT INTO federation_shown (job, turn, body, signature) VALUES (?, ?, ?, ?)", [
      job,
      ...["turn", "body", "signature"].map((name) => kept?.[name] ?? null),
    ])
  }
  expect(seen).toEqual(["approved waiting", "approved approved", "approved done", "done done"])
  const [whole] = await (await fresh()).list()
  expect(whole).toMatchObject({ id: job, askedBy: "lena", askedAt: at, state: { phase: "answered" } })
  expect(whole?.result?.bySite?.map(({ answer }) => answer.rows[0]?.[0]?.value)).toEqual([170, 23])
  expect(whole === undefined ? undefined : countOf(whole)).toBe(193)
})

test("a job that is over is shown without its letters, and no process reads them again", async () => {
  const job = await answered()
  await store.run("UPDATE federation_letters SET body = 'gone' WHERE box = 'in'")
  const jobs = await fresh()
  expect(await jobs.step()).toBe(false)
  expect(countOf(await jobs.find(job.slice(0, 8)))).toBe(193)
})

test("what somebody has written in its place, or put back from before, is not shown", async () => {
  const job = await asked()
  await comes(job, 0, 0)
  const [early] = await store.all("SELECT turn, body, signature FROM federation_shown")
  for (const [site, sequence] of [
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    await comes(job, site, sequence)
  }
  const put = async (body: unknown, turn: unknown, signature: unknown): Promise<void> => {
    await store.run("UPDATE federation_shown SET body = ?, turn = ?, signature = ?", [
      String(body),
      Number(turn),
      String(signature),
    ])
  }
  const [last] = await store.all("SELECT turn, body, signature FROM federation_shown")
  await put(String(last?.["body"]).replaceAll("193", "9"), last?.["turn"], last?.["signature"])
  expect(countOf(await (await fresh()).find(job))).toBe(193)
  await put(early?.["body"], early?.["turn"], early?.["signature"])
  expect(phaseOf(await (await fresh()).find(job))).toBe("answered")
  await put(early?.["body"], last?.["turn"], early?.["signature"])
  expect(phaseOf(await (await fresh()).find(job))).toBe("answered")
})

test("under another catalog a job that is open is over, and one that is answered keeps its answer", async () => {
  const done = await answered()
  const open = await asked()
  const jobs = await fresh("person")
  const found = await jobs.find(open)
  expect(found.state).toMatchObject({ phase: "failed", why: expect.stringContaining("another version") })
  expect(countOf(await jobs.find(done))).toBe(193)
  expect(await jobs.step()).toBe(false)
  expect(await jobs.list()).toHaveLength(2)
})
