import { DosimeterError } from "@dosimeter/core"
import { afterAll, expect, test } from "vitest"
import { Accounts } from "../../../people/accounts.ts"
import { may, rights, type Role } from "../../../people/roles.ts"
import { csrfTokenOf, Sessions } from "../../../people/sessions.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import { Tokens } from "../../../people/tokens.ts"
import { checkAccess, checkOrigin } from "./identify.ts"
import type { Caller } from "../services/services.ts"
import { addressOf, type Site } from "./site.ts"

const store = openSqliteState(":memory:")
afterAll(() => store.close())
let now = new Date("2026-03-01T12:00:00Z")
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}
const clock = (): Date => now
const site: Site = { secure: false, behindProxy: false, publicUrl: undefined }

function caller(role: Role, by: "session" | "token" = "session"): Caller {
  const person = { name: role, role, createdAt: "", disabledAt: undefined }
  const own = rights.filter((right) => may(role, right))
  return { person, by, rights: own, session: by === "session" ? "an id" : undefined }
}

function codeOf(work: () => void): string {
  try {
    work()
    return ""
  } catch (error) {
    return error instanceof DosimeterError ? error.code : "another error"
  }
}

test("a route is for those who have its right, and for nobody who is not signed in", () => {
  expect(codeOf(() => checkAccess(undefined, "public"))).toBe("")
  expect(codeOf(() => checkAccess(undefined, "signed-in"))).toBe("request/not-signed-in")
  expect(codeOf(() => checkAccess(caller("auditor"), "see-audit"))).toBe("")
  expect(codeOf(() => checkAccess(caller("auditor"), "ask"))).toBe("account/no-right")
  expect(codeOf(() => checkAccess(caller("participant"), "see-catalog"))).toBe("account/no-right")
})

test("a change by a session needs its token and a page of ours; one by a token does not", () => {
  const request = (headers: Readonly<Record<string, string>>, method = "POST"): Request =>
    new Request("http://here:8080/api", { method, headers: { Host: "here:8080", ...headers } })
  const check = (headers: Readonly<Record<string, string>>, who = caller("owner")): string =>
    codeOf(() => checkOrigin(request(headers), who, site))
  const token = { "X-CSRF-Token": csrfTokenOf("an id") }
  expect(check(token)).toBe("")
  expect(check({ ...token, Origin: "http://here:8080" })).toBe("")
  expect(check({})).toBe("request/from-elsewhere")
  expect(check({ "X-CSRF-Token": csrfTokenOf("another") })).toBe("request/from-elsewhere")
  expect(check({ ...token, Origin: "http://there:8080" })).toBe("request/from-elsewhere")
  expect(check({ Origin: "http://there" }, caller("owner", "token"))).toBe("")
  expect(codeOf(() => checkOrigin(request({}, "GET"), caller("owner"), site))).toBe("")
})

test("behind a proxy the caller is whom the proxy names last", () => {
  const request = new Request("http://here", { headers: { "X-Forwarded-For": "6.6.6.6, 10.0.0.7" } })
  expect(addressOf(request, "127.0.0.1", site)).toBe("127.0.0.1")
  expect(addressOf(request, "127.0.0.1", { ...site, behindProxy: true })).toBe("10.0.0.7")
})

test("a session is over after half an hour without use, and after half a day", async () => {
  const sessions = new Sessions(store, clock)
  const id = await sessions.begin("ada")
  for (let times = 0; times < 25; times += 1) {
    later(29 * 60_000)
    if (times < 24) expect(await sessions.accountOf(id)).toBe("ada")
  }
  expect(await sessions.accountOf(id)).toBeUndefined()
  const other = await sessions.begin("ada")
  later(30 * 60_000 + 1)
  expect(await sessions.accountOf(other)).toBeUndefined()
})

test("a token is one until it expires or is revoked, and only the whole of it", async () => {
  const account = await new Accounts(store, clock).add("ada", "analyst", undefined)
  const tokens = new Tokens(store, clock)
  const { secret, token } = await tokens.add({ name: "one", account, days: 1 })
  expect(await tokens.find(secret)).toMatchObject({ account: "ada", name: "one" })
  expect(await tokens.find(`${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`)).toBeUndefined()
  expect((await tokens.verifierOf("ada+one"))?.token.id).toBe(token.id)
  later(86_400_000)
  expect(await tokens.find(secret)).toBeUndefined()
  expect(await tokens.verifierOf("ada+one")).toBeUndefined()
  const next = await tokens.add({ name: "one", account })
  await tokens.revoke(next.token.id)
  expect(await tokens.find(next.secret)).toBeUndefined()
})
