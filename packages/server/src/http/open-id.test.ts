import { DosimeterError } from "@dosimeter/core"
import { createServer } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openIdSettings } from "../cli/open-id-settings.ts"
import { httpLab, type HttpLab } from "../testing/http-lab.ts"
import { openIdClient, openIdProvider, type OpenIdProvider } from "../testing/openid-provider.ts"

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
}, 60_000)
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
  provider.claims = { sub: "17", preferred_username: "Grace Hopper", groups: ["all", "researchers"] }
  const came = await signIn()
  expect(came.status).toBe(200)
  expect(await whoIs(came)).toMatchObject({ name: "grace-hopper", role: "analyst", by: "session" })
  provider.claims = { sub: "17", preferred_username: "renamed", groups: ["board"] }
  expect(await whoIs(await signIn())).toMatchObject({ name: "grace-hopper", role: "committee" })
  const trail = await lab.as("owner").call("searchAudit", { query: { about: "account grace-hopper" } })
  expect(trail.items.map(({ what }) => what)).toEqual(["account-added", "role-changed"])
  const { items } = await lab.as("owner").call("listAccounts")
  expect(items.find(({ name }) => name === "grace-hopper")).toMatchObject({ role: "committee" })
  const password = { name: "grace-hopper", password: "" }
  expect(await lab.accounts.passwordMatches(password.name, password.password)).toBe(false)
})

test("nobody comes in without a role, by somebody else's name, or after being disabled", async () => {
  provider.claims = { sub: "18", preferred_username: "alan", groups: ["all"] }
  expect(await signIn()).toMatchObject({ status: 403, code: "oidc/no-role", session: "" })
  provider.claims = { sub: "18", preferred_username: "ada", groups: ["researchers"] }
  expect(await signIn()).toMatchObject({ status: 403, code: "oidc/name-taken", session: "" })
  provider.claims = { sub: "19", preferred_username: "kurt", groups: ["researchers"] }
  expect((await signIn()).status).toBe(200)
  await lab.accounts.disable("kurt")
  expect(await signIn()).toMatchObject({ status: 401, code: "request/not-signed-in", session: "" })
})

test("another state, another nonce, another browser or a made-up code is refused", async () => {
  provider.claims = { sub: "17", preferred_username: "grace", groups: ["researchers"] }
  const failed = { status: 403, code: "oidc/failed", session: "" }
  expect(await signIn((back) => back.searchParams.set("state", "another"))).toMatchObject(failed)
  expect(await signIn((back) => back.searchParams.set("code", "another"))).toMatchObject(failed)
  expect(await signIn(() => {}, false)).toMatchObject(failed)
  provider.forgetNonce = true
  expect(await signIn()).toMatchObject(failed)
  provider.forgetNonce = false
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
