// The commands of a study over several sites, as people type them: invitations, joining, the inbox and
// what is agreed to beforehand.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { coordinatorName, decodeJob, sealed, Signer } from "@dosimeter/engine"
import { z } from "zod"
import { Coordinator } from "../../../federation/coordinator/coordinator.ts"
import { letterTo } from "../../../federation/mail/envelope-letter.ts"
import { keepLetters } from "../../../federation/mail/letters.ts"
import { CoordinatorLine } from "../../../federation/node/coordinator-line.ts"
import { NodeWork } from "../../../federation/node/work.ts"
import { fingerprintOf, openKeyFile } from "../../../federation/wire/identity.ts"
import { writeInvitation } from "../../../federation/wire/invitation.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { CoordinatorLab, LetterSite } from "../../../testing/consortium.ts"
import { runCommand } from "../../../main.ts"
import { smallHospital, type Ran, type SmallHospital } from "../../../testing/small-hospital.ts"

let hospital: SmallHospital
let lab: CoordinatorLab
let lead: StateStore

beforeAll(async () => {
  hospital = await smallHospital()
  for (const [name, role] of [
    ["carl", "committee"],
    ["ada", "analyst"],
  ] as const) {
    await hospital.run("user", "add", name, "--role", role)
  }
  mkdirSync(join(hospital.folder, "lead", ".dosimeter"), { recursive: true })
  writeFileSync(join(hospital.folder, "lead", "study.yaml"), "dataset: heart\n")
  // The port of the coordinator that the commands are about.
  const state = join(hospital.folder, "lead", ".dosimeter")
  lead = openSqliteState(join(state, "server.state"))
  const signer = openKeyFile(join(state, "coordinator.key"))
  lab = new CoordinatorLab(undefined, { store: lead, signer })
  await lab.open()
})

afterAll(async () => {
  await lab.close()
  await lead.close()
  hospital.remove()
})

const run = (line: string): Promise<Ran> =>
  hospital.run(...(line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', "")))
const leads = (line: string): Promise<Ran> => run(`coordinator ${line} --study lead/study.yaml`)

test("a lead invites a site, which joins once it has said that the fingerprint is right", async () => {
  expect((await leads("sites")).out).toContain("no site was invited yet")
  expect((await leads("invite north")).error).toContain("federation/no-url")
  expect((await leads("invite north --url http://study.example.org")).error).toContain("federation/bad-url")
  expect((await leads(`invite coordinator --url ${lab.url}`)).error).toContain("federation/bad-site")
  const invited = await leads("invite north")
  const [line = ""] = /dosimeter-invitation-\S+/.exec(invited.out) ?? []
  const fingerprint = fingerprintOf(lab.signer.publicKey)
  expect(invited.out).toContain(fingerprint)
  expect((await run("node status")).error).toContain("federation/not-joined")
  expect((await run("node join dosimeter-invitation-1.x")).error).toContain("federation/bad-invitation")
  // Nobody is at the terminal, so nobody can say yes.
  expect((await run(`node join ${line}`)).error).toContain("federation/not-pinned")
  const other = fingerprintOf(Signer.make().publicKey)
  expect((await run(`node join ${line} --fingerprint ${other}`)).error).toContain(
    "federation/other-fingerprint",
  )
  const bad = await run(`node join ${line} --fingerprint ${fingerprint} --proxy socks://x`)
  // HTTP on this machine needs no proxy; any other address does.
  expect(bad.code).toBe(0)
  expect((await run(`node join ${line} --fingerprint ${fingerprint}`)).error).toContain(
    "federation/joined-already",
  )
  const { out } = await run("node status")
  expect(out).toContain("study        heart")
  expect(out).toContain("not called yet")
  const south = keyWith("-")
  expect((await run("node peers --as carl")).out).toContain("no other site is known")
  expect((await run("node peer south nokey --as carl")).error).toContain("federation/bad-peer")
  expect((await run(`node peer south ${south} --as carl`)).out).toContain(fingerprintOf(south))
  expect((await run("node peers --as carl")).out).toContain(south)
  const listed = await leads("sites --json")
  expect(JSON.parse(listed.out)).toMatchObject({ sites: [{ name: "north", state: "enrolled" }] })
  expect((await leads("sites")).out).toMatch(/^north +enrolled/m)
})

test("a proxy that is none, and a coordinator of another version, are said", async () => {
  const signer = Signer.make()
  const { url } = lab
  const coordinator = lab.signer.publicKey
  const through = { url: "https://study.example.org", coordinator, site: "south", signer }
  const wrong = new CoordinatorLine({ ...through, route: { proxy: "socks://x" } })
  await expect(wrong.call("poll", {}, z.unknown())).rejects.toMatchObject({ code: "federation/bad-proxy" })
  const line = await new Coordinator({ store: lead, signer: lab.signer, study: "heart" }).invite("south", {
    by: "lead",
  })
  expect(line).not.toBe(writeInvitation({ url, coordinator, site: "south", code: "A".repeat(22) }))
  const north = openKeyFile(join(hospital.folder, ".dosimeter", "node.key"))
  const newer = new CoordinatorLine({ url, coordinator, site: "north", signer: north, route: {} })
  const asked = newer.call("poll", { after: 0, waitSeconds: 0 }, z.strictObject({ mail: z.string() }))
  await expect(asked).rejects.toMatchObject({ code: "federation/other-version" })
})

test("a regression that is not wholly said is refused", async () => {
  writeFileSync(join(hospital.folder, "lead", "fit.yaml"), studyText)
  const ask = (flags: string): Promise<Ran> =>
    run(`coordinator ask "SELECT age, ill FROM patients" --purpose fit --study lead/fit.yaml ${flags}`)
  const few = "--model logistic --target ill --rounds 20"
  for (const flags of ["--model forest --target ill", "--model logistic", "--target ill", few]) {
    expect((await ask(flags)).error).toContain("cli/bad-option")
  }
  expect((await ask("--model logistic --target ill")).error).toContain("a sum over fewer than 3 sites")
})

const studyText = `dataset: heart
source: { duckdb: none.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 6, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      age: { min: 18, max: 99, type: integer, nullable: false }
      ill: { type: boolean, nullable: false }
`

test("a job is shown in plain words, and decided by whoever may", async () => {
  expect((await run("node inbox --as carl")).out).toContain("no job was offered yet")
  const store = openSqliteState(join(hospital.folder, ".dosimeter", "server.state"))
  const signer = openKeyFile(join(hospital.folder, ".dosimeter", "node.key"))
  const site = { name: "north", signer }
  const jobs: string[] = []
  for (const sql of ["SELECT COUNT(*) FROM person", "SELECT COUNT(*) FROM death"]) {
    const { job, document } = lab.document([site], sql)
    const message = { job, step: "job", from: coordinatorName, to: "north", sequence: 0, body: document }
    const letter = { ...letterTo(sealed(message, lab.signer)), peer: coordinatorName }
    await store.transaction((access) => keepLetters(access, "in", [letter], "2026-11-18T00:00:00.000Z"))
    expect(decodeJob(document).document.sql).toBe(sql)
    jobs.push(job)
  }
  const work = new NodeWork({ store, note: () => {}, site: new LetterSite("north", signer) })
  while (await work.step());
  const [first = "", second = ""] = jobs
  const shown = (await run(`node inbox ${first.slice(0, 12)} --as carl`)).out
  expect(shown).toContain("It counts, and the sum leaves.")
  expect(shown).toContain("  SELECT COUNT(*) FROM person")
  expect((await run("node inbox ffffffffffff --as carl")).error).toContain("federation/no-job")
  expect((await run(`node approve ${first} --as carl`)).error).toContain("cli/not-confirmed")
  expect((await run(`node approve ${first} --as ada --yes`)).error).toContain("federation/not-allowed")
  expect((await run(`node approve ${first} --as carl --yes`)).out).toContain("is approved")
  expect((await run(`node refuse ${first} --as carl --why late`)).error).toContain("federation/decided")
  expect((await hospital.run("node", "refuse", second, "--as", "carl", "--why", " ")).error).toContain(
    "federation/no-reasons",
  )
  expect((await run(`node refuse ${second} --as carl --why "not now"`)).code).toBe(0)
  while (await work.step());
  const sent = await store.all("SELECT job, step FROM federation_letters WHERE box = 'out' ORDER BY position")
  expect(sent).toEqual([
    { job: first, step: "approve" },
    { job: second, step: "refuse" },
  ])
  expect((await run("node inbox --as carl")).out.match(/approved|refused/g)?.toSorted()).toEqual([
    "approved",
    "refused",
  ])
  await store.close()
})

test("a view is checked when it is written, listed and ended; two people's rows in one are refused", async () => {
  const add = (table: string, select: string, as = "carl"): Promise<Ran> =>
    hospital.run("node", "view", "add", table, select, "--as", as)
  expect((await run("node view list --as carl")).out).toContain("this house's own tables")
  const own = "SELECT person_id AS id, gender_concept_id AS sex FROM person"
  expect((await add("patients", own, "ada")).error).toContain("federation/not-allowed")
  expect((await add("pat ients", own)).error).toContain("federation/bad-view")
  expect((await add("patients", "SELECT nothing FROM person")).code).not.toBe(0)
  expect((await add("patients", "SELECT COUNT(*) AS n FROM person")).code).not.toBe(0)
  expect((await run("node view list --as carl")).out).toContain("this house's own tables")
  expect((await add("patients", own)).code).toBe(0)
  expect(JSON.parse((await run("node view list --as carl --json")).out)).toEqual({ views: { patients: own } })
  expect((await run("node view end visits --as carl")).error).toContain("federation/no-such-view")
  expect((await run("node view end patients --as carl")).out).toContain("is gone")
  expect((await run("node view list --as carl")).out).toContain("this house's own tables")
})

test("what is agreed to beforehand is listed with what was used, and ended", async () => {
  const terms = "--each 0.1 --epsilon 1 --delta 1e-7 --until 2099-06-30"
  const add = `node standing add ${terms} --pattern "SELECT COUNT(*) FROM *"`
  expect((await run(`${add} --as ada`)).error).toContain("federation/not-allowed")
  expect((await run(`${add} --as carl --sites 0`)).error).toContain("federation/bad-standing")
  expect((await run(`${add} --as carl`)).out).toContain("standing approval 1 holds")
  expect((await run("node standing list --as carl")).out).toMatch(/^1 .* holds$/m)
  expect((await run("node standing end 1 --as carl")).code).toBe(0)
  expect((await run("node standing end 1 --as carl")).error).toContain("federation/no-standing")
})

test("a site is expelled with a reason, and a node leaves", async () => {
  expect((await hospital.run(...expel("north", " "))).error).toContain("federation/no-reasons")
  expect((await hospital.run(...expel("nobody", "x"))).error).toContain("federation/no-site")
  expect((await hospital.run(...expel("north", "the contract is over"))).code).toBe(0)
  expect((await leads("sites")).out).toMatch(/^north +expelled/m)
  // A node that runs stops by itself: in another process it would go on for the old coordinator.
  let said = ""
  let running: Promise<number> | undefined
  await new Promise<void>((dials) => {
    const error = (text: string): void => void (said += text)
    running = runCommand(["node", "run"], { folder: hospital.folder, out: () => dials(), error })
  })
  expect((await run("node leave")).out).toContain("has left the study heart")
  expect(await running).toBe(0)
  expect(said).toContain("the site north has left the study heart")
  expect((await run("node leave")).error).toContain("federation/not-joined")
})

/** A key that begins like an option. */
function keyWith(first: string): string {
  for (;;) {
    const { publicKey } = Signer.make()
    if (publicKey.startsWith(first)) return publicKey
  }
}

function expel(site: string, why: string): readonly string[] {
  return ["coordinator", "expel", site, "--why", why, "--study", "lead/study.yaml"]
}
