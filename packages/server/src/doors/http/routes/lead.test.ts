// The lead's routes at a coordinator: sites, jobs, and who may do what; nothing of a dataset is there.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decodeJob, jobId, Signer, signJob } from "@dosimeter/engine"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import { enrolmentProof, readInvitation } from "../../../federation/wire/invitation.ts"
import type { Role } from "../../../people/roles.ts"
import { leadPassword, openLeadLab, type LeadLab } from "../../../testing/lead-lab.ts"
import { ApiError, Client } from "../contract/client.ts"
import { coordinatorContract } from "../contract/lead-contract.ts"
import { openApiDocument } from "../contract/openapi.ts"

let lab: LeadLab
beforeAll(async () => {
  lab = await openLeadLab()
})
afterAll(async () => lab.close())

const as = (role: Role): Client => lab.as(role)

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "accepted",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : String(error)),
  )
}

test("a lead signs in with a password, and hears of the rights that mean something here", async () => {
  expect(await new Client({ url: lab.url }).call("signInMethods")).toMatchObject({
    password: true,
    place: "coordinator",
  })
  const me = await new Client({ url: lab.url }).call("signIn", {
    body: { name: "lena", password: leadPassword },
  })
  expect(me).toMatchObject({ place: "coordinator", rights: ["ask", "see-studies", "operate"] })
  expect(await as("auditor").call("getStudyLed")).toEqual({
    study: "trial",
    unit: "patient",
    fingerprint: fingerprintOf(lab.coordinator.signer.publicKey),
    tables: [{ name: "patients", columns: ["id", "sex", "town"] }],
    epsilonDefault: "0.5",
  })
})

test("sites are invited and expelled by whoever operates, and seen by whoever sees studies", async () => {
  const invite = (site: string): Promise<{ readonly invitation: string }> =>
    as("owner").call("inviteSite", { body: { site, url: "http://localhost:1" } })
  expect(await codeOf(as("analyst").call("inviteSite", { body: { site: "north" } }))).toBe("account/no-right")
  for (const site of ["north", "south", "west", "east"]) {
    const { code, coordinator: pinned } = readInvitation((await invite(site)).invitation)
    expect(pinned).toBe(lab.coordinator.signer.publicKey)
    const key = Signer.make().publicKey
    const proof = enrolmentProof(code, { coordinator: pinned, site, key })
    const request = { kind: "enrol", site, key, nonce: site, content: {}, time: "" } as const
    await lab.coordinator.sites.enrol({ ...request }, proof, pinned)
  }
  expect(await codeOf(invite("north"))).toBe("federation/site-exists")
  const expel = { params: { site: "east" }, body: { reasons: "the contract is over" } }
  expect(await codeOf(as("analyst").call("expelSite", expel))).toBe("account/no-right")
  await as("owner").call("expelSite", expel)
  const { items } = await as("auditor").call("listSites")
  expect(items.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "east expelled",
    "north enrolled",
    "south enrolled",
    "west enrolled",
  ])
  expect(await codeOf(as("participant").call("listSites"))).toBe("account/no-right")
})

test("a question is offered to every site that takes part, and its job is shown as it stands", async () => {
  const sql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"
  const body = { sql, purpose: "to plan", mode: "summed", hours: 1, stepMinutes: 0.5 } as const
  expect(await codeOf(as("auditor").call("askSites", { body }))).toBe("account/no-right")
  const job = await as("analyst").call("askSites", { body })
  expect(job).toMatchObject({
    askedBy: "ada",
    phase: "offered",
    threshold: 3,
    epsilon: "0.5",
    answer: null,
    receipt: null,
    sites: ["north", "south", "west"].map((name) => ({ name, progress: "waiting", why: null })),
  })
  expect(await as("auditor").call("getJob", { params: { job: job.id.slice(0, 12) } })).toEqual(job)
  expect((await as("auditor").call("listJobs")).items).toEqual([job])
  const pool = { params: { job: job.id }, query: { measure: "mean", count: "n" } } as const
  expect(await codeOf(as("auditor").call("poolJob", pool))).toBe("federation/not-separate")
})

test("a regression is offered with all of its sums; one that cannot be fitted is not", async () => {
  const model = { kind: "logistic", target: "sex", rounds: 60 } as const
  const sql = "SELECT sex, CASE sex WHEN 'f' THEN 1 ELSE 0 END AS woman FROM patients"
  const body = { sql, purpose: "to fit", mode: "summed", hours: 1, model } as const
  const job = await as("analyst").call("askSites", { body })
  // A first look, the rounds, the curvature and the quality.
  expect(job).toMatchObject({ model, rounds: { done: 0, all: 63 }, phase: "offered", answer: null })
  const refused = (change: object): Promise<string> =>
    codeOf(as("analyst").call("askSites", { body: { ...body, ...change } }))
  expect(await refused({ model: { ...model, target: "age" } })).toBe("training/no-target")
  expect(await refused({ model: { ...model, rounds: 20 } })).toMatch(/^request\//)
  expect(await refused({ mode: "separate" })).toBe("federation/bad-message")
  expect(await refused({ sql: "SELECT sex, town FROM patients" })).toMatch(/^(training|model)\//)
})

test("a job that an earlier version has planned is shown as over, beside all others", async () => {
  const { store, signer } = lab.coordinator
  const [row] = await store.all("SELECT document FROM federation_jobs LIMIT 1")
  const { document } = decodeJob(JSON.parse(String(row?.["document"])))
  const earlier = signJob({ ...document, layout: "0".repeat(64) }, signer)
  await store.transaction(async (access) =>
    access.run(
      "INSERT INTO federation_jobs (id, document, offer, state, at, decided_by) VALUES (?, ?, ?, ?, ?, ?)",
      [jobId(earlier.document), JSON.stringify(earlier), "", "led", "2026-01-01T00:00:00.000Z", "lena"],
    ),
  )
  const { items } = await as("auditor").call("listJobs")
  expect(items.map(({ phase }) => phase)).toEqual(["offered", "offered", "failed"])
  expect(items[2]?.why).toContain("another version")
})

test("what cannot be asked of several sites is refused before anybody hears of it", async () => {
  const ask = (sql: string, sites?: readonly string[]): Promise<string> => {
    const named = sites === undefined ? {} : { sites }
    return codeOf(
      as("analyst").call("askSites", { body: { sql, purpose: "to plan", mode: "summed", ...named } }),
    )
  }
  expect(await ask("SELECT town, COUNT(*) FROM patients GROUP BY town")).toBe("federation/not-a-sum")
  expect(await ask("SELECT COUNT(*) FROM nowhere")).toMatch(/^(sql|catalog|name)\//)
  expect(await ask("SELECT COUNT(*) FROM patients", ["east"])).toBe("federation/no-site")
})

test("the contract of a coordinator is a document, and its copy in docs is the same", async () => {
  const document: unknown = await (await fetch(`${lab.url}/openapi.json`)).json()
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(coordinatorContract))))
  // To renew it: npm run openapi
  const copy = readFileSync(
    join(import.meta.dirname, "../../../../../../docs/openapi-coordinator.json"),
    "utf8",
  )
  expect(JSON.parse(copy)).toEqual(document)
})
