import { DosimeterError } from "@dosimeter/core"
import { createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openIdSettings } from "../../cli/serve/open-id-settings.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"
import {
  openIdClient,
  openIdProvider,
  type Behaviour,
  type OpenIdProvider,
} from "../../../testing/openid-provider.ts"

let lab: HttpLab
let provider: OpenIdProvider
let url = ""

beforeAll(async () => {
  provider = await openIdProvider()
  lab = await httpLab()
  const port = await freePort()
  const openId = openIdSettings(environment(), `http://127.0.0.1:${port}`)
  if (openId === undefined) throw new Error("there are settings")
  url = await lab.door({ openId, port })
})
afterAll(async () => {
  await lab.close()
  await provider.close()
})

function environment(): Readonly<Record<string, string>> {
  return {
    DOSIMETER_OIDC_ISSUER: provider.issuer,
    DOSIMETER_OIDC_CLIENT_ID: openIdClient.id,
    DOSIMETER_OIDC_CLIENT_SECRET: openIdClient.secret,
    DOSIMETER_OIDC_ROLES: "researchers=analyst, board=committee",
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}

interface Came {
  readonly status: number
  readonly code: string
  readonly session: string
}

/** Goes there and back as a browser does; `change` may meddle with the address on the way back. */
async function signIn(change: (back: URL) => void = () => {}, cookies = true): Promise<Came> {
  const started = await fetch(`${url}/sign-in/openid`, { redirect: "manual" })
  const attempt = started.headers.getSetCookie()[0] ?? ""
  expect(attempt).toMatch(/^dosimeter-openid=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  const sent = await fetch(started.headers.get("location") ?? "", { redirect: "manual" })
  const back = new URL(sent.headers.get("location") ?? "")
  change(back)
  const headers = cookies ? { Cookie: attempt.split(";", 1)[0] ?? "" } : {}
  const response = await fetch(back, { redirect: "manual", headers })
  const body = await response.text()
  const code = response.ok ? "" : (/"code":"([^"]*)"/.exec(body)?.[1] ?? "")
  const session = response.headers.getSetCookie().find((line) => line.startsWith("dosimeter="))
  return { status: response.status, code, session: session?.split(";", 1)[0] ?? "" }
}

async function whoIs({ session }: Came): Promise<unknown> {
  return (await fetch(`${url}/api/v1/me`, { headers: { Cookie: session } })).json()
}

test("another house signs people in: their group gives the role, today's one each time", async () => {
  await provider.behave({
    claims: { sub: "17", preferred_username: "Grace Hopper", groups: ["all", "researchers"] },
  })
  const came = await signIn()
  expect(came.status).toBe(200)
  expect(await whoIs(came)).toMatchObject({ name: "grace-hopper", role: "analyst", by: "session" })
  await provider.behave({ claims: { sub: "17", preferred_username: "renamed", groups: ["board"] } })
  expect(await whoIs(await signIn())).toMatchObject({ name: "grace-hopper", role: "committee" })
  const trail = await lab.as("owner").call("searchAudit", { query: { about: "account grace-hopper" } })
  expect(trail.items.map(({ what }) => what)).toEqual(["account-added", "role-changed"])
  const { items } = await lab.as("owner").call("listAccounts")
  expect(items.find(({ name }) => name === "grace-hopper")).toMatchObject({ role: "committee" })
  const password = { name: "grace-hopper", password: "" }
  expect(await lab.accounts.passwordMatches(password.name, password.password)).toBe(false)
})

test("nobody comes in without a role, by somebody else's name, or after being disabled", async () => {
  await provider.behave({ claims: { sub: "18", preferred_username: "alan", groups: ["all"] } })
  expect(await signIn()).toMatchObject({ status: 403, code: "oidc/no-role", session: "" })
  await provider.behave({ claims: { sub: "18", preferred_username: "ada", groups: ["researchers"] } })
  expect(await signIn()).toMatchObject({ status: 403, code: "oidc/name-taken", session: "" })
  await provider.behave({ claims: { sub: "19", preferred_username: "kurt", groups: ["researchers"] } })
  expect((await signIn()).status).toBe(200)
  await lab.accounts.disable("kurt")
  expect(await signIn()).toMatchObject({ status: 401, code: "request/not-signed-in", session: "" })
})

const grace = { sub: "17", preferred_username: "grace", groups: ["researchers"] }
const failed = { status: 403, code: "oidc/failed", session: "" }

test("another state, another browser or a made-up code is refused", async () => {
  await provider.behave({ claims: grace })
  expect(await signIn((back) => back.searchParams.set("state", "another"))).toMatchObject(failed)
  expect(await signIn((back) => back.searchParams.delete("state"))).toMatchObject(failed)
  expect(await signIn((back) => back.searchParams.set("code", "another"))).toMatchObject(failed)
  expect(await signIn((back) => back.searchParams.set("error", "access_denied"))).toMatchObject(failed)
  expect(await signIn(() => {}, false)).toMatchObject(failed)
})

const now = Math.floor(Date.now() / 1000)
const unsigned = { id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] }

test.each<readonly [string, Omit<Behaviour, "claims"> & { readonly claims?: Behaviour["claims"] }]>([
  ["no nonce", { nonce: "forgotten" }],
  ["the nonce of another attempt", { nonce: { is: "another" } }],
  ["a nonce that is no text", { claims: { nonce: 7 } }],
  ["an identity of another house", { claims: { iss: "http://127.0.0.1:9" } }],
  ["an identity for another client", { claims: { aud: "another" } }],
  ["an identity for several clients by another", { claims: { aud: ["dosimeter", "x"], azp: "x" } }],
  ["an identity that is over", { claims: { iat: now - 7200, exp: now - 3600 } }],
  ["an identity that begins later", { claims: { nbf: now + 3600 } }],
  ["an identity without an end", { claims: { exp: null } }],
  ["an identity about nobody", { claims: { sub: null } }],
  ["no signature", { signed: "none" }],
  ["no signature, by a house that allows it", { signed: "none", configuration: unsigned }],
  ["a signature that is not one", { signed: "not" }],
  ["the key of a stranger under the same id", { signed: "by-a-stranger" }],
  ["the public key as a secret", { signed: "public-key-as-secret" }],
  ["the public key as a secret, allowed", { signed: "public-key-as-secret", configuration: unsigned }],
  ["the client's secret as a key, allowed", { signed: "client-secret", configuration: unsigned }],
  ["an error of the token endpoint", { tokens: "error" }],
  ["a token endpoint that goes away", { tokens: "crash" }],
  ["a token endpoint with a page", { tokens: "page" }],
  ["no identity", { tokens: "without-identity" }],
  ["the name of another house on the way back", { iss: "http://127.0.0.1:9" }],
])("%s is refused", async (_what, { claims = {}, ...behaviour }) => {
  await provider.behave({ ...behaviour, claims: { ...grace, ...claims } })
  expect(await signIn()).toMatchObject(failed)
  await provider.behave({ claims: grace })
  expect((await signIn()).status).toBe(200)
})

test("an email is a name only if the house does not doubt it", async () => {
  const claims = { sub: "30", email: "mia@example.org", groups: ["researchers"] }
  await provider.behave({ claims: { ...claims, email_verified: false } })
  expect(await signIn()).toMatchObject(failed)
  await provider.behave({ claims: { ...claims, email_verified: true } })
  expect(await whoIs(await signIn())).toMatchObject({ name: "mia@example.org" })
  // Another subject with the same address is somebody else.
  await provider.behave({ claims: { ...claims, sub: "31" } })
  expect(await signIn()).toMatchObject({ code: "oidc/name-taken", session: "" })
})

test("the name that a provider sends wins nobody the account of somebody else", async () => {
  for (const name of ["ada", "ADA", "Ada", "1ada", "operator"]) {
    await provider.behave({
      claims: { sub: `40 ${name}`, preferred_username: name, groups: ["researchers"] },
    })
    expect(await signIn()).toMatchObject({ session: "" })
  }
  await provider.behave({ claims: { sub: "41", preferred_username: 7, groups: ["researchers"] } })
  expect(await signIn()).toMatchObject(failed)
})

test("a code belongs to one attempt: by its verifier, or at a careless house by its nonce", async () => {
  for (const careless of [false, true]) {
    await provider.behave({ claims: grace, careless })
    const started = await fetch(`${url}/sign-in/openid`, { redirect: "manual" })
    const asked = new URL(started.headers.get("location") ?? "")
    expect(asked.searchParams.get("code_challenge_method")).toBe("S256")
    expect(asked.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/)
    const theirs = await fetch(asked, { redirect: "manual" })
    const code = new URL(theirs.headers.get("location") ?? "").searchParams.get("code") ?? ""
    expect(await signIn((back) => back.searchParams.set("code", code))).toMatchObject(failed)
  }
})

test("an attempt ends one sign-in, also at a house that takes a code twice", async () => {
  await provider.behave({ claims: grace, careless: true })
  const started = await fetch(`${url}/sign-in/openid`, { redirect: "manual" })
  const headers = { Cookie: (started.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "" }
  const sent = await fetch(started.headers.get("location") ?? "", { redirect: "manual" })
  const back = sent.headers.get("location") ?? ""
  const statuses = await Promise.all([1, 2, 3].map(async () => (await fetch(back, { headers })).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403])
  expect((await fetch(back, { headers })).status).toBe(403)
})

test("the code and the identity of a second house are worth nothing", async () => {
  const second = await openIdProvider()
  await second.behave({ claims: grace, careless: true })
  await provider.behave({ claims: grace, careless: true })
  const started = await fetch(`${url}/sign-in/openid`, { redirect: "manual" })
  const there = new URL(started.headers.get("location") ?? "")
  const sent = await fetch(`${second.issuer}${there.pathname}${there.search}`, { redirect: "manual" })
  const headers = { Cookie: (started.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "" }
  expect((await fetch(sent.headers.get("location") ?? "", { headers })).status).toBe(403)
  // A house that says it is another one.
  await provider.behave({ claims: grace, configuration: { issuer: second.issuer } })
  expect(await signIn()).toMatchObject({ code: "oidc/unreachable" })
  // One that says it always names itself on the way back, and does not.
  const strict = { authorization_response_iss_parameter_supported: true }
  await provider.behave({ claims: grace, configuration: strict })
  expect(await signIn()).toMatchObject(failed)
  await provider.behave({ claims: grace, configuration: strict, iss: provider.issuer })
  expect((await signIn()).status).toBe(200)
  await second.close()
})

test("a new key counts at once, and the one before no longer", async () => {
  await provider.behave({ claims: grace })
  expect((await signIn()).status).toBe(200)
  await provider.rotate()
  expect((await signIn()).status).toBe(200)
  await provider.behave({ claims: grace, signed: "with-the-old-key" })
  expect(await signIn()).toMatchObject(failed)
})

test("a house without it says so, and one that cannot be reached too", async () => {
  expect((await fetch(`${lab.url}/sign-in/openid`)).status).toBe(404)
  expect(await (await fetch(`${lab.url}/sign-in/openid`)).json()).toMatchObject({
    code: "oidc/not-configured",
  })
  const settings = openIdSettings(
    { ...environment(), DOSIMETER_OIDC_ISSUER: "http://127.0.0.1:9" },
    "http://localhost",
  )
  const other = await lab.door(settings === undefined ? {} : { openId: settings })
  expect(await (await fetch(`${other}/sign-in/openid`)).json()).toMatchObject({ code: "oidc/unreachable" })
  expect(await (await fetch(`${other}/api/v1/sign-in`)).json()).toMatchObject({ openId: true })
})

test("what is configured wrongly is named when the server starts", () => {
  const codeOf = (more: Readonly<Record<string, string>>, publicUrl?: string): string => {
    try {
      openIdSettings({ ...environment(), ...more }, publicUrl)
      return ""
    } catch (error) {
      return error instanceof DosimeterError ? error.code : "another error"
    }
  }
  expect(openIdSettings({}, undefined)).toBeUndefined()
  expect(codeOf({}, undefined)).toBe("oidc/bad-settings")
  expect(codeOf({ DOSIMETER_OIDC_ROLES: "kings=king" }, "http://localhost")).toBe("oidc/bad-settings")
  expect(codeOf({ DOSIMETER_OIDC_CLIENT_SECRET: "" }, "http://localhost")).toBe("oidc/bad-settings")
})
