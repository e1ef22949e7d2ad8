// The lead's routes at a coordinator: sites, jobs, and who may do what; nothing of a dataset is there.

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signer, type Signer as SignerOf } from "@dosimeter/engine"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Coordinator } from "../../../federation/coordinator/coordinator.ts"
import { Jobs } from "../../../federation/coordinator/jobs.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import { enrolmentProof, readInvitation } from "../../../federation/wire/invitation.ts"
import { TryLimits } from "../../../limits/try-limits.ts"
import { Accounts } from "../../../people/accounts.ts"
import type { Role } from "../../../people/roles.ts"
import { Sessions } from "../../../people/sessions.ts"
import { Tokens } from "../../../people/tokens.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { ApiError, Client } from "../contract/client.ts"
import { coordinatorContract } from "../contract/lead-contract.ts"
import { openApiDocument } from "../contract/openapi.ts"
import type { HttpServer } from "../http-server.ts"
import { openCoordinatorDoor } from "../open-coordinator-door.ts"

const policy = readPolicy(`dataset: trial
source: { duckdb: none.duckdb }
unit: patient
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
      sex: { values: [f, m], nullable: false, type: text }
      town: { type: text }
`)
const folder = mkdtempSync(join(tmpdir(), "dosimeter-lead-"))
const signer: SignerOf = Signer.make()
const clients = new Map<Role, Client>()
const password = "four words are best"
let store: StateStore
let coordinator: Coordinator
let door: HttpServer
let url = ""

beforeAll(async () => {
  store = openSqliteState(join(folder, "server.state"))
  coordinator = new Coordinator({ store, signer, study: "trial" })
  const { bells } = coordinator
  const jobs = new Jobs({ store, bells, study: { policy, grammar: await loadGrammar(), signer } })
  const accounts = new Accounts(store)
  const tokens = new Tokens(store)
  door = await openCoordinatorDoor({
    desk: coordinator.desk,
    people: { accounts, sessions: new Sessions(store), tokens },
    lead: { coordinator, jobs, policy, limits: new TryLimits(), setUpCode: undefined, web: "" },
    host: "127.0.0.1",
    port: 0,
    requestsPerMinute: 100_000,
    patience: { headersTimeout: 600_000, requestTimeout: 600_000, handshakeTimeout: 600_000 },
  })
  url = `http://127.0.0.1:${door.port}`
  for (const [name, role] of [
    ["lena", "owner"],
    ["ada", "analyst"],
    ["eve", "auditor"],
    ["paul", "participant"],
  ] as const) {
    await accounts.add(name, role, password, { origin: "chosen" })
    const { secret } = await tokens.add({ name: "test", account: { name, role } })
    clients.set(role, new Client({ url, token: secret }))
  }
})

afterAll(async () => {
  coordinator.close()
  await door.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const as = (role: Role): Client => clients.get(role) ?? new Client({ url })

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "accepted",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : String(error)),
  )
}

test("a lead signs in with a password, and hears of the rights that mean something here", async () => {
  expect(await new Client({ url }).call("signInMethods")).toMatchObject({
    password: true,
    place: "coordinator",
  })
  const me = await new Client({ url }).call("signIn", { body: { name: "lena", password } })
  expect(me).toMatchObject({ place: "coordinator", rights: ["ask", "see-studies", "operate"] })
  expect(await as("auditor").call("getStudyLed")).toEqual({
    study: "trial",
    unit: "patient",
    fingerprint: fingerprintOf(signer.publicKey),
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
    expect(pinned).toBe(signer.publicKey)
    const key = Signer.make().publicKey
    const proof = enrolmentProof(code, { coordinator: pinned, site, key })
    const request = { kind: "enrol", site, key, nonce: site, content: {}, time: "" } as const
    await coordinator.sites.enrol({ ...request }, proof, pinned)
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
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json()
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(coordinatorContract))))
  // To renew it: npm run openapi
  const copy = readFileSync(
    join(import.meta.dirname, "../../../../../../docs/openapi-coordinator.json"),
    "utf8",
  )
  expect(JSON.parse(copy)).toEqual(document)
})
