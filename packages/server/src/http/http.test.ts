import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { may, rights, roles } from "../governance/roles.ts"
import { canaries } from "../testing/small-hospital.ts"
import { httpLab, people, type HttpLab } from "../testing/http-lab.ts"
import { ApiError, Client } from "./client.ts"
import { contract } from "./contract/contract.ts"
import type { Route } from "./contract/route.ts"
import { openApiDocument } from "./openapi.ts"

let lab: HttpLab
beforeAll(async () => {
  lab = await httpLab()
}, 60_000)
afterAll(() => lab.close())

const all: readonly (readonly [string, Route])[] = Object.entries(contract)
const count = "SELECT COUNT(*) AS n FROM person"

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : `${error}`),
  )
}

/** Calls a route with nothing but who calls. */
async function knock(
  route: Route,
  token?: string,
): Promise<{ readonly status: number; readonly code: string }> {
  const path = route.path.replaceAll(/\{\w+\}/g, "none")
  const response = await fetch(`${lab.url}${path}`, {
    method: route.method,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const code = response.ok || !text.startsWith("{") ? "" : (JSON.parse(text) as { code: string }).code
  return { status: response.status, code }
}

describe("who may do what", () => {
  test("every route says whom it is for", () => {
    for (const [name, { access }] of all) {
      expect(["public", "signed-in", ...rights], name).toContain(access)
    }
  })

  test.each(roles)(
    "%s passes where the contract allows it, and is turned away everywhere else",
    async (role) => {
      for (const [name, route] of all) {
        const { access } = route
        const isAllowed = access === "public" || access === "signed-in" || may(role, access)
        // Signing out ends nothing here: a token is no session.
        const { status, code } = await knock(route, lab.tokenOf(role))
        if (isAllowed)
          expect(["account/no-right", "request/not-signed-in"], `${name} ${status}`).not.toContain(code)
        else expect([status, code], name).toEqual([403, "account/no-right"])
      }
    },
  )

  test("a stranger passes only where anybody may", async () => {
    for (const [name, route] of all) {
      const { status, code } = await knock(route)
      if (route.access === "public") expect(code, name).not.toBe("request/not-signed-in")
      else expect([status, code], name).toEqual([401, "request/not-signed-in"])
    }
    expect(await knock(contract.whoAmI, "dosimeter_000000000000_no")).toMatchObject({ status: 401 })
  })
})
