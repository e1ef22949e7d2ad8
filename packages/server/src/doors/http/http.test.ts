import { withoutRandomText } from "@dosimeter/core/testing"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readFileSync } from "node:fs"
import https from "node:https"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Accounts } from "../../people/accounts.ts"
import { may, rights, roles } from "../../people/roles.ts"
import { openSqliteState } from "../../state/sqlite-state.ts"
import { canaries } from "../../testing/small-hospital.ts"
import { adaPassword, httpLab, type HttpLab } from "../../testing/http-lab.ts"
import { ApiError, Client, type Step } from "./contract/client.ts"
import { contract } from "./contract/contract.ts"
import { fromPlain } from "./contract/plain-values.ts"
import type { Route } from "./contract/route.ts"
import { openApiDocument } from "./contract/openapi.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab({ needsStudies: false })
})
afterAll(() => lab.close())

const all: readonly (readonly [string, Route])[] = Object.entries(contract)
const count = "SELECT COUNT(*) AS n FROM person"

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : "another error"),
  )
}

/** Sends something by hand, and gives what came back. */
async function send(
  path: string,
  init: RequestInit = {},
): Promise<{
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly code: string
}> {
  const response = await fetch(`${lab.url}${path}`, init)
  const text = await response.text()
  const problem: unknown = !response.ok && text.startsWith("{") ? JSON.parse(text) : {}
  const code =
    typeof problem === "object" && problem !== null && "code" in problem ? String(problem.code) : ""
  return { status: response.status, headers: response.headers, text, code }
}

const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } })
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
})

/** Calls a route with nothing but who calls. */
async function knock(route: Route, token?: string): Promise<readonly [status: number, code: string]> {
  const path = route.path.replaceAll(/\{\w+\}/g, "none")
  const { headers = {} } = token === undefined ? {} : bearer(token)
  const { status, code } = await send(path, { method: route.method, headers })
  return [status, code]
}

describe("who may do what", () => {
  test("every route says whom it is for", () => {
    for (const [name, { access }] of all) {
      expect(["public", "signed-in", ...rights], name).toContain(access)
    }
  })

  test.each(roles)("%s passes where the contract allows it, and nowhere else", async (role) => {
    for (const [name, route] of all) {
      const { access } = route
      const isAllowed = access === "public" || access === "signed-in" || may(role, access)
      const [status, code] = await knock(route, lab.tokenOf(role))
      if (isAllowed) expect(["account/no-right", "request/not-signed-in"], name).not.toContain(code)
      else expect([status, code], name).toEqual([403, "account/no-right"])
    }
  })

  test("a stranger passes only where anybody may", async () => {
    for (const [name, route] of all) {
      const got = await knock(route)
      if (route.access === "public") expect(got[1], name).not.toBe("request/not-signed-in")
      else expect(got, name).toEqual([401, "request/not-signed-in"])
    }
    expect(await knock(contract.whoAmI, "dosimeter_000000000000_no")).toEqual([401, "request/not-signed-in"])
  })

  test("a token has no right that it was not given, or that its account has not", async () => {
    const { url } = lab
    const owner = await signedIn("olga")
    const { secret, id } = await owner.call("addToken", {
      body: { name: "watch", rights: ["operate"], days: 2 },
    })
    const watch = new Client({ url, token: secret })
    expect(await watch.text("metrics")).toContain("dosimeter_requests_total")
    expect(await codeOf(watch.call("explain", { body: { sql: count } }))).toBe("account/no-right")
    expect(await codeOf(watch.call("addToken", { body: { name: "more" } }))).toBe("request/needs-session")
    const [test] = (await owner.call("listTokens")).items
    expect((await watch.call("listTokens")).items).toMatchObject([{ id }])
    const other = { params: { id: test?.id ?? "" } }
    expect(await codeOf(watch.call("revokeToken", other))).toBe("request/needs-session")
    const analyst = await signedIn("ada")
    const add = (body: { readonly name: string; readonly rights?: readonly ["see-audit"] }) =>
      codeOf(analyst.call("addToken", { body }))
    expect(await add({ name: "above", rights: ["see-audit"] })).toBe("token/above-account")
    expect(await add({ name: "test" })).toBe("token/exists")
    expect(await codeOf(analyst.call("revokeToken", { params: { id } }))).toBe("token/unknown")
    lab.later(3 * 86_400_000)
    expect(await codeOf(watch.call("whoAmI"))).toBe("request/not-signed-in")
    lab.later(-3 * 86_400_000)
    expect((await owner.call("listTokens")).items).toMatchObject([
      { name: "test" },
      { name: "watch", lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ])
    await owner.call("revokeToken", { params: { id } })
    expect(await codeOf(watch.call("whoAmI"))).toBe("request/not-signed-in")
  })
})

/** A client that keeps its cookie, as a browser does. */
async function signedIn(
  name: string,
  password = adaPassword,
): Promise<Client & { readonly cookie: () => string }> {
  let cookie = ""
  const keeping = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (cookie !== "") headers.set("Cookie", cookie)
    const response = await fetch(url, { ...init, headers })
    const session = response.headers.getSetCookie().find((line) => line.startsWith("dosimeter="))
    if (session !== undefined) cookie = session.split(";", 1)[0] ?? ""
    return response
  }
  const client = new Client({ url: lab.url, fetch: keeping })
  await client.call("signIn", { body: { name, password } })
  return Object.assign(client, { cookie: () => cookie })
}

describe("sessions", () => {
  test("the cookie is for this site only and out of reach of scripts; its id is new each time", async () => {
    const first = await send("/api/v1/sign-in", post({ name: "ada", password: adaPassword }))
    expect(first.status).toBe(200)
    const [line = ""] = first.headers.getSetCookie()
    expect(line).toMatch(/^dosimeter=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    const planted = { Cookie: line.split(";", 1)[0] ?? "" }
    const again = await send("/api/v1/sign-in", post({ name: "ada", password: adaPassword }, planted))
    expect(again.status).toBe(200)
    expect(again.headers.getSetCookie()[0]?.slice(0, 40)).not.toBe(line.slice(0, 40))
    expect((await send("/api/v1/me", { headers: planted })).code).toBe("request/not-signed-in")
    const kept = await lab.store.all("SELECT hash FROM sessions")
    expect(JSON.stringify(kept)).not.toContain(/=([\w-]{43})/.exec(line)?.[1] ?? "?")
  })

  test("another site cannot use it: neither by its origin, nor without the session's token", async () => {
    const ada = await signedIn("ada")
    const { csrfToken } = await ada.call("whoAmI")
    const withCookie = (headers: Readonly<Record<string, string>>) =>
      send("/api/v1/explain", post({ sql: count }, { Cookie: ada.cookie(), ...headers }))
    const own = { "X-CSRF-Token": csrfToken ?? "" }
    expect((await withCookie(own)).status).toBe(200)
    expect((await withCookie({ ...own, Origin: lab.url })).status).toBe(200)
    expect((await withCookie({})).code).toBe("request/from-elsewhere")
    expect((await withCookie({ "X-CSRF-Token": "another" })).code).toBe("request/from-elsewhere")
    expect((await withCookie({ ...own, Origin: "https://evil.example" })).code).toBe("request/from-elsewhere")
    expect((await withCookie({ ...own, "Sec-Fetch-Site": "cross-site" })).code).toBe("request/from-elsewhere")
    const elsewhere = { "Sec-Fetch-Site": "cross-site" }
    const signIn = await send("/api/v1/sign-in", post({ name: "ada", password: adaPassword }, elsewhere))
    expect(signIn.code).toBe("request/from-elsewhere")
  })

  test("one ends when it is not used, with sign-out, and with a new password", async () => {
    const [one, two] = [await signedIn("eve"), await signedIn("eve")]
    lab.later(31 * 60_000)
    expect(await codeOf(one.call("whoAmI"))).toBe("request/not-signed-in")
    lab.later(-31 * 60_000)
    expect((await one.call("whoAmI")).name).toBe("eve")
    await two.call("signOut")
    expect(await codeOf(two.call("whoAmI"))).toBe("request/not-signed-in")
    const three = await signedIn("eve")
    const body = { old: adaPassword, new: "quite another one" }
    expect(await codeOf(three.call("changePassword", { body: { ...body, old: "not this one" } }))).toBe(
      "request/wrong-password",
    )
    await three.call("changePassword", { body })
    expect((await three.call("whoAmI")).name).toBe("eve")
    expect(await codeOf(one.call("whoAmI"))).toBe("request/not-signed-in")
    expect((await signedIn("eve", "quite another one")).cookie()).not.toBe("")
  })

  test("guessing is slow for a name, and other names go on", async () => {
    const url = await lab.door({})
    const stranger = new Client({ url })
    const guess = (name: string) => codeOf(stranger.call("signIn", { body: { name, password: "a guess" } }))
    const guesses = await Promise.all(["ada", "ada", "ada", "ada", "ada"].map(guess))
    expect(guesses).toEqual(Array.from({ length: 5 }, () => "request/wrong-password"))
    expect(await guess("ada")).toBe("request/too-many-tries")
    expect(await guess("zoe")).toBe("request/wrong-password")
  })

  test("the first account is made with the code that the server printed, once", async () => {
    const store = openSqliteState(":memory:")
    const url = await lab.door({ store, accounts: new Accounts(store), setUpCode: "a1b2c3" })
    const first = new Client({ url })
    expect(await first.call("signInMethods")).toMatchObject({ setUp: true, password: true })
    const body = { code: "a1b2c3", name: "olga", password: "the first of all" }
    expect(await codeOf(first.call("setUp", { body: { ...body, code: "guess" } }))).toBe("account/wrong-code")
    expect(await first.call("setUp", { body })).toMatchObject({ name: "olga", role: "owner" })
    expect(await codeOf(new Client({ url }).call("setUp", { body: { ...body, name: "eve" } }))).toBe(
      "account/not-the-first",
    )
    const trail = await store.all("SELECT who, what, about FROM audit")
    expect(trail).toEqual([{ who: "olga", what: "account-added", about: "account olga" }])
  })
})

describe("accounts", () => {
  test("the owner makes, resets and disables them; what is disabled is over at once", async () => {
    const owner = lab.as("owner")
    const made = await owner.call("addAccount", { body: { name: "noor", role: "analyst" } })
    const noor = await signedIn("noor", made.password ?? "")
    expect((await noor.call("whoAmI")).rights).toContain("ask")
    const { password } = await owner.call("resetPassword", { params: { name: "noor" } })
    expect(await codeOf(noor.call("whoAmI"))).toBe("request/not-signed-in")
    const again = await signedIn("noor", password)
    await owner.call("disableAccount", { params: { name: "noor" } })
    expect(await codeOf(again.call("whoAmI"))).toBe("request/not-signed-in")
    expect(await codeOf(owner.call("addAccount", { body: { name: "noor", role: "owner" } }))).toBe(
      "account/exists",
    )
    const { items } = await owner.call("searchAudit", { query: { about: "account noor" } })
    expect(items.map(({ who, what }) => `${who} ${what}`)).toEqual([
      "olga account-added",
      "olga password-changed",
      "olga account-disabled",
    ])
    const found: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const query = {
        about: "account noor",
        order: "newest" as const,
        limit: "2",
        ...(after === undefined ? {} : { after }),
      }
      const page = await owner.call("searchAudit", { query })
      found.push(...page.items.map(({ what }) => what))
      after = page.next
    }
    expect(found).toEqual(["account-disabled", "password-changed", "account-added"])
  })
})

describe("questions", () => {
  test("an explanation is free, and an answer has intervals, a receipt and what is left", async () => {
    const ada = lab.as("analyst")
    const body = { sql: "SELECT COUNT(*) AS n FROM person WHERE year_of_birth < $1", parameters: [1960] }
    const explained = await ada.call("explain", { body })
    expect(explained).toMatchObject({
      cost: { accounting: "zcdp", epsilon: expect.stringMatching(/^0\.4999/) },
    })
    expect(explained.budget.spent.amount).toBe("0")
    const answer = await ada.call("ask", { body })
    expect(answer).toMatchObject({ origin: "released", columns: [{ name: "n", kind: "noisy" }] })
    const [cell] = answer.rows.map((row) => row["n"])
    expect(Number(cell?.low)).toBeLessThan(Number(cell?.high))
    expect(answer.budget.spent.amount).toBe(explained.cost.amount)
    expect(await ada.call("ask", { body })).toMatchObject({ origin: "recorded", rows: answer.rows })
  })

  test("an error to reach is priced first, and paid in stages under one key", async () => {
    const ada = lab.as("analyst")
    const body = { sql: "SELECT COUNT(*) AS n FROM visit_occurrence", rowsPerGroup: 2, within: "20%" }
    expect(await ada.call("explain", { body })).toMatchObject({
      firstLook: { epsilon: "0.01", more: ["0.03", "0.1"], thenAtMost: "1" },
    })
    const answer = await ada.call("ask", { body }, { key: "visits-1" })
    // Whether the error is as wanted depends on the noise of the looks.
    expect(answer).toMatchObject({ origin: "released", reached: { of: 1 } })
    expect(await ada.call("ask", { body }, { key: "visits-1" })).toMatchObject({ rows: answer.rows })
  })

  test("what to spend may be said as rho, and a name that is not known is refused", async () => {
    const ada = lab.as("analyst")
    const sql = "SELECT COUNT(*) AS n FROM death"
    const { cost } = await ada.call("explain", { body: { sql, rho: "0.001" } })
    expect(Number(cost.amount)).toBeLessThanOrEqual(0.001)
    expect(Number(cost.amount)).toBeGreaterThan(0.000999)
    const post = async (body: object) =>
      ada.call("explain", { body: { sql, ...body } }).catch((error: unknown) => error)
    expect(await post({ rho: "0.001", epsilon: "1" })).toMatchObject({
      problem: { code: "request/bad-input" },
    })
    expect(await post({ epsilo: "0.1" })).toMatchObject({
      problem: { code: "request/bad-input", message: expect.stringContaining("epsilo") },
    })
  })

  test("a key makes it safe to send again, and is for one question", async () => {
    const ada = lab.as("analyst")
    const ask = (sql: string, key: string) => ada.call("ask", { body: { sql, reuse: "never" } }, { key })
    const deaths = "SELECT COUNT(*) AS n FROM death"
    const before = (await ada.call("getBudget")).accounts[0]?.spent.amount
    const answers = await Promise.all([ask(deaths, "k1"), ask(deaths, "k1"), ask(deaths, "k1")])
    expect(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size).toBe(1)
    const after = (await ada.call("getBudget")).accounts[0]?.spent.amount
    expect(Number(after) - Number(before)).toBeCloseTo(0.004578, 5)
    expect(await codeOf(ask("SELECT COUNT(*) AS n FROM drug_exposure", "k1"))).toBe("ledger/request-reused")
    expect(await codeOf(ask(deaths, "not a key"))).toBe("request/bad-key")
  })

  test("the steps of a question come as they happen", async () => {
    const steps: Step[] = []
    const body = { sql: "SELECT gender_concept_id, COUNT(*) AS n FROM person GROUP BY 1" }
    for await (const step of lab.as("analyst").steps({ body })) steps.push(step)
    expect(steps.map(({ event }) => event)).toEqual(["planned", "charged", "reading", "released"])
    expect(steps.at(-1)?.data).toMatchObject({ origin: "released", rows: [{}, {}] })
    const again: Step[] = []
    for await (const step of lab.as("analyst").steps({ body })) again.push(step)
    expect(again.map(({ event }) => event)).toEqual(["planned", "released"])
  })

  test("what is refused says where and what to write, before anything is streamed", async () => {
    const sql = "SELECT SUM(value_as_number)\nFROM measurement"
    const refused = {
      kind: "unsupported",
      code: "privacy/unbounded-sum",
      message: expect.stringContaining("has no bounds"),
      help: expect.stringContaining("CLAMP"),
      facts: {
        what: "SUM(value_as_number)",
        unit: "person",
        remedy: expect.stringContaining("CLAMP"),
      },
      position: { offset: 7, line: 1, column: 8 },
    }
    for (const accept of ["application/json", "text/event-stream"]) {
      const headers = { Authorization: `Bearer ${lab.tokenOf("analyst")}`, Accept: accept }
      const { status, text } = await send("/api/v1/ask", post({ sql }, headers))
      expect(status).toBe(422)
      expect(JSON.parse(text)).toEqual(refused)
    }
    const { problem } = await failing(lab.as("analyst").call("ask", { body: { sql: count, epsilon: "7" } }))
    expect(problem).toMatchObject({ kind: "refused", code: "ask/too-large" })
  })

  test("several questions are planned together and released under one charge", async () => {
    const ada = lab.as("analyst")
    const questions = ["gender_concept_id", "race_concept_id"].map((column) => ({
      sql: `SELECT ${column}, COUNT(*) AS n FROM person GROUP BY 1`,
    }))
    const body = { questions, epsilon: "0.3" }
    const plan = await ada.call("plan", { body })
    expect(plan.questions).toHaveLength(2)
    const released = await ada.call("releasePlan", { body }, { key: "dash-1" })
    expect(released).toMatchObject({ cost: plan.cost, answers: [{}, {}], origin: "released" })
    expect(await ada.call("releasePlan", { body }, { key: "dash-1" })).toMatchObject({ origin: "recorded" })
  })
})

async function failing(work: Promise<unknown>): Promise<ApiError> {
  return work.then(
    () => Promise.reject(new Error("it was answered")),
    (error: unknown) => (error instanceof ApiError ? error : Promise.reject(new Error("another error"))),
  )
}

describe("what was released", () => {
  test("newest first, in pages, each with receipt and CSV; analysts see their own", async () => {
    const [owner, ada] = [lab.as("owner"), lab.as("analyst")]
    await owner.call("ask", { body: { sql: "SELECT COUNT(*) AS n FROM measurement", rowsPerGroup: 1 } })
    const seen: number[] = []
    for (let after: string | undefined; ;) {
      const page = await owner.call("listReleases", {
        query: { limit: "2", ...(after === undefined ? {} : { after }) },
      })
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ position }) => position))
      if (page.next === null) break
      after = page.next
    }
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    expect(new Set(seen).size).toBe(seen.length)
    const { items } = await ada.call("listReleases")
    expect(new Set(items.map(({ principal }) => principal))).toEqual(new Set(["ada"]))
    const [newest = 0] = seen
    const params = { position: `${newest}` }
    const full = await owner.call("getRelease", { params })
    expect(full).toMatchObject({ principal: "olga", answer: { rows: [{ n: { state: "released" } }] } })
    expect(await owner.call("getReceipt", { params })).toEqual(full.receipt)
    expect(await owner.text("getRelease", { params })).toMatch(
      /^n,n_low,n_high,n_bounding\r\n\d+,\d+,\d+,[\w-]+\r\n$/,
    )
    expect(await codeOf(ada.call("getRelease", { params }))).toBe("release/unknown")
    expect(await owner.text("registryClaim")).toContain("hospital")
    expect(await owner.text("nistClaim")).toContain("800-226")
    expect(await codeOf(owner.call("listReleases", { query: { after: "x" } }))).toBe("request/bad-input")
  })

  test("the history of an account ends where its budget stands, and is the sum of its receipts", async () => {
    const owner = lab.as("owner")
    const params = { account: "dataset" }
    const { items, next } = await owner.call("budgetHistory", { params, query: { limit: "1000" } })
    expect(next).toBeNull()
    const { accounts } = await owner.call("getBudget")
    expect(items.at(-1)?.total).toBe(accounts.find(({ name }) => name === "dataset")?.spent.amount)
    expect(items.at(-1)?.epsilon).toBe(accounts[0]?.spent.epsilon)
    const nobody = { account: "study:nobody" }
    expect(await codeOf(owner.call("budgetHistory", { params: nobody }))).toBe("budget/unknown-account")
  })
})

describe("the dataset", () => {
  test("is told as the policy has it, without columns that are denied and without values", async () => {
    const ada = lab.as("analyst")
    expect((await ada.call("listDatasets")).items).toEqual([{ name: "hospital", unit: "person" }])
    const told = await ada.call("getDataset", { params: { dataset: "hospital" } })
    const person = told.tables.find(({ name }) => name === "person")
    expect(person).toMatchObject({ kind: "private", unit: "person_id" })
    expect(person?.columns.map(({ name }) => name)).not.toContain("person_source_value")
    expect(await codeOf(ada.call("getDataset", { params: { dataset: "other" } }))).toBe("request/no-dataset")
  })

  test("a browser can compile and price a question from what it is told", async () => {
    const ada = lab.as("analyst")
    const facts = await ada.call("compileFacts", { params: { dataset: "hospital" } })
    // What went in were a catalog and terms.
    const { catalog, terms } = fromPlain(facts) as Pick<CompileOptions, "catalog" | "terms">
    const { plan } = compile(count, { grammar: await loadGrammar(), catalog, terms })
    const { policy } = lab.engine
    expect({ catalog, terms }).toEqual({ catalog: policy.catalog, terms: policy.terms })
    const explained = await lab.engine.explain(count)
    expect(plan.charge).toEqual(explained.plan.charge)
  })
})

describe("the door", () => {
  test("bad JSON, other shapes, unknown routes, other methods and large bodies have the one shape", async () => {
    const authorization = { Authorization: `Bearer ${lab.tokenOf("analyst")}` }
    const ask = (body: unknown, headers = {}) =>
      send("/api/v1/ask", post(body, { ...authorization, ...headers }))
    const shape = {
      kind: "invalid",
      code: "request/bad-json",
      message: expect.any(String),
      help: expect.any(String),
    }
    expect(JSON.parse((await ask("{")).text)).toEqual(shape)
    expect((await ask("{}", { "Content-Type": "text/plain" })).code).toBe("request/bad-json")
    expect(await ask({ sql: 7 })).toMatchObject({ status: 400, code: "request/bad-input" })
    expect(await ask({ sql: count, epsilon: "Infinity" })).toMatchObject({ code: "request/bad-input" })
    expect(await ask({ sql: count, epsilon: "-1" })).toMatchObject({ code: "request/bad-input" })
    const polluted = `{"sql":"${count}","__proto__":{"epsilon":"1e9"}}`
    expect((await ask(polluted)).status).toBe(400)
    expect(await ask({ sql: "x".repeat(70_000) })).toMatchObject({ status: 413, code: "request/too-large" })
    expect(await send("/api/v1/nothing")).toMatchObject({ status: 404, code: "request/no-route" })
    expect(await send("/api/v1/ask", { method: "DELETE" })).toMatchObject({
      status: 405,
      code: "request/wrong-method",
    })
  })

  test("people who walk into an error see a page", async () => {
    const headers = { Accept: "text/html,application/xhtml+xml" }
    const { status, text } = await send("/nothing/<b>", { headers })
    expect(status).toBe(404)
    expect(text).toContain("<h1>That did not work</h1>")
    expect(text).not.toContain("<b>")
  })

  test("with a certificate everything is encrypted", async () => {
    const file = (kind: string): string =>
      readFileSync(join(import.meta.dirname, `../../../test/fixtures/localhost.${kind}`), "utf8")
    const tls = { cert: file("crt"), key: file("key") }
    const { port } = new URL(await lab.door({ tls }))
    const { status, headers } = await new Promise<{ status: number | undefined; headers: object }>(
      (resolve, reject) => {
        const options = { host: "localhost", port, path: "/readyz", ca: tls.cert, family: 4 }
        const sent = https.get(options, (response) => {
          response.resume()
          resolve({ status: response.statusCode, headers: response.headers })
        })
        sent.on("error", reject)
      },
    )
    expect(status).toBe(200)
    expect(headers).toMatchObject({ "strict-transport-security": "max-age=31536000" })
  })

  test("too many requests are turned away, and told how long to wait", async () => {
    const url = await lab.door({ requestsPerMinute: 3 })
    const client = new Client({ url })
    for (let times = 0; times < 3; times += 1) await client.call("health")
    const error = await failing(client.call("health"))
    expect([error.status, error.problem.code]).toEqual([429, "request/too-many"])
    expect(error.retryAfter).toBeGreaterThan(0)
  })

  test("every reply has the headers that keep browsers safe", async () => {
    for (const path of ["/", "/api", "/healthz", "/nothing"]) {
      const { headers } = await send(path)
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("strict-transport-security")).toBeNull()
    }
    const url = await lab.door({ behindProxy: true })
    const response = await fetch(`${url}/api/v1/sign-in`, post({ name: "ada", password: adaPassword }))
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000")
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-dosimeter=.*; Secure$/)
  })

  test("pages can be read, the document is OpenAPI 3.1, and its copy in docs is the same", async () => {
    expect((await send("/")).text).toContain('<a href="/api">')
    expect((await send("/api")).text).toContain("POST /api/v1/ask")
    const document: unknown = JSON.parse((await send("/openapi.json")).text)
    const made = openApiDocument(contract)
    expect(document).toEqual(JSON.parse(JSON.stringify(made)))
    expect(made.openapi).toBe("3.1.0")
    const copy = readFileSync(join(import.meta.dirname, "../../../../../docs/openapi.json"), "utf8")
    // To renew it: npm run openapi
    expect(JSON.parse(copy)).toEqual(document)
    const unresolved = [...JSON.stringify(made).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
      .map(([, name]) => name ?? "")
      .filter((name) => !JSON.stringify(made.components).includes(`"${name}":{`))
    expect(unresolved).toEqual([])
  })

  test("neither logs nor metrics nor the audit trail hold what was asked or what is in the data", async () => {
    const ada = lab.as("analyst")
    await codeOf(ada.call("ask", { body: { sql: "SELECT secretliteral FROM person WHERE 'CANARY' = $1" } }))
    const everything = [
      ...lab.log,
      await lab.as("owner").text("metrics"),
      await lab.as("owner").text("exportAudit"),
    ].join("\n")
    const words = withoutRandomText(everything)
    for (const word of [...canaries, "secretliteral", "SELECT", adaPassword]) {
      expect(words).not.toContain(word)
    }
    expect(everything).toContain("/api/v1/releases/{position}")
    expect(await lab.as("auditor").call("verifyAudit")).toEqual({ sound: true, firstWrong: null })
  })
})
